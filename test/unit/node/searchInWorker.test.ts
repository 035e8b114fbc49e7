import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { SearchQuery, SearchStep } from "../../../extension/src/core/model/search";
import { type Cancel, NEVER_CANCELLED } from "../../../extension/src/core/ports";
import { packedTargets } from "../../../extension/src/core/transcript/table/searchTargets";
import { TranscriptTable } from "../../../extension/src/core/transcript/table/transcriptTable";
import { searchInWorker } from "../../../extension/src/node/searchInWorker";
import { buildWorker } from "../../builtWorker";
import { answer, events, jsonLines, memorySource, prompt, toolResult, use } from "../transcript/support";

describe("searching in a thread of its own", () => {
  let folder = "";
  let file = "";
  let workerFile = "";
  /** Runs away with `(a+)+$`. */
  const evil = `${"a".repeat(40)}b`;
  const texts = Array.from({ length: 300 }, (_, n) => (n % 100 === 7 ? evil : `result ${n} größe 🚚`));
  const content = texts
    .map((text, n) => jsonLines(prompt(`go ${n}`), answer(`m${n}`, use(`t${n}`)), toolResult(`t${n}`, text)))
    .join("");

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "search-"));
    file = join(folder, "session.jsonl");
    workerFile = join(folder, "worker.js");
    writeFileSync(file, content);
    buildWorker(workerFile);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  async function search(query: SearchQuery, path = file, cancel: Cancel = NEVER_CANCELLED, onStep?: () => void) {
    const table = new TranscriptTable();
    table.add(await events(memorySource(content)));
    const targets = packedTargets(table);
    const steps: SearchStep[] = [];
    const heard = (step: SearchStep): void => {
      steps.push(step);
      onStep?.();
    };
    await searchInWorker(path, targets, query, heard, cancel, { workerFile });
    return { steps, last: steps.at(-1), rows: steps.flatMap((step) => step.hits.map(({ index }) => index)) };
  }
  const plain = (text: string): SearchQuery => ({ text, regex: false, matchCase: false });

  it("streams hits in order, then says that it is at its end", async () => {
    const { steps, last, rows } = await search(plain("GRÖSSE 🚚".replace("SS", "ß")));
    expect(rows).toHaveLength(297);
    expect(rows).toEqual([...rows].sort((a, b) => a - b));
    expect(steps.length).toBeGreaterThan(3);
    expect(last).toMatchObject({ end: "done", progress: { searched: 300, total: 300, unreadable: 0 } });
  });

  it("survives a pattern that never ends", async () => {
    const { last, rows } = await search({ text: "^(a+)+$|result 1\\d\\d ", regex: true, matchCase: true });
    expect(last).toMatchObject({ end: "done", progress: { slow: 3, searched: 300 } });
    expect(rows).toHaveLength(99);
  });

  // Each takes more than a lifetime, or quadratic time at the most, on the right text.
  it.each(["^(a|a)*$", "^(.*a){25}$", "^(?=(a+)+$)", "(?<=^(a+)+)c", "(x+x+)+y|(?:a?){40}a{41}$"])(
    "the time of %s is bounded, and the texts behind it are still searched",
    async (text) => {
      const { last, rows } = await search({ text: `${text}|result 29\\d `, regex: true, matchCase: true });
      expect(last).toMatchObject({ end: "done", progress: { searched: 300, unreadable: 0 } });
      expect(rows).toEqual(expect.arrayContaining([290, 291, 299]));
    },
  );

  it("can be called off, and then says nothing more", async () => {
    const cancel = { isCancellationRequested: false };
    const { steps } = await search({ text: "^(a+)+$", regex: true, matchCase: true }, file, cancel, () => {
      cancel.isCancellationRequested = true;
    });
    expect(steps.length).toBeGreaterThan(0);
    expect(steps.every((step) => step.end === undefined)).toBe(true);
  });

  it("a file that has changed has unreadable texts; one that is gone fails", async () => {
    const changed = join(folder, "changed.jsonl");
    writeFileSync(changed, content.slice(0, 1000));
    const { last } = await search(plain("result"), changed);
    expect(last?.progress.unreadable).toBeGreaterThan(290);
    await expect(search(plain("result"), join(folder, "none.jsonl"))).rejects.toThrow(/none\.jsonl failed/);
  });
});
