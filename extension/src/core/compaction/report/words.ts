import type { Action, Policy, Reason } from "../../model/policy";
import { aboutPercent, counted, grouped, percent, shortNumber } from "../../util/numbers";
import type { PolicyOutcome, SimulationReport } from "./simulationReport";

/** Why a policy left a result, or a pass, alone: the same words in every report and in the page. */
export const REASON_WORDS: Readonly<Record<Reason, string>> = {
  "below-threshold": "not above the threshold",
  pinned: "the tool is never persisted",
  "registry-cap": "not above the tool's own limit",
  "terminal-capped": "terminal output is cut to 50,000 chars before it is looked at",
  "quotes-tag": "holds a notice already",
  "already-taken-out": "a notice or placeholder already",
  trusted: "marked to be kept word for word",
  "excluded-tool": "the tool is excluded",
  protected: "among the newest that stay",
  "below-budget": "the request is at or below the budget or trigger",
  "not-enough-results": "not enough results",
  "reclaim-too-small": "too little to gain",
  "not-rearmed": "not enough has been added since the last pass",
  "nothing-eligible": "nothing that may be taken out",
  unsatisfiable: "head, marker and tail do not fit below the threshold, so it is off",
  off: "off",
};

/** What happened to a result. */
export const ACTION_WORDS: Readonly<Record<Action, string>> = {
  persisted: "persisted",
  "not-saved": "cut, not saved",
  "turn-budget": "persisted for the turn budget",
  pruned: "pruned",
  blanked: "blanked",
  cleared: "cleared",
  masked: "masked",
  duplicate: "duplicate",
  "one-line": "one line",
  shortened: "shortened",
};

/** They come from a simulation, so they are estimated. */
function tokens(value: number): string {
  return `≈ ${shortNumber(Math.round(Math.abs(value)))}`;
}

/** What the policies would have done, in one sentence. */
export function simulationSentence({ policies, totals }: SimulationReport): string {
  const names = policies.map(({ parameters, preset }) => policyWords(parameters, preset));
  const joined = names.join(", then ");
  const subject = joined.charAt(0).toUpperCase() + joined.slice(1);
  const { saved, before } = totals;
  if (policies.every(({ replaced }) => replaced === 0))
    return `${subject} would have changed nothing in this transcript.`;
  const whole = tokens(before.input);
  if (saved.input < 0)
    return `${subject} would have added ${tokens(saved.input)} to the ${whole} input tokens of this transcript: what is put in place is longer than what is taken out.`;
  const share = aboutPercent(saved.input, before.input);
  const kept = `${subject} would have kept ${tokens(saved.input)} of ${whole} input tokens out of this transcript (${share}, upper bound)`;
  if (saved.input === 0) return `${kept}.`;
  if (saved.uncached < 0)
    return `${kept}: ${tokens(saved.cached)} cache reads fewer, but ${tokens(saved.uncached)} uncached tokens more.`;
  return `${kept}; ≈ ${percent(saved.cached, saved.input)} of that would have been cache reads.`;
}

/** When fewer tokens per call make up for what a cache break sent again, in calls after it. */
export function paysBackWords(calls: number | null): string {
  if (calls === null) return "not paid back in this thread";
  return calls === 0 ? "pays back at once" : `pays back after ${counted(calls, "call")}`;
}

/** What a policy does, as part of a sentence. */
function policyWords(policy: Policy, preset: string | null): string {
  const named = preset === null ? "" : ` (${preset})`;
  switch (policy.kind) {
    case "persist": {
      const scaled =
        policy.contextTokens === null
          ? "the default"
          : `what a window of ${grouped(policy.contextTokens)} tokens gives`;
      return `persisting above ${policy.threshold === null ? scaled : `${grouped(policy.threshold)} chars`}${named}`;
    }
    case "prune":
      return `pruning results above ${grouped(policy.threshold)} chars to ${grouped(policy.head)} + ${grouped(policy.tail)}${named}`;
    case "micro": {
      const budget =
        policy.tokenBudget === null || policy.tokenBudget === 0
          ? ""
          : ` once above ${grouped(policy.tokenBudget)} tokens`;
      return `blanking all but the newest ${counted(policy.keepRecent, "result")}${budget}${named}`;
    }
    case "clear":
      return `clearing all but the newest ${counted(policy.keep, "result")} once above ${grouped(policy.triggerTokens)} tokens${named}`;
    case "window":
      return `masking output older than the newest ${grouped(policy.protectTokens)} tokens${named}`;
    case "proactive":
      return `pruning old results once above ${grouped(policy.triggerTokens)} tokens${named}`;
  }
}

/** What a policy left alone and why, the most frequent reason first: passes, then results. */
export function reasonLines({ idle, kept }: Pick<PolicyOutcome, "idle" | "kept">): readonly string[] {
  return [...reasons(idle, "pass", "passes"), ...reasons(kept, "result", "results")];
}

function reasons(counts: PolicyOutcome["idle"], one: string, many: string): readonly string[] {
  return Object.entries(counts)
    .sort(([, a], [, b]) => b - a)
    .map(([reason, count]) => `${counted(count, one, many)}: ${isReason(reason) ? REASON_WORDS[reason] : reason}`);
}

function isReason(text: string): text is Reason {
  return Object.hasOwn(REASON_WORDS, text);
}
