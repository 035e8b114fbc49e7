import { numberLike, quoted, scalarText } from "./generateScalar";
import type { Random } from "./random";

/** Seeded whole files: half are tame and mean to be valid, half are not, and some are mutated. */

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
    () => `${flat()} ${flat()}\n${pad}${r.pick(["more", "1", `a\n\n${pad}b`])}`,
    () => `'${r.repeat(0, 4, () => r.pick(["a", " ", "''", `\n${pad}`, `\n\n${pad}`, "#", ": ", "\\"]))}'`,
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

/** Around the 1,024 characters within which a key's colon must come. */
function longKey(r: Random): string {
  const text =
    r.pick(["k", "é", "😀", "a b", "a "]).repeat(r.pick([255, 341, 511, 512, 513])) + "x".repeat(r.int(0, 520));
  return r.pick([text, `'${text}'`, `"${text}"`, `[${text}]`, `&a ${text}`, `? ${text}\n`]);
}

function key(r: Random): string {
  if (r.chance(0.01)) return longKey(r);
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

/** Anchors, aliases (also to what is still open), merge keys, `=` and tags on collections, all in brackets. */
function tangle(r: Random, depth: number, names: string[]): string {
  let anchor = "";
  if (r.chance(0.35)) {
    names.push(r.chance(0.98) ? `n${names.length}` : "n0");
    anchor = `&${names.at(-1)} `;
  }
  const alias = names.length > 0 && r.chance(0.98) ? `*${r.pick(names)} ` : r.pick(["*none ", "x", "2"]);
  const tag = r.chance(0.08) ? r.pick(COLLECTION_TAGS) : "";
  if (depth === 0 || r.chance(0.25))
    return anchor === "" && r.chance(0.6) ? alias : `${anchor}${r.pick(["1", "x", "'='", ".nan", "y"])}`;
  const item = (): string => tangle(r, depth - 1, names);
  const key = (): string =>
    r.pick([
      () => "<<",
      () => r.pick(["=", "k"]),
      item,
      () => r.pick(["k", "l", "m", "1", "true"]),
      () => `k${r.int(1, 99)}`,
    ])();
  if (r.chance(0.4))
    return `${anchor}${tag}[${r.repeat(0, 3, () => `${r.chance(0.2) ? `${key()} : ${item()}` : item()}, `)}]`;
  return `${anchor}${tag}{${r.repeat(0, 3, () => `${key()} : ${item()}, `)}}`;
}

const COLLECTION_TAGS = [
  "!!map ",
  "!!seq ",
  "!!set ",
  "!!omap ",
  "!!pairs ",
  "!!str ",
  "!!int ",
  "! ",
  "!!binary ",
  "!!float ",
  "!!timestamp ",
];

/** A whole file. */
export function documentText(r: Random): string {
  if (r.chance(0.12)) return `${tangle(r, 4, [])}\n`;
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
