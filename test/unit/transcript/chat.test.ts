import { describe, expect, it } from "vitest";
import { bodyText, brief, briefCall, briefMessage, codes, jsonLines, read } from "./support";

const call = (id: string, name: string, args = "{}") => ({ id, type: "function", function: { name, arguments: args } });

const conversation = [
  { role: "system", content: "Be brief." },
  {
    role: "user",
    content: [
      { type: "text", text: "Look " },
      { type: "text", text: "here" },
      { type: "image_url", image_url: { url: "data:…" } },
    ],
  },
  { role: "assistant", content: null, tool_calls: [call("call_0", "ls", '{"a":1}'), call("call_1", "cat")] },
  { role: "tool", tool_call_id: "call_0", content: "first" },
  { role: "tool", tool_call_id: "call_1", content: [{ type: "text", text: "second" }] },
  { role: "assistant", content: "Again", tool_calls: [call("call_0", "grep")] },
  { role: "tool", tool_call_id: "call_0", content: "third", name: "wrong" },
  { role: "assistant", content: "Done" },
];

const expected = [
  [1, 1, "ls", "call_0", "inline", "paired", 5],
  [1, 1, "cat", "call_1", "inline", "paired", 6],
  [1, 2, "grep", "call_0", "inline", "paired", 5],
];

describe("OpenAI chat", () => {
  it.each([
    ["a request", JSON.stringify({ model: "gpt-x", messages: conversation })],
    ["a pretty-printed request", JSON.stringify({ model: "gpt-x", messages: conversation }, null, 2)],
    ["a request whose messages come first", JSON.stringify({ messages: conversation, model: "gpt-x" })],
  ])("reads %s", async (_, text) => {
    const index = await read(text);
    expect(index.header).toMatchObject({ format: "openai-chat", agent: "unknown", unit: "codePoints", model: "gpt-x" });
    expect(index.results.map(brief)).toEqual(expected);
    expect(index.messages[1]).toMatchObject({ images: 1, size: { codePoints: 9 } });
    expect(index.messages[2]?.args.codePoints).toBe(9);
    expect(await bodyText(text, index.results[1]?.body)).toBe("second");
    expect(index.threads).toMatchObject([{ id: "session", model: "gpt-x" }]);
  });

  it("reads a bare list and lines of messages alike", async () => {
    for (const text of [
      JSON.stringify(conversation),
      JSON.stringify(conversation, null, 1),
      jsonLines(...conversation),
    ]) {
      const index = await read(text);
      expect(index.header?.format).toBe("openai-chat");
      expect(index.results.map(brief)).toEqual(expected);
      expect(index.messages).toHaveLength(8);
    }
  });

  it("takes the usage of a response, without the cached tokens in the input", async () => {
    const response = {
      object: "chat.completion",
      model: "gpt-y",
      created: 1770933883,
      choices: [{ index: 0, message: { role: "assistant", content: "Hi" } }],
      usage: { prompt_tokens: 100, completion_tokens: 7, prompt_tokens_details: { cached_tokens: 60 } },
    };
    const usage = { input: 40, cacheRead: 60, cacheWrite: undefined, output: 7 };
    const alone = JSON.stringify(response, null, 2);
    const index = await read(alone);
    expect(index.calls.map(briefCall)).toEqual([[1, undefined, "gpt-y", usage]]);
    expect(index.calls[0]?.at).toBe("2026-02-12T22:04:43.000Z");
    expect(index.header?.model).toBe("gpt-y");
    const log = await read(JSON.stringify({ messages: conversation, response, latency_sec: 1 }));
    expect(log.calls.map((each) => each.usage)).toEqual([undefined, undefined, undefined, usage]);
    expect(log.messages).toHaveLength(9);
  });

  it("reads one conversation per line as one thread each", async () => {
    const index = await read(jsonLines({ messages: conversation }, { messages: conversation.slice(0, 3) }));
    expect(index.threads.map((thread) => thread.id)).toEqual(["session", "session-2"]);
    expect(index.results.filter((result) => result.threadId === "session").map(brief)).toEqual(expected);
    expect(index.results.filter((result) => result.state === "missing").map((result) => result.tool)).toEqual([
      "ls",
      "cat",
    ]);
  });

  it("pairs the old function calls by name", async () => {
    const index = await read(
      JSON.stringify([
        { role: "user", content: "x" },
        { role: "assistant", content: null, function_call: { name: "lookup", arguments: "{}" } },
        { role: "function", name: "lookup", content: "found" },
      ]),
    );
    expect(index.results.map((result) => [result.tool, result.orphan, result.state])).toEqual([
      ["lookup", false, "inline"],
    ]);
  });

  it("keeps odd messages: unknown roles, numbers, lists, nulls", async () => {
    const index = await read(
      JSON.stringify([
        { role: "user", content: 42 },
        { role: "critic", content: "hm" },
        null,
        [1],
        7,
        { content: "no role" },
        { role: "tool", content: null },
      ]),
    );
    expect(index.messages.map((message) => message.role)).toEqual(["user", "other", "other", "tool"]);
    expect(index.results.map((result) => [result.orphan, result.callId])).toEqual([[true, undefined]]);
    expect(codes(index).sort()).toEqual(["missing-content", "unknown-record"]);
  });
});

