import type { LoaderId } from "../model/loader";
import type { Problem } from "../model/problem";
import type { PyValue } from "../model/pyValue";

interface NodeBase {
  /** UTF-16 offset of the first character of the content (after tag and anchor). */
  readonly start: number;
  /** UTF-16 offset after the last character of the content, without trailing space, comment or line end. */
  readonly end: number;
  /** UTF-16 offset including tag and anchor. */
  readonly outerStart: number;
  readonly anchor: string | undefined;
  /** Tag as written (`!!int`, `!!binary`, `!x`), undefined when none. */
  readonly tag: string | undefined;
}

export interface YamlScalar extends NodeBase {
  readonly kind: "scalar";
  readonly style: "plain" | "single" | "double" | "literal" | "folded";
  /** Text after folding and unescaping, before tag resolution. */
  readonly text: string;
  readonly value: PyValue;
}

export interface YamlPair {
  readonly key: YamlNode;
  readonly value: YamlNode;
}

export interface YamlMap extends NodeBase {
  readonly kind: "map";
  readonly flow: boolean;
  /** Every pair as written, duplicates and merge keys included. */
  readonly pairs: readonly YamlPair[];
}

export interface YamlSeq extends NodeBase {
  readonly kind: "seq";
  readonly flow: boolean;
  readonly items: readonly YamlNode[];
}

export interface YamlAlias extends NodeBase {
  readonly kind: "alias";
  readonly name: string;
  readonly target: YamlNode;
}

export type YamlNode = YamlScalar | YamlMap | YamlSeq | YamlAlias;

/** What the agent's loader makes of one file. */
export interface YamlLoad {
  readonly loader: LoaderId;
  /**
   * The document's tree. Present even when construction failed (duplicate key, bad tag) as long as the text could be composed;
   * undefined for an empty file or a syntax error.
   */
  readonly root: YamlNode | undefined;
  /** The loaded Python value; undefined exactly when the loader raises. An empty file gives None. */
  readonly value: PyValue | undefined;
  /** Set exactly when the loader raises; code `yaml-syntax`, `yaml-duplicate-key`, `yaml-construct`, `yaml-limit`, … */
  readonly failure: Problem | undefined;
  /** Python value of every node that was constructed, aliases excepted (see their target). Equal nodes share one object. */
  readonly values: ReadonlyMap<YamlNode, PyValue>;
  /** Pairs of the mappings that hold merge keys, as Python sees them: what was merged first, then the mapping's own. */
  readonly effective: ReadonlyMap<YamlNode, readonly YamlPair[]>;
  /**
   * The value contains itself. The loader takes that, but Hermes' deep merge then raises (RecursionError), so the agent
   * does not start with this file. Walks over `value` must expect the cycle.
   */
  readonly recursive: boolean;
}

/** Result of walking mapping keys as Python would (`d["tools"]["x"]`, merge keys applied, last duplicate wins). */
export type Lookup =
  | {
      readonly at: "value";
      readonly value: PyValue;
      /** The pair that won, for positions; its value may be an alias or come out of a merged mapping. */
      readonly pair: YamlPair;
      /** Earlier pairs with an equal key in the same mapping, which lost. */
      readonly shadowed: readonly YamlPair[];
    }
  | { readonly at: "absent"; readonly reason: "no-key" | "empty-file" }
  /** A section on the way is not a mapping. `depth` 0 = the root. */
  | { readonly at: "not-mapping"; readonly depth: number; readonly node: YamlNode };
