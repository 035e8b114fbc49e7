import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { corpusPath, hasCorpus } from "../../corpus";
import {
  LANGCHAIN,
  LANGCHAIN_FLAT,
  LANGCHAIN_STREAM,
  LONG,
  MAUSBOT_NATIVE,
  MINI,
  MINI_NEW,
  OPENCODE,
  OPENHANDS,
  OPENHANDS_OLD,
  OPENHUMAN,
  RESPONSES,
  RESPONSES_ITEMS,
  SWE_OLD,
  SWE_STEPS,
  TINYAGENTS,
  TINYAGENTS_RUN,
} from "./samples";
import { bodyText, brief, briefCall, briefMessage, codes, jsonLines, read } from "./support";

const chars = [...LONG].length;

describe("OpenAI Responses", () => {
  it("a response is one call; input without what was cached; a hosted result lies in its call", async () => {
    const index = await read(RESPONSES);
    expect(index.calls.map(briefCall)).toEqual([
      [1, undefined, "gpt-5", { input: 500, cacheRead: 200, cacheWrite: undefined, output: 40 }],
    ]);
    expect(index.calls[0]?.at).toBe("2025-12-16T05:20:32.000Z");
    expect(index.results.map(brief)).toEqual([
      [undefined, 1, "search", "mcp_1", "inline", "paired", chars],
      [undefined, 1, "read", "call_1", "missing", "paired", 0],
    ]);
  });

  it("items, listed or as lines: calls are runs of the model's items, pictures are no text", async () => {
    for (const content of [JSON.stringify(RESPONSES_ITEMS), jsonLines(...RESPONSES_ITEMS)]) {
      const index = await read(content);
      expect(index.calls.map(briefCall)).toEqual([
        [1, 1, undefined, undefined],
        [2, 1, undefined, undefined],
      ]);
      expect(index.results.map((result) => [...brief(result), result.images])).toEqual([
        [1, 1, "read", "call_1", "inline", "paired", chars, 0],
        [1, 2, "image_generation", "ig_1", "inline", "paired", 0, 1],
      ]);
      expect(await bodyText(content, index.results[1]?.body)).toBe("");
    }
  });

  it("responses as lines, with their requests; a compaction item empties the context", async () => {
    const line = (id: string, output: unknown[]) => ({
      id,
      object: "response",
      model: "m",
      output,
      usage: { input_tokens: 10, output_tokens: 1 },
    });
    const index = await read(
      jsonLines(
        {
          model: "m",
          instructions: "Be brief.",
          input: "hi",
          response: line("r1", [{ type: "message", role: "assistant", content: [{ type: "output_text", text: "a" }] }]),
        },
        line("r2", [
          { type: "compaction", encrypted_content: "x" },
          { type: "message", role: "assistant", content: [{ type: "output_text", text: "b" }] },
        ]),
        line("r3", []),
      ),
    );
    expect(index.calls.map((call) => [call.number, call.usage?.input])).toEqual([
      [1, 10],
      [2, 10],
      [3, 10],
    ]);
    expect(index.compactions).toMatchObject([{ what: "summary", scope: "all", atMessage: 2 }]);
    expect(index.messages.map(briefMessage)).toEqual([
      [-1, "system", undefined, 9],
      [0, "user", 1, 2],
      [1, "assistant", 1, 1],
      [2, "assistant", 1, 1],
    ]);
  });
});

