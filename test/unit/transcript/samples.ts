import type { FileFormatId } from "../../../extension/src/core/model/transcript";
import { jsonLines } from "./support";

/** Long enough to be left in place while its record is parsed; with characters of one to four bytes and escapes. */
export const LONG = `Zeile „eins“ 🙂 – ${'日本語 text \\ " \t'.repeat(30)}\u0007`;

// --- Codex ---------------------------------------------------------------------------------------------------------

export const codexLine = (type: string, payload: unknown, time = "2026-02-03T04:05:06.000Z") => ({
  timestamp: time,
  type,
  payload,
});
export const codexItem = (payload: unknown) => codexLine("response_item", payload);
export const codexEvent = (type: string, rest = {}) => codexLine("event_msg", { type, ...rest });
export const codexText = (role: string, text: string) =>
  codexItem({ type: "message", role, content: [{ type: role === "assistant" ? "output_text" : "input_text", text }] });
export const codexCall = (id: string, name = "shell", args = '{"command":["ls"]}') =>
  codexItem({ type: "function_call", name, arguments: args, call_id: id });
export const codexOutput = (id: string, output: unknown) =>
  codexItem({ type: "function_call_output", call_id: id, output });
export const codexTokens = (total: number, input: number, cached: number, output: number) =>
  codexEvent("token_count", {
    info: {
      total_token_usage: { input_tokens: total, cached_input_tokens: 0, output_tokens: 0, total_tokens: total },
      last_token_usage: {
        input_tokens: input,
        cached_input_tokens: cached,
        output_tokens: output,
        reasoning_output_tokens: 0,
        total_tokens: input + output,
      },
      model_context_window: 258_400,
    },
  });
export const codexMeta = (id: string, rest = {}) =>
  codexLine("session_meta", { id, timestamp: "2026-02-03T04:05:00.000Z", cwd: "/w", cli_version: "0.100.0", ...rest });

export const CODEX = jsonLines(
  codexMeta("s-1", { base_instructions: { text: "You are a coder." } }),
  codexText("user", "<environment_context>\n</environment_context>"),
  codexEvent("task_started", { turn_id: "t-1" }),
  codexText("user", LONG),
  codexEvent("user_message", { message: LONG }),
  codexLine("turn_context", { turn_id: "t-1", model: "gpt-5.3-codex" }),
  codexEvent("token_count", { info: null }),
  codexItem({ type: "reasoning", summary: [], encrypted_content: "xx" }),
  codexEvent("agent_message", { message: "Looking." }),
  codexText("assistant", "Looking."),
  codexCall("c-1"),
  codexCall("c-2", "read_file", '{"path":"a"}'),
  codexTokens(1000, 900, 300, 100),
  codexOutput("c-1", LONG),
  codexOutput("c-2", [
    { type: "input_text", text: "seen" },
    { type: "input_image", image_url: "data:image/png;base64,AAAA" },
  ]),
  codexLine("turn_context", { turn_id: "t-1", model: "gpt-5.3-codex" }),
  codexTokens(1000, 900, 300, 100),
  codexText("assistant", "Done."),
  codexTokens(2300, 1250, 900, 50),
  codexTokens(2300, 1250, 900, 50),
  codexEvent("task_complete", { turn_id: "t-1" }),
);

// --- others --------------------------------------------------------------------------------------------------------

const geminiTool = (result: unknown, status = "success") => ({
  id: "read-1",
  name: "read_file",
  args: { path: "a.txt" },
  status,
  ...(result === undefined
    ? {}
    : { result: [{ functionResponse: { id: "read-1", name: "read_file", response: { output: result } } }] }),
});
const geminiTokens = { input: 1000, output: 50, cached: 400, thoughts: 30, tool: 0, total: 1080 };

