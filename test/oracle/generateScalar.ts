import type { Random } from "./random";

/** Seeded texts of single values: numbers, dates, words, quotes, brackets, block texts, tags and anchors, some wrecked on purpose. */

const WORDS = [
  "yes",
  "no",
  "on",
  "off",
  "true",
  "False",
  "y",
  "N",
  "null",
  "~",
  "None",
  "nan",
  ".nan",
  ".inf",
  "-.INF",
  "inf",
  "=",
  "<<",
  "auto",
  "é",
  "日本",
  "😀",
  "a b",
  "x#y",
  "http://h/p?q=1",
  "a:b",
  "C:\\dir",
  "-",
  "--",
  "---",
  "...",
  "?",
  ":",
  "%",
  "@",
  "`",
  "&",
  "*",
  "!",
  "\u00a0",
  "\u0085",
  "\u2028",
  "\ufeff",
  "２０",
  "٣",
  "\t",
  "''",
  '""',
  "#",
  "# c",
  " #c",
  ",",
  "[",
  "]",
  "{",
  "}",
  "|",
  ">",
  "\\",
];
const DIGITS = ["0", "1", "2", "5", "6", "7", "8", "9", "00", "_", "20000", "59", "60"];
const SPACES = [" ", "  ", "\t", " \t", "\n  ", "\n", "\r\n  ", "\r", "\n\n  "];
const TAGS = [
  "!!int",
  "!!str",
  "!!float",
  "!!bool",
  "!!null",
  "!!binary",
  "!!timestamp",
  "!!seq",
  "!!map",
  "!!set",
  "!!omap",
  "!!pairs",
  "!!value",
  "!!merge",
  "!",
  "!foo",
  "!!",
  "!<tag:yaml.org,2002:int>",
  "!<!>",
  "!!%69nt",
  "!e!x",
  "!!int,",
  "!!python/int",
  "!!yaml",
];

function digits(r: Random): string {
  return r.repeat(1, 4, () => r.pick(DIGITS));
}

export function numberLike(r: Random): string {
  const sign = r.pick(["", "", "", "-", "+", "--"]);
  const body = r.pick([
    () => digits(r),
    () => `0${r.repeat(1, 6, () => r.pick(["0", "1", "7", "8", "_"]))}`,
    () => `0x${r.repeat(0, 6, () => r.pick(["a", "F", "9", "_", "g"]))}`,
    () => `0b${r.repeat(0, 6, () => r.pick(["0", "1", "_", "2"]))}`,
    () => `0o${digits(r)}`,
    () => `${digits(r)}.${r.chance(0.7) ? digits(r) : ""}`,
    () => `.${digits(r)}`,
    () =>
      `${digits(r)}${r.pick([".", ""])}${r.chance(0.5) ? digits(r) : ""}${r.pick(["e", "E"])}${r.pick(["", "+", "-"])}${digits(r)}`,
    () =>
      `${digits(r)}:${r.int(0, 70)}${r.chance(0.4) ? `:${r.int(0, 61)}` : ""}${r.chance(0.3) ? `.${digits(r)}` : ""}`,
    () => r.pick(["9", "1", "0"]).repeat(r.pick([5, 17, 40, 308, 400])),
    () => `${digits(r)}${r.pick(["k", "K", "px", " chars", "%", ",000", ".000.000", "f"])}`,
  ])();
  return sign + body;
}

function dateLike(r: Random): string {
  const two = (high: number): string => String(r.int(0, high)).padStart(r.pick([1, 2]), "0");
  const date = `${r.pick(["2026", "1999", "0000", "0001", "9999", "99"])}-${two(13)}-${two(32)}`;
  if (r.chance(0.4)) return date;
  const time = `${two(25)}:${String(r.int(0, 61)).padStart(2, "0")}:${String(r.int(0, 61)).padStart(2, "0")}`;
  const fraction = r.chance(0.4)
    ? `.${r.pick(["", "1", "123456", "1234567", "9999999", "99999949", "5", "000000"])}`
    : "";
  const zone = r.pick(["", "", "Z", " Z", "+1", "-05:30", " +00:00", "+24:00", "-23:59", "+9:00", " -1"]);
  return date + r.pick(["T", "t", " ", "  ", "\t"]) + time + fraction + zone;
}

