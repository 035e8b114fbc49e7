import { DEFAULTS } from "./defaults";

/**
 * White space that Python's `int(str)` skips at either end. `str.strip()` would also take U+001C–U+001F, but Hermes strips only to
 * test the pattern and hands the unstripped text to `int()`, which refuses them (recorded in the oracle of the normaliser).
 */
const SPACE = "\\t-\\r\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000";
const LEADING = new RegExp(`^[${SPACE}]+`);
const IS_SPACE = new RegExp(`[${SPACE}]`);
const WHOLE = /^([+-]?)(\p{Nd}+)$/u;
const WHOLE_UNDERSCORED = /^([+-]?)(\p{Nd}+(?:_\p{Nd}+)*)$/u;
const DIGIT = /\p{Nd}/u;

/** The text without the white space that Python's `int()` skips at either end. */
export function stripForInt(text: string): string {
  // A backward walk, because a regular expression anchored at the end is quadratic on long runs of white space.
  let end = text.length;
  while (end > 0 && IS_SPACE.test(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end).replace(LEADING, "");
}

/**
 * Value of one Unicode decimal digit. Unicode lays out category Nd as runs of ten, zero first; runs may touch each other
 * (mathematical digits), so the distance to the start of the run counts modulo ten.
 */
function digitValue(codePoint: number): number {
  if (codePoint < 0x80) return codePoint - 0x30;
  let distance = 0;
  while (DIGIT.test(String.fromCodePoint(codePoint - distance - 1))) distance += 1;
  return distance % 10;
}

function asciiDigits(digits: string): string {
  if (/^[0-9]*$/.test(digits)) return digits;
  let out = "";
  for (const digit of digits) out += String(digitValue(digit.codePointAt(0) ?? 0x30));
  return out;
}

/** The text with the decimal digits of every script as ASCII digits, which is how Python's `float()` reads them. */
export function withAsciiDigits(text: string): string {
  return text.replaceAll(/\p{Nd}+/gu, asciiDigits);
}

/** `not-whole`: no integer literal. `too-long`: CPython refuses to convert that many digits. */
export type WholeText =
  | { readonly kind: "whole"; readonly value: bigint }
  | { readonly kind: "not-whole" | "too-long" };

function parse(text: string, pattern: RegExp): WholeText {
  const match = pattern.exec(stripForInt(text));
  const sign = match?.[1];
  const digits = match?.[2]?.replaceAll("_", "");
  if (sign === undefined || digits === undefined) return { kind: "not-whole" };
  const ascii = asciiDigits(digits);
  if (ascii.length > DEFAULTS.maxIntDigits) return { kind: "too-long" };
  const value = BigInt(ascii);
  return { kind: "whole", value: sign === "-" ? -value : value };
}

/** The strict rule of `normalize_persist_threshold` (PR #86171): white space around, optional sign, decimal digits, no underscores. */
export function parseWhole(text: string): WholeText {
  return parse(text, WHOLE);
}

/** Python's `int(str)`, which also takes single underscores between digits. */
export function parsePyInt(text: string): WholeText {
  return parse(text, WHOLE_UNDERSCORED);
}
