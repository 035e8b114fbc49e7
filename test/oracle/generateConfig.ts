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

const ADDRESSES = [
  "https://h/v1",
  "https://h/v1",
  "https://H/v1/",
  "HTTPS://H:443/v1/",
  "http://h:80/v1",
  "http://h/v1",
  "https://h:8443/v1",
  "https://h/V1",
  "''",
  "7",
];
const MODELS = ["m1", "m-1", "claude-opus-4.6", "Claude"];
const WINDOWS = ["128000", "'90000'", "256K", "0", "-1", "true", "70000.9", "~", `'\${NUMBER}'`, "[1]"];

function providerEntry(r: Random, named: boolean): string {
  const address = `${r.pick(["base_url", "api", "url"])}: ${r.pick(ADDRESSES)}`;
  const models = MODELS.filter(() => r.chance(0.8)).map((name) => `${name}: {context_length: ${r.pick(WINDOWS)}}`);
  const parts = [
    ...(named || r.chance(0.8) ? [`name: ${r.pick(["My LLM", "other", "''"])}`] : []),
    ...(r.chance(0.9) ? [address] : []),
    r.chance(0.9) ? `models: {${models.join(", ")}}` : r.pick(["models: []", "models: {m1: 3}", "x: 1"]),
    ...(r.chance(0.2) ? [`enabled: ${r.pick(["false", "'off'", "true", "0", "~"])}`] : []),
  ];
  return r.chance(0.05) ? r.pick(["~", "[]", "3"]) : `{${parts.join(", ")}}`;
}

/** Shares by model, windows by provider, and a model that some of them fit. */
export function providerQuestion(r: Random): ConfigQuestion {
  const entries = (named: boolean): string[] => Array.from({ length: r.int(1, 4) }, () => providerEntry(r, named));
  const model = [
    `default: ${r.pick(MODELS)}`,
    ...(r.chance(0.6) ? [`base_url: ${r.pick(ADDRESSES)}`] : []),
    ...(r.chance(0.6) ? [`provider: ${r.pick(["my-llm", "custom:My LLM", "'a'", "auto", "OpenRouter"])}`] : []),
  ];
  const keys = [
    "claude",
    "Claude",
    "opus",
    "m",
    "m1",
    "'openrouter:claude'",
    "' A :opus'",
    "'my-llm:m'",
    "laude",
    "'custom:x'",
  ];
  const shares = keys
    .filter(() => r.chance(0.4))
    .map((key) => `${key}: ${r.pick(["0.6", "0.9", "1", "true", "'0.7'"])}`);
  const lines = [
    `model: ${r.chance(0.05) ? r.pick(["m1", "~", "3"]) : `{${model.join(", ")}}`}`,
    `compression: {model_thresholds: {${shares.join(", ")}}}`,
    ...(r.chance(0.7)
      ? [`custom_providers: ${r.chance(0.05) ? r.pick(["~", "{}", "x"]) : `[${entries(true).join(", ")}]`}`]
      : []),
    ...(r.chance(0.6)
      ? [
          `providers: {${entries(false)
            .map((one, at) => `${["a", "my-llm", "b", "c"][at]}: ${one}`)
            .join(", ")}}`,
        ]
      : []),
  ];
  const env = environment(r);
  return {
    loader: r.pick(["pyyaml", "ruamel"]),
    text: `${lines.join("\n")}\n`,
    environment: env,
    managed: null,
    process: {},
  };
}
