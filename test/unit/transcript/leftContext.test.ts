import { describe, expect, it } from "vitest";
import { NEVER_CANCELLED } from "../../../extension/src/core/ports";
import type { TranscriptEvent } from "../../../extension/src/core/transcript/events";
import { LeftContext } from "../../../extension/src/core/transcript/leftContext";
import { Summary } from "../../../extension/src/core/transcript/summary";
import { indexFile } from "../../../extension/src/node/indexFile";
import { corpusPath, hasCorpus } from "../../corpus";
import { filesBelow } from "./corpusFiles";
import { answer, claude, events, jsonLines, memorySource, prompt, toolResult, use } from "./support";

const usage = { input_tokens: 10, output_tokens: 3 };
const boundary = (trigger: string) =>
  claude("system", { subtype: "compact_boundary", compactMetadata: { trigger, preTokens: 1 } });
const micro = (...ids: string[]) =>
  claude("system", { subtype: "microcompact_boundary", microcompactMetadata: { compactedToolIds: ids } });

describe("what took a result out of context", () => {
  it("is the first compaction that reaches it: a micro one only what it names, a summary the rest", async () => {
    const lines = jsonLines(
      prompt("go"),
      answer("m1", use("t1"), usage),
      toolResult("t1", "one"),
      answer("m2", use("t2"), usage),
      toolResult("t2", "two"),
      micro("t1"),
      boundary("auto"),
      answer("m3", use("t3"), usage),
      toolResult("t3", "three"),
      boundary("manual"),
      answer("m4", use("t4"), usage),
      toolResult("t4", "four"),
    );
    const left = new LeftContext();
    const heard: number[] = [];
    for (const event of await events(memorySource(lines))) left.add([event], (index) => heard.push(index));
    expect([0, 1, 2, 3, 4].map((index) => left.leftBy(index))).toMatchObject([
      { number: 1, what: "micro", place: { line: 6 } },
      { number: 2, what: "summary", trigger: "auto", place: { line: 7 } },
      { number: 3, what: "summary", trigger: "manual", place: { line: 10 } },
      undefined,
      undefined,
    ]);
    expect(heard).toEqual([0, 1, 2]);
  });
});

describe.skipIf(!hasCorpus)("the corpus", () => {
  it("as many results left the main threads as the totals say, one file after another", async () => {
    const files = ["claude-code", "codex", "opencode", "gemini-cli", "hermes", "copilot-cli", "openhands"].flatMap(
      (folder) => [".jsonl", ".json", ".db"].flatMap((ending) => filesBelow(folder, ending)),
    );
    let sum = 0;
    for (const file of files) {
      const summary = new Summary();
      const left = new LeftContext();
      const all: TranscriptEvent[] = [];
      for await (const batch of indexFile(corpusPath(file), undefined, NEVER_CANCELLED)) {
        summary.add(batch);
        left.add(batch);
        all.push(...batch);
      }
      const threads = summary.threads();
      const mains = threads.filter(({ kind }) => kind === "main");
      const shown = new Set((mains.length > 0 ? mains : threads.slice(0, 1)).map(({ id }) => id));
      const gone = new Set<number>();
      for (const event of all) {
        if (event.kind !== "result" || !shown.has(event.result.threadId)) continue;
        if (left.leftBy(event.result.index) !== undefined) gone.add(event.result.index);
      }
      expect(gone.size, file).toBe(summary.totals().resultsLeft);
      sum += gone.size;
    }
    expect(sum).toBeGreaterThan(500);
  });
});
