import type { HandleKind, HandleUse, ReadOutcome, ReadPart, ReadWay, UseCounts } from "../../model/resultHandle";
import type { AgentId } from "../../model/transcript";

/** What a scan for handles takes in at most. */
export const HANDLE_LIMITS = {
  /** Handles of one transcript that are looked at; later ones are counted. */
  handles: 50_000,
  /** Reads and repeats that are listed of one handle; all are counted. */
  listed: 20,
  /** UTF-16 units of one call's arguments; longer ones count as not known. */
  args: 1024 * 1024,
  /** Bytes of a record that is parsed for its time. */
  record: 16 * 1024 * 1024,
} as const;

/** One call that read what is behind a handle. */
export interface HandleRead {
  /** Index of its result. */
  readonly row: number;
  readonly way: ReadWay;
  readonly part: ReadPart | undefined;
  readonly outcome: ReadOutcome;
  /** What came back into context: UTF-16 units of the page (`store`), else the result's size in the agent's unit. Undefined without an answer. */
  readonly chars: number | undefined;
  /** Milliseconds since the epoch; undefined = the transcript does not say. */
  readonly at: number | undefined;
}

/** Sizes of a kept text between which the true one lies; equal where the transcript tells it. */
export interface KeptSize {
  readonly minUnits: number;
  readonly maxUnits: number;
  /** UTF-8. */
  readonly minBytes: number;
  readonly maxBytes: number;
}

/** A preview in a transcript whose full text was left somewhere else. */
export interface Handle {
  /** Index of the result that holds the notice. */
  readonly row: number;
  readonly threadId: string;
  /** Number of the request that asked for it, within its thread. */
  readonly call: number | undefined;
  readonly kind: HandleKind;
  /** Id or path, as written. */
  readonly name: string;
  /** Who can read it: entries of one owner push each other out. */
  readonly owner: string;
  /** Agent that wrote the notice. */
  readonly agent: AgentId | "other";
  /** Later results of the same call that hold the same notice: history that was written again. */
  readonly copies: number;
  /** When the result was written, milliseconds since the epoch; undefined = the transcript does not say. */
  readonly savedAt: number | undefined;
  /** record: the result's own time · call: that of the request which asked for it, somewhat earlier. */
  readonly timeFrom: "record" | "call" | undefined;
  /** Last time that its session states, milliseconds since the epoch; undefined = it states none. */
  readonly endAt: number | undefined;
  /** Of a text in OpenMausBot's store. */
  readonly kept: KeptSize | undefined;
  /** A summarised text has a copy on disk. */
  readonly durable: boolean;
  readonly use: HandleUse;
  /** The first ones; `readCount` and `repeatCount` count all. */
  readonly reads: readonly HandleRead[];
  readonly readCount: number;
  /** Reads that brought something back. */
  readonly readWell: number;
  /** When it was last read with success, as far as times are stated. */
  readonly lastReadAt: number | undefined;
  /** Indexes of results of the same call with the same arguments, later in the same thread. */
  readonly repeats: readonly number[];
  readonly repeatCount: number;
  /** Later calls that name it or its file in a way that may or may not have read it. */
  readonly maybe: readonly number[];
  readonly maybeCount: number;
  /** Later calls of its session whose arguments are not known, of tools that could have read it. */
  readonly unknownCalls: number;
}

export interface HandleScan {
  /** In the order in which they were left. */
  readonly handles: readonly Handle[];
  /** Handles beyond `HANDLE_LIMITS.handles`. */
  readonly omitted: number;
}

export function countUses(handles: readonly Pick<Handle, "use">[]): UseCounts {
  const counts = { read: 0, repeated: 0, unknown: 0, never: 0 };
  for (const { use } of handles) counts[use]++;
  return counts;
}
