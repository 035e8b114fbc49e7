import type { LoaderId } from "../../extension/src/core/model/loader";
import { scalarText } from "./generateScalar";
import type { Random } from "./random";

/** One question about layers of config. */
export interface ConfigQuestion {
  readonly loader: LoaderId;
  readonly text: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly managed: string | null;
  readonly process: Readonly<Record<string, string>>;
}

const VALUES = [
  ..."0 1 -1 5 39 63999 64000 200000 20_000 0x4e20 020000 1e4 1.0e+4 1.0e4 20000.0 2.5 0.6 0.05 0.95 .inf -.inf .nan".split(
    " ",
  ),
  ..."true false yes no on off y n ~ null lean LEGACY native never 256K 50% '20000' '20_000' '+7' '2.5' '0.7' 'true'".split(
    " ",
  ),
  ..."'on' 'no' 'false' '' [] [1] {} '[]' 2026-08-14 1:30 !!binary"
    .split(" ")
    .map((one) => (one === "!!binary" ? "!!binary aGk=" : one)),
  "",
  "' 30 '",
  "٢٠",
  "{a: 1, b: true, c: '3', d: 2.5, e: x}",
  "{gpt: 0.9, opus: 1}",
  "&a 7",
];
const NAMES = ["NUMBER", "WORD", "EMPTY", "FRACTION", "FALSE"];
const CONTENTS = ["20000", "many", "", "0.7", "false", "true", " 8 ", "1e4", "-3"];

function value(r: Random): string {
  if (r.chance(0.15)) {
    const name = r.pick([...NAMES, "UNSET"]);
    const body = r.pick([name, `env:${name}`, ` ${name} `, `${name}:-5`, `vault:${name}`, "a:b"]);
    return `"${r.pick(["", "", "", "2"])}$\{${body}}${r.pick(["", "", "", "0"])}"`;
  }
  return r.chance(0.08) ? scalarText(r) : r.pick(VALUES);
}

function environment(r: Random): Readonly<Record<string, string>> {
  return Object.fromEntries(NAMES.filter(() => r.chance(0.7)).map((name) => [name, r.pick(CONTENTS)]));
}

/** A config that writes some of the settings, in any sections and shapes. */
function configText(r: Random, names: readonly string[]): string {
  const tree = new Map<string, Map<string, string> | string>();
  const inner = new Map<string, Map<string, string>>();
  for (let count = r.int(1, 6); count > 0; count -= 1) {
    const [section = "", key, deep] = r.pick(names).split(".");
    const written = value(r);
    if (key === undefined) tree.set(section, written);
    else if (r.chance(0.04)) tree.set(section, r.pick(["", "foo", "[1]", "5", "{}", "~"]));
    else {
      const before = tree.get(section);
      const keys = before instanceof Map ? before : new Map<string, string>();
      tree.set(section, keys);
      if (deep === undefined) keys.set(key, written);
      else {
        const path = `${section}.${key}`;
        inner.set(path, (inner.get(path) ?? new Map<string, string>()).set(deep, written));
        keys.set(key, "");
      }
    }
  }
  if (r.chance(0.1)) tree.set("context_length", value(r));
  if (r.chance(0.1) && !tree.has("model")) tree.set("model", r.pick(["gpt", "{default: m}", ""]));
  let text = r.chance(0.1) ? "# settings\n" : "";
  for (const [section, content] of tree) {
    if (typeof content === "string") text += `${section}: ${content}\n`;
    else {
      text += `${section}:\n`;
      for (const [key, written] of content) {
        text += `  ${key}: ${written}\n`;
        for (const [deep, one] of inner.get(`${section}.${key}`) ?? []) text += `    ${deep}: ${one}\n`;
      }
    }
  }
  return r.chance(0.03) ? r.pick([`${text}x: [\n`, `- ${text}`, "", "[]\n", "5\n", `${text}tools:\n  a: 1\n`]) : text;
}

export function configQuestion(r: Random, names: readonly string[]): ConfigQuestion {
  const env = environment(r);
  return {
    loader: r.pick(["pyyaml", "ruamel"]),
    text: configText(r, names),
    environment: env,
    managed: r.chance(0.25) ? configText(r, names) : null,
    process: r.chance(0.5) ? env : environment(r),
  };
}
