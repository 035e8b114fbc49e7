import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type FileSource, NEVER_CANCELLED } from "../../../extension/src/core/ports";
import { LeftContext } from "../../../extension/src/core/transcript/leftContext";
import { readTranscript } from "../../../extension/src/core/transcript/read";
import { Summary } from "../../../extension/src/core/transcript/summary";
import { nodeUtf8 } from "../../../extension/src/node/utf8";
import { nodeWasm } from "../../../extension/src/node/wasm";
import { corpusPath, hasCorpus } from "../../corpus";
import { blockingSource, jsonLines, memorySource, read } from "./support";

const idOf = (n: number) => `00000000-0000-4000-8000-${n.toString(16).padStart(12, "0")}`;
const timeOf = (n: number) => new Date(Date.UTC(2026, 0, 2) + n * 1000).toISOString();

type Fields = Record<string, unknown>;
const record = (n: number, parent: number | null, type: string, rest: Fields): Fields => ({
  parentUuid: parent === null ? null : idOf(parent),
  isSidechain: false,
  sessionId: "s-1",
  type,
  ...rest,
  uuid: idOf(n),
  timestamp: timeOf(n),
});
const user = (n: number, parent: number | null, text: string, rest: Fields = {}) =>
  record(n, parent, "user", { message: { role: "user", content: text }, ...rest });
const said = (n: number, parent: number, block: unknown) =>
  record(n, parent, "assistant", {
    requestId: `req_${n}`,
    message: { id: `msg_${n}`, role: "assistant", model: "m", content: [block] },
  });
const text = (value: string) => ({ type: "text", text: value });
const call = (id: string) => ({ type: "tool_use", id, name: "Bash", input: {} });
const result = (n: number, parent: number, id: string, content: string) =>
  record(n, parent, "user", {
    message: { role: "user", content: [{ type: "tool_result", tool_use_id: id, content }] },
  });
const boundary = (n: number, compactMetadata: Fields) =>
  record(n, null, "system", { subtype: "compact_boundary", compactMetadata });

/** Totals as rows tell them; with parsed records they must be the same. */
async function totals(lines: string) {
  const of = async (source: FileSource) => {
    const summary = new Summary();
    const left = new LeftContext();
    for await (const batch of readTranscript(source, { utf8: nodeUtf8, wasm: nodeWasm }, {}, NEVER_CANCELLED)) {
      summary.add(batch);
      left.add(batch);
    }
    const results = summary.totals().results;
    return {
      ...summary.totals(),
      left: Array.from({ length: results }, (_, index) => left.leftBy(index)?.what ?? null),
    };
  };
  const rows = await of(blockingSource(lines));
  expect(rows).toEqual(await of(memorySource(lines)));
  return rows;
}