export const GEMINI_MESSAGES = [
  { id: "g-0", timestamp: "2026-01-01T00:00:00Z", type: "info", content: "Update available" },
  {
    id: "g-1",
    timestamp: "2026-01-01T00:00:01Z",
    type: "user",
    content: [{ text: LONG }, { inlineData: { mimeType: "image/png", data: "AAAA" } }],
  },
  {
    id: "g-2",
    timestamp: "2026-01-01T00:00:02Z",
    type: "gemini",
    content: "I read it.",
    model: "gemini-3",
    tokens: geminiTokens,
    toolCalls: [geminiTool(LONG)],
  },
];
export const GEMINI = JSON.stringify(
  { sessionId: "gs-1", projectHash: "ab", startTime: "2026-01-01T00:00:00Z", messages: GEMINI_MESSAGES },
  null,
  2,
);
export const GEMINI_LOG = jsonLines(
  { sessionId: "gs-1", projectHash: "ab", startTime: "2026-01-01T00:00:00Z", kind: "main" },
  { id: "g-1", type: "user", content: "read it" },
  { $set: { lastUpdated: "2026-01-01T00:00:01Z" } },
  { id: "g-2", type: "gemini", content: "", model: "gemini-3", tokens: geminiTokens },
  {
    id: "g-2",
    type: "gemini",
    content: "",
    model: "gemini-3",
    tokens: geminiTokens,
    toolCalls: [geminiTool(undefined, "executing")],
  },
  { id: "g-3", type: "user", content: "and quickly" },
  {
    id: "g-2",
    type: "gemini",
    content: "I read it.",
    model: "gemini-3",
    tokens: geminiTokens,
    toolCalls: [geminiTool(LONG)],
  },
);

const step = (input: number) => ({
  type: "step-finish",
  tokens: { input, output: 20, reasoning: 5, cache: { read: 300, write: 40 } },
});
const opencodeTool = (id: string, state: unknown) => ({
  id: `prt_${id}`,
  type: "tool",
  callID: id,
  tool: "bash",
  state,
});
export const OPENCODE = JSON.stringify({
  info: { id: "ses_1", title: "Fix it", time: { created: 1_773_867_525_000 } },
  messages: [
    {
      info: { id: "msg_1", role: "user", time: { created: 1_773_867_525_000 } },
      parts: [
        { type: "text", text: LONG },
        { type: "text", text: "hidden", ignored: true },
        { type: "file", mime: "image/png", url: "data:" },
      ],
    },
    {
      info: {
        id: "msg_2",
        role: "assistant",
        modelID: "m-1",
        time: { created: 1_773_867_526_000 },
        tokens: { input: 7, output: 20, reasoning: 5, cache: { read: 300, write: 40 } },
      },
      parts: [
        { type: "step-start" },
        { type: "text", text: "Running." },
        opencodeTool("call_1", {
          status: "completed",
          input: { command: "ls" },
          output: LONG,
          time: { start: 1, end: 2, compacted: 1_773_867_530_000 },
        }),
        step(100),
        { type: "patch", files: [] },
        { type: "step-start" },
        opencodeTool("call_2", { status: "error", input: {}, error: "no such file" }),
        opencodeTool("call_3", { status: "running", input: {} }),
        step(7),
      ],
    },
    {
      info: { id: "msg_3", role: "user", time: { created: 1_773_867_540_000 } },
      parts: [{ type: "compaction", auto: true }],
    },
    {
      info: { id: "msg_4", role: "assistant", modelID: "m-1", summary: true, time: { created: 1_773_867_541_000 } },
      parts: [{ type: "text", text: "Summary so far." }],
    },
  ],
});
export const OPENCODE_PART = JSON.stringify({
  sessionID: "ses_1",
  messageID: "msg_2",
  ...opencodeTool("call_9", { status: "completed", input: {}, output: LONG }),
});

