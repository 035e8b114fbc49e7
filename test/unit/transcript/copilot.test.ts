import { describe, expect, it } from "vitest";
import { COPILOT_CHAT, COPILOT_DEBUG, COPILOT_EVENTS, COPILOT_LOG, copilotRequest, LONG } from "./samples";
import { bodyText, brief, briefCall, briefMessage, codes, jsonLines, read } from "./support";

const body = `${LONG}tree\ns`;
const chat = (requests: unknown[]) =>
  JSON.stringify({ version: 3, responderUsername: "GitHub Copilot", sessionId: "s", requests });

describe("VS Code chat sessions", () => {
  it("rounds are calls; results come from the metadata; tokens belong to the last round", async () => {
    const index = await read(COPILOT_CHAT);
    expect(index.header).toMatchObject({ sessionId: "vs-1", agent: "copilot", unit: "utf16", model: "m-1-2026" });
    expect(index.threads[0]?.title).toBe("Read it");
    expect(index.calls.map(briefCall)).toEqual([
      [1, 1, "m-1-2026", undefined],
      [2, 1, "m-1-2026", { input: 5000, cacheRead: undefined, cacheWrite: undefined, output: 70 }],
    ]);
    expect(index.results.map(brief)).toEqual([[1, 1, "read_file", "call_a", "inline", "paired", [...body].length]]);
    expect(await bodyText(COPILOT_CHAT, index.results[0]?.body)).toBe(body);
    expect(index.messages.map((message) => [message.role, message.size.utf16])).toEqual([
      ["user", LONG.length],
      ["assistant", 6],
      ["tool", body.length],
      ["assistant", 7],
    ]);
  });

  it("the log of changes gives the same, and knows in which line each text lies", async () => {
    const object = await read(COPILOT_CHAT);
    const log = await read(COPILOT_LOG);
    const view = (index: typeof log) => ({
      results: index.results.map(brief),
      calls: index.calls.map(briefCall),
      messages: index.messages.map(briefMessage),
      threads: index.threads,
    });
    expect(view(log)).toEqual({ ...view(object), threads: object.threads });
    expect(log.results[0]?.place.line).toBe(5);
    expect(await bodyText(COPILOT_LOG, log.results[0]?.body)).toBe(body);
  });

  it("a change at a refused or unknown place is passed over, and said", async () => {
    const index = await read(
      `${COPILOT_LOG}${jsonLines(
        { kind: 1, k: ["__proto__", "polluted"], v: 1 },
        { kind: 1, k: ["requests", "constructor"], v: 1 },
        { kind: 2, k: ["sessionId"], v: ["x"] },
        { kind: 1, k: ["nowhere", "at", "all"], v: 1 },
        { kind: 9, k: ["requests"], v: 1 },
        { kind: 3, k: ["customTitle"] },
      )}`,
    );
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
    expect(index.problems).toMatchObject([{ code: "refused-change", severity: "warning" }]);
    expect(index.problems[0]?.message).toContain("5 changes");
    expect(index.threads[0]?.title).toBe("vs-1");
    expect(index.results).toHaveLength(1);
  });

  it("a new snapshot replaces the state; a push may cut first and may have no value", async () => {
    const index = await read(
      jsonLines(
        { kind: 0, v: { sessionId: "s", requests: [copilotRequest(), copilotRequest()] } },
        { kind: 0, v: { sessionId: "s", requests: [copilotRequest(), copilotRequest(), copilotRequest()] } },
        { kind: 2, k: ["requests"], i: 1 },
      ),
    );
    expect(index.messages.filter((message) => message.role === "user")).toHaveLength(1);
  });

  it("a cancelled request has no results: a running tool is missing, a finished one is not stored", async () => {
    const request = copilotRequest({
      result: { errorDetails: { message: "Canceled" } },
      modelState: { value: 3 },
      completionTokens: 9,
      response: [
        { kind: "thinking", value: "hm" },
        { value: "So far." },
        { kind: "toolInvocationSerialized", toolId: "read", toolCallId: "a", isComplete: true },
        { kind: "toolInvocationSerialized", toolId: "run", toolCallId: "b", isComplete: false },
      ],
    });
    const index = await read(chat([request]));
    expect(index.results.map(brief)).toEqual([[1, 1, "run", "b", "missing", "paired", 0]]);
    expect(index.messages.at(-1)?.size.utf16).toBe(7);
    expect(index.calls[0]?.usage).toEqual({ input: undefined, cacheRead: undefined, cacheWrite: undefined, output: 9 });
    expect(codes(index)).toEqual(["result-not-stored"]);
  });

  it("a summary replaces the rounds up to the one it names", async () => {
    const request = copilotRequest();
    const metadata = {
      ...request.result.metadata,
      summaries: [{ toolCallRoundId: "r-1", text: "Short.", source: "auto", contextLengthBefore: 9000 }],
    };
    const index = await read(chat([{ ...request, result: { metadata } }]));
    expect(index.compactions).toMatchObject([
      { what: "summary", scope: "listed", trigger: "auto", tokensBefore: 9000, gone: { results: [0] } },
    ]);
    expect(index.compactions[0]?.gone.messages.map((message) => message.index)).toEqual([0, 1, 2]);
    expect(index.messages.filter((message) => message.index < 0).map((message) => message.size.utf16)).toEqual([6]);
  });

  const sentRequest = (id: string, metadata: object, rounds: readonly object[] = []) =>
    copilotRequest({
      requestId: id,
      result: {
        metadata: { toolCallRounds: [{ id: `${id}-1`, response: "Yes.", toolCalls: [] }, ...rounds], ...metadata },
      },
    });

  it("a question counts as it was sent, with its context; what stands before the first one counts once", async () => {
    const text = (words: string) => ({ type: 1, text: words });
    const context = [text("<environment_info>"), { type: 3, cacheType: "ephemeral" }];
    const question = [
      text("<context>"),
      text("hello"),
      { type: 0, imageUrl: { url: "data:" } },
      { type: 2, value: {} },
    ];
    const index = await read(
      chat([
        sentRequest("a", { renderedGlobalContext: context, renderedUserMessage: question }),
        sentRequest("b", { renderedGlobalContext: context, renderedUserMessage: [{ type: 4 }] }),
        sentRequest("c", { renderedUserMessage: [] }),
      ]),
    );
    expect(index.messages.map(({ index: at, role, size, images }) => [at, role, size.utf16, images])).toEqual([
      [-1, "user", 18, 0],
      [0, "user", 14, 1],
      [1, "assistant", 4, 0],
      [2, "user", 0, 0],
      [3, "assistant", 4, 0],
      [4, "user", LONG.length, 0],
      [5, "assistant", 4, 0],
    ]);
    expect(codes(index)).toEqual(["unknown-block"]);
  });

  it("what a hook says to a round is sent; a provider's own compaction leaves what stands before its round", async () => {
    const index = await read(
      chat([
        sentRequest("a", {}),
        sentRequest("b", {}, [
          {
            id: "b-2",
            response: "",
            toolCalls: [],
            hookContext: "Run the tests first.",
            compaction: { id: "cmp", encrypted_content: "x" },
          },
          { id: "b-3", response: "Done.", toolCalls: [], compaction: "odd", hookContext: 7 },
        ]),
      ]),
    );
    expect(index.messages.map(({ role, size }) => [role, size.utf16])).toEqual([
      ["user", LONG.length],
      ["assistant", 4],
      ["user", LONG.length],
      ["assistant", 4],
      ["assistant", 0],
      ["user", 20],
      ["assistant", 5],
    ]);
    expect(index.compactions).toMatchObject([{ what: "summary", scope: "listed" }]);
    expect(index.compactions[0]?.gone.messages.map(({ index: at }) => at)).toEqual([0, 1, 2, 3]);
  });

  it("requests that were undone leave the context; the next question will remove them", async () => {
    const undone = async (facts: object) => {
      const request = { ...copilotRequest({ requestId: "b" }), ...facts };
      const index = await read(chat([copilotRequest({ requestId: "a" }), request]));
      return index.compactions.map(({ what, gone }) => [
        what,
        gone.messages.map((message) => message.index),
        gone.results,
      ]);
    };
    const left = [["rewind", [4, 5, 6, 7], [1]]];
    expect(await undone({ shouldBeRemovedOnSend: { requestId: "b" } })).toEqual(left);
    expect(await undone({ isHidden: true })).toEqual(left);
    for (const stays of [{ shouldBeRemovedOnSend: { requestId: "b", afterUndoStop: "1" } }, { isHidden: false }, {}]) {
      expect(await undone(stays)).toEqual([]);
    }
  });

  it("a large result is persisted under its rounded size", async () => {
    const request = copilotRequest();
    request.result.metadata.toolCallResults.call_a.content = [
      {
        $mid: 21,
        value:
          "Large tool result (13kb) written to file. Use the read_file tool to access the content at: /w/chat-session-resources/s/c/content.txt",
      },
    ] as never;
    const index = await read(chat([request]));
    expect(index.results[0]).toMatchObject({
      state: "persisted",
      persisted: { statedChars: 13 * 1024, statedRounded: true },
    });
  });
});

