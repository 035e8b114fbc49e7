import { pyRepr } from "../../model/pyRepr";
import type { PyValue } from "../../model/pyValue";
import { clip } from "../messages";

/** A setting's value as people write it: `true`, `20000`, `lean`; `unset` for None. */
export function shownSetting(value: PyValue): string {
  if (value.t === "NoneType") return "unset";
  if (value.t === "dict") return value.v.length === 0 ? "no entries" : clip(pyRepr(value));
  if (value.t === "bool") return value.v ? "true" : "false";
  return clip(value.t === "str" ? value.v : pyRepr(value));
}