export const copilotRequest = (rest = {}) => ({
  requestId: "request_1",
  timestamp: 1_779_626_525_284,
  modelId: "copilot/m-1",
  message: { text: LONG, parts: [] },
  modelState: { value: 1 },
  response: [
    { value: "shown" },
    { kind: "toolInvocationSerialized", toolId: "read", toolCallId: "ui-1", isComplete: true },
  ],
  result: {
    metadata: {
      promptTokens: 5000,
      outputTokens: 70,
      resolvedModel: "m-1-2026",
      toolCallRounds: [
        { id: "r-1", response: "First.", toolCalls: [{ id: "call_a", name: "read_file", arguments: '{"p":1}' }] },
        { id: "r-2", response: "Second.", toolCalls: [] },
      ],
      toolCallResults: {
        call_a: {
          $mid: 20,
          content: [
            { $mid: 21, value: LONG },
            {
              $mid: 23,
              value: {
                node: {
                  type: 1,
                  children: [
                    { type: 2, text: "tree" },
                    { type: 2, text: "s", lineBreakBefore: true },
                  ],
                },
              },
            },
          ],
        },
      },
    },
  },
  ...rest,
});
export const COPILOT_CHAT = JSON.stringify({
  version: 3,
  responderUsername: "GitHub Copilot",
  sessionId: "vs-1",
  customTitle: "Read it",
  creationDate: 1_779_626_521_080,
  requests: [copilotRequest()],
});
export const COPILOT_LOG = jsonLines(
  {
    kind: 0,
    v: { version: 3, sessionId: "vs-1", customTitle: "Read it", creationDate: 1_779_626_521_080, requests: [] },
  },
  { kind: 2, k: ["requests"], v: [copilotRequest({ response: [], result: undefined, modelState: { value: 0 } })] },
  { kind: 2, k: ["requests", 0, "response"], v: [{ value: "sho" }] },
  { kind: 2, k: ["requests", 0, "response"], i: 0, v: copilotRequest().response },
  { kind: 1, k: ["requests", 0, "result"], v: copilotRequest().result },
  { kind: 1, k: ["requests", 0, "modelState"], v: { value: 1 } },
);
export const COPILOT_DEBUG = jsonLines(
  { ts: 1_779_626_525_284, dur: 0, sid: "d-1", type: "user_message", name: "u", spanId: "1", attrs: { content: LONG } },
  {
    ts: 1_779_626_525_285,
    dur: 9,
    sid: "d-1",
    type: "llm_request",
    name: "m",
    spanId: "2",
    attrs: { model: "m-1", inputTokens: 900, outputTokens: 30 },
  },
  {
    ts: 1_779_626_525_286,
    dur: 9,
    sid: "d-1",
    type: "tool_call",
    name: "read_file",
    spanId: "3",
    status: "ok",
    attrs: { args: "{}", result: `${LONG.slice(0, 500)}[truncated]` },
  },
  {
    ts: 1_779_626_525_287,
    dur: 9,
    sid: "d-1",
    type: "agent_response",
    name: "a",
    spanId: "4",
    attrs: { response: "Done." },
  },
);
const event = (type: string, data: unknown) => ({
  type,
  data,
  id: "e",
  timestamp: "2026-04-23T17:08:08.893Z",
  parentId: null,
});
export const COPILOT_EVENTS = jsonLines(
  event("session.start", { sessionId: "ce-1", version: 1, producer: "copilot-agent" }),
  event("session.model_change", { newModel: "m-1" }),
  event("system.message", { role: "system", content: "You are." }),
  event("user.message", { content: "hi", transformedContent: LONG, attachments: [] }),
  event("assistant.turn_start", { turnId: "0" }),
  event("assistant.message", {
    messageId: "a-1",
    content: "",
    toolRequests: [{ toolCallId: "t-1", name: "view", arguments: { path: "/" }, type: "function" }],
    outputTokens: 31,
  }),
  event("tool.execution_start", { toolCallId: "t-1", toolName: "view", arguments: { path: "/" } }),
  event("tool.execution_complete", {
    toolCallId: "t-1",
    success: true,
    result: { content: LONG, detailedContent: "longer" },
  }),
  event("session.compaction_complete", {
    success: true,
    preCompactionTokens: 9000,
    postCompactionTokens: 1200,
    messagesRemoved: 4,
    summaryContent: "So far.",
  }),
  event("system.message", { role: "system", content: "You are." }),
  event("assistant.message", { messageId: "a-2", content: "Done.", toolRequests: [], outputTokens: 4 }),
  event("session.shutdown", { modelMetrics: {} }),
);

const responsesCall = { type: "function_call", id: "fc_1", call_id: "call_1", name: "read", arguments: "{}" };
export const RESPONSES_ITEMS = [
  { role: "user", content: [{ type: "input_text", text: LONG }] },
  { type: "reasoning", summary: [] },
  responsesCall,
  { type: "function_call_output", call_id: "call_1", output: LONG },
  { type: "image_generation_call", id: "ig_1", result: "iVBORw0KGgo=" },
  { type: "message", role: "assistant", content: [{ type: "output_text", text: "Done." }] },
];
export const RESPONSES = JSON.stringify({
  id: "resp_1",
  object: "response",
  created_at: 1_765_862_432,
  model: "gpt-5",
  output: [
    { type: "reasoning", summary: [] },
    responsesCall,
    { type: "mcp_call", id: "mcp_1", name: "search", arguments: "{}", output: LONG, error: null },
  ],
  usage: { input_tokens: 700, input_tokens_details: { cached_tokens: 200 }, output_tokens: 40 },
});

