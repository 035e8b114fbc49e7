import { LONG } from "./longText";
import { jsonLines } from "./support";

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
const sentAt = (created: number) => ({ created: 1_773_867_525_000 + created, completed: 1_773_867_525_500 + created });
const opencodeTwoTool = (id: string, state: unknown) => ({
  type: "tool",
  id,
  name: "bash",
  state,
  time: { created: 1_773_867_526_000 },
});
const twoTokens = (input: number) => ({ input, output: 20, reasoning: 5, cache: { read: 300, write: 40 } });
const twoModel = { id: "m-2", providerID: "p" };
/** Messages of version 2 as an export lists them; a row of the database holds one without its id and type. */
export const OPENCODE_TWO_MESSAGES = [
  { id: "msg_0197f000000000000000000001", type: "agent-switched", agent: "build", time: sentAt(0) },
  { id: "msg_0197f000000000000000000002", type: "system", text: "Today is Monday.", time: sentAt(1) },
  {
    id: "msg_0197f000000000000000000003",
    type: "user",
    text: LONG,
    files: [{ mime: "image/png", uri: "data:" }],
    time: sentAt(2),
  },
  {
    id: "msg_0197f000000000000000000004",
    type: "assistant",
    agent: "build",
    model: twoModel,
    content: [
      { type: "reasoning", text: "hidden" },
      { type: "text", text: "Running." },
      opencodeTwoTool("call_21", {
        status: "completed",
        input: { command: "ls" },
        content: [
          { type: "text", text: LONG },
          { type: "file", uri: "data:", mime: "image/png" },
        ],
      }),
      opencodeTwoTool("call_22", {
        status: "error",
        input: {},
        error: { type: "unknown", message: "no such file" },
        content: [],
      }),
      opencodeTwoTool("call_23", { status: "streaming", input: '{"comm' }),
    ],
    tokens: twoTokens(100),
    time: sentAt(3),
  },
  { id: "msg_0197f000000000000000000005", type: "user", text: "and now?", time: sentAt(4) },
  { id: "msg_0197f000000000000000000006", type: "idle", outcome: "succeeded", time: sentAt(5) },
  { id: "msg_0197f000000000000000000007", type: "shell", command: "ls", output: { output: "a b" }, time: sentAt(6) },
  {
    id: "msg_0197f000000000000000000008",
    type: "compaction",
    status: "completed",
    reason: "auto",
    model: twoModel,
    summary: "Summary so far.",
    recent: "",
    tokens: twoTokens(7),
    time: sentAt(7),
  },
  { id: "msg_0197f000000000000000000009", type: "user", text: "go on", time: sentAt(8) },
  { id: "msg_0197f000000000000000000010", type: "user", text: "faster", time: sentAt(9) },
  {
    id: "msg_0197f000000000000000000011",
    type: "assistant",
    agent: "build",
    model: twoModel,
    content: [{ type: "text", text: "Done." }],
    time: sentAt(10),
  },
];
export const OPENCODE_TWO = JSON.stringify({
  info: { id: "ses_2", title: "Fix it too", time: { created: 1_773_867_525_000 } },
  messages: OPENCODE_TWO_MESSAGES,
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
/** With messages as they were sent, what a hook said, and a compaction of the provider. */
export const COPILOT_SENT = JSON.stringify({
  version: 3,
  responderUsername: "GitHub Copilot",
  sessionId: "vs-2",
  requests: [
    copilotRequest({
      result: {
        metadata: {
          renderedGlobalContext: [
            { type: 1, text: "<environment_info>" },
            { type: 3, cacheType: "ephemeral" },
          ],
          renderedUserMessage: [
            { type: 1, text: LONG },
            { type: 0, imageUrl: { url: "data:" } },
          ],
          toolCallRounds: [
            { id: "r-1", response: "First.", toolCalls: [], hookContext: "Run the tests." },
            { id: "r-2", response: "Second.", toolCalls: [], compaction: { id: "c", encrypted_content: "x" } },
          ],
        },
      },
    }),
  ],
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
