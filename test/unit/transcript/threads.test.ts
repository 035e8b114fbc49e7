import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { corpusPath, hasCorpus } from "../../corpus";
import { filesBelow } from "./corpusFiles";
import { jsonLines, read } from "./support";

const usageOf = async (content: string) => (await read(content)).threads.map((thread) => thread.usage);
const nothing = { model: undefined, task: undefined, calls: undefined };

describe("what a transcript says that a whole session used", () => {
  it("Codex exec: the sum of its turns", async () => {
    const turn = (input: number, cached: number) => ({
      type: "turn.completed",
      usage: { input_tokens: input, cached_input_tokens: cached, output_tokens: 5 },
    });
    const lines = jsonLines({ type: "thread.started", thread_id: "t" }, turn(100, 60), turn(300, 200));
    expect(await usageOf(lines)).toEqual([
      [{ ...nothing, input: 140, cacheRead: 260, cacheWrite: undefined, output: 10 }],
    ]);
  });

  it("openhuman: its meta line", async () => {
    const lines = jsonLines(
      { _meta: { agent: "a", thread_id: "t", input_tokens: 900, output_tokens: 50, cached_input_tokens: 400 } },
      { role: "user", content: "x" },
    );
    expect(await usageOf(lines)).toEqual([
      [{ ...nothing, input: 500, cacheRead: 400, cacheWrite: undefined, output: 50 }],
    ]);
  });

  it("SWE-agent: the run's statistics; zeros say nothing", async () => {
    const run = (sent: number) =>
      JSON.stringify({
        history: [{ role: "user", content: "x", agent: "main" }],
        info: { model_stats: { tokens_sent: sent, tokens_received: 0, api_calls: 3 } },
        trajectory: [],
      });
    expect(await usageOf(run(1000))).toMatchObject([[{ calls: 3, input: 1000, cacheRead: undefined, output: 0 }]]);
    expect(await usageOf(run(0))).toEqual([undefined]);
  });

  it("a Hermes export: the session's columns, its source, folder and parent", async () => {
    const session = {
      id: "20260908_090003_1c40de",
      source: "telegram",
      model: "m-1",
      cwd: "/w",
      parent_session_id: "20260908_080003_1c40dd",
      started_at: 1_773_867_525,
      api_call_count: 4,
      input_tokens: 10,
      output_tokens: 20,
      cache_read_tokens: 30,
      cache_write_tokens: 0,
      messages: [{ role: "user", content: "x" }],
    };
    const index = await read(jsonLines(session));
    expect(index.threads).toMatchObject([
      {
        source: "telegram",
        project: "/w",
        parent: { id: "20260908_080003_1c40dd", relation: "child" },
        usage: [{ model: "m-1", calls: 4, input: 10, cacheRead: 30, cacheWrite: 0, output: 20 }],
      },
    ]);
  });

  it.skipIf(!hasCorpus)("Copilot: the figures of the end, by model", async () => {
    let told = 0;
    for (const file of filesBelow("copilot-cli", ".jsonl")) {
      const content = readFileSync(corpusPath(file), "utf8");
      const shutdown = /"modelMetrics":\{"([^"]+)":\{"requests":\{"count":(\d+).*?"usage":(\{.*?\})\}/.exec(content);
      const [main] = await usageOf(content);
      if (shutdown === null) expect(main).toBeUndefined();
      else {
        const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens } = JSON.parse(shutdown[3] ?? "{}");
        expect(main?.[0]).toEqual({
          model: shutdown[1],
          task: undefined,
          calls: Number(shutdown[2]),
          input: inputTokens - cacheReadTokens - cacheWriteTokens,
          cacheRead: cacheReadTokens,
          cacheWrite: cacheWriteTokens,
          output: outputTokens,
        });
        told++;
      }
    }
    expect(told).toBeGreaterThan(0);
  });
});

describe("where a thread comes from", () => {
  it("opencode: the session's parent and folder", async () => {
    const info = { id: "ses_2", parentID: "ses_1", directory: "/w", title: "Child", time: { created: 1 } };
    const message = { info: { id: "msg_1", role: "user", time: { created: 1 } }, parts: [{ type: "text", text: "x" }] };
    const index = await read(JSON.stringify({ info, messages: [message] }));
    expect(index.threads).toMatchObject([
      { id: "ses_2", kind: "subagent", project: "/w", parent: { id: "ses_1", relation: "child" } },
    ]);
  });

  it("Claude Code: a sub-agent's session", async () => {
    const line = { type: "user", isSidechain: true, agentId: "a1", sessionId: "s-1", uuid: "u1", cwd: "/w" };
    const index = await read(jsonLines({ ...line, message: { role: "user", content: "x" } }));
    expect(index.threads).toMatchObject([
      { id: "a1", kind: "subagent", project: "/w", parent: { id: "s-1", relation: "delegate" } },
    ]);
  });

  it("Copilot: the session's folder, and the session that a sub-agent runs for", async () => {
    const event = (type: string, data: object) => ({ type, data, id: "e", timestamp: "2026-04-23T17:08:08.893Z" });
    const index = await read(
      jsonLines(
        event("session.start", { sessionId: "s-1", context: { cwd: "/w" } }),
        event("user.message", { content: "x" }),
        event("assistant.message", { messageId: "m", content: "y", parentToolCallId: "c1" }),
      ),
    );
    expect(index.threads).toMatchObject([
      { id: "s-1", project: "/w" },
      { id: "c1", kind: "subagent", parent: { id: "s-1", relation: "delegate" } },
    ]);
  });
});
