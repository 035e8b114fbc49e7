import type { CharUnit, TextSize } from "../model/transcript";

const EMPTY: TextSize = { codePoints: 0, utf16: 0, bytes: 0 };

/**
 * Exact sizes of a text in code points, UTF-16 units and UTF-8 bytes. A lone surrogate is one code point, one unit and
 * three bytes (what Python's `surrogatepass` writes). One pass, no allocation.
 */
export function measureText(text: string): TextSize {
  const utf16 = text.length;
  if (utf16 === 0) return EMPTY;
  // Each unit above U+007F adds one byte, above U+07FF two; a surrogate pair is one code point and four bytes, not 2 × 3.
  let extra = 0;
  let pairs = 0;
  for (let i = 0; i < utf16; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) continue;
    if (unit < 0x800) {
      extra++;
      continue;
    }
    extra += 2;
    if (unit >= 0xd800 && unit <= 0xdbff && i + 1 < utf16 && (text.charCodeAt(i + 1) & 0xfc00) === 0xdc00) {
      pairs++;
      i++;
    }
  }
  return { codePoints: utf16 - pairs, utf16, bytes: utf16 + extra };
}

/** Sum of two sizes, for texts that do not join a surrogate pair at their seam. */
export function addSizes(a: TextSize, b: TextSize): TextSize {
  return { codePoints: a.codePoints + b.codePoints, utf16: a.utf16 + b.utf16, bytes: a.bytes + b.bytes };
}

/** Length in the unit in which an agent counts. */
export function lengthIn(text: string, unit: CharUnit): number {
  return unit === "utf16" ? text.length : countCodePoints(text);
}

/** Code points of a text; a lone surrogate counts one. */
export function countCodePoints(text: string): number {
  let pairs = 0;
  for (let i = 0; i + 1 < text.length; i++) {
    if ((text.charCodeAt(i) & 0xfc00) === 0xd800 && (text.charCodeAt(i + 1) & 0xfc00) === 0xdc00) {
      pairs++;
      i++;
    }
  }
  return text.length - pairs;
}

/**
 * UTF-16 offset reached by going `codePoints` code points forward from `from`, or `text.length` when the text is
 * shorter. Never splits a pair that begins at or after `from`.
 */
export function offsetAfterCodePoints(text: string, codePoints: number, from = 0): number {
  let offset = from;
  for (let left = codePoints; left > 0 && offset < text.length; left--) {
    const pair =
      (text.charCodeAt(offset) & 0xfc00) === 0xd800 &&
      offset + 1 < text.length &&
      (text.charCodeAt(offset + 1) & 0xfc00) === 0xdc00;
    offset += pair ? 2 : 1;
  }
  return offset;
}

/** The first `codePoints` code points: Python's `text[:n]`. */
export function headCodePoints(text: string, codePoints: number): string {
  return text.slice(0, offsetAfterCodePoints(text, codePoints));
}

/** The last `codePoints` code points: Python's `text[-n:]`, but empty for 0. */
export function tailCodePoints(text: string, codePoints: number): string {
  let offset = text.length;
  for (let left = codePoints; left > 0 && offset > 0; left--) {
    const pair =
      (text.charCodeAt(offset - 1) & 0xfc00) === 0xdc00 &&
      offset > 1 &&
      (text.charCodeAt(offset - 2) & 0xfc00) === 0xd800;
    offset -= pair ? 2 : 1;
  }
  return text.slice(offset);
}
