import { describe, expect, it } from "vitest";
import { NEVER_CANCELLED } from "../../../extension/src/core/ports";
import { recognise } from "../../../extension/src/core/results/recognise";
import { readTranscript } from "../../../extension/src/core/transcript/read";
import { Summary } from "../../../extension/src/core/transcript/summary";
import { nodeUtf8 } from "../../../extension/src/node/utf8";
import {
  CODEX,
  CODEX_EXEC,
  codexCall,
  codexEvent,
  codexItem,
  codexLine,
  codexMeta,
  codexOutput,
  codexText,
  codexTokens,
  LONG,
} from "./samples";
import { brief, briefCall, briefMessage, codes, jsonLines, memorySource, read } from "./support";

const chars = [...LONG].length;

describe("Codex rollouts", () => {
  it("turns are tasks, calls are runs of items, usage is told once and without what was cached", async () => {
    const index = await read(CODEX);
    expect(index.header).toMatchObject({
      sessionId: "s-1",
      model: "gpt-5.3-codex",
      agent: "codex",
      unit: "codePoints",
    });
    expect(index.calls.map(briefCall)).toEqual([
      [1, 1, "gpt-5.3-codex", { input: 600, cacheRead: 300, cacheWrite: undefined, output: 100 }],
      [2, 1, "gpt-5.3-codex", { input: 350, cacheRead: 900, cacheWrite: undefined, output: 50 }],
    ]);
    expect(index.results.map(brief)).toEqual([
      [1, 1, "shell", "c-1", "inline", "paired", chars],
      [1, 1, "read_file", "c-2", "inline", "paired", 4],
    ]);
    expect(index.results[1]?.images).toBe(1);
    expect(index.messages.map(briefMessage)).toEqual([
      [-1, "system", undefined, 16],
      [0, "user", undefined, 44],
      [1, "user", 1, chars],
      [2, "assistant", 1, 8],
      [3, "assistant", 1, 0],
      [4, "assistant", 1, 0],
      [5, "tool", 1, chars],
      [6, "tool", 1, 4],
      [7, "assistant", 1, 5],
    ]);
  });

  it("the ledger tells which token events were not counted, and why", async () => {
    const { ledger } = await read(CODEX);
    expect(ledger?.counted.count).toBe(2);
    expect(ledger?.notCounted.map(({ reason, count }) => [reason, count])).toEqual([["repeated-total", 2]]);
    expect(ledger?.callsWithoutUsage.count).toBe(0);
  });

  it("up to 2025 the figure came before the items of its call", async () => {
    const index = await read(
      jsonLines(
        codexMeta("s"),
        codexText("user", "go"),
        codexEvent("user_message", { message: "go" }),
        codexTokens(100, 90, 0, 10),
        codexItem({ type: "reasoning", summary: [] }),
        codexCall("c-1"),
        codexOutput("c-1", "out"),
        codexTokens(250, 140, 90, 10),
        codexText("assistant", "Done."),
        codexText("user", "more"),
        codexEvent("user_message", { message: "more" }),
        codexTokens(450, 190, 140, 10),
        codexText("assistant", "Done again."),
      ),
    );
    expect(index.calls.map((call) => [call.number, call.turn, call.usage?.input, call.usage?.cacheRead])).toEqual([
      [1, 1, 90, 0],
      [2, 1, 50, 90],
      [3, 2, 50, 140],
    ]);
    expect(index.results[0]).toMatchObject({ call: 1, turn: 1 });
  });

  it("events give messages only where there are no items", async () => {
    const index = await read(
      jsonLines(
        codexMeta("s"),
        codexEvent("user_message", { message: "hi" }),
        codexEvent("agent_message", { message: "hello" }),
      ),
    );
    expect(index.messages.map(briefMessage)).toEqual([
      [0, "user", 1, 2],
      [1, "assistant", 1, 5],
    ]);
    expect(index.calls).toEqual([]);
  });

  it("the first meta names a fork; what it replays is said", async () => {
    const index = await read(
      jsonLines(
        codexMeta("fork"),
        codexMeta("origin"),
        codexText("user", "old"),
        codexText("assistant", "older"),
        codexMeta("origin"),
      ),
    );
    expect(index.header?.sessionId).toBe("fork");
    expect(index.threads).toMatchObject([{ id: "fork", parent: { id: "origin", relation: "branch" } }]);
    expect(index.problems).toMatchObject([{ code: "replayed-session", severity: "info" }]);
    expect(index.problems[0]?.message).toContain("2 earlier sessions");
  });

  it("a sub-agent's file says so", async () => {
    const index = await read(jsonLines(codexMeta("s", { source: { subagent: "review" } }), codexText("user", "x")));
    expect(index.threads[0]?.kind).toBe("subagent");
    const spawned = { subagent: { thread_spawn: { parent_thread_id: "root", depth: 1 } } };
    const child = await read(jsonLines(codexMeta("s", { source: spawned, forked_from_id: "root" })));
    expect(child.threads).toMatchObject([{ kind: "subagent", parent: { id: "root", relation: "delegate" } }]);
    const plain = await read(jsonLines(codexMeta("s", { source: "vscode", cwd: "/w", forked_from_id: "old" })));
    expect(plain.threads).toMatchObject([
      { kind: "main", source: "vscode", project: "/w", parent: { id: "old", relation: "branch" } },
    ]);
  });

  it("a rollback takes back the newest turns, with their results", async () => {
    const lines = [
      codexMeta("s"),
      codexText("developer", "rules"),
      codexEvent("task_started"),
      codexText("user", "one"),
      codexText("assistant", "first"),
      codexEvent("task_started"),
      codexText("user", "two"),
      codexCall("c-1"),
      codexOutput("c-1", "x".repeat(500)),
      codexEvent("task_started"),
      codexText("user", "three"),
      codexEvent("thread_rolled_back", { num_turns: 2 }),
      codexEvent("task_started"),
      codexText("user", "four"),
    ];
    const index = await read(jsonLines(...lines));
    expect(index.compactions).toMatchObject([{ what: "rewind", scope: "listed", gone: { results: [0] } }]);
    expect(index.compactions[0]?.gone.messages.map(({ index: at }) => at)).toEqual([3, 4, 5, 6]);
    const summary = new Summary();
    const source = memorySource(jsonLines(...lines));
    for await (const batch of readTranscript(source, { utf8: nodeUtf8 }, {}, NEVER_CANCELLED)) summary.add(batch);
    expect(summary.totals()).toMatchObject({
      composition: { system: 5, user: "onefour".length, assistant: 5, inlineResults: 0 },
      resultsLeft: 1,
      charsLeft: 500,
    });
    const unsaid = await read(jsonLines(...lines.slice(0, -3), codexEvent("thread_rolled_back")));
    expect(unsaid.compactions).toMatchObject([{ what: "rewind", scope: "unstated" }]);
  });

  it("records of responses are counted, and the running totals that repeat them are not", async () => {
    const record = (id: string, input: number) =>
      codexLine("token_usage_record", {
        response_id: id,
        thread_id: "s",
        turn_id: "t",
        usage: { input_tokens: input, cached_input_tokens: 0, output_tokens: 5 },
      });
    const index = await read(
      jsonLines(
        codexMeta("s"),
        codexText("user", "x"),
        codexText("assistant", "before records were written"),
        codexTokens(100, 100, 0, 5),
        codexText("user", "y"),
        codexCall("c-1"),
        record("resp_0123456789abcdef01", 200),
        codexTokens(300, 200, 0, 5),
        codexOutput("c-1", "out"),
        codexText("assistant", "done"),
        record("resp_0123456789abcdef02", 250),
        codexTokens(550, 250, 0, 5),
        record("resp_0123456789abcdef02", 250),
      ),
    );
    expect(index.calls.map(({ usage }) => usage?.input)).toEqual([100, 200, 250]);
    expect(index.ledger?.counted.count).toBe(3);
    expect(index.ledger?.notCounted).toMatchObject([
      { reason: "same-message", count: 2 },
      { reason: "repeated-record", count: 1 },
    ]);
    expect(index.problems).toEqual([]);
  });

  it("tokens written to the cache are part of the input", async () => {
    const info = { input_tokens: 100, cached_input_tokens: 60, cache_write_input_tokens: 30, output_tokens: 5 };
    const index = await read(
      jsonLines(
        codexMeta("s"),
        codexText("user", "x"),
        codexText("assistant", "y"),
        codexEvent("token_count", { info: { total_token_usage: info, last_token_usage: info } }),
      ),
    );
    expect(index.calls[0]?.usage).toEqual({ input: 10, cacheRead: 60, cacheWrite: 30, output: 5 });
  });

  it("a compaction empties the context, keeps its replacement history and makes the tokens unknown", async () => {
    const lines = [
      codexMeta("s"),
      codexEvent("task_started"),
      codexText("user", "0123456789"),
      codexCall("c-1"),
      codexTokens(1000, 900, 0, 100),
      codexOutput("c-1", "x".repeat(500)),
      codexLine("compacted", {
        message: "",
        replacement_history: [
          { type: "message", role: "user", content: [{ type: "input_text", text: "01234" }] },
          { type: "compaction", encrypted_content: "zzz" },
        ],
      }),
      codexEvent("context_compacted"),
      codexTokens(1000, 0, 0, 0),
    ];
    const index = await read(jsonLines(...lines));
    expect(index.compactions).toMatchObject([
      { what: "summary", atMessage: 3, tokensBefore: 1000, tokensAfter: undefined, scope: "all" },
    ]);
    const summary = new Summary();
    const options = { format: "codex" } as const;
    const source = memorySource(jsonLines(...lines));
    for await (const batch of readTranscript(source, { utf8: nodeUtf8 }, options, NEVER_CANCELLED)) summary.add(batch);
    expect(summary.totals()).toMatchObject({ messages: 3, chars: 5, results: 1, measuredTokens: null });
    const more = await read(jsonLines(...lines, codexText("assistant", "on"), codexTokens(1300, 280, 0, 20)));
    expect(more.calls.at(-1)?.usage?.input).toBe(280);
  });

  it("developer messages that a replacement history holds anew count once", async () => {
    const lines = jsonLines(
      codexMeta("s", { base_instructions: { text: "base" } }),
      codexText("developer", "0123456789"),
      codexText("user", "hi"),
      codexLine("compacted", {
        replacement_history: [
          { type: "message", role: "developer", content: [{ type: "input_text", text: "0123456789" }] },
        ],
      }),
      codexLine("compacted", {
        replacement_history: [{ type: "message", role: "developer", content: [{ type: "input_text", text: "01234" }] }],
      }),
    );
    const summary = new Summary();
    for await (const batch of readTranscript(memorySource(lines), { utf8: nodeUtf8 }, {}, NEVER_CANCELLED)) {
      summary.add(batch);
    }
    expect(summary.totals().composition).toMatchObject({ system: "base".length + 5, user: 0 });
  });

  it("an old compaction is its message; an event alone is one too", async () => {
    const index = await read(
      jsonLines(
        codexMeta("s"),
        codexText("user", "a"),
        codexLine("compacted", { message: "So far." }),
        codexText("user", "b"),
        codexEvent("context_compacted"),
      ),
    );
    expect(index.compactions.map((compaction) => [compaction.what, compaction.atMessage])).toEqual([
      ["summary", 1],
      ["summary", 2],
    ]);
    expect(index.messages.filter((message) => message.index < 0).map(briefMessage)).toEqual([[-1, "user", 1, 7]]);
  });

  it("legacy files have bare items", async () => {
    const index = await read(
      jsonLines(
        { id: "old-1", timestamp: "2025-05-01T00:00:00Z", instructions: null, git: {} },
        { record_type: "state" },
        { type: "message", role: "user", content: [{ type: "input_text", text: "hi" }] },
        { type: "local_shell_call", call_id: "c", action: { type: "exec", command: ["ls"] } },
        { type: "function_call_output", call_id: "c", output: '{"output":"a","metadata":{"exit_code":0}}' },
      ),
    );
    expect(index.header).toMatchObject({ format: "codex", sessionId: "old-1" });
    expect(index.threads[0]?.startedAt).toBe("2025-05-01T00:00:00Z");
    expect(index.results.map(brief)).toEqual([[1, 1, "local_shell", "c", "inline", "paired", 41]]);
    expect(index.calls[0]?.usage).toBeUndefined();
  });

  it("calls without output and outputs without call are both listed", async () => {
    const index = await read(jsonLines(codexMeta("s"), codexText("user", "x"), codexCall("a"), codexOutput("b", "?")));
    expect(index.results.map((result) => [result.callId, result.state, result.orphan])).toEqual([
      ["b", "inline", true],
      ["a", "missing", false],
    ]);
  });

  it("messages of other agents are input; what the model never sees is none, and is no unknown record either", async () => {
    const delivered = { ...codexText("assistant", "sent to a chat"), metadata: {} };
    const index = await read(
      jsonLines(
        codexMeta("s"),
        codexEvent("task_started"),
        codexItem({
          type: "agent_message",
          author: "/team",
          recipient: "/team/a",
          content: [{ type: "input_text", text: "do it" }],
        }),
        codexLine("inter_agent_communication_metadata", { trigger_turn: true }),
        codexLine("inter_agent_communication", {
          author: "/team",
          recipient: "/team/a",
          content: "more",
          trigger_turn: false,
        }),
        codexText("assistant", "done"),
        { ...delivered, metadata: { delivered_assistant_message: "codex:code-mode-delivery:v1:complete" } },
        codexLine("retained_context", { type: "verified_answer" }),
        codexLine("security_risk_score", { scores: {} }),
        codexLine("realtime_item", { type: "x" }),
        codexItem({ type: "additional_tools", role: "developer", tools: [] }),
        codexItem({ type: "configuration_update", reasoning: {} }),
        codexEvent("exec_command_end"),
        codexEvent("sub_agent_activity"),
        codexEvent("task_complete"),
      ),
    );
    expect(index.messages.map(({ role, size, turn }) => [role, size.codePoints, turn])).toEqual([
      ["user", 5, 1],
      ["user", 4, 1],
      ["assistant", 4, 1],
    ]);
    expect(index.problems).toEqual([]);
    const packed = await read(
      jsonLines(codexMeta("s"), codexLine("inter_agent_communication", { content: "", encrypted_content: "gAAA" })),
    );
    expect(packed.problems.map(({ message }) => message).join()).toContain("encrypted_content");
  });

  it("events that are not known are counted and named", async () => {
    const index = await read(
      jsonLines(codexMeta("s"), codexEvent("novelty"), codexEvent("novelty"), codexLine("event_msg", {})),
    );
    expect(index.problems.map(({ message }) => message).join()).toContain("event novelty (2×), event without a type");
  });

  it("unknown items are counted, not lost", async () => {
    const index = await read(jsonLines(codexMeta("s"), codexItem({ type: "mystery" }), codexLine("novelty", {})));
    expect(codes(index)).toEqual(["unknown-record"]);
    expect(index.problems[0]?.message).toContain("mystery, novelty");
  });
});

