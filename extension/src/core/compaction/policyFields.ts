import { typedThreshold } from "../config/normalize";
import type { Policy, PolicyKind } from "../model/policy";
import { err, ok, type Result } from "../model/problem";
import { grouped } from "../util/numbers";

/** Bounds of what a policy from outside may hold. */
export const POLICY_BOUNDS = {
  /** Largest whole number, in whatever unit. */
  whole: 1e12,
  /** UTF-16 units of a text that a policy itself puts into a request; code points of a notice that it makes. */
  text: 2_000,
  /** Entries of a list, and the UTF-16 units of each. */
  entries: 200,
  name: 300,
} as const;

/** What a parameter is. `null` is offered where a policy knows "none". */
export type PolicyField = {
  /** Name of the member of the policy. */
  readonly key: string;
} & (
  | {
      readonly type: "whole";
      readonly unit: "chars" | "tokens" | "count";
      readonly min: number;
      readonly max: number;
      /** Where a slider ends; larger values can be typed. */
      readonly sliderMax: number;
      readonly nullable: boolean;
    }
  | { readonly type: "flag" }
  | { readonly type: "text" }
  /** Names of tools. */
  | { readonly type: "names" }
  /** A threshold in code points by name of a tool. */
  | { readonly type: "thresholds" }
  | { readonly type: "choice"; readonly values: readonly string[] }
);

const whole = (
  key: string,
  unit: "chars" | "tokens" | "count",
  sliderMax: number,
  more: { readonly min?: number; readonly max?: number; readonly nullable?: boolean } = {},
): PolicyField => ({
  key,
  type: "whole",
  unit,
  sliderMax,
  min: more.min ?? 0,
  max: more.max ?? POLICY_BOUNDS.whole,
  nullable: more.nullable ?? false,
});
const flag = (key: string): PolicyField => ({ key, type: "flag" });
const text = (key: string): PolicyField => ({ key, type: "text" });
const names = (key: string): PolicyField => ({ key, type: "names" });
const choice = (key: string, ...values: readonly string[]): PolicyField => ({ key, type: "choice", values });

/** The parameters of each policy, the most used first. One table for the panel, the command line and the exports. */
export const POLICY_FIELDS: { readonly [K in PolicyKind]: readonly PolicyField[] } = {
  persist: [
    whole("threshold", "chars", 200_000, { min: 1, nullable: true }),
    whole("contextTokens", "tokens", 1_000_000, { min: 1, nullable: true }),
    whole("mcpResult", "chars", 200_000, { min: 1 }),
    flag("turnBudget"),
    flag("saveFails"),
    { key: "overrides", type: "thresholds" },
    choice("era", "recovery", "plain"),
    text("folder"),
  ],
  prune: [
    whole("threshold", "chars", 100_000, { min: 1 }),
    whole("head", "chars", 50_000),
    whole("tail", "chars", 50_000),
    whole("protectLast", "count", 200),
    whole("triggerTokens", "tokens", 1_000_000),
  ],
  micro: [
    whole("keepRecent", "count", 100),
    whole("tokenBudget", "tokens", 1_000_000, { nullable: true }),
    text("placeholder"),
  ],
  clear: [
    whole("triggerTokens", "tokens", 1_000_000),
    whole("keep", "count", 100),
    whole("clearAtLeast", "tokens", 200_000),
    choice("atLeastMode", "skip", "stop"),
    names("excludeTools"),
    flag("clearToolInputs"),
    text("placeholder"),
  ],
  window: [
    whole("protectTokens", "tokens", 500_000),
    whole("minimumTokens", "tokens", 200_000),
    flag("aboveMinimum"),
    whole("protectTurns", "count", 50),
    choice("when", "turnEnd", "everyCall"),
    names("exemptTools"),
    whole("head", "chars", 10_000),
    whole("tail", "chars", 10_000),
    // The notice is made of so many characters, so it must stay a text that can be shown.
    whole("notice", "chars", 2_000, { max: POLICY_BOUNDS.text }),
  ],
  proactive: [
    whole("triggerTokens", "tokens", 1_000_000),
    whole("minResultChars", "chars", 100_000),
    whole("minReclaimTokens", "tokens", 100_000),
    whole("protectFirst", "count", 100),
    whole("protectLast", "count", 200),
    flag("dedupe"),
    flag("demote"),
    flag("shortenArguments"),
  ],
};

