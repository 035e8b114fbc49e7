import { type BuiltMap, type BuiltNode, target } from "./nodes";
import { YamlRaise } from "./raise";
import { TAG } from "./resolve";
import type { YamlNode, YamlPair } from "./types";

/**
 * Pairs that merge keys may bring into one file. Each `<<` copies what it names, so that a few lines can ask for
 * billions of pairs; the agent would run out of memory.
 */
const MAX_MERGED = 200_000;
/** Merges inside one another that were not applied before; Python's recursion limit ends them about here. */
const MAX_RECURSION = 900;

interface Flattened {
  /** Merged pairs first, then the mapping's own. */
  readonly pairs: readonly YamlPair[];
  /** True when a merge key brought at least one pair. */
  readonly merged: boolean;
}

interface State {
  pairs: YamlPair[];
  merged: boolean;
}

/** Merge keys as flatten_mapping of both loaders applies them, changing a mapping for all its aliases. */
export class MergeFlattener {
  /** Mappings with merge keys, as Python sees them. */
  readonly effective = new Map<YamlNode, readonly YamlPair[]>();
  private readonly states = new Map<BuiltMap, State>();
  private copied = 0;
  private depth = 0;

  constructor(private readonly ruamel: boolean) {}

  /** Pairs as they are at this moment. */
  pairsOf(map: BuiltMap): readonly YamlPair[] {
    return this.states.get(map)?.pairs ?? map.pairs;
  }

  /**
   * A mapping may be met again while it is underway, by an alias to itself. As in Python, a merge key is gone before
   * what it names is looked at, and both rounds work on the same list.
   */
  flatten(map: BuiltMap): Flattened {
    let state = this.states.get(map);
    if (state === undefined) {
      state = { pairs: [...map.pairs], merged: false };
      this.states.set(map, state);
    }
    const merge: YamlPair[] = [];
    let touched = false;
    let index = 0;
    for (let pair = state.pairs[index]; pair !== undefined; pair = state.pairs[index]) {
      if (target(pair.key).resolved !== TAG.merge) {
        makeText(pair.key);
        index++;
        continue;
      }
      if (merge.length > 0 && this.ruamel)
        fail("The merge key << is given twice. Write <<: [*a, *b] instead.", pair.key, "yaml-duplicate-key");
      state.pairs.splice(index, 1);
      touched = true;
      if (++this.depth > MAX_RECURSION)
        fail("Merge keys are nested too deep here. Merge fewer mappings.", map, "yaml-limit");
      this.collect(pair.value, merge, map);
      this.depth--;
    }
    if (merge.length > 0) {
      state.merged = true;
      state.pairs = [...merge, ...state.pairs];
    }
    if (touched) this.effective.set(map, state.pairs);
    return state;
  }

  private collect(written: YamlNode, merged: YamlPair[], map: BuiltMap): void {
    const node = target(written);
    if (node.kind === "map") {
      this.add(merged, this.flatten(node).pairs, map);
      return;
    }
    if (node.kind !== "seq")
      fail("<< needs a mapping or a list of mappings. Name one by an alias.", written, "yaml-merge");
    const parts: (readonly YamlPair[])[] = [];
    for (const item of node.items) {
      const part = target(item);
      if (part.kind !== "map") fail("<< needs mappings in its list.", item, "yaml-merge");
      parts.push(this.flatten(part).pairs);
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
    const pairs = part.kind === "map" ? flattener.pairsOf(part) : [];
    const only = pairs[0];
    if (only === undefined || pairs.length !== 1)
      return fail("This tag needs a list of single pairs: '- key: value'.", item, "yaml-construct");
    return only;
  });
}
