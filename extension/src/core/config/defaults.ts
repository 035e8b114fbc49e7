/**
 * The one table of Hermes constants that decide how much of a tool result stays in context. Sizes are Unicode code points
 * (Python `len`), windows are tokens. Source unless noted: NousResearch/hermes-agent `tools/budget_config.py` @09ffeaec.
 */
export const DEFAULTS = {
  /** Per-result threshold without a known context window, and the cap of the scaled one. Code points. */
  perResult: 100_000,
  /** Budget of one assistant message's batch of results, and the cap of the scaled one. Code points. */
  perTurn: 200_000,
  /** Beginning of a persisted result that stays in context. Code points. */
  preview: 1_500,
  /** Threshold of `mcp_` tools, before the per-result threshold caps it. Code points. Source: PR #101922. */
  mcpResult: 50_000,
  /** Characters that Hermes counts as one token when it scales budgets. */
  charsPerToken: 4,
  /** Share of the window that one result may take. */
  perResultFraction: 0.15,
  /** Share of the window that one turn's results may take. */
  perTurnFraction: 0.3,
  /** Scaled per-result threshold never goes below this. Code points. */
  perResultFloor: 8_000,
  /** Scaled per-turn budget never goes below this. Code points. */
  perTurnFloor: 16_000,
  /** Cut of terminal output before any persistence (`tool_output.max_bytes`, which counts code points). */
  terminalOutput: 50_000,
  /** Smallest context window that Hermes starts with. Tokens. Source: `agent/model_metadata.py` @00067189. */
  minContextLength: 64_000,
} as const;

/** Tools with this prefix get the MCP threshold. */
export const MCP_PREFIX = "mcp_";

/** Thresholds that nothing overrides. Infinity = never persisted. */
export const PINNED_THRESHOLDS: ReadonlyMap<string, number> = new Map([["read_file", Number.POSITIVE_INFINITY]]);

/**
 * `max_result_size_chars` of the tools that register one, in code points; every other tool follows the per-result threshold.
 * Source: the registrations of hermes-agent v2026.8.16.2 (`tools/*.py`).
 */
export const REGISTERED_SIZES: ReadonlyMap<string, number> = new Map(
  [
    "execute_code",
    "patch",
    "read_file",
    "search_files",
    "terminal",
    "web_extract",
    "web_search",
    "write_file",
    "x_search",
  ].map((tool) => [tool, 100_000]),
);

/** Windows shown where the file states none: tokens, and the label of the column. `null` = Hermes could not find out. */
export const WINDOW_LADDER: readonly { readonly tokens: number | null; readonly label: string }[] = [
  { tokens: 32_768, label: "32K" },
  { tokens: 65_536, label: "64K" },
  { tokens: 131_072, label: "128K" },
  { tokens: 200_000, label: "200K+" },
  { tokens: null, label: "unknown" },
];

/** Values worth proposing, with what each means. */
export const DOCUMENTED_VALUES: readonly { readonly value: string; readonly meaning: string }[] = [
  {
    value: "20000",
    meaning: "Persist results over 20,000 chars (≈ 5k tok): medium results leave the context, small ones stay.",
  },
  { value: "8000", meaning: "The floor of the context-scaled threshold (≈ 2k tok): only short results stay inline." },
  { value: "50000", meaning: "The threshold of MCP tools (≈ 12.5k tok), for every tool." },
  { value: "100000", meaning: "The cap of the context-scaled threshold (≈ 25k tok), whatever the context window." },
  { value: "null", meaning: "Unset: Hermes scales the threshold with the model's context window." },
];
