import { strRepr } from "../../model/pyRepr";
import type { PythonJson } from "../../util/pythonJson";

const REPR_WORDS: Readonly<Record<string, string>> = {
  true: "True",
  false: "False",
  null: "None",
  NaN: "nan",
  Infinity: "inf",
  "-Infinity": "-inf",
};

/** Python's `repr(value)` of what `json.loads` returned. */
export function pythonRepr(value: PythonJson): string {
  switch (value.kind) {
    case "string":
      return strRepr(value.text);
    case "literal":
      return REPR_WORDS[value.text] ?? value.text;
    case "array":
      return `[${value.items.map(pythonRepr).join(", ")}]`;
    case "object":
      return `{${[...value.members].map(([key, member]) => `${strRepr(key)}: ${pythonRepr(member)}`).join(", ")}}`;
  }
}

/** Python's `str(value)`: a text is itself, anything else its repr. */
export function pythonStr(value: PythonJson): string {
  return value.kind === "string" ? value.text : pythonRepr(value);
}

/** Python's `bool(value)`. */
export function isTruthy(value: PythonJson | undefined): value is PythonJson {
  switch (value?.kind) {
    case undefined:
      return false;
    case "string":
      return value.text !== "";
    case "literal":
      return value.text !== "null" && value.text !== "false" && Number(value.text) !== 0;
    case "array":
      return value.items.length > 0;
    case "object":
      return value.members.size > 0;
  }
}

/** `json.dumps(value, ensure_ascii=False)` on one line. */
export function pythonDumps(value: PythonJson): string {
  switch (value.kind) {
    case "literal":
      return value.text;
    case "string":
      return quoted(value.text);
    case "array":
      return `[${value.items.map(pythonDumps).join(", ")}]`;
    case "object":
      return `{${[...value.members].map(([key, member]) => `${quoted(key)}: ${pythonDumps(member)}`).join(", ")}}`;
  }
}

/** A lone surrogate stays as it is, unlike in `JSON.stringify`. */
function quoted(text: string): string {
  return `"${text.replace(/[\u0000-\u001f"\\]/g, (character) => JSON.stringify(character).slice(1, -1))}"`;
}

/** A message, part or tool call of a Hermes transcript as `json.loads` gives it. */
export type PythonDict = Extract<PythonJson, { readonly kind: "object" }>;

export function isDict(value: PythonJson | undefined): value is PythonDict {
  return value?.kind === "object";
}

export function pythonText(text: string): PythonJson {
  return { kind: "string", text };
}
