import { parsePolicy } from "../core/compaction/parsePolicy";
import { findPreset, POLICY_DEFAULTS, PRESETS } from "../core/compaction/policy";
import { POLICY_BOUNDS } from "../core/compaction/policyFields";
import { type ChosenPolicy, readPolicySpec } from "../core/compaction/report/policySpec";
import { typedThreshold } from "../core/config/normalize";
import { err, ok, type Result } from "../core/model/problem";
import { grouped } from "../core/util/numbers";

/** Options that name a policy. */
const POLICY_OPTIONS = ["policy", "persist", "prune", "micro", "preset"] as const;
type PolicyOption = (typeof POLICY_OPTIONS)[number];

export function isPolicyOption(name: string): name is PolicyOption {
  return (POLICY_OPTIONS as readonly string[]).includes(name);
}

/** A whole number from 0 to what a policy may hold; undefined for anything else. */
export function wholeNumber(text: string): number | undefined {
  return /^\d{1,15}$/.test(text) && Number(text) <= POLICY_BOUNDS.whole ? Number(text) : undefined;
}

/**
 * The policy that one option stands for. The error is one sentence that says what to change.
 * @param contextTokens window in tokens that scales what the config leaves open; undefined = unknown.
 */
export function readPolicy(
  option: PolicyOption,
  text: string,
  contextTokens: number | undefined,
): Result<ChosenPolicy, string> {
  const read = optionPolicy(option, text, contextTokens);
  if (!read.ok || parsePolicy(read.value.policy) !== undefined) return read;
  const most = grouped(POLICY_BOUNDS.whole);
  return err(`--${option} takes numbers up to ${most}, and a threshold from 1, not '${text}'`);
}

function optionPolicy(
  option: PolicyOption,
  text: string,
  contextTokens: number | undefined,
): Result<ChosenPolicy, string> {
  switch (option) {
    case "policy": {
      const read = readPolicySpec(text, contextTokens);
      return read.ok ? read : err(`--policy: ${read.error}`);
    }
    case "persist":
      return persist(text, contextTokens);
    case "prune":
      return prune(text);
    case "micro":
      return micro(text);
    case "preset":
      return preset(text, contextTokens);
  }
}

function persist(text: string, contextTokens: number | undefined): Result<ChosenPolicy, string> {
  const scaled = { ...POLICY_DEFAULTS.persist, contextTokens: contextTokens ?? null };
  if (text === "auto") return ok({ policy: scaled, preset: undefined });
  const threshold = typedThreshold(text);
  if (threshold === undefined)
    return err(`--persist is a threshold in characters such as 20000, or auto, not '${text}'`);
  return ok({ policy: { ...scaled, threshold }, preset: undefined });
}

function prune(text: string): Result<ChosenPolicy, string> {
  const parts = text.split(",").map(wholeNumber);
  const [threshold, head, tail] = parts;
  if (parts.length !== 3 || threshold === undefined || head === undefined || tail === undefined)
    return err(`--prune is THRESHOLD,HEAD,TAIL in characters such as 8192,4096,1024, not '${text}'`);
  return ok({ policy: { ...POLICY_DEFAULTS.prune, threshold, head, tail }, preset: undefined });
}

function micro(text: string): Result<ChosenPolicy, string> {
  const parts = text.split(",");
  const keepRecent = wholeNumber(parts[0] ?? "");
  const budget = parts[1] === undefined ? null : wholeNumber(parts[1]);
  if (parts.length > 2 || keepRecent === undefined || budget === undefined)
    return err(
      `--micro is the number of newest results to keep, and a budget in tokens if wanted: 5 or 5,60000, not '${text}'`,
    );
  return ok({ policy: { ...POLICY_DEFAULTS.micro, keepRecent, tokenBudget: budget }, preset: undefined });
}

function preset(text: string, contextTokens: number | undefined): Result<ChosenPolicy, string> {
  const found = findPreset(text);
  if (found === undefined)
    return err(`--preset '${text}' is unknown; there are ${PRESETS.map(({ id }) => id).join(", ")}`);
  const { policy } = found;
  const windowed = policy.kind === "persist" ? { ...policy, contextTokens: contextTokens ?? null } : policy;
  return ok({ policy: windowed, preset: found });
}