export const TINYAGENTS = JSON.stringify([
  { system: { content: [{ text: "You are." }] } },
  { user: { content: [{ text: LONG }, { image: { url: "x", mime_type: "image/png" } }] } },
  {
    assistant: {
      id: "a",
      content: [{ thinking: { text: "hm", signature: "s" } }, { text: "Reading." }],
      tool_calls: [{ id: "t1", name: "read", arguments: { p: 1 } }],
      usage: {
        input_tokens: 100,
        output_tokens: 9,
        total_tokens: 409,
        cache_read_tokens: 300,
        cache_creation_tokens: 0,
      },
    },
  },
  { tool: { tool_call_id: "t1", content: [{ text: LONG }, { json: { a: 1 } }] } },
]);
const observation = (runEvent: unknown, run = "run-1", parent: string | null = null) => ({
  offset: 1,
  value: {
    event_id: "e",
    run_id: run,
    parent_run_id: parent,
    root_run_id: "run-1",
    offset: 1,
    ts_ms: 1_779_626_525_284,
    event: runEvent,
  },
  created_at_ms: 1_779_626_525_284,
});
export const TINYAGENTS_RUN = jsonLines(
  observation({ kind: "run_started", run_id: "run-1" }),
  observation({ kind: "model_started", call_id: "m1", model: "m-1" }),
  observation({
    kind: "model_completed",
    call_id: "m1",
    usage: { input_tokens: 100, output_tokens: 9, total_tokens: 109 },
    input: [{ user: { content: [{ text: LONG }] } }],
    output: { assistant: { content: [{ text: "Reading." }] } },
  }),
  observation({ kind: "tool_started", call_id: "t1", tool_name: "read" }),
  observation({ kind: "tool_completed", call_id: "t1", tool_name: "read", input: { p: 1 }, output: LONG }),
  observation({ kind: "tool_started", call_id: "t2", tool_name: "grep" }),
  observation({ kind: "tool_completed", call_id: "t2", tool_name: "grep", output_bytes: 10 }),
  observation({ kind: "tool_started", call_id: "t3", tool_name: "slow" }),
  observation({ kind: "compressed", from_tokens: 9000, to_tokens: 2000 }),
  observation({ kind: "run_started", run_id: "run-2" }, "run-2", "run-1"),
);
export const OPENHUMAN = jsonLines(
  { _meta: { agent: "helper", dispatcher: "x", created: "2026-01-01T00:00:00Z", turn_count: 1, thread_id: "th-1" } },
  { role: "user", content: LONG },
  {
    role: "assistant",
    content: "Done.",
    model: "m-1",
    usage: { input: 500, output: 20, cached_input: 400, cost_usd: 0 },
    ts: "2026-01-01T00:00:01Z",
  },
);

const dump = (name: string, kwargs: unknown) => ({
  lc: 1,
  type: "constructor",
  id: ["langchain_core", "messages", name],
  kwargs,
});
const aiFinal = {
  id: "ai-1",
  content: "Let me look.",
  tool_calls: [{ id: "call_l", name: "look", args: { q: 1 }, type: "tool_call" }],
  usage_metadata: { input_tokens: 100, output_tokens: 20, total_tokens: 120, input_token_details: { cache_read: 60 } },
  response_metadata: { model_name: "gpt-5", model: "gpt-5gpt-5" },
};
const toolFinal = { id: "tool-1", content: LONG, tool_call_id: "call_l", name: "look", status: "success" };
export const LANGCHAIN = JSON.stringify({
  messages: [
    dump("SystemMessage", { content: "You are.", id: "s-1" }),
    dump("HumanMessage", { content: LONG, id: "h-1" }),
    dump("AIMessage", aiFinal),
    dump("ToolMessage", toolFinal),
  ],
});
export const LANGCHAIN_FLAT = JSON.stringify([
  { type: "human", data: { content: LONG, id: "h-1" } },
  { type: "ai", data: aiFinal },
  { type: "tool", data: toolFinal },
]);
export const LANGCHAIN_STREAM = JSON.stringify([
  ["values", { messages: [dump("HumanMessage", { content: "hi", id: "h-1" })] }],
  ["messages", [dump("AIMessageChunk", { id: "ai-1", content: "Let ", tool_call_chunks: [] }), {}]],
  [
    "messages",
    [
      dump("AIMessageChunk", {
        id: "ai-1",
        content: "me look.",
        tool_call_chunks: [{ id: "call_l", name: "look", args: '{"q"', index: 0 }],
      }),
      {},
    ],
  ],
  [
    "messages",
    [dump("AIMessageChunk", { id: "ai-1", content: "", tool_call_chunks: [{ args: ":1}", index: 0 }] }), {}],
  ],
  [
    "values",
    {
      messages: [
        dump("HumanMessage", { content: "hi", id: "h-1" }),
        dump("AIMessageChunk", aiFinal),
        dump("ToolMessage", toolFinal),
      ],
    },
  ],
]);