function base64Like(r: Random): string {
  return r.repeat(0, 8, () => r.pick(["QUJD", "aGk", "=", "==", "A", "/", "+", "é", "-", " ", "\n  "]));
}

function plainText(r: Random): string {
  return r.pick([
    () => numberLike(r),
    () => numberLike(r),
    () => dateLike(r),
    () => r.pick(WORDS),
    () => `${r.pick(WORDS)}${r.pick(SPACES)}${r.pick(WORDS)}`,
    () => r.repeat(1, 6, () => r.pick([...WORDS, ...DIGITS, ...SPACES])),
  ])();
}

export function quoted(r: Random): string {
  if (r.chance(0.5)) return `'${plainText(r).replaceAll("'", r.chance(0.9) ? "''" : "'")}'`;
  const inner = r.repeat(0, 4, () =>
    r.pick([
      () => plainText(r).replaceAll("\\", "\\\\").replaceAll('"', '\\"'),
      () =>
        r.pick([
          "\\n",
          "\\t",
          "\\x41",
          "\\u00e9",
          "\\U0001F600",
          "\\uD83D\\uDE00",
          "\\0",
          "\\e",
          "\\/",
          "\\q",
          "\\'",
          "\\\n   ",
          "\\ ",
          "\\x4",
          "\\N",
          "\\L",
        ]),
    ])(),
  );
  return `"${inner}"`;
}

function flow(r: Random, depth: number): string {
  const gap = (): string => r.pick(["", "", " ", " ", "\n   ", "\t", " # c\n  "]);
  const item = (): string =>
    depth > 0 && r.chance(0.3)
      ? flow(r, depth - 1)
      : r.chance(0.3)
        ? quoted(r)
        : r.chance(0.8)
          ? r.pick(["a", "b c", "1", "x:y", "a?b", "?x", "-1", "*a", "&a 1", "!!str 1", "", "= ", "<<"])
          : plainText(r);
  const pair = (): string =>
    `${r.pick(["", "", "? ", "?"])}${item()}${gap()}${r.pick([":", ": ", ": ", " : ", ""])}${item()}`;
  if (r.chance(0.5))
    return `[${gap()}${r.repeat(0, 3, () => `${r.chance(0.3) ? pair() : item()}${gap()},${gap()}`)}${r.chance(0.7) ? item() : ""}${r.chance(0.95) ? "]" : ""}`;
  return `{${gap()}${r.repeat(0, 3, () => `${r.chance(0.85) ? pair() : item()}${gap()},${gap()}`)}${r.chance(0.7) ? pair() : ""}${r.chance(0.95) ? "}" : ""}`;
}

function blockText(r: Random, indent: string): string {
  const header =
    r.pick(["|", ">"]) +
    r.pick(["", "", "-", "+", "1", "2", "2-", "+2", "0", "-x"]) +
    r.pick(["", "", " ", " # c", "\t", "#c", " x"]);
  const line = (): string =>
    `\n${r.chance(0.85) ? indent : r.pick(["", " ", `${indent} `, "\t", `${indent}\t`])}${r.pick(["text", " more", "", "", "a b", "- x", "# no", "k: v", "\u2028x"])}`;
  return header + r.repeat(0, 5, line);
}

/** Text of one value as it may stand behind `k: ` with more lines indented by two. */
export function scalarText(r: Random): string {
  const body = r.pick([
    () => numberLike(r),
    () => numberLike(r),
    () => dateLike(r),
    () => plainText(r),
    () => quoted(r),
    () => flow(r, 2),
    () => blockText(r, "  "),
  ])();
  let head = "";
  if (r.chance(0.2)) head += `${r.pick(TAGS)}${r.chance(0.95) ? " " : ""}`;
  if (r.chance(0.1)) head += r.pick(["&a ", "&b1 ", "*a ", "&é ", "& ", "&a: "]);
  if (head.startsWith("!!binary")) return head + (r.chance(0.5) ? `"${base64Like(r)}"` : base64Like(r));
  const tail = r.pick(["", "", "", "", " # c", "#c", "\t# c", " ", "\t", "\n  more", "\n# c", " x"]);
  return head + body + tail;
}
