import { PRUNE_MIN_CHARS } from "../../../extension/src/core/compaction/hermes/oneLine";
import type { PythonDict } from "../../../extension/src/core/compaction/hermes/pythonText";
import { textMember } from "../textMember";
import { pruneOldResults } from "./pruneOld";
import { tailTokens } from "./tailTokens";

/** `compression.proactive_prune_*` and the protection counts (`hermes.md` 1.7, 4.3; PR #70254). */
export interface ProactiveOptions {
  /** Tokens in context from which a pass is tried; 0 or less = off. */
  readonly tokens: number;
  /** Results of at most this many code points stay; 0 = 8,000, and never below 200. */
  readonly minResultChars: number;
  /** Tokens that a pass must free, by estimate, to be kept; 0 = no gate. */
  readonly minReclaimTokens: number;
  readonly protectFirst: number;
  readonly protectLast: number;
}

export const PROACTIVE_DEFAULTS: ProactiveOptions = {
  tokens: 0,
  minResultChars: 8000,
  minReclaimTokens: 4096,
  protectFirst: 3,
  protectLast: 20,
};

/** Why a pass left everything as it was. */
export type ProactiveReason =
  | "off"
  | "below-trigger"
  | "tail-only"
  | "not-rearmed"
  | "nothing-eligible"
  | "reclaim-below-minimum";

export interface ProactiveOutcome {
  readonly messages: readonly PythonDict[];
  readonly pruned: number;
  /** Undefined when the pass was kept. */
  readonly reason: ProactiveReason | undefined;
  /** Estimated tokens that the messages must reach before the next pass. */
  readonly rearmTokens: number;
}

export function minResultChars(options: ProactiveOptions): number {
  return Math.max(
    PRUNE_MIN_CHARS,
    options.minResultChars === 0 ? PROACTIVE_DEFAULTS.minResultChars : options.minResultChars,
  );
}

/**
 * `prune_tool_results_only` of v2026.8.16.2 where the store can keep the outcome. Protects by count.
 * @param currentTokens tokens in context as the provider counted them; undefined = unknown, which passes the trigger.
 * @param rearmTokens what the last kept pass returned; 0 before any.
 */
export function proactivePrune(
  messages: readonly PythonDict[],
  options: ProactiveOptions,
  currentTokens: number | undefined,
  rearmTokens: number,
): ProactiveOutcome {
  const left = (reason: ProactiveReason): ProactiveOutcome => ({ messages, pruned: 0, reason, rearmTokens });
  if (options.tokens <= 0) return left("off");
  if (currentTokens !== undefined && currentTokens < options.tokens) return left("below-trigger");
  const head = (textMember(messages[0], "role") === "system" ? 1 : 0) + options.protectFirst;
  if (messages.length <= options.protectLast + head + 1) return left("tail-only");
  const before = weigh(messages);
  if (before < rearmTokens) return left("not-rearmed");
  const { messages: next, pruned } = pruneOldResults(messages, {
    protectTailCount: options.protectLast,
    minPruneChars: minResultChars(options),
  });
  if (pruned === 0) return left("nothing-eligible");
  const after = weigh(next);
  const reclaimed = Math.max(0, before - after);
  if (reclaimed < options.minReclaimTokens) return left("reclaim-below-minimum");
  const runway = Math.max(reclaimed, options.tokens, options.minReclaimTokens);
  return { messages: next, pruned, reason: undefined, rearmTokens: after + runway };
}

function weigh(messages: readonly PythonDict[]): number {
  return messages.reduce((sum, message) => sum + tailTokens(message), 0);
}
