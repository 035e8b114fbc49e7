import { pyFloat } from "../../model/pyNumber";
import { pyRepr } from "../../model/pyRepr";
import type { PyValue } from "../../model/pyValue";

/** Python's `float(value)`; undefined where it raises. */
export function floatOf(value: PyValue): number | undefined {
  switch (value.t) {
    case "bool":
      return value.v ? 1 : 0;
    case "int":
    case "float":
      return Number(value.v);
    case "str":
      return pyFloat(value.v);
    default:
      return undefined;
  }
}

/** Python's `str(value).lower()` as far as it can be a word or a number; containers give their repr. */
export function strLower(value: PyValue): string {
  return (value.t === "str" ? value.v : pyRepr(value)).toLowerCase();
}
