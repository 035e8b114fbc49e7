import type { PyValue } from "../model/pyValue";
import type { YamlAlias, YamlMap, YamlNode, YamlPair, YamlScalar, YamlSeq } from "./types";

/** The tree while it is built. Constructing fills in what readers of `YamlNode` find finished. */
export interface BuiltScalar extends YamlScalar {
  value: PyValue;
  /** Full tag after resolution. `=` loses its own when it is met as a key, as in PyYAML's flatten_mapping. */
  resolved: string;
  /** Offsets of escaped surrogates, see PyValue; empty for nearly every scalar. */
  readonly apart: readonly number[];
}

export interface BuiltMap extends YamlMap {
  end: number;
  readonly pairs: YamlPair[];
  readonly resolved: string;
}

export interface BuiltSeq extends YamlSeq {
  end: number;
  readonly items: YamlNode[];
  readonly resolved: string;
}

/** A node that is not an alias. */
export type BuiltNode = BuiltScalar | BuiltMap | BuiltSeq;

/** Follows an alias to its node. Every tree is made by compose.ts, so that each node is a built one. */
export function target(node: YamlNode): BuiltNode {
  return (node.kind === "alias" ? (node as YamlAlias).target : node) as BuiltNode;
}