describe("Hermes", () => {
  const block = (chars: string, path: string) =>
    `<persisted-output>\nThis tool result was too large (${chars} characters, 43.6 KB).\nFull output saved to: ${path}\nUse the read_file tool with offset and limit to access specific sections of this output.\n\nPreview (first 5 chars):\nhello\n...\n</persisted-output>`;
  const messages = [
    { role: "user", content: "Go", api_content: "<memory>m</memory>\nGo" },
    { role: "assistant", content: "", tool_calls: [call("call_a", "terminal")] },
    {
      role: "tool",
      tool_name: "terminal",
      name: "terminal",
      tool_call_id: "call_a",
      content: block("44,646", "/h/cache/spillover/call_a.txt"),
    },
    { role: "user", content: "[CONTEXT COMPACTION — REFERENCE ONLY] Earlier turns were compacted" },
    { role: "user", content: "heard", observed: 1 },
    {
      role: "user",
      content: '\u0000json:[{"type":"text","text":"wörd"},{"type":"image_url","image_url":{"url":"data:"}}]',
    },
  ];

  it("reads a snapshot", async () => {
    const snapshot = {
      session_id: "20260908_090003_1c40de",
      model: "anthropic/claude",
      platform: "cli",
      session_start: "2026-09-08T09:00:00",
      system_prompt: "You are",
      tools: [],
      message_count: 6,
      messages,
    };
    for (const text of [JSON.stringify(snapshot), JSON.stringify(snapshot, null, 2)]) {
      const index = await read(text);
      expect(index.header).toMatchObject({
        format: "hermes-snapshot",
        agent: "hermes",
        unit: "codePoints",
        sessionId: "20260908_090003_1c40de",
        model: "anthropic/claude",
      });
      expect(index.threads).toMatchObject([{ id: "20260908_090003_1c40de", startedAt: "2026-09-08T09:00:00" }]);
      expect(index.messages.map(briefMessage)).toEqual([
        [-1, "system", undefined, 7],
        [0, "user", 1, 21],
        [1, "assistant", 1, 0],
        [2, "tool", 1, block("44,646", "/h/cache/spillover/call_a.txt").length],
        [3, "user", 1, 66],
        [4, "user", 1, 5],
        [5, "user", 2, 4],
      ]);
      expect(index.messages[6]?.images).toBe(1);
      expect(index.results).toMatchObject([
        {
          state: "persisted",
          tool: "terminal",
          persisted: { statedChars: 44646, path: "/h/cache/spillover/call_a.txt" },
        },
      ]);
    }
  });

  it("reads a gateway file; its session is named by the file", async () => {
    const text = jsonLines(
      { role: "session_meta", tools: [], model: "kimi", platform: "telegram", timestamp: "2026-04-06T09:12:00" },
      ...messages,
    );
    const index = await read(text, {}, "C:\\h\\sessions\\20260406_091200_4e3bbf37.jsonl");
    expect(index.header).toMatchObject({
      format: "hermes-gateway",
      sessionId: "20260406_091200_4e3bbf37",
      model: "kimi",
    });
    expect(index.messages).toHaveLength(6);
    expect(index.threads).toMatchObject([{ startedAt: "2026-04-06T09:12:00" }]);
  });

  it("reads an export as one thread per session, also an empty one and a delegated one", async () => {
    const session = (id: string, more: object) => ({
      id,
      source: "cli",
      model: "m",
      model_config: null,
      system_prompt: "sys",
      parent_session_id: null,
      started_at: 1788956530.0,
      ...more,
    });
    const rows = messages.map((message, i) => ({ id: i + 1, session_id: "a", active: 1, compacted: 0, ...message }));
    const text = jsonLines(
      session("a", { messages: [...rows, { id: 9, role: "user", content: "gone", active: 0, compacted: 1 }] }),
      session("b", { messages: [] }),
      session("c", {
        model_config: '{"_delegate_from": "a"}',
        messages: [{ role: "session_meta", content: null }, ...rows],
      }),
    );
    const index = await read(text);
    expect(index.header).toMatchObject({ format: "hermes-export" });
    expect(index.threads.map(({ id, kind, startedAt }) => [id, kind, startedAt])).toEqual([
      ["a", "main", "2026-09-09T12:22:10.000Z"],
      ["b", "main", "2026-09-09T12:22:10.000Z"],
      ["c", "subagent", "2026-09-09T12:22:10.000Z"],
    ]);
    expect(index.messages.filter((message) => message.threadId === "a" && message.index >= 0)).toHaveLength(6);
    expect(index.messages.filter((message) => message.threadId === "c" && message.index >= 0)).toHaveLength(6);
    expect(index.results.map((result) => [result.threadId, result.place.line, result.state])).toEqual([
      ["a", 1, "persisted"],
      ["c", 3, "persisted"],
    ]);
    expect(index.problems).toMatchObject([{ code: "archived-rows" }]);
    expect(await bodyText(text, index.results[1]?.body)).toBe(messages[2]?.content);
  });
});