describe("the live path of a Claude Code session", () => {
  it("an edited prompt takes back what stood behind its parent; the messages are listed and marked", async () => {
    const lines = jsonLines(
      user(1, null, "hello"),
      said(2, 1, text("hi")),
      user(3, 2, "first attempt"),
      said(4, 3, call("t1")),
      result(5, 4, "t1", "x".repeat(100)),
      said(6, 5, text("done")),
      user(7, 2, "second attempt"),
      said(8, 7, text("better")),
    );
    const index = await read(lines);
    expect(index.messages).toHaveLength(8);
    expect(index.compactions).toMatchObject([{ what: "rewind", scope: "listed", place: { line: 7 }, atMessage: 6 }]);
    expect(index.compactions[0]?.gone.messages.map((message) => message.index)).toEqual([2, 3, 4, 5]);
    expect(await totals(lines)).toMatchObject({
      messages: 8,
      results: 1,
      composition: { user: "hellosecond attempt".length, assistant: "hibetter".length, inlineResults: 0 },
      resultsLeft: 1,
      charsLeft: 100,
      left: ["rewind"],
    });
  });

  it("results of parallel calls branch off from their calls and stay", async () => {
    const lines = jsonLines(
      user(1, null, "go"),
      said(2, 1, call("t1")),
      said(3, 2, call("t2")),
      result(4, 3, "t2", "two"),
      result(5, 2, "t1", "one"),
      user(6, 4, "[Request interrupted by user]"),
    );
    expect((await read(lines)).compactions).toEqual([]);
    expect(await totals(lines)).toMatchObject({ composition: { inlineResults: 6 }, left: [null, null] });
  });

  it("a branch that was left and goes on is said; nothing leaves twice", async () => {
    const index = await read(
      jsonLines(
        user(1, null, "a"),
        said(2, 1, text("b")),
        user(3, 2, "c"),
        said(4, 3, text("d")),
        user(5, 2, "e"),
        said(6, 5, text("f")),
        user(7, 4, "g"),
      ),
    );
    expect(index.compactions.map((one) => one.gone.messages.length)).toEqual([2]);
    expect(index.problems.map((problem) => problem.code)).toEqual(["branch-resumed"]);
  });

  it("messages that a compaction names as preserved stay, also as a stretch", async () => {
    const session = [
      user(1, null, "old"),
      said(2, 1, text("older")),
      user(3, 2, "keep"),
      said(4, 3, call("t1")),
      result(5, 4, "t1", "kept"),
    ];
    const summary = user(7, 6, "S", { isCompactSummary: true });
    const named = jsonLines(
      ...session,
      boundary(6, { trigger: "auto", preTokens: 9, preservedMessages: { uuids: [3, 4, 5].map(idOf) } }),
      summary,
    );
    const stretch = jsonLines(
      ...session,
      boundary(6, { trigger: "auto", preTokens: 9, preservedSegment: { headUuid: idOf(3), tailUuid: idOf(5) } }),
      summary,
    );
    const wanted = { composition: { user: "keepS".length, assistant: 2, inlineResults: 4 }, left: [null] };
    expect(await totals(named)).toMatchObject(wanted);
    expect(await totals(stretch)).toMatchObject(wanted);
    const all = jsonLines(...session, boundary(6, { trigger: "auto", preTokens: 9 }), summary);
    expect(await totals(all)).toMatchObject({
      composition: { user: 1, assistant: 0, inlineResults: 0 },
      left: ["summary"],
    });
  });

  it("any edits and rewinds: in context is what lies between the newest record and the first", async () => {
    /** What a prompt follows on: 0 = the newest record, n = the n-th newest prompt's parent. */
    const step = fc.record({ back: fc.constantFrom(0, 0, 0, 1, 2, 5), calls: fc.nat(3), compact: fc.nat(12) });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), async (steps) => {
        const records: Fields[] = [];
        const parents = new Map<number, number | null>();
        const sizes = new Map<number, number>();
        let n = 0;
        let leaf: number | null = null;
        const push = (one: Fields, parent: number | null, chars: number): void => {
          records.push(one);
          parents.set(n, parent);
          sizes.set(n, chars);
          leaf = n;
        };
        const path = (): number[] => {
          const found: number[] = [];
          for (let at = leaf; at !== null; at = parents.get(at) ?? null) found.push(at);
          return found;
        };
        for (const { back, calls, compact } of steps) {
          if (compact === 0) {
            n++;
            push(boundary(n, { trigger: "manual", preTokens: 1 }), null, 0);
          }
          const prompts = path().filter((at) => records[at - 1]?.["prompt"] === true && parents.get(at) !== null);
          const edited = prompts[Math.min(back, prompts.length) - 1];
          const from: number | null = edited === undefined ? leaf : (parents.get(edited) ?? null);
          n++;
          push(user(n, from, "p".repeat(n), { prompt: true }), from, n);
          for (let i = 0; i < calls; i++) {
            const asked = n;
            n++;
            push(said(n, asked, call(`t${n}`)), asked, 2);
            const called = n;
            n++;
            push(result(n, called, `t${called}`, "r".repeat(n)), called, n);
          }
        }
        const wanted = path().reduce((sum, at) => sum + (sizes.get(at) ?? 0), 0);
        expect((await totals(jsonLines(...records))).chars).toBe(wanted);
      }),
      { seed: 20260130, numRuns: 150 },
    );
  });

  it.skipIf(!hasCorpus)("the corpus: one session branches, none of the others", async () => {
    const index = await read(readFileSync(corpusPath("claude-code/compact-preserved-segment.jsonl")));
    expect(index.compactions.map((one) => [one.what, one.place.line, one.gone.messages.length])).toEqual([
      ["rewind", 5, 2],
      ["summary", 8, 3],
    ]);
  });
});
