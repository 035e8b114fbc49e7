import { LONG } from "./longText";
import { jsonLines } from "./support";

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
const branch = (id: string, parent_id: string, rest: object) => ({
  id,
  parent_id,
  timestamp: "2026-07-16T05:39:18.8",
  source: "user",
  ...rest,
});
const saying = (text: string) => ({
  kind: "MessageEvent",
  llm_message: { role: "user", content: [{ type: "text", text }] },
});
/** With a branch that was left, a summary, and the state behind the events, which went back once more. */
export const OPENHANDS_TREE = JSON.stringify({
  events: [
    branch("t1", "__root__", { ...saying(LONG), extended_content: [{ type: "text", text: "A skill." }] }),
    branch("t2", "t1", saying("left")),
    branch("t3", "t1", saying("kept")),
    branch("t4", "t3", {
      kind: "Condensation",
      forgotten_event_ids: ["t1"],
      summary: "Short.",
      summary_offset: 0,
      llm_response_id: "r2",
    }),
    branch("t5", "t4", saying("taken back")),
  ],
  id: "conversation-1",
  execution_status: "idle",
  agent: { llm: { model: "m-1" } },
  leaf_event_id: "t4",
  stats: { usage_to_metrics: { condenser: { token_usages: [{ response_id: "r2", prompt_tokens: 9 }] } } },
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
