import type { Policy, PolicyKind } from "../../model/policy";
import { err, ok, type Result } from "../../model/problem";
import { parsePolicy } from "../parsePolicy";
import { findPreset, POLICY_DEFAULTS, PRESETS, type Preset } from "../policy";
import {
  fieldWords,
  POLICY_FIELDS,
  type PolicyField,
  readPolicyField,
  withField,
  writePolicyField,
} from "../policyFields";

/** One policy as somebody chose it. */
export interface ChosenPolicy {
  readonly policy: Policy;
  /** The preset it came from, whatever was changed in it; undefined for a policy by its kind. */
  readonly preset: Preset | undefined;
}

/** Kinds of policies, the most used first. */
const KINDS = Object.keys(POLICY_FIELDS) as readonly PolicyKind[];

/**
 * Reads `NAME[:key=value,…]`: NAME is a preset or a kind, a key is a parameter of the kind (`keepRecent`, `keep_recent` and
 * `keep-recent` are the same), a backslash takes the next character as it is. The error is one sentence that says what there is.
 * @param contextTokens window in tokens that scales a persist policy which names none; undefined = unknown.
 */
export function readPolicySpec(spec: string, contextTokens?: number): Result<ChosenPolicy, string> {
  const colon = spec.indexOf(":");
  const name = (colon < 0 ? spec : spec.slice(0, colon)).trim();
  const preset = findPreset(name);
  const kind = KINDS.find((one) => one === name);
  if (preset === undefined && kind === undefined) {
    const presets = PRESETS.map(({ id }) => id).join(", ");
    return err(`there is no policy '${name}'; there are the presets ${presets} and the kinds ${KINDS.join(", ")}`);
  }
  let policy: Policy = preset?.policy ?? POLICY_DEFAULTS[kind ?? "persist"];
  if (policy.kind === "persist" && contextTokens !== undefined) policy = { ...policy, contextTokens };
  const seen = new Set<string>();
  for (const part of colon < 0 ? [] : splitParameters(spec.slice(colon + 1))) {
    const equals = part.indexOf("=");
    const written = (equals < 0 ? part : part.slice(0, equals)).trim();
    const field = fieldNamed(policy.kind, written);
    if (field === undefined) {
      const keys = POLICY_FIELDS[policy.kind].map(({ key }) => key).join(", ");
      return err(`${name} has no parameter '${written}'; it has ${keys}`);
    }
    if (equals < 0) return err(`${field.key} needs a value: ${field.key}=…`);
    if (seen.has(field.key)) return err(`${field.key} is given twice`);
    seen.add(field.key);
    const value = readPolicyField(policy.kind, field, part.slice(equals + 1));
    if (!value.ok) return err(`${name}: ${value.error}`);
    const parsed = parsePolicy(withField(policy, field, value.value));
    if (parsed === undefined) return err(`${name}: ${field.key} is ${fieldWords(field, "none")}`);
    policy = parsed;
  }
  return ok({ policy, preset });
}

/** The shortest text that `readPolicySpec` reads as this policy: what differs from the preset or kind it is named after. */
export function writePolicySpec({ policy, preset }: ChosenPolicy): string {
  const named = preset?.policy.kind === policy.kind ? preset : undefined;
  const base = named?.policy ?? POLICY_DEFAULTS[policy.kind];
  const parameters = POLICY_FIELDS[policy.kind].flatMap((field) => {
    const written = writePolicyField(policy, field);
    return written === writePolicyField(base, field) ? [] : [`${field.key}=${escaped(written)}`];
  });
  const name = named?.id ?? policy.kind;
  return parameters.length === 0 ? name : `${name}:${parameters.join(",")}`;
}

function fieldNamed(kind: PolicyKind, written: string): PolicyField | undefined {
  const bare = (name: string): string => name.replace(/[-_]/g, "").toLowerCase();
  return POLICY_FIELDS[kind].find(({ key }) => bare(key) === bare(written));
}

/** Splits at commas; a backslash takes the next character as it is. Empty parts are left out. */
function splitParameters(text: string): readonly string[] {
  const parts: string[] = [];
  let part = "";
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === "\\" && at + 1 < text.length) part += text.charAt(++at);
    else if (character === ",") {
      parts.push(part);
      part = "";
    } else part += character;
  }
  return [...parts, part].filter((one) => one.trim() !== "");
}

function escaped(value: string): string {
  return value.replace(/[\\,]/g, "\\$&");
}