describe("Copilot logs", () => {
  it("the debug log cuts its values, so results are truncated", async () => {
    const index = await read(COPILOT_DEBUG);
    expect(index.header).toMatchObject({ format: "copilot-debug", sessionId: "d-1", model: "m-1" });
    expect(index.results.map(brief)).toEqual([
      [1, 1, "read_file", "3", "truncated", "paired", [...LONG.slice(0, 500)].length + 11],
    ]);
    expect(index.calls.map(briefCall)).toEqual([
      [1, 1, "m-1", { input: 900, cacheRead: undefined, cacheWrite: undefined, output: 30 }],
    ]);
  });

  it("events: what the model got, one system prompt, output tokens only, the compaction's figures", async () => {
    const index = await read(COPILOT_EVENTS);
    expect(index.header).toMatchObject({ format: "copilot-events", sessionId: "ce-1", model: "m-1" });
    expect(index.results.map(brief)).toEqual([[1, 1, "view", "t-1", "inline", "paired", [...LONG].length]]);
    expect(await bodyText(COPILOT_EVENTS, index.results[0]?.body)).toBe(LONG);
    expect(index.messages.map((message) => [message.index, message.role, message.size.utf16])).toEqual([
      [0, "system", 8],
      [1, "user", LONG.length],
      [2, "assistant", 0],
      [3, "tool", LONG.length],
      [-1, "user", 7],
      [4, "assistant", 5],
    ]);
    expect(index.calls.map((call) => call.usage)).toEqual([
      { input: undefined, cacheRead: undefined, cacheWrite: undefined, output: 31 },
      { input: undefined, cacheRead: undefined, cacheWrite: undefined, output: 4 },
    ]);
    expect(index.compactions).toMatchObject([{ what: "summary", atMessage: 4, tokensBefore: 9000, tokensAfter: 1200 }]);
  });

  it("a failed tool shows its error, a truncation its figures, a sub-agent its own thread", async () => {
    const event = (type: string, data: unknown) => ({
      type,
      data,
      id: "e",
      timestamp: "2026-01-01T00:00:00Z",
      parentId: null,
    });
    const index = await read(
      jsonLines(
        event("session.start", { sessionId: "s" }),
        event("assistant.message", {
          messageId: "m",
          content: "",
          toolRequests: [{ toolCallId: "task", name: "task", arguments: {} }],
        }),
        event("assistant.message", { messageId: "n", content: "sub", toolRequests: [], parentToolCallId: "task" }),
        event("tool.execution_complete", { toolCallId: "task", success: false, error: { message: "boom" } }),
        event("session.truncation", {
          performedBy: "BasicTruncator",
          preTruncationTokensInMessages: 90,
          postTruncationTokensInMessages: 40,
        }),
        event("session.compaction_complete", { success: false }),
      ),
    );
    expect(index.threads.map((thread) => [thread.id, thread.kind])).toEqual([
      ["s", "main"],
      ["task", "subagent"],
    ]);
    expect(index.results.map((result) => [result.isError, result.size.utf16])).toEqual([[true, 4]]);
    expect(index.compactions).toMatchObject([
      { what: "truncation", trigger: "BasicTruncator", tokensBefore: 90, tokensAfter: 40 },
    ]);
  });

  it("a sub-agent is known by the call it runs for, by its own id, or by both", async () => {
    const event = (type: string, data: object, agentId?: string) => ({
      type,
      data,
      id: "e",
      timestamp: "2026-06-01T00:00:00Z",
      ...(agentId === undefined ? {} : { agentId }),
    });
    const said = (content: string, more = {}) => ({ messageId: `m-${content}`, content, toolRequests: [], ...more });
    const index = await read(
      jsonLines(
        event("session.start", { sessionId: "s" }),
        event("user.message", { content: "go" }),
        event("subagent.started", { toolCallId: "c1", agentName: "explore", agentDisplayName: "Explorer" }, "a1"),
        event("user.message", { content: "look" }, "a1"),
        event("assistant.message", said("found", { parentToolCallId: "c1", model: "m-2" }), "a1"),
        event("assistant.message", said("too", { parentToolCallId: "c1" })),
        event("assistant.message", said("main", { model: "m-1" })),
        event("subagent.completed", { toolCallId: "c1" }, "a1"),
      ),
    );
    expect(index.threads.map(({ id, title, kind, model }) => [id, title, kind, model])).toEqual([
      ["s", "s", "main", "m-1"],
      ["a1", "Explorer", "subagent", "m-2"],
    ]);
    expect(index.messages.map(({ threadId, role }) => [threadId, role])).toEqual([
      ["s", "user"],
      ["a1", "user"],
      ["a1", "assistant"],
      ["a1", "assistant"],
      ["s", "assistant"],
    ]);
    expect(index.problems).toEqual([]);
  });

  it("a cleared conversation leaves the context; a notice of the mode is part of it; other kinds are named", async () => {
    const event = (type: string, data: object) => ({ type, data, id: "e", timestamp: "2026-06-01T00:00:00Z" });
    const index = await read(
      jsonLines(
        event("session.start", { sessionId: "s" }),
        event("user.message", { content: "go" }),
        event("session.context_cleared", { messagesCleared: 1, initialMessage: "start over" }),
        event("session.mode_notice_delivered", { mode: "plan", content: "plan first" }),
        event("session.mode_notice_delivered", { mode: "plan" }),
        event("session.usage_checkpoint", { totalNanoAiu: 1 }),
        event("model.call_finished", { outcome: "success" }),
        event("session.novelty", {}),
      ),
    );
    expect(index.compactions).toMatchObject([{ what: "truncation", scope: "all", atMessage: 1 }]);
    expect(index.messages.map(briefMessage)).toEqual([
      [0, "user", 1, 2],
      [-1, "user", 1, 10],
      [1, "user", 1, 10],
    ]);
    expect(index.problems.map(({ message }) => message).join()).toMatch(/^1 record .*: session\.novelty\./);
  });
});
