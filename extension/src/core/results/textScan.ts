import type { Region } from "./recognition";

/** Longest line that is read as part of a notice, UTF-16 units; the longest real ones hold a path. */
const LINE_LIMIT = 8192;

/** True for the white space that agents put around results. */
function isSpace(unit: number): boolean {
  return unit === 0x20 || (unit >= 0x09 && unit <= 0x0d) || unit === 0xa0 || unit === 0xfeff;
}

/** The region without white space at both ends. */
export function trimRegion(text: string, region: Region): Region {
  let { start, end } = region;
  while (start < end && isSpace(text.charCodeAt(start))) start++;
  while (end > start && isSpace(text.charCodeAt(end - 1))) end--;
  return { start, end };
}

/** True when `literal` lies at `at` and ends by `end`. */
export function hasAt(text: string, literal: string, at: number, end: number): boolean {
  return at + literal.length <= end && text.startsWith(literal, at);
}

/** True when the region is exactly `literal`. */
export function isExactly(text: string, literal: string, region: Region): boolean {
  return region.end - region.start === literal.length && text.startsWith(literal, region.start);
}

/** Offset of the line feed that ends the line at `at`, or -1 when there is none within the region and the limit. */
export function lineEnd(text: string, at: number, end: number): number {
  const limit = Math.min(end, at + LINE_LIMIT);
  for (let i = at; i < limit; i++) if (text.charCodeAt(i) === 0x0a) return i;
  return -1;
}

/** Like `indexOf`, but does not look beyond `end`. */
export function findWithin(text: string, literal: string, at: number, end: number): number {
  const found = text.slice(at, end).indexOf(literal);
  return found < 0 ? -1 : at + found;
}

/** Like `lastIndexOf`, but looks at the region only. */
export function findLastWithin(text: string, literal: string, at: number, end: number): number {
  const found = text.slice(at, end).lastIndexOf(literal);
  return found < 0 ? -1 : at + found;
}

export interface Count {
  readonly value: number;
  readonly end: number;
}

/**
 * Digits at `at`, grouped by `,`, `.`, `'`, `_` or a space of any width in threes, as the agents' locales write them.
 * At most 15 digits, so that the value is exact.
 */
function readCount(text: string, at: number): Count | undefined {
  let digits = "";
  let i = at;
  for (; digits.length <= 15; i++) {
    const unit = text.charCodeAt(i);
    if (unit >= 0x30 && unit <= 0x39) digits += text.charAt(i);
    else if (digits === "" || !isGroupSeparator(unit) || !threeDigits(text, i + 1)) break;
  }
  return digits === "" || digits.length > 15 ? undefined : { value: Number(digits), end: i };
}

function isGroupSeparator(unit: number): boolean {
  return (
    unit === 0x2c ||
    unit === 0x2e ||
    unit === 0x27 ||
    unit === 0x5f ||
    unit === 0x20 ||
    unit === 0xa0 ||
    unit === 0x2009 ||
    unit === 0x202f ||
    unit === 0x2019
  );
}

function threeDigits(text: string, at: number): boolean {
  for (let i = at; i < at + 3; i++) if (!isDigit(text.charCodeAt(i))) return false;
  return !isDigit(text.charCodeAt(at + 3));
}

function isDigit(unit: number): boolean {
  return unit >= 0x30 && unit <= 0x39;
}

/**
 * Reads `parts` one after the other: a string must stand there, `"count"` reads a number. Undefined when something else
 * stands there.
 */
export function readShape(
  text: string,
  at: number,
  end: number,
  parts: readonly (string | typeof COUNT)[],
): { readonly counts: readonly number[]; readonly end: number } | undefined {
  const counts: number[] = [];
  let position = at;
  for (const part of parts) {
    if (part === COUNT) {
      const count = readCount(text, position);
      if (count === undefined || count.end > end) return undefined;
      counts.push(count.value);
      position = count.end;
    } else {
      if (!hasAt(text, part, position, end)) return undefined;
      position += part.length;
    }
  }
  return { counts, end: position };
}

/** Placeholder for a number in `readShape`. */
export const COUNT = Symbol("count");
