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
