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

/** Where the full text behind a notice is kept: OpenMausBot's own store · some other memory that ends with the run · a file. */
export type HandleKind = "store" | "memory" | "file";

/** Part of a text that a call asked for: half-open, `to` null = as far as the tool gives. UTF-16 units, or lines from 1. */
export interface ReadPart {
  readonly unit: "utf16" | "lines";
  readonly from: number;
  readonly to: number | null;
}

/** How a call got at the text: by its id · a tool that takes a path · a command line that names it · code that opens it. */
export type ReadWay = "id" | "file" | "command" | "code";

/** read: something came back · refused: the tool answered with an error · no-answer: the answer is not in the transcript. */
export type ReadOutcome = "read" | "refused" | "no-answer";

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

/**
 * read: the agent got at least a part of it · repeated: it ran the same call again instead · unknown: a later call may have read it,
 * or its arguments cannot be known · never: none of the later calls did.
 */
export type HandleUse = "read" | "repeated" | "unknown" | "never";
export const HANDLE_USES: readonly HandleUse[] = ["never", "read", "repeated", "unknown"];

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

/** How many handles were used in which way. */
export type UseCounts = Readonly<Record<HandleUse, number>>;

export function countUses(handles: readonly Pick<Handle, "use">[]): UseCounts {
  const counts = { read: 0, repeated: 0, unknown: 0, never: 0 };
  for (const { use } of handles) counts[use]++;
  return counts;
}

/** not-yet: the result comes only after that moment. */
export type Readable = "yes" | "no" | "unknown" | "not-yet";

/** Why; each is a sentence in the inspector and on the command line. */
export const READABLE_REASONS = [
  "not-yet",
  "kept",
  "durable",
  "read-later",
  "expired",
  "pushed-out",
  "sizes",
  "no-time",
  "time-ahead",
  "memory",
  "file-there",
  "file-changed",
  "file-gone",
  "file-elsewhere",
  "file-unchecked",
  "kept-by-rule",
  "past-rule",
  "no-rule",
] as const;
export type ReadableReason = (typeof READABLE_REASONS)[number];
