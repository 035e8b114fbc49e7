import { PY_NONE, type PyValue } from "../../model/pyValue";
import { DEFAULTS } from "../defaults";
import { FULL_KEY } from "../keys";
import type { Parser, Setting, Unit } from "./types";

/** Defaults as they are written here: bigint = int, number = float. */
type Written = bigint | number | boolean | string | null;

interface Rest {
  readonly trap?: string;
  readonly source?: string;
  /** Default of the September sources where it differs. */
  readonly newer?: Written | "map";
  readonly missing?: boolean;
}

const INIT = "agent/agent_init.py v2026.8.16.2";
const CONFIG = "hermes_cli/config_defaults.py v2026.8.16.2";
const SPILL = "tools/hook_output_spill.py @0c67dabf";
const PRUNE = "PR #85479 (open)";

const WHOLE_0: Parser = { kind: "whole", min: 0n, below: "min" };
const WHOLE_1: Parser = { kind: "whole", min: 1n, below: "min" };
const INT_1: Parser = { kind: "int", min: 1n, bool: "counts" };
const STRICT_1: Parser = { kind: "int", min: 1n, bool: "refused" };
const WORD: Parser = { kind: "word" };
const SWITCH: Parser = { kind: "switch" };
const UNKNOWN: Parser = { kind: "unknown" };

function toPy(value: Written | "map"): PyValue {
  if (value === null) return PY_NONE;
  if (value === "map") return { t: "dict", v: [] };
  if (typeof value === "bigint") return { t: "int", v: value };
  if (typeof value === "number") return { t: "float", v: value };
  return typeof value === "boolean" ? { t: "bool", v: value } : { t: "str", v: value };
}

function setting(
  name: string,
  parser: Parser,
  unit: Unit,
  fallback: Written | "map",
  does: string,
  rest: Rest = {},
): Setting {
  const older = toPy(fallback);
  return {
    name,
    path: name.split("."),
    parser,
    unit,
    fallback: { pyyaml: older, ruamel: rest.newer === undefined ? older : toPy(rest.newer) },
    inDefaults: rest.missing !== true,
    does,
    trap: rest.trap,
    source: rest.source ?? INIT,
  };
}

const BOOLEAN_IS_ONE = "true counts as 1, and floats lose their fraction.";
const SIZE_SOURCE = "tools/tool_output_limits.py v2026.8.16.2";

