/** What a member of an answer can be. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** UTF-16 units of a text in a row or a note; paths may be longer. */
const TEXT_UNITS = 400;
/** Notes in one answer. */
const NOTES = 10;

/** A text that is not the answer's point, at a length that leaves room for others. */
export function short(text: string, units = TEXT_UNITS): string {
  return text.length <= units ? text : `${text.slice(0, units - 1).replace(/[\uD800-\uDBFF]$/, "")}…`;
}

export const shortOrNull = (text: string | null, units = TEXT_UNITS): string | null =>
  text === null ? null : short(text, units);

/** The first notes, and how many more there are. */
export function notesOf(notes: readonly string[]): readonly string[] {
  const shown = notes.slice(0, NOTES).map((note) => short(note));
  const more = notes.length - shown.length;
  return more <= 0 ? shown : [...shown, `${more} more notes are left out.`];
}

/**
 * The answer as JSON, with the longest beginning of the rows that keeps it within `units` UTF-16 units. Undefined when even the first
 * row is too long.
 */
export function fitted<T extends Json>(
  rows: readonly T[],
  build: (rows: readonly T[]) => Json,
  units: number,
): string | undefined {
  let best: string | undefined;
  let low = Math.min(1, rows.length);
  let high = rows.length;
  while (low <= high) {
    const count = Math.ceil((low + high) / 2);
    const text = JSON.stringify(build(rows.slice(0, count)));
    if (text.length <= units) {
      best = text;
      low = count + 1;
    } else high = count - 1;
  }
  return best;
}