describe("tinyagents and openhuman", () => {
  it("messages named by their only key; a result takes its tool from the call; a total of all parts tells what input is", async () => {
    const index = await read(TINYAGENTS);
    expect(index.header).toMatchObject({ format: "tinyagents-messages", agent: "openhuman" });
    expect(index.results.map(brief)).toEqual([[1, 1, "read", "t1", "inline", "paired", chars + '{"a":1}'.length]]);
    expect(index.messages.map((message) => [message.role, message.size.codePoints, message.images])).toEqual([
      ["system", 8, 0],
      ["user", chars, 1],
      ["assistant", 8, 0],
      ["tool", chars + 7, 0],
    ]);
    expect(index.calls[0]?.usage).toEqual({ input: 100, cacheRead: 300, cacheWrite: 0, output: 9 });
  });

  it("run logs: calls by id, inputs told once, results only where they were captured, runs as threads", async () => {
    const index = await read(TINYAGENTS_RUN);
    expect(index.calls.map(briefCall)).toEqual([
      [1, 1, "m-1", { input: 100, cacheRead: undefined, cacheWrite: undefined, output: 9 }],
    ]);
    expect(index.results.map(brief)).toEqual([
      [1, 1, "read", "t1", "inline", "paired", chars],
      [1, 1, "slow", "t3", "missing", "paired", 0],
    ]);
    expect(codes(index)).toEqual(["result-not-stored"]);
    expect(index.compactions).toMatchObject([
      { what: "summary", tokensBefore: 9000, tokensAfter: 2000, scope: "unstated" },
    ]);
    expect(index.threads.map((thread) => [thread.id, thread.kind])).toEqual([
      ["run-1", "main"],
      ["run-2", "subagent"],
    ]);
  });

  it("openhuman: usage of the turn stands on its last answer", async () => {
    const index = await read(OPENHUMAN);
    expect(index.header).toMatchObject({ format: "openhuman", sessionId: "th-1", model: "m-1" });
    expect(index.threads[0]?.title).toBe("helper");
    expect(index.calls.map(briefCall)).toEqual([
      [1, 1, "m-1", { input: 100, cacheRead: 400, cacheWrite: undefined, output: 20 }],
    ]);
    expect(index.calls[0]?.at).toBe("2026-01-01T00:00:01Z");
  });
});

describe("LangChain", () => {
  it("dumps and flat forms give the same", async () => {
    for (const content of [LANGCHAIN, LANGCHAIN_FLAT]) {
      const index = await read(content);
      expect(index.header).toMatchObject({ format: "langchain", model: "gpt-5" });
      expect(index.calls.map(briefCall)).toEqual([
        [1, 1, "gpt-5", { input: 40, cacheRead: 60, cacheWrite: undefined, output: 20 }],
      ]);
      expect(index.results.map(brief)).toEqual([[1, 1, "look", "call_l", "inline", "paired", chars]]);
      expect(await bodyText(content, index.results[0]?.body)).toBe(LONG);
    }
  });

  it("a stream says everything many times, and is counted once", async () => {
    const index = await read(LANGCHAIN_STREAM);
    expect(index.messages.map((message) => [...briefMessage(message), message.args.utf16])).toEqual([
      [0, "user", 1, 2, 0],
      [1, "assistant", 1, 12, '{"q":1}'.length],
      [2, "tool", 1, chars, 0],
    ]);
    expect(index.calls).toHaveLength(1);
    expect(index.results.map(brief)).toEqual([[1, 1, "look", "call_l", "inline", "paired", chars]]);
  });

  it("a stream that ends in its chunks still shows the call as unanswered", async () => {
    const parts = JSON.parse(LANGCHAIN_STREAM).slice(0, 4);
    const index = await read(JSON.stringify(parts));
    expect(index.messages.map(briefMessage)).toEqual([
      [0, "user", 1, 2],
      [1, "assistant", 1, 12],
    ]);
    expect(index.results.map(brief)).toEqual([[1, 1, "look", "call_l", "missing", "paired", 0]]);
  });

  it("a cleared result is cleared", async () => {
    const index = await read(
      LANGCHAIN_FLAT.replace(JSON.stringify(LONG), '"x"').replace(JSON.stringify(LONG), '"[cleared]"'),
    );
    expect(index.results[0]?.state).toBe("cleared");
  });
});

