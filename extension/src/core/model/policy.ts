/** Hermes' persistence (layers 2 and 3; `hermes.md` 2 and 3). */
export interface PersistPolicy {
  readonly kind: "persist";
  /** Per-result threshold in code points; null = scaled with the context window. */
  readonly threshold: number | null;
  /** The model's window in tokens; null = unknown. */
  readonly contextTokens: number | null;
  /** `tool_budget.mcp_result_size_chars`; code points. */
  readonly mcpResult: number;
  readonly overrides: Readonly<Record<string, number>>;
  /** False leaves the turn budget out. */
  readonly turnBudget: boolean;
  /** As if no file could be written: preview and notice stay, the rest is lost. */
  readonly saveFails: boolean;
  /** Wording of the notice: `recovery` since v2026.8, `plain` before. */
  readonly era: "recovery" | "plain";
  /** Folder of the spill files; its length is part of every notice. */
  readonly folder: string;
}

/** Head, marker and tail (PR #85479). Code points. */
export interface PrunePolicy {
  readonly kind: "prune";
  readonly threshold: number;
  readonly head: number;
  readonly tail: number;
  /** Newest messages that stay whole. */
  readonly protectLast: number;
  /** Hermes prunes when it compresses: estimated tokens in context from which that happens; 0 = before every call. */
  readonly triggerTokens: number;
}

/** tinyagents' `MicrocompactMiddleware`. */
export interface MicroPolicy {
  readonly kind: "micro";
  readonly keepRecent: number;
  readonly placeholder: string;
  /** Estimated tokens at or below which nothing is blanked; null or 0 = by count alone. */
  readonly tokenBudget: number | null;
}

/** Clearing of old tool uses on the way to the model: Anthropic's `clear_tool_uses_20250919`, LangChain's `ClearToolUsesEdit`. */
export interface ClearPolicy {
  readonly kind: "clear";
  /** Input tokens above which results are cleared. */
  readonly triggerTokens: number;
  readonly keep: number;
  readonly clearAtLeast: number;
  /** skip: no clearing that frees less · stop: clearing ends once so much is freed. */
  readonly atLeastMode: "skip" | "stop";
  readonly excludeTools: readonly string[];
  readonly clearToolInputs: boolean;
  readonly placeholder: string;
}

/** Everything older than a window of tool output is marked, once enough has come together: opencode, Gemini CLI. */
export interface WindowPolicy {
  readonly kind: "window";
  /** Newest tool output that stays, in tokens by length ÷ 4. */
  readonly protectTokens: number;
  /** A pass that would mark fewer tokens does nothing. */
  readonly minimumTokens: number;
  /** True: more than the minimum is needed; false: as much will do. */
  readonly aboveMinimum: boolean;
  /** Newest user turns that are not looked at. */
  readonly protectTurns: number;
  readonly exemptTools: readonly string[];
  readonly when: "turnEnd" | "everyCall";
  /** What stays of a text: head and tail in code points, and the length of the notice around them. */
  readonly head: number;
  readonly tail: number;
  readonly notice: number;
}

/** Hermes' proactive prune (`hermes.md` 4.1 to 4.3, PR #70254). */
export interface ProactivePolicy {
  readonly kind: "proactive";
  readonly triggerTokens: number;
  readonly minResultChars: number;
  readonly minReclaimTokens: number;
  readonly protectFirst: number;
  readonly protectLast: number;
  readonly dedupe: boolean;
  readonly demote: boolean;
  readonly shortenArguments: boolean;
}

export type Policy = PersistPolicy | PrunePolicy | MicroPolicy | ClearPolicy | WindowPolicy | ProactivePolicy;
export type PolicyKind = Policy["kind"];

/** What a policy can do to an item. */
export const ACTIONS = [
  "persisted",
  "not-saved",
  "turn-budget",
  "pruned",
  "blanked",
  "cleared",
  "masked",
  "duplicate",
  "one-line",
  "shortened",
] as const;

export type Action = (typeof ACTIONS)[number];

/** Why a policy left a result, or a whole pass, alone. Stable names for the wire and the texts of the edges. */
export type Reason =
  /** The result is not longer than what applies to its tool. */
  | "below-threshold"
  /** A pinned tool: never taken out. */
  | "pinned"
  /** Below the threshold asked for only because the tool registers, or MCP has, a lower one that it does not reach. */
  | "registry-cap"
  /** Terminal output is cut to 50,000 characters before it is looked at. */
  | "terminal-capped"
  /** It holds the notice's tag already. */
  | "quotes-tag"
  /** It is a notice or placeholder already. */
  | "already-taken-out"
  /** Marked to be kept word for word. */
  | "trusted"
  | "excluded-tool"
  /** Among the newest that stay. */
  | "protected"
  /** The request is at or below the budget or trigger. */
  | "below-budget"
  | "not-enough-results"
  | "reclaim-too-small"
  | "not-rearmed"
  | "nothing-eligible"
  /** Head, marker and tail do not fit below the threshold: the policy turns itself off. */
  | "unsatisfiable"
  | "off";

/** How a provider caches the beginning of a request. Data, so that it can be edited. */
export interface CacheModel {
  readonly id: string;
  /** Cached tokens are a multiple of this. */
  readonly blockTokens: number;
  /** Shorter beginnings are not cached. Tokens. */
  readonly minPrefixTokens: number;
  /** Time after which an unused cache is gone; null = not taken into account. Milliseconds. */
  readonly ttlMs: number | null;
  readonly source: string;
}

/** Prices relative to one uncached input token. */
export interface PriceRatios {
  /** A token that is written to the cache (1.25 for five minutes, 2 for an hour at Anthropic; 1 where writing is free). */
  readonly write: number;
  /** A token read from the cache (0.1 at Anthropic and DeepSeek, 0.1 to 0.5 at OpenAI). */
  readonly read: number;
}
