import type { Random } from "./random";

/** Seeded YAML texts: most are meant to be valid, the rest are wrecked on purpose. */

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

function numberLike(r: Random): string {
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

function quoted(r: Random): string {
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

interface Shape {
  readonly indent: number;
  readonly depth: number;
  /** Only pieces that are valid wherever they stand. */
  readonly tame: boolean;
}

const TAME_KEYS = [
  "a",
  "b",
  "c",
  "d",
  "1",
  "true",
  "1.0",
  "010",
  "8",
  "~",
  "0",
  "no",
  "'q k'",
  '"d\\tk"',
  "é",
  "😀",
  "2026-01-01",
  "=",
  "a b",
  "x:y",
];

/** A value that any loader can take: what differs is the type it gets. */
function tameValue(r: Random, indent: number): string {
  const pad = " ".repeat(indent + 1);
  const flat = (): string => r.pick(["1", "x", "yes", "'a, b'", '"c: d"', "1.5", "010", "~", "é", "1:30"]);
  return r.pick([
    () => numberLike(r),
    () => numberLike(r),
    flat,
    () => `${flat()} ${flat()}\n${pad}${r.pick(["more", "1", "a\n\n" + pad + "b"])}`,
    () => `'${r.repeat(0, 4, () => r.pick(["a", " ", "''", `\n${pad}`, "\n\n" + pad, "#", ": ", "\\"]))}'`,
    () => `"${r.repeat(0, 4, () => r.pick(["a", " ", "\\n", `\n${pad}`, `\\\n${pad}`, "\\x41", "'", "# "]))}"`,
    () =>
      `[${r.repeat(0, 3, () => `${flat()}${r.pick([",", ", ", ` ,\n${pad}`, " , # c\n"])}`)}${r.pick(["", flat(), `a: ${flat()}`])}]`,
    () =>
      `{${r.repeat(0, 3, () => `k${r.int(1, 9)}: ${flat()}${r.pick([",", ", ", ` ,\n${pad}`])}`)}${r.pick(["", "z", "z: ", "'z':1", `? z : ${flat()}`])}}`,
    () =>
      `${r.pick(["|", ">", "|-", ">+", "|2", ">1-"])}${r.repeat(0, 5, () => `\n${pad}${r.pick([" ", "  ", " "])}${r.pick(["text", "", "# no", "- x", "  deep", "k: v"])}`)}`,
    () => `${r.pick(["!!str ", "!!int ", "!!float ", "! ", "!!binary "])}"${r.pick(["1", "010", "0x1F", "1_0"])}"`,
  ])();
}

function key(r: Random): string {
  return r.pick([
    () => r.pick(["a", "b", "c", "d", "tools", "tool_result_persist_threshold_chars", "model"]),
    () => r.pick(["a", "b", "c", "d", "e", "f", "g"]),
    () => r.pick(["1", "true", "yes", "1.0", "010", "8", "~", "null", "0", "no", "y", ".nan", "0x1", "2026-01-01"]),
    () => quoted(r),
    () =>
      r.pick(["<<", "<<", "=", "? x\n", "&k a", "!!str 1", "[1, 2]", "{a: b}", "*a ", "*a", "'<<'", "😀", "-x", "a b"]),
  ])();
}

function value(r: Random, shape: Shape): string {
  if (shape.tame && (shape.depth === 0 || r.chance(0.5)))
    return ` ${tameValue(r, shape.indent)}${r.pick(["", "", "", " # c", " "])}\n`;
  const pad = " ".repeat(shape.indent);
  const properties =
    !shape.tame && r.chance(0.12) ? r.pick(["&a", "&b", "&a", "!!map", "!!str", "!!seq", "!!set", "!!omap"]) : "";
  if (shape.depth > 0 && (shape.tame || r.chance(0.45))) {
    const inner = { ...shape, indent: shape.indent + r.pick([1, 2, 2, 2, 4]), depth: shape.depth - 1 };
    const noise = r.pick(["", "", "", " # c", " ", "\t"]);
    if (r.chance(0.6)) return ` ${properties}${noise}\n${mapping(r, inner)}`;
    return ` ${properties}${noise}\n${sequence(r, r.chance(0.3) ? { ...inner, indent: shape.indent } : inner)}`;
  }
  const space = r.chance(0.95) ? " " : r.pick(["", "\t", "\n", `\n${pad} `]);
  const lead = properties === "" ? "" : `${properties} `;
  return (
    space +
    lead +
    r.pick([
      () => r.pick(["*a", "*b", "{a: 1}", "[{a: 1}, {b: 2}]", "{}", "[]", "", "", "1", "x"]),
      () => scalarText(r),
      () => numberLike(r),
      () => r.pick(["1", "20000", "x", "true"]),
    ])() +
    "\n"
  );
}

function mapping(r: Random, shape: Shape): string {
  const pad = " ".repeat(shape.indent);
  return r.repeat(1, 4, () => {
    const wreck = !shape.tame && r.chance(0.03) ? r.pick([" ", "\t", "- "]) : "";
    const before = r.chance(0.1) ? r.pick(["\n", `${pad}# c\n`, "# c\n", " \n", "\t\n"]) : "";
    if (shape.tame) {
      const merge = r.chance(0.08) ? `${pad}<<: ${r.pick(["*a", "[*a, *b]", "{m: 1}", "[]", "{}"])}\n` : "";
      return `${before}${merge}${pad}${r.pick(TAME_KEYS)}${r.pick(["", "", " "])}:${value(r, shape)}`;
    }
    return `${before}${pad}${wreck}${r.chance(0.04) ? "? " : ""}${key(r)}${r.pick(["", "", "", " "])}:${value(r, shape)}`;
  });
}

function sequence(r: Random, shape: Shape): string {
  const pad = " ".repeat(shape.indent);
  return r.repeat(1, 3, () => {
    if (r.chance(0.3))
      return `${pad}- ${mapping(r, { ...shape, indent: shape.indent + 2, depth: Math.max(0, shape.depth - 1) }).trimStart()}`;
    return `${pad}-${value(r, shape)}`;
  });
}

/** A whole file. */
export function documentText(r: Random): string {
  let out = "";
  if (r.chance(0.05)) out += r.pick(["\ufeff", "\ufeff\ufeff"]);
  if (r.chance(0.08))
    out += r.pick([
      "%YAML 1.1\n",
      "%YAML 1.2\n",
      "%YAML 1.3\n",
      "%TAG !e! tag:yaml.org,2002:\n",
      "%FOO x\n",
      "%YAML 2.0\n",
      "# c\n",
    ]);
  if (r.chance(0.15)) out += r.pick(["---\n", "--- \n", "--- # c\n", "---\t\n", "---", "--- "]);
  const tame = r.chance(0.6);
  if (tame || r.chance(0.1)) out += "base: &a {a: 1, b: 2}\nmore: &b\n  c: 3\n";
  out += r.pick([
    () => mapping(r, { indent: 0, depth: 3, tame }),
    () => mapping(r, { indent: 0, depth: 3, tame }),
    () => mapping(r, { indent: 0, depth: 2, tame }),
    () => (tame ? mapping(r, { indent: 0, depth: 1, tame }) : sequence(r, { indent: 0, depth: 2, tame })),
    () => (tame ? "" : `${scalarText(r)}\n`),
  ])();
  if (r.chance(0.06)) out += r.pick(["...\n", "---\n", "...\n...\n", "...\nx\n", "--- y\n", "# end"]);
  if (r.chance(0.1)) out = out.replaceAll("\n", r.pick(["\r\n", "\r", "\u0085", "\u2028"]));
  return r.chance(0.2) ? mutate(r, out) : out;
}

const INSERTS = [
  " ",
  "  ",
  "\n",
  "\t",
  ":",
  ": ",
  "-",
  "- ",
  "\n- ",
  "?",
  "? ",
  "#",
  " #",
  "&",
  "&a ",
  "*",
  "*a ",
  "!",
  "!!int ",
  "|",
  ">",
  "'",
  '"',
  "%",
  "@",
  ",",
  "[",
  "]",
  "{",
  "}",
  "<<: ",
  "---\n",
  "...\n",
  "\n  ",
  "\\",
  "\r",
  "\r\n",
  "\u0085",
  "\u2028",
  "\ufeff",
  "\0",
  "\x07",
  "\ud800",
  "a",
  "1",
  "~",
  "=",
];

/** A few random insertions, deletions and copies. */
export function mutate(r: Random, text: string): string {
  let out = text;
  for (let n = r.int(1, 4); n > 0; n--) {
    const at = r.int(0, out.length);
    const kind = r.next();
    if (kind < 0.5) out = out.slice(0, at) + r.pick(INSERTS) + out.slice(at);
    else if (kind < 0.8) out = out.slice(0, at) + out.slice(at + r.int(1, 3));
    else {
      const from = r.int(0, out.length);
      out = out.slice(0, at) + out.slice(from, from + r.int(1, 20)) + out.slice(at);
    }
  }
  return out;
}
