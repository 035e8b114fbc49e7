import { pyTruth } from "../model/pyTruth";
import { PY_NONE } from "../model/pyValue";
import { type BuiltNode, target } from "./nodes";
import { TAG } from "./resolve";
import type { Lookup, YamlLoad, YamlNode, YamlPair } from "./types";

/**
 * Walks mapping keys as the agent does: aliases followed, merge keys applied, the last of equal keys wins. A root that is
 * false in Python (`[]`, `0`, `''`, nothing) counts as an empty file. Where the loader raised, the walk shows what the
 * file would have said.
 */
export function lookup(load: YamlLoad, path: readonly string[]): Lookup {
  if (load.root === undefined) return { at: "absent", reason: "empty-file" };
  let node = load.root;
  let found: Lookup = { at: "absent", reason: "no-key" };
  for (const [depth, name] of path.entries()) {
    const pairs = pairsOf(load, target(node));
    if (pairs === undefined) {
      if (depth === 0 && load.value !== undefined && !pyTruth(load.value))
        return { at: "absent", reason: "empty-file" };
      return { at: "not-mapping", depth, node };
    }
    const pair = pairs.findLast((one) => isNamed(load, one.key, name));
    if (pair === undefined) return { at: "absent", reason: "no-key" };
    const owner = target(node);
    const own = owner.kind === "map" ? owner.pairs : [];
    const shadowed = own.filter((one) => one !== pair && isNamed(load, one.key, name));
    found = { at: "value", value: load.values.get(target(pair.value)) ?? PY_NONE, pair, shadowed };
    node = pair.value;
  }
  return found;
}

/** Pairs of what Python makes a dict; undefined for anything else. */
function pairsOf(load: YamlLoad, node: BuiltNode): readonly YamlPair[] | undefined {
  if (node.kind === "map" && node.resolved === TAG.map) return load.effective.get(node) ?? node.pairs;
  if (node.kind === "seq" && node.resolved === TAG.omap && load.loader === "ruamel")
    return node.items.flatMap((item) => {
      const only = target(item);
      return only.kind === "map" ? only.pairs : [];
    });
  return undefined;
}

function isNamed(load: YamlLoad, written: YamlNode, name: string): boolean {
  const key = target(written);
  if (key.kind === "scalar" && key.resolved === TAG.str) return key.text === name;
  const value = load.values.get(key);
  return value !== undefined && value.t === "str" && value.v === name;
}