/** Texts that stand for "none" where a field offers it. */
const NONE = new Set(["", "none", "null", "auto"]);

export type PolicyFieldValue = number | null | boolean | string | readonly string[] | Readonly<Record<string, number>>;

/** What a field takes, as part of a sentence. `none`: the word for "none" where it is written. */
export function fieldWords(field: PolicyField, none: string): string {
  switch (field.type) {
    case "whole": {
      const range = `a whole number from ${grouped(field.min)} to ${grouped(field.max)}`;
      return field.nullable ? `${range}, or ${none}` : range;
    }
    case "flag":
      return "true or false";
    case "text":
      return `a text of at most ${grouped(POLICY_BOUNDS.text)} UTF-16 units`;
    case "names":
      return `a list of at most ${POLICY_BOUNDS.entries} names of tools`;
    case "thresholds":
      return `at most ${POLICY_BOUNDS.entries} tools, each with a whole number of characters from 0 to ${grouped(POLICY_BOUNDS.whole)}`;
    case "choice":
      return `one of ${field.values.join(", ")}`;
  }
}

/**
 * What a typed text means for a field. The persist threshold goes through the shared normaliser, as a text in the config
 * would. The error is one sentence that says what to write instead.
 */
export function readPolicyField(
  kind: PolicyKind,
  field: PolicyField,
  written: string,
): Result<PolicyFieldValue, string> {
  const trimmed = written.trim();
  switch (field.type) {
    case "whole": {
      if (field.nullable && NONE.has(trimmed)) return ok(null);
      const value = kind === "persist" && field.key === "threshold" ? typedThreshold(written) : wholeOf(trimmed);
      if (value !== undefined && value >= field.min && value <= field.max) return ok(value);
      return err(`${field.key} is ${fieldWords(field, "none")}, not '${written}'`);
    }
    case "flag":
      if (trimmed === "true" || trimmed === "yes") return ok(true);
      if (trimmed === "false" || trimmed === "no") return ok(false);
      return err(`${field.key} is true or false, not '${written}'`);
    case "text":
      return written.length <= POLICY_BOUNDS.text ? ok(written) : err(`${field.key} is ${fieldWords(field, "none")}`);
    case "names":
      return ok(
        trimmed
          .split(/[\s;|]+/)
          .map((name) => name.trim())
          .filter((name) => name !== ""),
      );
    case "thresholds":
      return thresholdsOf(field.key, trimmed);
    case "choice":
      return field.values.includes(trimmed)
        ? ok(trimmed)
        : err(`${field.key} is one of ${field.values.join(", ")}, not '${written}'`);
  }
}

/**
 * A copy of the policy with one parameter set. Nothing is checked: the value comes from `readPolicyField`.
 */
export function withField<P extends Policy>(policy: P, field: PolicyField, value: PolicyFieldValue): P {
  return { ...policy, [field.key]: value };
}

/** The field as a user would write it; `readPolicyField` reads it back. */
export function writePolicyField(policy: Policy, field: PolicyField): string {
  const value = (policy as unknown as Readonly<Record<string, PolicyFieldValue | undefined>>)[field.key];
  if (value === null || value === undefined) return "none";
  if (Array.isArray(value)) return value.join(" ");
  if (typeof value === "object")
    return Object.entries(value)
      .map(([tool, chars]) => `${tool}=${chars}`)
      .join(" ");
  return String(value);
}

function wholeOf(written: string): number | undefined {
  return /^\d{1,15}$/.test(written) ? Number(written) : undefined;
}

function thresholdsOf(key: string, written: string): Result<Readonly<Record<string, number>>, string> {
  const map: Record<string, number> = Object.create(null) as Record<string, number>;
  for (const part of written.split(/[\s;|]+/)) {
    if (part === "") continue;
    const at = part.lastIndexOf("=");
    const chars = wholeOf(part.slice(at + 1));
    if (at <= 0 || chars === undefined) return err(`${key} is a list of TOOL=CHARS, not '${written}'`);
    map[part.slice(0, at)] = chars;
  }
  return ok({ ...map });
}
