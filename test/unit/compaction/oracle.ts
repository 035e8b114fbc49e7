import { readFileSync } from "node:fs";
import { type PythonJson, parsePythonJson } from "../../../extension/src/core/util/pythonJson";
import { corpusPath } from "../../corpus";

export type Dict = Extract<PythonJson, { readonly kind: "object" }>;

/** A recorded oracle as Python read it, with the repeated texts written out. */
export function readRecorded(name: string): Dict {
  const parsed = parsePythonJson(readFileSync(corpusPath("oracle", name), "utf8"));
  if (parsed === undefined) throw new Error(`${name} is not JSON`);
  return dict(expand(parsed));
}

/** `{"parts": …}` is a text; `parts` beside other keys stands for their `text`. */
function expand(value: PythonJson): PythonJson {
  if (value.kind === "array") return { kind: "array", items: value.items.map(expand) };
  if (value.kind !== "object") return value;
  const parts = value.members.get("parts");
  if (parts?.kind === "array" && value.members.size === 1) return { kind: "string", text: joined(parts.items) };
  const members = [...value.members].map(([key, member]): [string, PythonJson] =>
    key === "parts" && member.kind === "array"
      ? ["text", { kind: "string", text: joined(member.items) }]
      : [key, expand(member)],
  );
  return { kind: "object", members: new Map(members) };
}

function joined(pairs: readonly PythonJson[]): string {
  return pairs
    .map((pair) => {
      const [text, times] = list(pair);
      return string(text).repeat(number(times));
    })
    .join("");
}

export function dict(value: PythonJson | undefined): Dict {
  if (value?.kind !== "object") throw new Error(`no object: ${value?.kind}`);
  return value;
}

export function list(value: PythonJson | undefined): readonly PythonJson[] {
  if (value?.kind !== "array") throw new Error(`no list: ${value?.kind}`);
  return value.items;
}

export function string(value: PythonJson | undefined): string {
  if (value?.kind !== "string") throw new Error(`no text: ${value?.kind}`);
  return value.text;
}

export function number(value: PythonJson | undefined): number {
  if (value?.kind !== "literal" || Number.isNaN(Number(value.text))) throw new Error(`no number: ${value?.kind}`);
  return Number(value.text);
}

export function get(value: PythonJson | undefined, key: string): PythonJson | undefined {
  return dict(value).members.get(key);
}

export function isNull(value: PythonJson | undefined): boolean {
  return value?.kind === "literal" && value.text === "null";
}

export function isTrue(value: PythonJson | undefined): boolean {
  return value?.kind === "literal" && value.text === "true";
}