/** Keys that decide how much of a tool result stays in context, and when context is compacted. */
export const SETTINGS: readonly Setting[] = [
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
  setting("compression.enabled", WORD, "none", true, "Compaction happens at all.", {
    trap: "Nothing written, on in quotes and every other word mean off.",
  }),
  setting(
    "compression.threshold",
    { kind: "float", raises: "older" },
    "fraction",
    0.5,
    "Share of the window at which compaction starts.",
    {
      trap: "Raised to 0.75 under windows of 512,000 tokens, and never below 64,000 tokens.",
    },
  ),
  setting(
    "compression.threshold_tokens",
    { kind: "int", min: 1n, bool: "counts" },
    "tokens",
    null,
    "Compaction starts here if that is earlier than the share of the window.",
    { trap: BOOLEAN_IS_ONE },
  ),
  setting(
    "compression.model_thresholds",
    { kind: "map", of: "float" },
    "fraction",
    "map",
    "Shares by model; the longest name that is part of the model's counts.",
    { trap: "The floor of 0.75 still applies; text and booleans are skipped; newer Hermes reads provider:name." },
  ),
  setting(
    "compression.target_ratio",
    { kind: "float", min: 0.1, max: 0.8, raises: "both" },
    "fraction",
    0.2,
    "Size of the protected tail, as a share of the trigger (legacy tail).",
    { trap: "A share of the trigger, not of the window; tail_mode lean does not use it." },
  ),
  setting(
    "compression.tail_mode",
    { kind: "choice", of: ["lean", "legacy"] },
    "none",
    "legacy",
    "How the protected tail is measured: lean = 2.5% of the window between 10,000 and 25,000 tokens.",
    { newer: "lean" },
  ),
  setting(
    "compression.protect_last_n",
    { kind: "bare-int" },
    "messages",
    20n,
    "Newest messages that compaction and pruning leave alone.",
    { trap: "Messages, not turns; the tail of compaction uses at most 8 of them as its minimum." },
  ),
  setting(
    "compression.protect_first_n",
    { kind: "bare-int", min: 0n },
    "messages",
    3n,
    "Oldest messages kept, besides the system message.",
  ),
  setting("compression.min_tail_user_messages", WHOLE_1, "messages", 1n, "User messages that stay in the tail."),
  setting(
    "compression.max_attempts",
    { kind: "whole", min: 1n, max: 10n, below: "default" },
    "attempts",
    3n,
    "Tries of compaction per turn.",
  ),
  setting(
    "compression.proactive_prune_tokens",
    WHOLE_0,
    "tokens",
    0n,
    "Old tool results are pruned from here on, without a summary. 0 = off.",
  ),
  setting(
    "compression.proactive_prune_min_result_chars",
    { kind: "whole", min: 200n, below: "min", zeroIsDefault: true },
    "characters",
    8000n,
    "Proactive pruning takes only results longer than this.",
  ),
  setting(
    "compression.proactive_prune_min_reclaim_tokens",
    WHOLE_0,
    "tokens",
    4096n,
    "A proactive prune happens only if it frees this much. 0 = always.",
  ),
  setting(
    "compression.tool_result_prune.enabled",
    { kind: "truth" },
    "none",
    false,
    "Long tool results keep only head and tail when context is compacted.",
    { trap: 'Any text that is not empty enables it, also "false".', source: PRUNE, missing: true },
  ),
  setting(
    "compression.tool_result_prune.threshold_chars",
    { kind: "whole", min: 1n, below: "default" },
    "characters",
    8192n,
    "Results longer than this lose their middle.",
    { trap: "head_chars + 39 + tail_chars above it turns the whole feature off.", source: PRUNE, missing: true },
  ),
  setting(
    "compression.tool_result_prune.head_chars",
    { kind: "whole", min: 0n, below: "default" },
    "characters",
    4096n,
    "Beginning that stays.",
    { source: PRUNE, missing: true },
  ),
  setting(
    "compression.tool_result_prune.tail_chars",
    { kind: "whole", min: 0n, below: "default" },
    "characters",
    1024n,
    "End that stays.",
    { source: PRUNE, missing: true },
  ),
  setting(
    "compression.micro_compact",
    SWITCH,
    "none",
    false,
    "After each turn a small compaction folds old messages.",
    { trap: "Each pass breaks the provider's cached prefix." },
  ),
  setting("compression.micro_compact_every_n_turns", WHOLE_1, "turns", 1n, "Turns between two micro-compactions."),
  setting(
    "compression.micro_compact_defrag_threshold_tokens",
    WHOLE_1,
    "tokens",
    2000n,
    "The rolling summary is rewritten above this.",
  ),
  setting(
    "compression.hygiene_hard_message_limit",
    UNKNOWN,
    "messages",
    5000n,
    "The gateway compacts sessions with more messages.",
    { source: CONFIG },
  ),
  setting("compression.hygiene_timeout_seconds", UNKNOWN, "seconds", 30n, "Limit of one compaction by the gateway.", {
    source: CONFIG,
  }),
  setting(
    "compression.hygiene_total_ceiling_seconds",
    UNKNOWN,
    "seconds",
    600n,
    "Limit of all tries of the gateway together.",
    { source: CONFIG },
  ),
  setting(
    "compression.hygiene_failure_cooldown_seconds",
    UNKNOWN,
    "seconds",
    300n,
    "Pause after a failed compaction by the gateway.",
    { source: CONFIG },
  ),
  setting(
    "compression.hygiene_max_turn_hold_seconds",
    UNKNOWN,
    "seconds",
    10n,
    "How long a turn waits for the gateway's compaction before it goes on without.",
    { source: "hermes_cli/config_defaults.py since 2026-08-31", missing: true },
  ),
  setting("compression.context_timeout_seconds", UNKNOWN, "seconds", 120n, "Limit of one compaction.", {
    source: CONFIG,
  }),
  setting("compression.context_total_ceiling_seconds", UNKNOWN, "seconds", 600n, "Limit of all tries together.", {
    source: CONFIG,
  }),
  setting(
    "compression.in_place",
    SWITCH,
    "none",
    true,
    "Compaction rewrites the session instead of starting a child session.",
  ),
  setting(
    "compression.idle_compact_after_seconds",
    { kind: "bare-int", min: 0n },
    "seconds",
    0n,
    "Compacts when a session resumes after this much rest. 0 = off.",
  ),
  setting(
    "compression.checkpoint_required",
    UNKNOWN,
    "none",
    false,
    "Compacts only after the memory provider has stored a checkpoint.",
    { source: "hermes_cli/config_defaults.py since September 2026", missing: true },
  ),
  setting("compression.progress_notices", UNKNOWN, "none", false, "Says when compaction runs.", { source: CONFIG }),
  setting(
    "compression.abort_on_summary_failure",
    WORD,
    "none",
    false,
    "Stops instead of dropping messages without a summary.",
  ),
  setting(
    "compression.codex_gpt55_autoraise",
    WORD,
    "none",
    true,
    "Raises the trigger to 0.85 for GPT-5.5 through Codex.",
  ),
  setting("compression.codex_gpt55_autoraise_notice", WORD, "none", true, "Says so once."),
  setting(
    "compression.codex_app_server_auto",
    { kind: "choice", of: ["native", "hermes", "off"] },
    "none",
    "native",
    "Who compacts when the Codex app server runs.",
  ),
  setting(
    "compression.codex_responses_native",
    SWITCH,
    "none",
    false,
    "Lets the provider compact on the Responses API.",
  ),
  setting(
    "compression.codex_responses_compact_threshold",
    STRICT_1,
    "tokens",
    200000n,
    "Where the provider compacts. Newer sources: unset = the own trigger less 8,192.",
    { newer: null },
  ),
  setting("context.engine", { kind: "text" }, "none", "compressor", "What manages context.", {
    trap: "The prune keys do nothing for other engines.",
    source: CONFIG,
  }),
  setting("sessions.write_json_snapshots", UNKNOWN, "none", false, "Writes each session also as JSON.", {
    source: CONFIG,
  }),
  setting(
    "sessions.max_resume_messages",
    UNKNOWN,
    "messages",
    20000n,
    "Most messages read when a session resumes. 0 = no limit.",
    { source: CONFIG },
  ),
  setting("sessions.max_export_messages", UNKNOWN, "messages", 20000n, "Most messages of an export. 0 = no limit.", {
    source: CONFIG,
  }),
  setting("agent.max_turns", UNKNOWN, "turns", null, "Calls that one request may take.", { source: CONFIG }),
];

/** Stand at many places and so not in the table. */
export const PROVIDER_WINDOWS: readonly Setting[] = [
  "custom_providers[].models.<model>.context_length",
  "providers.<name>.models.<model>.context_length",
].map((name) =>
  setting(
    name,
    INT_1,
    "tokens",
    null,
    "Context window of one model of this provider, where `model.context_length` states none.",
    { trap: '"256K" is ignored.', source: "agent/model_metadata.py @00067189", missing: true },
  ),
);

const BY_NAME: ReadonlyMap<string, Setting> = new Map(SETTINGS.map((one) => [one.name, one]));

export function settingNamed(name: string): Setting | undefined {
  return BY_NAME.get(name);
}
