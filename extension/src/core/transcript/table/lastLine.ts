import type { Cancel, FileSource, Utf8 } from "../../ports";
import { parseRecord } from "../json";
import { NEWLINE } from "../lines";
import { depthOf, MAX_DEPTH } from "../records";
import { StructureScanner } from "../structure";

const STEP = 64 * 1024;
/** A last line without an end that is longer is not looked into before it is read. */
const LOOKED_INTO = 16 * 1024 * 1024;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
const NO_ARRAYS: ReadonlySet<string> = new Set();

/** Offset behind the last newline at or behind `from`; `from` when there is none. */
export async function endOfLines(source: FileSource, from: number, cancel: Cancel): Promise<number> {
  let step = STEP;
  for (let end = source.bytes; end > from && !cancel.isCancellationRequested; step *= 2) {
    const start = Math.max(from, end - step);
    const bytes = await source.read(start, end);
    const newline = bytes.lastIndexOf(NEWLINE);
    if (newline >= 0) return start + newline + 1;
    end = start;
  }
  return from;
}

/**
 * What stands behind the last newline. nothing: no record · record: a whole one, whose line may still get its end · torn: the
 * beginning of one · other: it takes reading to know (several records on one line, NULs, a very long line).
 */
export type LastLine = "nothing" | "record" | "torn" | "other";

export async function lookAtLastLine(source: FileSource, from: number, utf8: Utf8): Promise<LastLine> {
  if (source.bytes <= from) return "nothing";
  if (source.bytes - from > LOOKED_INTO) return "other";
  const bytes = await source.read(from, source.bytes);
  const end = trimmedEnd(bytes);
  if (end === 0) return "nothing";
  const record = bytes.subarray(0, end);
  if (record.every((byte) => byte <= SPACE)) return record.includes(0) ? "other" : "nothing";
  if (depthOf(record) > MAX_DEPTH) return "other";
  if (parseRecord(record, utf8).ok) return "record";
  const scanner = new StructureScanner(NO_ARRAYS, from, 1);
  const values = [...scanner.feed(record, from), ...scanner.finish()];
  return end < bytes.length || values.some((piece) => piece.kind === "end") ? "other" : "torn";
}

/**
 * True when what was written behind a last line only ends it: blanks, and a newline if there is more. `next`: offset behind
 * that newline; undefined while there is none.
 */
export async function endOfLastLine(
  source: FileSource,
  from: number,
): Promise<{ readonly ends: boolean; readonly next: number | undefined }> {
  for (let at = from; at < source.bytes; at += STEP) {
    const bytes = await source.read(at, Math.min(at + STEP, source.bytes));
    const newline = bytes.indexOf(NEWLINE);
    const line = newline < 0 ? bytes : bytes.subarray(0, newline);
    if (trimmedEnd(line) > 0) return { ends: false, next: undefined };
    if (newline >= 0) return { ends: true, next: at + newline + 1 };
  }
  return { ends: true, next: undefined };
}

/** Readers leave out blanks and carriage returns at the end of a line. */
function trimmedEnd(bytes: Uint8Array): number {
  let end = bytes.length;
  while (end > 0 && (bytes[end - 1] === CARRIAGE_RETURN || bytes[end - 1] === SPACE)) end--;
  return end;
}