describe("Codex output that was cut", () => {
  const state = (text: string) => recognise(text, { agent: "codex", tool: "shell" }).state;
  const long = "line of output\n".repeat(400);

  it("under its head lines, or in the middle of a long text, plain or as JSON", () => {
    expect(state("Total output lines: 900\n\nabc…12 tokens truncated…xyz")).toBe("truncated");
    expect(state("Exit code: 0\nWall time: 1 seconds\nTotal output lines: 90\nOutput:\na…3 chars truncated…b")).toBe(
      "truncated",
    );
    expect(state(`${long}…4132 tokens truncated…${long}`)).toBe("truncated");
    expect(state(JSON.stringify({ output: `${long}…4132 tokens truncated…${long}`, metadata: { exit_code: 0 } }))).toBe(
      "truncated",
    );
  });

  it("but not where a source file quotes the marker", () => {
    expect(state("const MARK = '…5 tokens truncated…';")).toBe("inline");
    expect(state(`…5 tokens truncated…${long}${long}`)).toBe("inline");
    expect(state(`${long} tokens truncated… ${long}`)).toBe("inline");
    expect(
      state(
        `<persisted-output>\nOutput too large (64KB). Full output saved to: /x\n\nPreview (first 2KB):\na\n</persisted-output>`,
      ),
    ).toBe("inline");
  });
});

