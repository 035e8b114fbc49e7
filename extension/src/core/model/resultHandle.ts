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