export const SWE_OLD = JSON.stringify(
  {
    environment: "swe_main",
    trajectory: [
      {
        action: "ls -F\n",
        observation: LONG,
        response: "Let me look.\n```\nls -F\n```",
        state: "{}",
        thought: "Let me look.",
      },
    ],
    history: [
      { role: "system", content: "You are.", agent: "primary" },
      { role: "user", content: "demo", agent: "primary", is_demo: true },
      { role: "user", content: "Fix it", agent: "primary" },
      {
        role: "assistant",
        content: "Let me look.\n```\nls -F\n```",
        thought: "Let me look.",
        action: "ls -F\n",
        agent: "primary",
      },
      { role: "user", content: "Old environment output: (12 lines omitted)", agent: "primary" },
      { role: "assistant", content: "Submit", action: "submit\n", agent: "primary" },
    ],
    info: { model_stats: { tokens_sent: 5, tokens_received: 6, api_calls: 1 } },
  },
  null,
  2,
);
export const SWE_STEPS = JSON.stringify({
  trajectory: JSON.parse(SWE_OLD).trajectory,
  environment: "swe_main",
  info: {},
});
export const MINI = JSON.stringify([
  { role: "system", content: "You are." },
  { role: "user", content: "Fix it" },
  { role: "assistant", content: "Look.\n\n```mswea_bash_command\nls\n```" },
  {
    role: "user",
    content: `<returncode>0</returncode>\n<output_head>\n${LONG}\n</output_head>\n<elided_chars>\n5 characters elided\n</elided_chars>\n<output_tail>\nx\n</output_tail>`,
  },
  { role: "assistant", content: "Just talking." },
  { role: "user", content: "go on" },
]);
export const MINI_NEW = JSON.stringify({
  info: { config: { model: { model_name: "m-1" } } },
  trajectory_format: "mini-swe-agent-1.1",
  messages: [
    { role: "system", content: "You are." },
    { role: "user", content: "Fix it" },
    {
      role: "assistant",
      content: "Look.",
      tool_calls: [{ id: "c1", type: "function", function: { name: "bash", arguments: '{"command":"ls"}' } }],
      extra: {
        response: {
          model: "m-1",
          usage: { prompt_tokens: 90, completion_tokens: 8, prompt_tokens_details: { cached_tokens: 50 } },
        },
        timestamp: 1_779_626_525,
      },
    },
    { role: "tool", tool_call_id: "c1", content: LONG },
  ],
});