describe("Anthropic messages", () => {
  const messages = [
    { role: "user", content: "Hi" },
    {
      role: "assistant",
      content: [
        { type: "thinking", thinking: "…" },
        { type: "text", text: "Hm" },
        { type: "tool_use", id: "t1", name: "get", input: { q: 1 } },
      ],
    },
    {
      role: "user",
      content: [
        { type: "tool_result", tool_use_id: "t1", content: [{ type: "text", text: "result" }], is_error: true },
        { type: "text", text: "and?" },
      ],
    },
  ];
  const response = {
    id: "msg_1",
    type: "message",
    role: "assistant",
    model: "claude-z",
    content: [
      { type: "server_tool_use", id: "s1", name: "web_search", input: {} },
      {
        type: "web_search_tool_result",
        tool_use_id: "s1",
        content: [{ type: "web_search_result", title: "Ü", url: "u" }],
      },
      { type: "text", text: "Done" },
    ],
    usage: { input_tokens: 5, cache_read_input_tokens: 6, cache_creation_input_tokens: 0, output_tokens: 7 },
  };

  it("reads a request with its system prompt", async () => {
    const index = await read(
      JSON.stringify({ model: "claude-z", max_tokens: 1, system: [{ type: "text", text: "sys" }], messages }, null, 2),
    );
    expect(index.header).toMatchObject({ format: "anthropic-messages", model: "claude-z" });
    expect(index.messages.map(briefMessage)).toEqual([
      [-1, "system", undefined, 3],
      [0, "user", 1, 2],
      [1, "assistant", 1, 2],
      [2, "user", 1, 4],
    ]);
    expect(index.results.map(brief)).toEqual([[1, 1, "get", "t1", "inline", "paired", 6]]);
    expect(index.results[0]?.isError).toBe(true);
  });

  it("reads a response, pairing server tools inside it", async () => {
    for (const text of [
      JSON.stringify(response),
      JSON.stringify(response, null, 2),
      jsonLines(...messages, response),
    ]) {
      const index = await read(text);
      expect(index.header).toMatchObject({ format: "anthropic-messages", model: "claude-z" });
      const result = index.results.at(-1);
      expect(result).toMatchObject({ tool: "web_search", callId: "s1", state: "inline", orphan: false });
      expect(await bodyText(text, result?.body)).toBe('{"type":"web_search_result","title":"Ü","url":"u"}');
      expect(result?.size.bytes).toBe(Buffer.byteLength('{"type":"web_search_result","title":"Ü","url":"u"}'));
      expect(index.calls.at(-1)?.usage).toEqual({ input: 5, cacheRead: 6, cacheWrite: 0, output: 7 });
    }
  });

  it("what the server had a model do besides the answer is a call of its own; a failed compaction changes nothing", async () => {
    const pass = (type: string, input_tokens: number, more = {}) => ({ type, input_tokens, output_tokens: 5, ...more });
    const answer = (id: string, content: unknown[], iterations?: unknown) => ({
      id,
      type: "message",
      role: "assistant",
      model: "m-1",
      content,
      usage: { input_tokens: 10, output_tokens: 2, iterations },
    });
    const compacted = answer(
      "msg_1",
      [
        { type: "compaction", content: "Short." },
        { type: "text", text: "ok" },
      ],
      [pass("compaction", 900), pass("message", 10), pass("advisor_message", 70, { model: "m-2" }), null, 7],
    );
    const index = await read(
      JSON.stringify({
        model: "m-1",
        messages: [
          { role: "user", content: "hi" },
          compacted,
          { role: "user", content: "go on" },
          answer(
            "msg_2",
            [
              { type: "compaction", content: null },
              { type: "text", text: "yes" },
            ],
            "odd",
          ),
        ],
        system: "x",
      }),
    );
    expect(index.calls.map(({ model, usage }) => [model, usage?.input, usage?.output])).toEqual([
      ["m-1", 900, 5],
      ["m-2", 70, 5],
      ["m-1", 10, 2],
      ["m-1", 10, 2],
    ]);
    expect(index.compactions).toHaveLength(1);
    const opaque = answer("msg_3", [{ type: "compaction", content: null, encrypted_content: "x" }]);
    expect((await read(JSON.stringify(opaque))).compactions).toHaveLength(1);
  });
});

