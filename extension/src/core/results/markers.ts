import type { AgentId, ResultState } from "../model/transcript";

/** One notice or placeholder that an agent leaves in place of a result. */
export interface Marker {
  readonly agent: AgentId | "other";
  readonly state: ResultState;
  /** Beginning of the literal by which it is recognised; `…` stands for text that varies. */
  readonly literal: string;
  /** Where the literal was taken from. */
  readonly source: string;
}

/** Every variant that `recognise` knows; its keys are the values of `PersistedInfo.variant`. */
export const MARKERS = {
  "hermes-block": {
    agent: "hermes",
    state: "persisted",
    literal: "<persisted-output>⏎This tool result was too large (…⏎…⏎Recovery: page through",
    source: "NousResearch/hermes-agent tools/tool_result_storage.py @025d8a23",
  },
  "hermes-block-2026-04": {
    agent: "hermes",
    state: "persisted",
    literal: "<persisted-output>⏎This tool result was too large (…  (no Recovery line)",
    source: "NousResearch/hermes-agent PR #6085, v0.8.0 to v2026.8.16.2",
  },
  "hermes-large-response": {
    agent: "hermes",
    state: "persisted",
    literal: "[Large tool response: … characters total",
    source: "NousResearch/hermes-agent run_agent.py @51ed7dc2",
  },
  "hermes-truncated": {
    agent: "hermes",
    state: "truncated",
    literal: "[Truncated: tool response was … chars. Full output could not be saved to sandbox.]",
    source: "NousResearch/hermes-agent tools/tool_result_storage.py @025d8a23",
  },
  "hermes-truncated-2026-04": {
    agent: "hermes",
    state: "truncated",
    literal: "[Truncated: tool response was … chars, exceeding the … char limit. File save failed:",
    source: "NousResearch/hermes-agent run_agent.py @51ed7dc2",
  },
  "hermes-terminal": {
    agent: "hermes",
    state: "truncated",
    literal: "... [OUTPUT TRUNCATED - … chars omitted out of … total] ...",
    source: "NousResearch/hermes-agent tools/terminal_tool.py",
  },
  "hermes-terminal-file": {
    agent: "hermes",
    state: "persisted",
    literal: '{"output": …, "full_output_path": …}',
    source: "NousResearch/hermes-agent PR #77041",
  },
  "hermes-execute-code": {
    agent: "hermes",
    state: "persisted",
    literal: '{…, "stdout_spill_path": …}',
    source: "NousResearch/hermes-agent PR #97043",
  },
  "hermes-hook": {
    agent: "hermes",
    state: "persisted",
    literal: "[… output truncated — … chars; full content saved to …]",
    source: "NousResearch/hermes-agent tools/hook_output_spill.py @0c67dabf",
  },
  "hermes-hook-failed": {
    agent: "hermes",
    state: "truncated",
    literal: "[… output truncated — … chars; full content unavailable — spill write failed]",
    source: "NousResearch/hermes-agent tools/hook_output_spill.py @0c67dabf",
  },
  "hermes-cleared": {
    agent: "hermes",
    state: "cleared",
    literal: "[Old tool output cleared to save context space]",
    source: "NousResearch/hermes-agent agent/context_compressor.py @0000416b",
  },
  "hermes-screenshot": {
    agent: "hermes",
    state: "cleared",
    literal: "[screenshot removed to save context] · [Attached image — stripped after compression]",
    source: "NousResearch/hermes-agent agent/context_compressor.py @0000416b",
  },
  "hermes-screenshot-summary": {
    agent: "hermes",
    state: "pruned",
    literal: "[screenshot removed] …",
    source: "NousResearch/hermes-agent agent/context_compressor.py @0000416b",
  },
  "hermes-duplicate": {
    agent: "hermes",
    state: "duplicate",
    literal: "[Duplicate tool output — same content as a more recent call]",
    source: "NousResearch/hermes-agent agent/context_compressor.py @0000416b",
  },
  "hermes-summary": {
    agent: "hermes",
    state: "pruned",
    literal: "[terminal] ran `…` -> exit …, … lines output (and one shape per tool)",
    source: "NousResearch/hermes-agent agent/context_compressor.py @0000416b",
  },
  "hermes-prune": {
    agent: "hermes",
    state: "pruned",
    literal: "[... tool result middle pruned ...]",
    source: "NousResearch/hermes-agent PR #85479",
  },
  "claude-block": {
    agent: "claude-code",
    state: "persisted",
    literal: "<persisted-output>⏎Output too large (…). Full output saved to:",
    source: "Claude Code 2.1.2 and later, session files",
  },
  "claude-block-old": {
    agent: "claude-code",
    state: "persisted",
    literal: "<persisted-output>Tool result saved to:",
    source: "Claude Code before 2.1.2, chat exports",
  },
  "claude-mcp": {
    agent: "claude-code",
    state: "persisted",
    literal: "Error: result (… characters…) exceeds maximum allowed tokens. Output has been saved to",
    source: "Claude Code, MCP results above MAX_MCP_OUTPUT_TOKENS",
  },
  "openmausbot-saved": {
    agent: "openmausbot",
    state: "handle",
    literal: "[Large tool result: showing the first … The remaining redacted result is temporarily saved.",
    source: "OpenMausBot server/drivers/agents-result.ts @585ebf75",
  },
  "openmausbot-bounded": {
    agent: "openmausbot",
    state: "handle",
    literal: "[Large tool result: showing the first … Only a bounded portion was retained",
    source: "OpenMausBot server/drivers/agents-result.ts @585ebf75",
  },
  "openmausbot-failed": {
    agent: "openmausbot",
    state: "truncated",
    literal: "[Large tool result: showing the first … The remaining output could not be saved.",
    source: "OpenMausBot server/drivers/agents-result.ts @585ebf75",
  },
  "openmausbot-summary": {
    agent: "openmausbot",
    state: "handle",
    literal: "[OpenMausBot summarized this large tool result:",
    source: "OpenMausBot server/drivers/agents-result.ts @585ebf75",
  },
  "openmausbot-trimmed": {
    agent: "openmausbot",
    state: "truncated",
    literal: "[Astra trimmed this tool result to fit the conversation:",
    source: "OpenMausBot, conversation trim",
  },
  "content-cleared": {
    agent: "other",
    state: "cleared",
    literal: "[Old tool result content cleared]",
    source: "Claude Code, opencode, openhuman and others",
  },
  "langchain-cleared": {
    agent: "other",
    state: "cleared",
    literal: "[cleared]",
    source: "LangChain ClearToolUsesEdit",
  },
  "openhuman-offload": {
    agent: "other",
    state: "handle",
    literal: "[oversized tool output: … tokens (… bytes) — stashed as result_id=",
    source: "openhuman, sub-agent result hand-off",
  },
  "openhuman-artifact": {
    agent: "other",
    state: "persisted",
    literal: "[artifact] kind=output path=… bytes=…",
    source: "openhuman, artifact pointer",
  },
  "copilot-file": {
    agent: "other",
    state: "persisted",
    literal: "Large tool result (…kb) written to file.",
    source: "VS Code Copilot Chat",
  },
  "opencode-file": {
    agent: "other",
    state: "persisted",
    literal: "The tool call succeeded but the output was truncated. Full output saved to:",
    source: "opencode, tool output truncation",
  },
  "opencode-file-2": {
    agent: "other",
    state: "persisted",
    literal: "... output truncated; full content saved to … ...",
    source: "opencode 2, packages/core/src/tool-output-store.ts",
  },
  "gemini-file": {
    agent: "other",
    state: "persisted",
    literal: "Output too large. Showing …For full output see:",
    source: "Gemini CLI, tool output offload",
  },
  "gemini-masked": {
    agent: "other",
    state: "persisted",
    literal: "<tool_output_masked>",
    source: "Gemini CLI, tool output masking",
  },
  "codex-truncated": {
    agent: "other",
    state: "truncated",
    literal: "Total output lines: …⏎⏎…  with …N tokens truncated… inside",
    source: "OpenAI Codex CLI",
  },
  "mini-swe-elided": {
    agent: "other",
    state: "truncated",
    literal: "<returncode>…</returncode>⏎<output_head>… <elided_chars>",
    source: "mini-swe-agent",
  },
  "swe-agent-omitted": {
    agent: "other",
    state: "cleared",
    literal: "Old environment output: (… lines omitted)",
    source: "SWE-agent, history processor",
  },
  "swe-agent-clipped": {
    agent: "other",
    state: "truncated",
    literal: "<response clipped><NOTE>",
    source: "SWE-agent and OpenHands",
  },
} as const satisfies Record<string, Marker>;

export type VariantId = keyof typeof MARKERS;
