/** How bad a problem is; `error` makes `context-budget check` exit 1. */
export type Severity = "error" | "warning" | "info" | "hint";

/** Half-open range of UTF-16 offsets into a document's text. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** Place of a record in a file: 1-based physical line and half-open byte range. */
export interface FilePlace {
  readonly line: number;
  readonly start: number;
  readonly end: number;
}

/** An expected failure or finding, as a value. `code` is a stable kebab-case name documented in the README. */
export interface Problem {
  readonly code: string;
  readonly severity: Severity;
  /** What is wrong and what to do next, in one or two sentences. */
  readonly message: string;
  /** Where in an edited document (config). */
  readonly range?: TextRange;
  /** Where in a file on disk (transcript). */
  readonly at?: FilePlace;
}

export type Result<T, E = Problem> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: E };

export function ok<T>(value: T): { readonly ok: true; readonly value: T } {
  return { ok: true, value };
}

export function err<E>(error: E): { readonly ok: false; readonly error: E } {
  return { ok: false, error };
}
