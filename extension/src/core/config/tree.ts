import { target } from "../yaml/nodes";
import { TAG } from "../yaml/resolve";
import type { YamlMap, YamlNode, YamlPair } from "../yaml/types";
import { KEY, SECTION } from "./keys";

/** Nodes looked at in one walk; a config has hundreds. */
const MAX_NODES = 200_000;

/** A pair, the mapping it stands in, and the keys above it (the pair's own excluded). */
export interface FoundPair {
  readonly pair: YamlPair;
  readonly map: YamlMap;
  readonly path: readonly string[];
}

/** The key's text if it is a string; goes by the tag, because a file that does not load has no values. */
export function keyText(pair: YamlPair): string | undefined {
  const key = target(pair.key);
  return key.kind === "scalar" && key.resolved === TAG.str ? key.text : undefined;
}

/** Every pair of the tree down to `maxDepth` mappings, in document order; aliases are not followed, sequences do not count as depth. */
export function* walkPairs(root: YamlNode | undefined, maxDepth = 64): Generator<FoundPair> {
  const stack: { readonly node: YamlNode; readonly path: readonly string[] }[] = [];
  if (root !== undefined) stack.push({ node: root, path: [] });
  for (let seen = 0; seen < MAX_NODES; seen += 1) {
    const top = stack.pop();
    if (top === undefined) return;
    const { node, path } = top;
    if (node.kind === "seq") for (const item of node.items.toReversed()) stack.push({ node: item, path });
    if (node.kind !== "map") continue;
    for (const pair of node.pairs) yield { pair, map: node, path };
    if (path.length + 1 >= maxDepth) continue;
    for (const pair of node.pairs.toReversed()) stack.push({ node: pair.value, path: [...path, keyText(pair) ?? "?"] });
  }
}

/** Pairs of the key that stand directly in a mapping called `tools`, at any depth. */
export function findEmbedded(root: YamlNode | undefined): readonly FoundPair[] {
  return [...walkPairs(root)].filter(({ pair, path }) => keyText(pair) === KEY && path.at(-1) === SECTION);
}

/** A pair with the path that leads to it; undefined where the tree does not hold it. */
export function ownerOf(root: YamlNode | undefined, pair: YamlPair): FoundPair | undefined {
  for (const found of walkPairs(root)) if (found.pair === pair) return found;
  return undefined;
}