describe("codex exec --json", () => {
  it("items begin and end; a failed command is an error; no call is claimed", async () => {
    const index = await read(CODEX_EXEC);
    expect(index.header).toMatchObject({ format: "codex-exec", sessionId: "th-1" });
    expect(index.results.map(brief)).toEqual([[1, undefined, "shell", "i1", "inline", "paired", chars]]);
    expect(index.results[0]?.isError).toBe(true);
    expect(index.calls).toEqual([]);
    expect(index.messages.map((message) => message.role)).toEqual(["assistant", "tool", "assistant"]);
  });

  it("a command that never ended is missing; MCP results and edits are read", async () => {
    const index = await read(
      jsonLines(
        { type: "thread.started", thread_id: "t" },
        { type: "item.started", item: { id: "1", type: "command_execution", command: "sleep" } },
        {
          type: "item.completed",
          item: {
            id: "2",
            type: "mcp_tool_call",
            tool: "find",
            arguments: { q: 1 },
            result: { content: [{ type: "text", text: "found" }] },
            status: "completed",
          },
        },
        {
          type: "item.completed",
          item: { id: "3", type: "file_change", changes: [{ path: "a" }], status: "completed" },
        },
      ),
    );
    expect(index.results.map((result) => [result.tool, result.state, result.size.codePoints])).toEqual([
      ["find", "inline", 5],
      ["shell", "missing", 0],
    ]);
  });
});