describe("SWE-agent and mini-SWE-agent", () => {
  it("the history is read, demonstrations ask for nothing, old outputs are cleared", async () => {
    const index = await read(SWE_OLD);
    expect(index.messages.map(briefMessage)).toEqual([
      [0, "system", undefined, 8],
      [1, "user", undefined, 4],
      [2, "user", 1, 6],
      [3, "assistant", 1, 26],
      [4, "tool", 1, 42],
      [5, "assistant", 1, 6],
    ]);
    expect(index.results.map(brief)).toEqual([
      [1, 1, "ls", undefined, "cleared", "paired", 42],
      [1, 2, "submit", undefined, "missing", "paired", 0],
    ]);
  });

  it("what the last command gave stands in the last step only", async () => {
    const run = JSON.parse(SWE_OLD);
    run.trajectory.push({ action: "submit\n", observation: "diff --git", response: "Submit", thought: "Submit" });
    const content = JSON.stringify(run);
    const index = await read(content);
    expect(index.results.map(brief).at(-1)).toEqual([1, 2, "submit", undefined, "inline", "paired", 10]);
    expect(await bodyText(content, index.results.at(-1)?.body)).toBe("diff --git");
  });

  it("steps without a history are read themselves", async () => {
    const index = await read(SWE_STEPS);
    expect(index.results.map(brief)).toEqual([[undefined, 1, "ls", undefined, "inline", "paired", chars]]);
    expect(await bodyText(SWE_STEPS, index.results[0]?.body)).toBe(LONG);
    expect(index.messages.map((message) => message.role)).toEqual(["assistant", "tool"]);
  });

  it("function calls pair by their ids, several outputs by theirs", async () => {
    const call = (id: string) => ({ id, type: "function", function: { name: "bash", arguments: "{}" } });
    const index = await read(
      JSON.stringify({
        history: [
          {
            role: "assistant",
            content: "x",
            action: "a",
            tool_calls: [call("c1"), call("c2")],
            message_type: "action",
          },
          { role: "tool", content: "two", tool_call_ids: ["c2"], message_type: "observation" },
          {
            role: "tool",
            content: [{ type: "text", text: "one" }],
            tool_call_ids: ["c1"],
            message_type: "observation",
          },
        ],
      }),
    );
    expect(index.results.map(brief)).toEqual([
      [undefined, 1, "bash", "c2", "inline", "paired", 3],
      [undefined, 1, "bash", "c1", "inline", "paired", 3],
    ]);
  });

  it("mini: a fenced command asks, the next user message answers; talk asks for nothing", async () => {
    const index = await read(MINI);
    expect(index.header?.format).toBe("mini-swe-agent");
    expect(index.results).toMatchObject([
      { state: "truncated", tool: "bash", call: 1, callId: undefined, persisted: { variant: "mini-swe-elided" } },
    ]);
    expect(index.messages.map((message) => message.role)).toEqual([
      "system",
      "user",
      "assistant",
      "tool",
      "assistant",
      "user",
    ]);
    expect(index.calls).toHaveLength(2);
  });

  it("mini, later: tool messages and the response's usage", async () => {
    const index = await read(MINI_NEW);
    expect(index.header).toMatchObject({ format: "mini-swe-agent", model: "m-1" });
    expect(index.calls.map(briefCall)).toEqual([
      [1, 1, "m-1", { input: 40, cacheRead: 50, cacheWrite: undefined, output: 8 }],
    ]);
    expect(index.results.map(brief)).toEqual([[1, 1, "bash", "c1", "inline", "paired", chars]]);
  });
});

