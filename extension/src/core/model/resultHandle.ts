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

/**
 * read: the agent got at least a part of it · repeated: it ran the same call again instead · unknown: a later call may have read it,
 * or its arguments cannot be known · never: none of the later calls did.
 */
export type HandleUse = "read" | "repeated" | "unknown" | "never";
export const HANDLE_USES: readonly HandleUse[] = ["never", "read", "repeated", "unknown"];

/** How many handles were used in which way. */
export type UseCounts = Readonly<Record<HandleUse, number>>;

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

/** Whether what is behind a handle can be read at a moment. */
export interface Readability {
  readonly readable: Readable;
  readonly why: ReadableReason;
  /** When it ends by the rule, milliseconds since the epoch; null where no rule or no time is known. */
  readonly until: number | null;
}

/** What is known of a call that read what is behind a handle. */
export interface ReadFacts {
  readonly way: ReadWay;
  readonly part: ReadPart | null;
  readonly outcome: ReadOutcome;
  /** What came back into context: UTF-16 units of the page (`store`), else the result's size in the transcript's unit; null without an answer. */
  readonly chars: number | null;
  /** Milliseconds since the epoch; null = the transcript does not say. */
  readonly at: number | null;
}

/** What the transcript tells of a handle: a preview whose full text was left somewhere else. Times are milliseconds since the epoch. */
export interface HandleFacts {
  readonly kind: HandleKind;
  /** Id or path, as written. */
  readonly name: string;
  /** Later results of the same call that hold the same notice: history that was written again. */
  readonly copies: number;
  /** When the result was written; null = the transcript does not say. */
  readonly savedAt: number | null;
  /** record: the result's own time · call: that of the request which asked for it, somewhat earlier. */
  readonly timeFrom: "record" | "call" | null;
  /** Last time that its session states; null = it states none. */
  readonly endAt: number | null;
  readonly use: HandleUse;
  readonly readCount: number;
  /** Reads that brought something back. */
  readonly readWell: number;
  /** When it was last read with success, as far as times are stated. */
  readonly lastReadAt: number | null;
  /** Calls with the same arguments, later in the same thread. */
  readonly repeatCount: number;
  /** Later calls that name it or its file in a way that may or may not have read it. */
  readonly maybeCount: number;
  /** Later calls of its session whose arguments are not known, of tools that could have read it. */
  readonly unknownCalls: number;
}
