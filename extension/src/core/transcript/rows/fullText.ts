import type { BodyRef, RecordPlace, TextSize, ToolResult } from "../../model/transcript";
import type { Recognised } from "./layout";
import * as row from "./layout";

/** A notice that rounds states 1024 characters with one decimal, so the full text may be this much shorter than stated. */
const ROUNDING_CHARS = 52;

const COPIES = [
  ["stdout", 35],
  ["content", 36],
  ["result", 39],
] as const;

/** UTF-16 units that a text must have to be the one that a notice speaks of; undefined for other results. */
export function fullTextUnits({ persisted, size }: Pick<ToolResult, "persisted" | "size">): number | undefined {
  if (persisted === undefined) return undefined;
  const stated = persisted.statedChars ?? 0;
  return Math.max(size.utf16 + 1, stated - (persisted.statedRounded ? ROUNDING_CHARS : 0));
}

/** A notice with the place of its full text, which only stands beside the only result of its record. `at`: its row. */
export function withFullText(
  { state, persisted }: Recognised,
  rows: Int32Array,
  at: number,
  place: RecordPlace,
  size: TextSize,
): Pick<ToolResult, "state" | "persisted" | "fullText"> {
  const needed = rows[at + 38] === 1 ? fullTextUnits({ persisted, size }) : undefined;
  return { state, persisted, fullText: fullTextOf(rows, at, place, needed) };
}

/** Where the record whose row begins at `at` itself still holds the text that a notice speaks of. `needed`: see `fullTextUnits`. */
export function fullTextOf(
  rows: Int32Array,
  at: number,
  place: RecordPlace,
  needed: number | undefined,
): BodyRef | undefined {
  const kind = rows[at + 34] ?? 0;
  if (needed === undefined || kind === 0) return undefined;
  if (kind === row.COPY_TEXT) return (rows[at + 35] ?? 0) >= needed ? { place, path: ["toolUseResult"] } : undefined;
  for (const [key, word] of COPIES) {
    if ((rows[at + word] ?? 0) >= needed) return { place, path: ["toolUseResult", key] };
  }
  return undefined;
}
