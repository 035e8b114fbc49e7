import type { FileStatus } from "../../model/fileStatus";
import type { HandleRow, HandlesPage, MomentAsked } from "../../model/handlesPage";
import { fileReadable, type Moment } from "./readable";

/** The moment that a page of handles is about. `now`: milliseconds since the epoch. */
export function momentOfPage({ at, calls }: HandlesPage, asked: MomentAsked, now: number): Moment {
  if (asked.kind === "end") return { kind: "end" };
  if (asked.kind === "now" || calls === null) return { kind: "now", at: at ?? now };
  return { kind: "call", thread: calls.thread, call: calls.call, at: at ?? undefined };
}

/** What was found of a file just now. */
export interface FoundFile {
  readonly status: FileStatus;
  /** Milliseconds since it was last written; undefined where nobody knows. */
  readonly ageMs: number | undefined;
}

/** A handle that is a path, with what was found of its file. `now`: when it was looked at, milliseconds since the epoch. */
export function withFoundFile(row: HandleRow, moment: Moment, { status, ageMs }: FoundFile, now: number): HandleRow {
  const handle = { ...row, threadId: row.thread, call: row.call ?? undefined };
  const writtenAt = ageMs === undefined ? undefined : now - ageMs;
  return { ...row, file: status, ...fileReadable(handle, moment, { status, writtenAt }) };
}
