import type { PyValue } from "../model/pyValue";

export type PyDict = PyValue & { readonly t: "dict" };
type Entry = PyDict["v"][number];

export const EMPTY_DICT: PyDict = { t: "dict", v: [] };

/** A dict with texts as keys, in the order given. */
export function dictOf(entries: readonly (readonly [string, PyValue])[]): PyDict {
  return { t: "dict", v: entries.map(([name, value]) => [{ t: "str", v: name }, value]) };
}

function isNamed([key]: Entry, name: string): boolean {
  return key.t === "str" && key.v === name;
}

/** Value of a text key. */
export function getItem(dict: PyValue, name: string): PyValue | undefined {
  return dict.t === "dict" ? dict.v.find((entry) => isNamed(entry, name))?.[1] : undefined;
}

/** Value at a path of text keys; undefined where a step is missing or no mapping. */
export function getAt(dict: PyValue, path: readonly string[]): PyValue | undefined {
  let value: PyValue | undefined = dict;
  for (const name of path) value = value && getItem(value, name);
  return value;
}

/** The dict with one entry set: in its place where the key is there, else at the end. */
export function setItem(dict: PyDict, name: string, value: PyValue): PyDict {
  const at = dict.v.findIndex((entry) => isNamed(entry, name));
  if (at < 0) return { t: "dict", v: [...dict.v, [{ t: "str", v: name }, value]] };
  return { t: "dict", v: dict.v.with(at, [{ t: "str", v: name }, value]) };
}

/** The dict without the entries of these names. */
export function without(dict: PyDict, names: readonly string[]): PyDict {
  return { t: "dict", v: dict.v.filter(([key]) => key.t !== "str" || !names.includes(key.v)) };
}
