import type { HandleRow, HandlesPage, ReadRow } from "../core/model/handlesPage";
import type { UseCounts } from "../core/model/resultHandle";
import type { FormatId } from "../core/model/transcript";

/** A read with its time as ISO text. */
export interface ReadReport extends Omit<ReadRow, "at"> {
  readonly at: string | null;
}

/** A handle as `inspect --handles --json` writes it: as the inspector shows it, with times as ISO text. */
export interface HandleReport
  extends Omit<HandleRow, "savedAt" | "endAt" | "until" | "lastReadAt" | "reads" | "keptUnits"> {
  readonly savedAt: string | null;
  readonly endAt: string | null;
  readonly until: string | null;
  readonly lastReadAt: string | null;
  readonly reads: readonly ReadReport[];
  readonly keptUnits: { readonly min: number; readonly max: number } | null;
}

export interface HandlesReport {
  readonly file: string;
  readonly format: FormatId;
  /** Characters are code points or UTF-16 units, as the agent counts them. */
  readonly unit: "codePoints" | "utf16";
  /** When it was asked whether handles can be read. */
  readonly moment: {
    readonly kind: "now" | "end" | "call";
    /** Null = the transcript states no time for it, or several sessions end at other times. */
    readonly at: string | null;
    readonly thread: string | null;
    readonly call: number | null;
  };
  readonly counts: UseCounts;
  readonly omitted: number;
  readonly handles: readonly HandleReport[];
}

/** A handle as JSON has it: times as ISO 8601 in UTC. */
export function handleReport(row: HandleRow): HandleReport {
  const { savedAt, endAt, until, lastReadAt, reads, keptUnits, ...rest } = row;
  return {
    ...rest,
    savedAt: isoOf(savedAt),
    endAt: isoOf(endAt),
    until: isoOf(until),
    lastReadAt: isoOf(lastReadAt),
    reads: reads.map((read) => ({ ...read, at: isoOf(read.at) })),
    keptUnits: keptUnits === null ? null : { min: keptUnits[0], max: keptUnits[1] },
  };
}

export function momentReport({ at, calls }: HandlesPage, kind: "now" | "end" | "call"): HandlesReport["moment"] {
  return { kind, at: isoOf(at), thread: calls?.thread ?? null, call: calls?.call ?? null };
}

function isoOf(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}
