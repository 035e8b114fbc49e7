import type { LoaderId } from "../model/loader";
import type { Problem, TextRange } from "../model/problem";
import type { PyValue } from "../model/pyValue";
import type { YamlLoad, YamlPair, YamlScalar } from "../yaml/types";
import type { ManagedLayer } from "./effective";
import type { Environment } from "./expand";
import type { FoundSetting } from "./settings/types";

/** Reasons why the agent refuses a value; stable, machine-readable (`context-budget check --json`). */
export type RejectReason =
  | "boolean"
  | "float"
  | "other-number"
  | "bytes"
  | "list"
  | "mapping"
  | "date"
  | "other-type"
  | "non-whole-string"
  | "empty-string"
  | "string-too-long";

/** Why a value counts as unset without being wrong. */
export type UnsetReason = "none" | "zero" | "negative";

/** Outcome of `normalizePersistThreshold`. Thresholds are code points and may exceed 2^53, hence bigint. */
export type PersistThreshold =
  | { readonly verdict: "accepted"; readonly threshold: bigint }
  | { readonly verdict: "unset"; readonly reason: UnsetReason }
  | { readonly verdict: "rejected"; readonly reason: RejectReason };

/** Per-result and per-turn limits in code points. `Infinity` = never persisted. */
export interface Budget {
  /** Hermes `default_result_size`. */
  readonly perResult: number;
  /** Hermes `turn_budget`. */
  readonly perTurn: number;
  readonly preview: number;
  readonly mcpResult: number;
  readonly overrides: ReadonlyMap<string, number>;
}

export type ConfigLanguage = "yaml" | "json" | "jsonc";

export interface CheckOptions {
  readonly loader: LoaderId;
  /** Context window in tokens to assume where the file states none. */
  readonly contextLength?: number;
  /** How the document is written; `yaml` unless said otherwise. */
  readonly language?: ConfigLanguage;
  /**
   * True (the default) when the document is known to be an agent's config. False for any other document that merely contains the
   * key: then a `tools` section may stand at any depth, and files that need another loader stay silent.
   */
  readonly isAgentConfig?: boolean;
  /** What `${…}` stands for; undefined = not known, so that nothing is said about what depends on it. */
  readonly environment?: Environment;
  /** The layer whose leaves win over this file. */
  readonly managed?: ManagedLayer;
}

/** What a quick fix has to work on. */
export type FixSubject =
  | { readonly kind: "value"; readonly pair: YamlPair; readonly value: PyValue }
  | { readonly kind: "rename"; readonly pair: YamlPair; readonly to: string }
  | { readonly kind: "move"; readonly pair: YamlPair; readonly section: string; readonly name: string }
  | { readonly kind: "remove"; readonly pair: YamlPair }
  | { readonly kind: "merge"; readonly earlier: YamlPair; readonly later: YamlPair }
  | { readonly kind: "colon"; readonly node: YamlScalar }
  | { readonly kind: "setting"; readonly found: FoundSetting };

export interface ConfigProblem extends Problem {
  readonly range: TextRange;
  readonly subject?: FixSubject;
}

/** The value of the key as written and as Python holds it. */
export interface WrittenValue {
  /** As it stands in the file, tag and quotes included; empty when nothing is written. */
  readonly text: string;
  /** Python's type name and repr. */
  readonly type: string;
  readonly repr: string;
}

export type CheckVerdict = "accepted" | "unset" | "rejected" | "absent";

/** Everything that one look at a document finds out; `problems` are ordered by place. */
export interface ConfigCheck {
  readonly loader: LoaderId;
  readonly value: WrittenValue | null;
  readonly verdict: CheckVerdict;
  /** Code points; set exactly when accepted. */
  readonly threshold: bigint | null;
  /** A RejectReason or UnsetReason; null otherwise. */
  readonly reason: string | null;
  readonly problems: readonly ConfigProblem[];
  /** The pair that counts, for positions; undefined when absent. */
  readonly pair: YamlPair | undefined;
  /** The model's context window in tokens and where it is stated. */
  readonly contextLength: { readonly tokens: number; readonly source: "file" | "setting" } | null;
  /** `tool_budget.mcp_result_size_chars` of the file, else the default. Code points. */
  readonly mcpResult: number;
  /** `tool_output.max_bytes` of the file (it counts code points), else the default. */
  readonly terminalOutput: number;
  /** The value after `${…}` was expanded; undefined where that changes nothing. */
  readonly expanded: PyValue | undefined;
  /** Every setting that decides about context and stands in this agent config. */
  readonly settings: readonly FoundSetting[];
  /** The document as loaded, for features that look at more than the key. */
  readonly load: YamlLoad;
}
