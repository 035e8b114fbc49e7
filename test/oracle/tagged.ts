import { readFileSync } from "node:fs";
import type { PyValue } from "../../extension/src/core/model/pyValue";
import { corpusPath } from "../corpus";

/** A text as recorded: plain, or a list of [string, times] to repeat and join. */
export type RecordedText = string | { readonly parts: readonly (readonly [string, number])[] };

/** A Python value as recorded; `v` depends on `t`. */
export interface Tagged {
  readonly t: string;
  readonly v?: unknown;
  readonly hex?: string;
}

export function readOracle<T>(name: string): T {
  return JSON.parse(readFileSync(corpusPath("oracle", name), "utf8")) as T;
}

export function textOf(recorded: RecordedText): string {
  return typeof recorded === "string" ? recorded : recorded.parts.map(([text, times]) => text.repeat(times)).join("");
}

/** Recorded subclasses of built-in types count as their base, which is what Python's `isinstance` sees. */
const SUBCLASSES: ReadonlyMap<string, PyValue> = new Map<string, PyValue>([
  ["E", { t: "int", v: 20000n }],
  ["S", { t: "str", v: "20000" }],
]);

function pythonFloat(repr: string): number {
  const special: Record<string, number> = { inf: Infinity, "-inf": -Infinity, nan: Number.NaN };
  return special[repr] ?? Number(repr);
}

export function untag(tagged: Tagged): PyValue {
  const { t, v } = tagged;
  switch (t) {
    case "NoneType":
      return { t };
    case "bool":
      return { t, v: v === true };
    case "int":
      return { t, v: BigInt(tagged.hex ?? textOf(v as RecordedText)) };
    case "float":
      return { t, v: pythonFloat(String(v)) };
    case "str":
      return { t, v: textOf(v as RecordedText) };
    case "bytes":
      return { t, v: new TextEncoder().encode(String(v).slice(2, -1)) };
    case "date":
    case "datetime":
      return { t, v: String(v) };
    case "list":
    case "tuple":
      return { t, v: (v as readonly Tagged[]).map(untag) };
    case "dict":
      return { t, v: (v as readonly (readonly [Tagged, Tagged])[]).map(([key, value]) => [untag(key), untag(value)]) };
    default:
      return SUBCLASSES.get(t) ?? { t: "other", type: t, repr: String(v) };
  }
}
