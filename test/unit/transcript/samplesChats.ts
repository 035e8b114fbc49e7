import { LONG } from "./longText";
import { jsonLines } from "./support";

const block = (tag: string) =>
  `<persisted-output>\nThis tool result was too large (41,203 characters, 40.2 KB).\nFull output saved to: /h/cache/spillover/${tag}.txt\nUse the read_file tool with offset and limit to access specific sections of this output.\n\nPreview (first 6 chars):\nfirst\n\n...\n</persisted-output>`;
const call = (id: string, name = "terminal") => ({
  role: "assistant",
  content: null,
  tool_calls: [{ id, type: "function", function: { name, arguments: '{"command":"ls"}' } }],
});
const answer = (id: string, content: unknown) => ({ role: "tool", tool_call_id: id, content });

const CHAT = [
  { role: "system", content: "You are." },
  {
    role: "user",
    content: [
      { type: "text", text: LONG },
      { type: "image_url", image_url: { url: "data:x" } },
    ],
  },
  call("c1"),
  answer("c1", LONG),
  call("c2", "web"),
  answer("c2", block("c2")),
  { role: "assistant", content: "Done.", reasoning_content: "hm" },
  call("c3"),
];
export const OPENAI_CHAT = JSON.stringify({
  model: "m-1",
  messages: CHAT,
  response: { choices: [], usage: { prompt_tokens: 900, completion_tokens: 8 } },
});
export const HERMES_SNAPSHOT = JSON.stringify(
  {
    session_id: "20260908_090003_1c40de",
    model: "m-1",
    platform: "cli",
    session_start: "2026-09-08T09:00:03",
    system_prompt: "You are.",
    tools: [],
    message_count: CHAT.length - 1,
    messages: CHAT.slice(1),
  },
  null,
  1,
);
export const HERMES_GATEWAY = jsonLines(
  { role: "session_meta", model: "m-1", platform: "telegram", tools: [], timestamp: "2026-09-08T09:00:03" },
  ...CHAT.slice(1),
);
const exported = (id: string) => ({
  id,
  source: "cli",
  model: "m-1",
  started_at: 1_773_867_525.5,
  system_prompt: "You are.",
  input_tokens: 900,
  messages: CHAT.slice(1).map((message, i) => ({ id: i + 1, timestamp: 1_773_867_526 + i, ...message })),
});
export const HERMES_EXPORT = jsonLines(exported("20260908_090003_1c40de"), exported("20260908_090103_1c40df"));

const anthropicUse = (id: string) => ({ type: "tool_use", id, name: "read", input: { path: "/p" } });
export const ANTHROPIC = JSON.stringify({
  model: "claude-x",
  system: [{ type: "text", text: "You are." }],
  messages: [
    { role: "user", content: LONG },
    { role: "assistant", content: [{ type: "thinking", thinking: "hm" }, anthropicUse("t1"), anthropicUse("t2")] },
    {
      role: "user",
      content: [
        { type: "tool_result", tool_use_id: "t1", content: LONG },
        { type: "tool_result", tool_use_id: "t2", is_error: true, content: [{ type: "text", text: "No." }] },
      ],
    },
    { role: "assistant", content: [{ type: "text", text: "Done." }] },
  ],
});

let line = 0;
const claude = (type: string, rest: object, parent: number | null = line) => {
  line++;
  const uuid = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`;
  return {
    parentUuid: parent === null || parent === 0 ? null : uuid(parent),
    isSidechain: false,
    sessionId: "00000000-0000-4000-8000-00000000abcd",
    cwd: "/w",
    type,
    ...rest,
    uuid: uuid(line),
    timestamp: new Date(Date.UTC(2026, 0, 2, 3, 4, line)).toISOString(),
  };
};
const claudeAnswer = (id: string, content: unknown, output: number) =>
  claude("assistant", {
    requestId: `req_011Cabcdef${id}`,
    message: {
      id: `msg_01abcdef${id}`,
      role: "assistant",
      model: "claude-x",
      content: [content],
      usage: { input_tokens: 4, cache_read_input_tokens: 900, cache_creation_input_tokens: 10, output_tokens: output },
    },
  });
const claudeResult = (id: string, content: unknown, rest = {}) =>
  claude("user", { message: { role: "user", content: [{ type: "tool_result", tool_use_id: id, content }] }, ...rest });
const claudePrompt = (text: string, parent?: number) =>
  claude("user", { message: { role: "user", content: text } }, parent);
const persisted = `<persisted-output>\nOutput too large (83.7KB). Full output saved to: /p/t2.txt\n\nPreview (first 2KB):\n${LONG}\n...\n</persisted-output>`;
export const CLAUDE = jsonLines(
  { type: "summary", summary: "An old one", leafUuid: "x" },
  claudePrompt("Hello"),
  claudeAnswer("1", anthropicUse("toolu_1"), 1),
  claudeResult("toolu_1", LONG, { toolUseResult: { stdout: LONG, stderr: "" } }),
  claudeAnswer("1", { type: "text", text: "More." }, 40),
  claude("attachment", { attachment: { type: "queued_command", prompt: "And hurry" } }),
  claude("attachment", { attachment: { type: "nested_memory", path: "/w/CLAUDE.md", content: { content: LONG } } }),
  claudePrompt("Try something else"),
  claudeAnswer("2", anthropicUse("toolu_2"), 7),
  claudeResult("toolu_2", persisted),
  claudePrompt("Try it otherwise", 6),
  claudeAnswer("3", anthropicUse("toolu_3"), 9),
  claude("system", { subtype: "compact_boundary", compactMetadata: { trigger: "auto", preTokens: 9000 } }, null),
  claude("user", { isCompactSummary: true, message: { role: "user", content: "This session is being continued." } }),
  claude("progress", { data: { type: "bash_progress", output: "x" }, toolUseID: "toolu_3" }),
);

export const MAUSBOT_THREAD = JSON.stringify({
  messages: [
    { id: "a", role: "user", kind: "text", text: "Hello", at: 1_773_867_525_000, parentId: null },
    { id: "b", role: "bot", kind: "activity", tool: { name: "Read", ok: true }, at: 1_773_867_526_000, parentId: "a" },
    { id: "c", role: "bot", kind: "text", text: LONG, at: 1_773_867_527_000, parentId: "b" },
  ],
  hasMore: false,
});
