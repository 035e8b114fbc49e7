import type { LoaderId } from "../../model/loader";
import type { PyValue } from "../../model/pyValue";
import type { YamlPair } from "../../yaml/types";

/** What a number counts; `fraction` = share of the context window or of another number. */
export type Unit =
  | "characters"
  | "tokens"
  | "messages"
  | "lines"
  | "seconds"
  | "turns"
  | "attempts"
  | "fraction"
  | "none";

/** How the agent turns a loaded value into a setting. Every kind has traps of its own; see `parseSetting`. */
export type Parser =
  /** PR #86171, the strictest: `normalizePersistThreshold`. */
  | { readonly kind: "persist" }
  /** `int(value)` with a fallback to the default: booleans become 0 and 1, floats lose their fraction. */
  | { readonly kind: "int"; readonly min: bigint; readonly bool: "counts" | "refused" }
  /** `int(value)` without any fallback: the agent does not start where it raises. Smaller numbers are raised to `min`. */
  | { readonly kind: "bare-int"; readonly min?: bigint }
  /** Booleans and fractions refused, whole floats and numeric text taken. */
  | {
      readonly kind: "whole";
      readonly min: bigint;
      readonly max?: bigint;
      /** What numbers below `min` become. */
      readonly below: "min" | "default";
      /** True where 0 means the default although `min` would raise it. */
      readonly zeroIsDefault?: boolean;
    }
  /** Numbers only: text never counts, booleans are numbers in Python. */
  | { readonly kind: "number" }
  /** `float(value)`; `raises`: which generation does not start where that raises. */
  | { readonly kind: "float"; readonly min?: number; readonly max?: number; readonly raises: "older" | "both" }
  /** `str(value).lower()` is `true`, `1` or `yes`; everything else, also nothing, is false. */
  | { readonly kind: "word" }
  /** Text `1`, `true`, `yes`, `on`; nothing written keeps the default; other types by truth. */
  | { readonly kind: "switch" }
  /** Python's truth: any text that is not empty is true. */
  | { readonly kind: "truth" }
  | { readonly kind: "choice"; readonly of: readonly string[] }
  /** A window in tokens; text with a unit is ignored, and a window below 64,000 keeps the agent from starting. */
  | { readonly kind: "window" }
  /** Name → number; wrong entries are skipped one by one. */
  | { readonly kind: "map"; readonly of: "float" | "int" }
  | { readonly kind: "text" }
  /** No source at hand says how the value is read, so nothing is judged. */
  | { readonly kind: "unknown" };

/** One key that decides about context. */
export interface Setting {
  /** Dotted, as the documentation writes it. */
  readonly name: string;
  readonly path: readonly string[];
  readonly parser: Parser;
  readonly unit: Unit;
  /** What holds where nothing is written: v2026.8.16.2, which loads with PyYAML, and the September sources, which load with ruamel. */
  readonly fallback: Readonly<Record<LoaderId, PyValue>>;
  /** False where the agent's DEFAULT_CONFIG does not hold the key, so that `hermes config set` calls it unknown. */
  readonly inDefaults: boolean;
  /** One sentence. */
  readonly does: string;
  /** What surprises, one sentence; undefined = nothing known. */
  readonly trap: string | undefined;
  /** Where the rule was read: file of NousResearch/hermes-agent, release or PR. */
  readonly source: string;
}

/**
 * taken: as written · coerced: counts, but not as it reads · clamped: moved to a limit · ignored: the default holds ·
 * unset: nothing is written, the default holds · fatal: the agent does not start.
 */
export type SettingOutcome = "taken" | "coerced" | "clamped" | "ignored" | "unset" | "fatal";

export interface ParsedSetting {
  readonly outcome: SettingOutcome;
  /** What the agent works with. */
  readonly value: PyValue;
  /** Clause that says why it is not as written; empty when taken or unset. */
  readonly why: string;
}

/** A setting as it stands in a document. */
export interface FoundSetting {
  readonly setting: Setting;
  readonly loader: LoaderId;
  readonly pair: YamlPair;
  /** Earlier pairs of the same key, which lost. */
  readonly shadowed: readonly YamlPair[];
  /** As loaded, before `${…}` is expanded. */
  readonly loaded: PyValue;
  /** What the parser gets. */
  readonly value: PyValue;
  readonly parsed: ParsedSetting;
  /** The value holds `${…}` and nothing is known about the environment, so `parsed` judges the text itself. */
  readonly open: boolean;
}
