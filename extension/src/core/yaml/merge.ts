import { type BuiltMap, type BuiltNode, target } from "./nodes";
import { YamlRaise } from "./raise";
import { TAG } from "./resolve";
import type { YamlNode, YamlPair } from "./types";

/**
 * Pairs that merge keys may bring into one file. Each `<<` copies what it names, so that a few lines can ask for
 * billions of pairs; the agent would run out of memory.
 */
const MAX_MERGED = 200_000;

interface Flattened {
  /** Merged pairs first, then the mapping's own. */
  readonly pairs: readonly YamlPair[];
  /** True when a merge key brought at least one pair. */
  readonly merged: boolean;
}

/** Merge keys as flatten_mapping of both loaders applies them: once per mapping, changing it for all its aliases. */
export class MergeFlattener {
  /** Mappings with merge keys, as Python sees them. */
  readonly effective = new Map<YamlNode, readonly YamlPair[]>();
  private readonly done = new Map<BuiltMap, { pairs: YamlPair[]; merged: boolean }>();
  private copied = 0;

  constructor(private readonly ruamel: boolean) {}

  /** Pairs as they are at this moment. */
  pairsOf(map: BuiltMap): readonly YamlPair[] {
    return this.done.get(map)?.pairs ?? map.pairs;
  }

  flatten(map: BuiltMap): Flattened {
    const known = this.done.get(map);
    // Met again while it is underway (a mapping merged into itself): what is left of it then is what Python sees too.
    if (known !== undefined) return known;
    const state = { pairs: [...map.pairs], merged: false };
    const hasMerge = map.pairs.some(({ key }) => target(key).resolved === TAG.merge);
    this.done.set(map, state);
    if (!hasMerge) {
      for (const { key } of map.pairs) makeText(key);
      return state;
    }
    const merged: YamlPair[] = [];
    let index = 0;
    while (index < state.pairs.length) {
      const pair = state.pairs[index];
      if (pair === undefined) break;
      if (target(pair.key).resolved !== TAG.merge) {
        makeText(pair.key);
        index++;
        continue;
      }
      if (merged.length > 0 && this.ruamel)
        fail("The merge key << is given twice. Write << : [*a, *b] instead.", pair.key, "yaml-duplicate-key");
      state.pairs.splice(index, 1);
      this.collect(pair.value, merged, map);
    }
    state.merged = merged.length > 0;
    state.pairs = [...merged, ...state.pairs];
    this.effective.set(map, state.pairs);
    return state;
  }

  private collect(written: YamlNode, merged: YamlPair[], map: BuiltMap): void {
    const node = target(written);
    if (node.kind === "map") {
      this.add(merged, this.flatten(node as BuiltMap).pairs, map);
      return;
    }
    if (node.kind !== "seq")
      fail("<< needs a mapping or a list of mappings. Name one by an alias.", written, "yaml-merge");
    const parts: (readonly YamlPair[])[] = [];
    for (const item of node.items) {
      const part = target(item);
      if (part.kind !== "map") fail("<< needs mappings in its list.", item, "yaml-merge");
      parts.push(this.flatten(part as BuiltMap).pairs);
    }
    for (const part of parts.reverse()) this.add(merged, part, map);
  }

  private add(merged: YamlPair[], pairs: readonly YamlPair[], map: BuiltMap): void {
    this.copied += pairs.length;
    if (this.copied > MAX_MERGED)
      fail(
        `The merge keys of this file copy more than ${MAX_MERGED.toLocaleString("en")} entries. Merge fewer mappings.`,
        map,
        "yaml-limit",
      );
    for (const pair of pairs) merged.push(pair);
  }
}

/** A plain `=` that is a key becomes text. */
function makeText(key: YamlNode): void {
  const node = target(key);
  if (node.kind === "scalar" && node.resolved === TAG.value) (node as { resolved: string }).resolved = TAG.str;
}

function fail(what: string, node: YamlNode, code: string): never {
  throw new YamlRaise(code, what, { start: node.outerStart, end: node.end }, code === "yaml-limit" ? "python" : "yaml");
}

/** The single pairs that !!omap and !!pairs list. */
export function constructPairs(node: BuiltNode, flattener: MergeFlattener): YamlPair[] {
  if (node.kind !== "seq")
    return fail("This tag needs a list of single pairs. Remove the tag.", node, "yaml-construct");
  return node.items.map((item) => {
    const part = target(item);
    const pairs = part.kind === "map" ? flattener.pairsOf(part as BuiltMap) : [];
    const only = pairs[0];
    if (only === undefined || pairs.length !== 1)
      return fail("This tag needs a list of single pairs: '- key: value'.", item, "yaml-construct");
    return only;
  });
}
