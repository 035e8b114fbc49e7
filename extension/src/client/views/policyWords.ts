import type { Policy } from "../../core/model/policy";

/** Policies in a few words, for a title. */
export function policiesInWords(policies: readonly Policy[]): string {
  return policies.length === 0 ? "no policy" : policies.map(inWords).join(" + ");
}

function inWords(policy: Policy): string {
  const chars = (value: number): string => `${value.toLocaleString("en")} chars`;
  switch (policy.kind) {
    case "persist":
      return policy.threshold === null ? "persist" : `persist above ${chars(policy.threshold)}`;
    case "prune":
      return `prune above ${chars(policy.threshold)}`;
    case "micro":
      return `micro-compaction, keep ${policy.keepRecent}`;
    case "clear":
      return `clear tool uses, keep ${policy.keep}`;
    case "window":
      return `window of ${policy.protectTokens.toLocaleString("en")} tokens`;
    case "proactive":
      return "proactive prune";
  }
}
