import type { Policy, PolicyKind } from "../model/policy";

export type {
  ClearPolicy,
  MicroPolicy,
  PersistPolicy,
  Policy,
  PolicyKind,
  ProactivePolicy,
  PrunePolicy,
  WindowPolicy,
} from "../model/policy";

const SPILL_FOLDER = "/home/user/.hermes/cache/spillover";

/** Each policy as its owner ships it. */
export const POLICY_DEFAULTS = {
  persist: {
    kind: "persist",
    threshold: null,
    contextTokens: null,
    mcpResult: 50_000,
    overrides: {},
    turnBudget: true,
    saveFails: false,
    era: "recovery",
    folder: SPILL_FOLDER,
  },
  prune: { kind: "prune", threshold: 8192, head: 4096, tail: 1024, protectLast: 20, triggerTokens: 0 },
  micro: { kind: "micro", keepRecent: 5, placeholder: "[Old tool result content cleared]", tokenBudget: null },
  clear: {
    kind: "clear",
    triggerTokens: 100_000,
    keep: 3,
    clearAtLeast: 0,
    atLeastMode: "skip",
    excludeTools: [],
    clearToolInputs: false,
    placeholder: "",
  },
  window: {
    kind: "window",
    protectTokens: 40_000,
    minimumTokens: 20_000,
    aboveMinimum: true,
    protectTurns: 2,
    exemptTools: ["skill"],
    when: "turnEnd",
    head: 0,
    tail: 0,
    notice: 33,
  },
  proactive: {
    kind: "proactive",
    triggerTokens: 48_000,
    minResultChars: 8000,
    minReclaimTokens: 4096,
    protectFirst: 3,
    protectLast: 20,
    dedupe: true,
    demote: true,
    shortenArguments: true,
  },
} as const satisfies { readonly [K in PolicyKind]: Extract<Policy, { readonly kind: K }> };

/** Thresholds that people ask about. Code points. */
export const CANDIDATE_THRESHOLDS = [8_000, 12_000, 20_000, 30_000, 50_000, 100_000] as const;

export interface Preset {
  readonly id: string;
  readonly policy: Policy;
  /** Where its numbers come from. */
  readonly source: string;
  /** Set where the owner's behaviour is not fully public or is only followed in outline; says what. */
  readonly approximation?: string;
}

/** Policies that somebody ships, by name. */
export const PRESETS: readonly Preset[] = [
  {
    id: "hermes-persist",
    policy: POLICY_DEFAULTS.persist,
    source: "NousResearch/hermes-agent tools/budget_config.py @09ffeaec, tools/tool_result_storage.py @025d8a23",
  },
  {
    id: "hermes-persist-20000",
    policy: { ...POLICY_DEFAULTS.persist, threshold: 20_000 },
    source: "NousResearch/hermes-agent PR #86171",
  },
  {
    id: "hermes-prune",
    policy: POLICY_DEFAULTS.prune,
    source: "NousResearch/hermes-agent PR #85479",
  },
  {
    id: "hermes-proactive",
    policy: POLICY_DEFAULTS.proactive,
    source: "NousResearch/hermes-agent agent/context_compressor.py v2026.8.16.2, PR #70254",
    approximation:
      "Off by default there; the trigger is ours. Tokens are characters ÷ 4, images stay, and skill texts are kept only in the tail.",
  },
  {
    id: "tinyagents",
    policy: { ...POLICY_DEFAULTS.micro, keepRecent: 5 },
    source: "tinyhumansai/tinyagents MicrocompactMiddleware",
  },
  {
    id: "anthropic-clear-tool-uses",
    policy: POLICY_DEFAULTS.clear,
    source: "Anthropic context editing, clear_tool_uses_20250919 (beta context-management-2025-06-27)",
    approximation:
      "It runs on the server and leaves no trace; tokens are estimated and the placeholder counts nothing.",
  },
  {
    id: "langchain-clear-tool-uses",
    policy: { ...POLICY_DEFAULTS.clear, placeholder: "[cleared]", atLeastMode: "stop" },
    source: "langchain-ai/langchain middleware/context_editing.py, ClearToolUsesEdit",
    approximation: "Tokens are estimated from lengths; LangChain counts the repr of tool calls.",
  },
  {
    id: "opencode-prune",
    policy: POLICY_DEFAULTS.window,
    source: "sst/opencode session/compaction.ts, prune",
    approximation: "Lengths are code points ÷ 4, opencode's are UTF-16 units ÷ 4.",
  },
  {
    id: "gemini-mask",
    policy: {
      ...POLICY_DEFAULTS.window,
      protectTokens: 50_000,
      minimumTokens: 30_000,
      aboveMinimum: false,
      protectTurns: 0,
      exemptTools: [],
      when: "everyCall",
      head: 250,
      tail: 250,
      notice: 200,
    },
    source: "google-gemini/gemini-cli tool output masking (50,000 / 30,000 tokens, previews 250 + 250)",
    approximation:
      "The notice is taken as 200 characters; its path and sizes vary. Gemini CLI has a token estimator of its own.",
  },
];

/** The preset of that name; undefined when there is none. */
export function findPreset(id: string): Preset | undefined {
  return PRESETS.find((preset) => preset.id === id);
}
