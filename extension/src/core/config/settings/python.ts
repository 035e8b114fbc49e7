import { pyRepr } from "../../model/pyRepr";
import type { PyValue } from "../../model/pyValue";
import { stripForInt, withAsciiDigits } from "../pyInt";

const FLOAT = /^[+-]?(?:\d+(?:_\d+)*(?:\.(?:\d+(?:_\d+)*)?)?|\.\d+(?:_\d+)*)(?:e[+-]?\d+(?:_\d+)*)?$/i;
const SPECIAL: ReadonlyMap<string, number> = new Map([
  ["inf", Number.POSITIVE_INFINITY],
  ["infinity", Number.POSITIVE_INFINITY],
  ["nan", Number.NaN],
]);

/** Python's `float(value)`; undefined where it raises. */
export function pyFloat(value: PyValue): number | undefined {
  switch (value.t) {
    case "bool":
      return value.v ? 1 : 0;
    case "int":
    case "float":
      return Number(value.v);
    case "str":
      return floatText(withAsciiDigits(stripForInt(value.v)));
    default:
      return undefined;
  }
}

function floatText(text: string): number | undefined {
  if (text.length <= 5_000 && FLOAT.test(text)) return Number(text.replaceAll("_", ""));
  const special = SPECIAL.get(text.replace(/^[+-]/, "").toLowerCase());
  return special === undefined ? undefined : text.startsWith("-") ? -special : special;
}

/** Python's `str(value).lower()` as far as it can be a word or a number; containers give their repr. */
export function strLower(value: PyValue): string {
  return (value.t === "str" ? value.v : pyRepr(value)).toLowerCase();
}
