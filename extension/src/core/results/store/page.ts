/** UTF-16 units of one page. Source: OpenMausBot `server/tool-results.ts` @585ebf75. */
export const PAGE_UNITS = 16_000;

export interface TextPage {
  readonly text: string;
  /** Where it begins; one unit before the offset asked for, when that was the second half of a character. */
  readonly offset: number;
  readonly nextOffset: number;
}

/**
 * The page that begins at an offset of UTF-16 units and splits no surrogate pair. Undefined for an offset that is no whole
 * number from 0 to the length. Pages that go on where the last one ended give the text, unit by unit.
 * @param units most units of a page, from 2.
 */
export function pageAt(text: string, offset: number, units: number): TextPage | undefined {
  if (!Number.isSafeInteger(offset) || offset < 0 || offset > text.length) return undefined;
  const start = startOf(text, offset);
  const end = Math.min(text.length, start + units);
  // A first half that ends the text comes as a page of its own, so that nothing is left out and every page goes on.
  const nextOffset = end > start + 1 && isHigh(text, end - 1) ? end - 1 : end;
  return { text: text.slice(start, nextOffset), offset: start, nextOffset };
}

/**
 * Any second half begins one unit earlier, as OpenMausBot does it, also where it stands alone; unless that would split the
 * character before it.
 */
function startOf(text: string, offset: number): number {
  if (offset === 0 || !isLow(text, offset)) return offset;
  const splits = isLow(text, offset - 1) && offset > 1 && isHigh(text, offset - 2);
  return splits ? offset : offset - 1;
}

/** Where to cut a text that keeps at most so many UTF-16 units: never behind the first half of a character. */
export function wholeEnd(text: string, units: number): number {
  const end = Math.min(text.length, units);
  return end > 0 && isHigh(text, end - 1) ? end - 1 : end;
}

function isHigh(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return unit >= 0xd800 && unit <= 0xdbff;
}

function isLow(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return unit >= 0xdc00 && unit <= 0xdfff;
}