const response = {
  id: "chatcmpl-1",
  model: "m-1",
  usage: { prompt_tokens: 100, completion_tokens: 9, cache_read_input_tokens: 60, cache_creation_input_tokens: 30 },
};
const meta = {
  function_name: "execute_bash",
  tool_call_id: "tc-1",
  model_response: response,
  total_calls_in_response: 1,
};
export const OPENHANDS_OLD = JSON.stringify([
  {
    id: 0,
    timestamp: "2025-01-20T20:29:13.5",
    source: "environment",
    observation: "agent_state_changed",
    content: "",
    extras: {},
  },
  {
    id: 1,
    timestamp: "2025-01-20T20:29:14.5",
    source: "user",
    action: "message",
    args: { content: LONG, image_urls: ["x"] },
  },
  {
    id: 2,
    timestamp: "2025-01-20T20:29:15.5",
    source: "agent",
    action: "run",
    args: { command: "ls", thought: "Look." },
    tool_call_metadata: meta,
  },
  {
    id: 3,
    timestamp: "2025-01-20T20:29:16.5",
    source: "agent",
    observation: "run",
    content: LONG,
    cause: 2,
    tool_call_metadata: meta,
    extras: {},
  },
  {
    id: 4,
    timestamp: "2025-01-20T20:29:17.5",
    source: "agent",
    action: "condensation",
    args: { forgotten_events_start_id: 2, forgotten_events_end_id: 3, summary: "Looked." },
  },
  { id: 5, timestamp: "2025-01-20T20:29:18.5", source: "agent", action: "finish", args: { final_thought: "Done." } },
]);
export const OPENHANDS = jsonLines(
  {
    id: "e0",
    timestamp: "2026-06-16T05:39:18.8",
    source: "agent",
    kind: "SystemPromptEvent",
    system_prompt: { type: "text", text: "You are." },
    tools: [],
  },
  {
    id: "e1",
    timestamp: "2026-06-16T05:39:19.8",
    source: "user",
    kind: "MessageEvent",
    llm_message: { role: "user", content: [{ type: "text", text: LONG }] },
  },
  {
    id: "e2",
    timestamp: "2026-06-16T05:39:20.8",
    source: "agent",
    kind: "ActionEvent",
    thought: [{ type: "text", text: "Look." }],
    action: { kind: "X" },
    tool_name: "terminal",
    tool_call_id: "c1",
    tool_call: { id: "c1", name: "terminal", arguments: "{}" },
    llm_response_id: "r1",
  },
  {
    id: "e3",
    timestamp: "2026-06-16T05:39:20.9",
    source: "agent",
    kind: "ActionEvent",
    thought: [],
    action: { kind: "X" },
    tool_name: "terminal",
    tool_call_id: "c2",
    tool_call: { id: "c2", name: "terminal", arguments: "{}" },
    llm_response_id: "r1",
  },
  {
    id: "e4",
    timestamp: "2026-06-16T05:39:21.8",
    source: "environment",
    kind: "ObservationEvent",
    tool_name: "terminal",
    tool_call_id: "c1",
    action_id: "e2",
    observation: { content: [{ type: "text", text: LONG }], is_error: false, kind: "O" },
  },
  {
    id: "e5",
    timestamp: "2026-06-16T05:39:22.8",
    source: "environment",
    kind: "AgentErrorEvent",
    tool_name: "terminal",
    tool_call_id: "c2",
    error: "boom",
  },
  {
    id: "e6",
    timestamp: "2026-06-16T05:39:23.8",
    source: "environment",
    kind: "ConversationStateUpdateEvent",
    key: "stats",
    value: {
      usage_to_metrics: {
        default: {
          token_usages: [
            {
              response_id: "r1",
              prompt_tokens: 90,
              completion_tokens: 8,
              cache_read_tokens: 50,
              cache_write_tokens: 0,
            },
          ],
        },
      },
    },
  },
  {
    id: "e7",
    timestamp: "2026-06-16T05:39:24.8",
    source: "environment",
    kind: "Condensation",
    forgotten_event_ids: ["e2", "e4"],
    summary: "Looked.",
  },
);

