import { DEFAULTS } from "../defaults";
import { FULL_KEY } from "../keys";
import { BOOLEAN_IS_ONE, CONFIG, INIT, INT_1, STRICT_1, setting, UNKNOWN } from "./setting";
import type { Setting } from "./types";

const SIZE_SOURCE = "tools/tool_output_limits.py v2026.8.16.2";
const SPILL = "tools/hook_output_spill.py @0c67dabf";

/** Keys that decide how much of an output stays in context, and the windows that sizes are scaled with. */
export const RESULT_SETTINGS: readonly Setting[] = [
  setting(
    FULL_KEY,
    { kind: "persist" },
    "characters",
    null,
    "Tool results longer than this are persisted: the context keeps a preview and a path.",
    {
      trap: "The strictest parser: no floats, no booleans, no units, no underscores in text.",
      source: "PR #86171 (open)",
      missing: true,
    },
  ),
  setting(
    "tool_budget.mcp_result_size_chars",
    INT_1,
    "characters",
    BigInt(DEFAULTS.mcpResult),
    "Threshold of MCP tools, capped by the per-result threshold.",
    {
      trap: BOOLEAN_IS_ONE,
      source: "PR #101922",
      missing: true,
    },
  ),
  setting(
    "tool_output.mcp_result_size_chars",
    STRICT_1,
    "characters",
    BigInt(DEFAULTS.mcpResult),
    "Threshold of MCP tools; only the branch of PR #106399 reads it here.",
    {
      trap: "tool_budget.mcp_result_size_chars applies where this one equals 50,000.",
      source: "PR #106399 (open)",
      missing: true,
    },
  ),
  setting(
    "tool_output.tool_overrides",
    { kind: "map", of: "int" },
    "characters",
    "map",
    "Thresholds by tool name; only the branch of PR #106399 reads them.",
    {
      trap: "With a known context window each one is capped by the per-result threshold.",
      source: "PR #106399 (open)",
      missing: true,
    },
  ),
  setting(
    "tool_output.max_bytes",
    INT_1,
    "characters",
    BigInt(DEFAULTS.terminalOutput),
    "Cut of terminal output, before any persistence.",
    {
      trap: `It counts characters, not bytes. ${BOOLEAN_IS_ONE}`,
      source: SIZE_SOURCE,
    },
  ),
  setting("tool_output.max_lines", INT_1, "lines", 2000n, "Most lines that one read_file returns.", {
    trap: BOOLEAN_IS_ONE,
    source: SIZE_SOURCE,
  }),
  setting("tool_output.max_line_length", INT_1, "characters", 2000n, "Longer lines are cut.", {
    trap: `${BOOLEAN_IS_ONE} Cached until the agent stops.`,
    source: SIZE_SOURCE,
  }),
  setting("hooks.output_spill.enabled", UNKNOWN, "none", true, "Long hook output goes to a file.", {
    source: SPILL,
    missing: true,
  }),
  setting("hooks.output_spill.max_chars", INT_1, "characters", 10000n, "Hook output longer than this goes to a file.", {
    source: SPILL,
    missing: true,
  }),
  setting(
    "hooks.output_spill.preview_head",
    { kind: "int", min: 0n, bool: "counts" },
    "characters",
    500n,
    "Beginning of spilled hook output that stays.",
    { source: SPILL, missing: true },
  ),
  setting(
    "hooks.output_spill.preview_tail",
    { kind: "int", min: 0n, bool: "counts" },
    "characters",
    500n,
    "End of spilled hook output that stays.",
    { source: SPILL, missing: true },
  ),
  setting("hooks.output_spill.directory", UNKNOWN, "none", null, "Folder for spilled hook output.", {
    source: SPILL,
    missing: true,
  }),
  setting(
    "file_read_max_chars",
    { kind: "number" },
    "characters",
    100000n,
    "read_file refuses larger reads and tells the model to use offset and limit.",
    {
      trap: "A number in quotes is ignored; true counts as 1.",
      source: "tools/file_tools.py",
    },
  ),
  setting(
    "context_file_max_chars",
    UNKNOWN,
    "characters",
    null,
    "Cut of context files. Unset: scales with the window between 20,000 and 500,000.",
    { source: CONFIG },
  ),
  setting(
    "model.context_length",
    { kind: "window" },
    "tokens",
    null,
    "The model's context window. Budgets and compaction scale with it.",
    {
      trap: '"256K" is ignored and the window looked up; below 64,000 the agent does not start.',
      source: `${INIT}, agent/model_metadata.py @00067189`,
      missing: true,
    },
  ),
  setting("model.max_tokens", STRICT_1, "tokens", null, "Longest answer; compaction subtracts it from the window.", {
    missing: true,
  }),
  setting("model.ollama_num_ctx", UNKNOWN, "tokens", null, "Window that Ollama is asked for.", { missing: true }),
  setting(
    "auxiliary.compression.context_length",
    { kind: "int", min: 1n, bool: "counts" },
    "tokens",
    null,
    "Window of the model that writes summaries; it caps the trigger of compaction.",
    { missing: true },
  ),
];
