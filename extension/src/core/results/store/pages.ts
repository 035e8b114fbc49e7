import { PAGE_UNITS, pageAt } from "./page";

/** A page of a text among all of its pages. Offsets are UTF-16 units. */
export interface NumberedPage {
  readonly text: string;
  readonly offset: number;
  readonly nextOffset: number;
  /** 0-based. */
  readonly page: number;
  readonly pages: number;
}

/** Where the pages of a text begin when each goes on where the one before ended; one of an empty text. */
export function pageStarts(text: string, units = PAGE_UNITS): readonly number[] {
  const starts = [0];
  for (let offset = 0; ; ) {
    const next = pageAt(text, offset, units)?.nextOffset ?? text.length;
    if (next >= text.length) return starts;
    starts.push(next);
    offset = next;
  }
}

/** The page in which an offset lies; one beyond the end lies in the last page. */
export function pageAround(text: string, starts: readonly number[], offset: number): NumberedPage {
  let low = 0;
  let high = starts.length;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle;
  }
  const start = starts[low] ?? 0;
  const end = starts[low + 1] ?? text.length;
  return { text: text.slice(start, end), offset: start, nextOffset: end, page: low, pages: starts.length };
}