describe("OpenMausBot", () => {
  it("reads a thread page; only a notice is a result", async () => {
    const shown = "y".repeat(16000);
    const notice = `${shown}\n\n[Large tool result: showing the first 16000 characters. The remaining redacted result is temporarily saved. If a missing detail is needed, call tool_result_read with id "r-01234567-89ab-cdef-0123-456789abcdef" and offset 16000. Saved results expire after one hour, on app restart, or under cache pressure. Do not repeat an action just to retrieve its output.]`;
    const text = JSON.stringify({
      messages: [
        { id: "1", role: "user", kind: "text", text: "Go", at: 1770000000000, parentId: null },
        {
          id: "2",
          role: "bot",
          kind: "activity",
          text: "ran",
          tool: { name: "shell", ok: true },
          at: 1770000001000,
          parentId: "1",
        },
        {
          id: "3",
          role: "bot",
          kind: "activity",
          text: notice,
          tool: { name: "fetch", ok: true },
          at: 1770000002000,
          parentId: "2",
        },
        { id: "4", role: "bot", kind: "text", text: "Done", at: 1770000003000, parentId: "3" },
      ],
      hasMore: true,
    });
    const index = await read(text);
    expect(index.header).toMatchObject({ format: "openmausbot-thread", agent: "openmausbot", unit: "utf16" });
    expect(index.messages.map((message) => message.role)).toEqual(["user", "tool", "tool", "assistant"]);
    expect(index.results).toMatchObject([{ tool: "fetch", state: "handle", persisted: { nextOffset: 16000 } }]);
    expect(codes(index)).toEqual(["page-of-thread"]);
  });

  it("older files: a list, or messages with the active leaf, whose other branches were taken back", async () => {
    const row = (id: string, role: string, text: string, parentId: string | null) => ({
      id,
      role,
      kind: "text",
      text,
      at: 1_770_000_000_000,
      parentId,
    });
    const messages = [
      row("1", "user", "Hello", null),
      row("2", "bot", "First", "1"),
      row("3", "bot", "Second", "1"),
      row("4", "user", "Thanks", "3"),
    ];
    const list = await read(JSON.stringify(messages));
    expect(list.header?.format).toBe("openmausbot-thread");
    expect(list.messages.map(({ role }) => role)).toEqual(["user", "assistant", "assistant", "user"]);
    expect(list.problems).toEqual([]);
    const tree = await read(JSON.stringify({ messages, activeLeafId: "4" }, null, 1));
    expect(tree.compactions).toMatchObject([{ what: "rewind", scope: "listed" }]);
    expect(tree.compactions[0]?.gone.messages.map(({ index }) => index)).toEqual([1]);
  });
});
