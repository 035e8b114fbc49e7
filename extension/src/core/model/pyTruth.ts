import type { PyValue } from "./pyValue";

/** Python's `bool(value)`. */
export function pyTruth(value: PyValue): boolean {
  switch (value.t) {
    case "NoneType":
      return false;
    case "bool":
      return value.v;
    case "int":
      return value.v !== 0n;
    case "float":
      return value.v !== 0;
    case "date":
    case "datetime":
      return true;
    case "other":
      return value.repr !== "ordereddict()";
    default:
      return value.v.length > 0;
  }
}