export const TRAJECTORY = jsonLines({
  conversations: [
    { from: "system", value: "You are." },
    { from: "human", value: LONG },
    {
      from: "gpt",
      value:
        '<think>\nhm\n</think>\nLook.\n<tool_call>\n{"name": "a", "arguments": {"p": 1}}\n</tool_call>\n<tool_call>\n{"name": "b", "arguments": {}}\n</tool_call>',
    },
    {
      from: "tool",
      value: `<tool_response>\n${JSON.stringify({ tool_call_id: "id-b", name: "b", content: `${LONG} quotes </tool_response> here` })}\n</tool_response>\n<tool_response>\n${JSON.stringify({ tool_call_id: "id-a", name: "a", content: { ok: true } })}\n</tool_response>`,
    },
    { from: "gpt", value: "Done." },
  ],
  timestamp: "2026-09-10T04:00:24.58",
  model: "m-1",
  completed: true,
});
export const REQUEST = JSON.stringify({
  timestamp: "2026-09-10T04:00:24.58",
  session_id: "20260910_040024_abcdef",
  reason: "preflight",
  request: {
    method: "POST",
    url: "https://example.org/v1/chat/completions",
    headers: {},
    body: {
      model: "m-1",
      messages: [
        { role: "system", content: "You are." },
        { role: "user", content: LONG },
        {
          role: "assistant",
          content: null,
          tool_calls: [{ id: "c1", type: "function", function: { name: "terminal", arguments: "{}" } }],
        },
        { role: "tool", tool_call_id: "c1", content: LONG },
      ],
    },
  },
});
export const MAUSBOT_NATIVE = jsonLines(
  { at: 1, dir: "in", source: "claude", msg: { type: "user", message: { role: "user", content: LONG } } },
  {
    at: 2,
    dir: "in",
    source: "claude",
    msg: {
      type: "assistant",
      message: {
        id: "m",
        role: "assistant",
        model: "m-1",
        content: [{ type: "tool_use", id: "t1", name: "Bash", input: {} }],
        usage: { input_tokens: 5, output_tokens: 2 },
      },
    },
  },
  {
    at: 3,
    dir: "in",
    source: "claude",
    msg: {
      type: "user",
      message: { role: "user", content: [{ type: "tool_result", tool_use_id: "t1", content: LONG }] },
    },
  },
);
export const CODEX_EXEC = jsonLines(
  { type: "thread.started", thread_id: "th-1" },
  { type: "turn.started" },
  { type: "item.started", item: { id: "i1", type: "command_execution", command: "ls", status: "in_progress" } },
  {
    type: "item.completed",
    item: {
      id: "i1",
      type: "command_execution",
      command: "ls",
      aggregated_output: LONG,
      exit_code: 1,
      status: "failed",
    },
  },
  { type: "item.completed", item: { id: "i2", type: "agent_message", text: "Done." } },
  { type: "turn.completed", usage: { input_tokens: 10, cached_input_tokens: 5, output_tokens: 3 } },
);

/** One small transcript per format (two where it has two forms), with everything that the format can say about results. */
export const SAMPLES: readonly (readonly [name: string, format: FileFormatId, content: string])[] = [
  ["a Codex rollout", "codex", CODEX],
  ["a Codex exec stream", "codex-exec", CODEX_EXEC],
  ["an OpenAI response", "openai-responses", RESPONSES],
  ["Responses items in a list", "openai-responses", JSON.stringify(RESPONSES_ITEMS)],
  ["Responses items as lines", "openai-responses", jsonLines(...RESPONSES_ITEMS)],
  ["a Gemini chat", "gemini-cli", GEMINI],
  ["a Gemini log", "gemini-cli", GEMINI_LOG],
  ["an opencode export", "opencode-export", OPENCODE],
  ["an opencode part", "opencode-storage", OPENCODE_PART],
  ["a VS Code chat", "copilot-chat", COPILOT_CHAT],
  ["a VS Code chat log", "copilot-chat", COPILOT_LOG],
  ["a Copilot debug log", "copilot-debug", COPILOT_DEBUG],
  ["Copilot events", "copilot-events", COPILOT_EVENTS],
  ["an OpenMausBot native log", "openmausbot-native", MAUSBOT_NATIVE],
  ["tinyagents messages", "tinyagents-messages", TINYAGENTS],
  ["a tinyagents run log", "tinyagents-run", TINYAGENTS_RUN],
  ["an openhuman session", "openhuman", OPENHUMAN],
  ["a LangChain state", "langchain", LANGCHAIN],
  ["LangChain messages", "langchain", LANGCHAIN_FLAT],
  ["a LangGraph stream", "langchain", LANGCHAIN_STREAM],
  ["a SWE-agent trajectory", "swe-agent", SWE_OLD],
  ["SWE-agent steps without a history", "swe-agent", SWE_STEPS],
  ["mini-SWE-agent messages", "mini-swe-agent", MINI],
  ["a mini-SWE-agent trajectory", "mini-swe-agent", MINI_NEW],
  ["OpenHands V0 events", "openhands", OPENHANDS_OLD],
  ["OpenHands V1 events", "openhands", OPENHANDS],
  ["a Hermes trajectory", "hermes-trajectory", TRAJECTORY],
  ["a Hermes request dump", "hermes-request", REQUEST],
];
