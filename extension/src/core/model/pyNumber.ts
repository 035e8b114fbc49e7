/** What Python's `int(text, base)` and `float(text)` make of a text. Source: CPython 3.11. */

/** `int()` refuses more digits than this, leading zeros included, unless the base is a power of two (`sys.int_info.default_max_str_digits`). */
const MAX_DIGITS = 4300;
/** White space that CPython skips at either end of a text of ASCII alone. */
const PY_SPACE = "[\\t-\\r ]*";
/** CPython turns white space beyond ASCII into spaces first; U+001C–U+001F, which `str.strip()` takes, stay and are refused. */
const WIDE_SPACE = /[\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/g;
const INT_TEXT: Readonly<Record<number, RegExp>> = {
  2: new RegExp(`^${PY_SPACE}([-+]?)(?:0[bB]_?)?([01]+(?:_[01]+)*)${PY_SPACE}$`),
  8: new RegExp(`^${PY_SPACE}([-+]?)(?:0[oO]_?)?([0-7]+(?:_[0-7]+)*)${PY_SPACE}$`),
  10: new RegExp(`^${PY_SPACE}([-+]?)([0-9]+(?:_[0-9]+)*)${PY_SPACE}$`),
  16: new RegExp(`^${PY_SPACE}([-+]?)(?:0[xX]_?)?([0-9a-fA-F]+(?:_[0-9a-fA-F]+)*)${PY_SPACE}$`),
};
const FLOAT_TEXT = new RegExp(
  `^${PY_SPACE}([-+]?(?:(?:[0-9]+(?:_[0-9]+)*(?:\\.(?:[0-9]+(?:_[0-9]+)*)?)?|\\.[0-9]+(?:_[0-9]+)*)(?:[eE][-+]?[0-9]+(?:_[0-9]+)*)?|inf(?:inity)?|nan))${PY_SPACE}$`,
  "i",
);
const FOREIGN_DIGIT = /(?![0-9])\p{Nd}/gu;
const PREFIX: Readonly<Record<number, string>> = { 2: "0b", 8: "0o", 10: "", 16: "0x" };

/** `not-whole`: no integer literal. `too-long`: CPython refuses to convert that many digits. */
export type WholeText =
  | { readonly kind: "whole"; readonly value: bigint }
  | { readonly kind: "not-whole" | "too-long" };

/** `int(text, base)`: white space around, a sign, the base's prefix, decimal digits of any script, single underscores between digits. */
export function readPyInt(text: string, base: 2 | 8 | 10 | 16 = 10): WholeText {
  const match = INT_TEXT[base]?.exec(withAsciiDigits(text));
  if (match === null || match === undefined) return { kind: "not-whole" };
  const digits = (match[2] ?? "").replaceAll("_", "");
  if (base === 10 && digits.length > MAX_DIGITS) return { kind: "too-long" };
  const magnitude = BigInt((PREFIX[base] ?? "") + digits);
  return { kind: "whole", value: match[1] === "-" ? -magnitude : magnitude };
}

/** The same where only the number counts; undefined where Python raises ValueError. */
export function pyInt(text: string, base: 2 | 8 | 10 | 16 = 10): bigint | undefined {
  const read = readPyInt(text, base);
  return read.kind === "whole" ? read.value : undefined;
}

/** `float(text)`; undefined where Python raises ValueError. */
export function pyFloat(text: string): number | undefined {
  const match = FLOAT_TEXT.exec(withAsciiDigits(text));
  const found = match?.[1]?.replaceAll("_", "").toLowerCase();
  if (found === undefined) return undefined;
  if (found.endsWith("nan")) return Number.NaN;
  if (found.includes("inf")) return found.startsWith("-") ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  return Number(found);
}

/** Decimal digits of other scripts to ASCII ones: digits come in runs of ten, and only whole runs touch each other. */
function withAsciiDigits(text: string): string {
  if (/^[\0-\x7f]*$/.test(text)) return text;
  return text.replace(WIDE_SPACE, " ").replace(FOREIGN_DIGIT, (digit) => {
    const code = digit.codePointAt(0) ?? 0;
    let first = code;
    while (/\p{Nd}/u.test(String.fromCodePoint(first - 1))) first--;
    return String((code - first) % 10);
  });
}
