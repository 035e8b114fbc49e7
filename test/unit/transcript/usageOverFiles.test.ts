import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { callIdentity } from "../../../extension/src/core/transcript/callIdentity";
import { UsageSum } from "../../../extension/src/core/transcript/usageOverFiles";
import { corpusPath, hasCorpus } from "../../corpus";
import { filesBelow } from "./corpusFiles";
import { answer, events, jsonLines, memorySource, prompt } from "./support";

const usage = (output: number) => ({
  input_tokens: 10,
  cache_read_input_tokens: 100,
  cache_creation_input_tokens: 5,
  output_tokens: output,
});
const id = (n: number) => `msg_01abcdefghijklmnop${n}`;

async function sum(...files: readonly (readonly [string, string | Uint8Array])[]) {
  const total = new UsageSum();
  for (const [file, content] of files) {
    total.add(await events(memorySource(content, file)));
    total.end(file);
  }
  return total.total();
}

describe("usage over several transcripts", () => {
  it("a resumed session's copies count once, where they stood first, and are told by file", async () => {
    const first = jsonLines(
      prompt("a"),
      answer(id(1), { type: "text", text: "b" }, usage(3)),
      answer(id(2), { type: "text", text: "c" }, usage(1)),
    );
    const resumed = jsonLines(
      prompt("a"),
      answer(id(1), { type: "text", text: "b" }, usage(3)),
      // The copy states what the first file never wrote: its final figure.
      answer(id(2), { type: "text", text: "c" }, usage(7)),
      answer(id(3), { type: "text", text: "d" }, usage(20)),
    );
    const found = await sum(["one", first], ["two", resumed], ["three", first]);
    expect(found).toMatchObject({
      calls: 3,
      copies: 4,
      usage: { calls: 3, input: 30, cacheRead: 300, cacheWrite: 15, output: 30 },
      files: [
        { file: "one", calls: 2, copies: [] },
        { file: "two", calls: 3, copies: [{ of: "one", count: 2 }] },
        { file: "three", calls: 2, copies: [{ of: "one", count: 2 }] },
      ],
    });
    expect(found.files[1]?.copies[0]?.places.map(({ line }) => line)).toEqual([2, 3]);
  });

  it("names that are only counters tell no request from another", async () => {
    const file = jsonLines(prompt("a"), answer("m1", { type: "text", text: "b" }, usage(3)));
    expect(await sum(["one", file], ["two", file])).toMatchObject({ calls: 2, copies: 0, usage: { output: 6 } });
    expect(callIdentity("msg_1", "req_1")).toBeUndefined();
  });

  it("a Codex fork's replayed history counts once, although no request has a name", async () => {
    const line = (type: string, payload: unknown) => ({ timestamp: "2026-01-01T00:00:00Z", type, payload });
    const meta = (name: string) => line("session_meta", { id: `${name}-019c8a53-a0dd-7130-bcd7`, cwd: "/" });
    const tokens = (total: number, input: number) =>
      line("event_msg", {
        type: "token_count",
        info: {
          total_token_usage: { input_tokens: total, cached_input_tokens: 0, output_tokens: 5, total_tokens: total + 5 },
          last_token_usage: { input_tokens: input, cached_input_tokens: 0, output_tokens: 5, total_tokens: input + 5 },
        },
      });
    const source = jsonLines(meta("a"), tokens(100, 100), tokens(300, 200));
    const fork = jsonLines(meta("b"), meta("a"), tokens(100, 100), tokens(300, 200), tokens(700, 400));
    const other = jsonLines(meta("c"), tokens(100, 100));
    const found = await sum(["source", source], ["fork", fork], ["other", other]);
    expect(found).toMatchObject({ calls: 4, copies: 2, usage: { input: 800 } });
    expect(found.files[1]?.copies).toMatchObject([{ of: "source", count: 2 }]);
    expect(found.files[2]?.copies).toEqual([]);
  });

  it("a fork of opencode gives copies new ids and keeps their times; two steps of a message are two requests", async () => {
    const step = (output: number) => ({
      type: "step-finish",
      tokens: { input: 10, output, cache: { read: 0, write: 0 } },
    });
    const message = (id: string, created: number, outputs: readonly number[], completed?: number) => ({
      info: { id, role: "assistant", modelID: "m-1", time: { created: 1_773_867_526_000 + created, completed } },
      parts: outputs.flatMap((output) => [{ type: "step-start" }, step(output)]),
    });
    const session = (id: string, ...messages: unknown[]) => JSON.stringify({ info: { id, title: "T" }, messages });
    const done = 1_773_867_600_000;
    // What was broken off has no time of its end: only its id tells it.
    const broken = message("msg_c1a2b3c4d5e6f7a8b9c0d1e2f3", 9, [3]);
    const source = session("ses_1", message("msg_1", 0, [1, 2], done), message("msg_2", 5, [4], done), broken);
    const fork = session("ses_2", message("msg_8", 0, [1, 2], done), message("msg_9", 7, [8], done));
    const found = await sum(["source", source], ["fork", fork], ["export of the source", source]);
    expect(found).toMatchObject({ calls: 5, copies: 6, usage: { calls: 5, output: 1 + 2 + 4 + 3 + 8 } });
    expect(found.files.map(({ copies }) => copies.map(({ of, count }) => [of, count]))).toEqual([
      [],
      [["source", 2]],
      [["source", 4]],
    ]);
  });

  it("no usage stated anywhere is unknown, not 0", async () => {
    const file = jsonLines(prompt("a"), answer(id(1), { type: "text", text: "b" }));
    expect((await sum(["one", file])).usage).toBeUndefined();
  });

  it.skipIf(!hasCorpus)(
    "the corpus: every message id counts once over all sessions, as a plain count finds",
    async () => {
      const files = filesBelow("claude-code", ".jsonl");
      const found = await sum(
        ...files.map((file) => [file, readFileSync(corpusPath(file))] as const),
        ...files.map((file) => [`copy of ${file}`, readFileSync(corpusPath(file))] as const),
      );
      const wanted = new Map<string, number>();
      let unnamed = 0;
      for (const file of files) {
        const own = new Set<string>();
        for (const text of readFileSync(corpusPath(file), "utf8").split(/\n|(?<=\})(?=\{"(?:type|parentUuid)":)/)) {
          let value: {
            type?: string;
            requestId?: string;
            message?: { id?: string; model?: string; usage?: { output_tokens?: number } };
          };
          try {
            value = JSON.parse(text.replace(/^\uFEFF/, ""));
          } catch {
            continue;
          }
          const { message } = value;
          if (value.type !== "assistant" || message?.model === "<synthetic>" || message === undefined) continue;
          const key = `${message.id}\n${value.requestId ?? ""}`;
          if (key.length <= 16 || message.id === undefined) {
            if (!own.has(key) || message.id === undefined) unnamed++;
            own.add(key);
            continue;
          }
          wanted.set(key, Math.max(wanted.get(key) ?? 0, message.usage?.output_tokens ?? 0));
        }
      }
      expect(found.calls).toBe(wanted.size + 2 * unnamed);
      expect(found.copies).toBeGreaterThan(wanted.size - 1);
      expect(wanted.size).toBeGreaterThan(500);
    },
  );
});