describe("OpenHands", () => {
  it("V0: a response that is repeated on each event counts once; a condensation says what it forgot", async () => {
    const index = await read(OPENHANDS_OLD);
    expect(index.calls.map(briefCall)).toEqual([
      [1, 1, "m-1", { input: 10, cacheRead: 60, cacheWrite: 30, output: 9 }],
      [2, 1, "m-1", undefined],
    ]);
    expect(index.results.map(brief)).toEqual([[1, 1, "execute_bash", "tc-1", "inline", "paired", chars]]);
    expect(index.messages.map(briefMessage)).toEqual([
      [0, "user", 1, chars],
      [1, "assistant", 1, 5],
      [2, "tool", 1, chars],
      [-1, "user", 1, 7],
      [3, "assistant", 1, 5],
    ]);
    expect(index.messages[0]?.images).toBe(1);
    expect(index.compactions).toMatchObject([
      { what: "summary", scope: "listed", atMessage: 3, gone: { results: [0] } },
    ]);
  });

  it("V1: a part of several pictures is as many, and none of them is text", async () => {
    const picture = `data:image/png;base64,${"A".repeat(5_000)}`;
    const index = await read(
      jsonLines({
        id: "e-1",
        kind: "MessageEvent",
        source: "user",
        llm_message: {
          role: "user",
          content: [
            { type: "text", text: "Look at both." },
            { type: "image", image_urls: [picture, picture] },
          ],
        },
      }),
    );
    expect(index.messages).toMatchObject([{ images: 2, size: { codePoints: 13 } }]);
  });

  it("V0 without tool metadata pairs by cause, and an error is one", async () => {
    const index = await read(
      jsonLines(
        { id: 1, source: "agent", action: "run", args: { command: "ls" } },
        { id: 2, source: "environment", observation: "error", content: "boom", cause: 1 },
        { id: 3, source: "environment", observation: "run", content: "late", cause: 99 },
        { id: 4, source: "agent", action: "read", args: { path: "x" } },
      ),
    );
    expect(index.results.map((result) => [...brief(result), result.isError])).toEqual([
      [undefined, 1, "run", undefined, "inline", "paired", 4, true],
      [undefined, undefined, "run", undefined, "inline", "orphan", 4, false],
      [undefined, 2, "read", undefined, "missing", "paired", 0, false],
    ]);
  });

  it("V1: parallel actions are one call; usage comes by response id; errors answer too", async () => {
    const index = await read(OPENHANDS);
    expect(index.calls.map(briefCall)).toEqual([
      [1, 1, undefined, { input: 40, cacheRead: 50, cacheWrite: 0, output: 8 }],
    ]);
    expect(index.results.map((result) => [...brief(result), result.isError])).toEqual([
      [1, 1, "terminal", "c1", "inline", "paired", chars, false],
      [1, 1, "terminal", "c2", "inline", "paired", 4, true],
    ]);
    expect(index.compactions).toMatchObject([{ what: "summary", scope: "listed", gone: { results: [0] } }]);
  });
});

describe("the ledger of usage", () => {
  it.each([
    ["OpenHands V0 repeats a response on each of its events", OPENHANDS_OLD, 1, [["same-message", 1]]],
    [
      "LangGraph states repeat their messages",
      LANGCHAIN_STREAM.replace(/\]$/, `,${LANGCHAIN_STREAM.slice(1)}`),
      1,
      [["same-message", 1]],
    ],
    ["opencode's messages repeat their last step", OPENCODE, 2, [["same-message", 1]]],
  ] as const)("%s", async (_, content, counted, notCounted) => {
    const { ledger } = await read(content);
    expect(ledger?.counted.count).toBe(counted);
    expect(ledger?.notCounted.map(({ reason, count }) => [reason, count])).toEqual(notCounted);
  });

  it.skipIf(!hasCorpus)("Codex in the corpus: 286 of 572 token events stand for a call", async () => {
    const { ledger } = await read(readFileSync(corpusPath("codex/rollout-2026-02-23T12-54-34-compacted.jsonl")));
    expect([ledger?.counted.count, ledger?.notCounted[0]?.reason, ledger?.notCounted[0]?.count]).toEqual([
      286,
      "repeated-total",
      286,
    ]);
  });
});

describe("OpenMausBot native log", () => {
  it("is read as the protocol that it wraps, with places inside the line", async () => {
    const index = await read(MAUSBOT_NATIVE);
    expect(index.header).toMatchObject({ format: "openmausbot-native", agent: "openmausbot" });
    expect(index.results.map(brief)).toEqual([[1, 1, "Bash", "t1", "inline", "paired", chars]]);
    expect(index.results[0]?.place.line).toBe(3);
    expect(await bodyText(MAUSBOT_NATIVE, index.results[0]?.body)).toBe(LONG);
  });

  it("says when it does not know the protocol", async () => {
    const index = await read(
      jsonLines({ at: 1, dir: "in", source: "x", msg: { jsonrpc: "2.0" } }, { at: 2, dir: "out", source: "x", msg: 1 }),
    );
    expect(codes(index)).toEqual(["unknown-protocol"]);
    expect(index.problems[0]?.message).toContain("2 messages");
  });
});
