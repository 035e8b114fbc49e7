import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { buildThread } from "../../../extension/src/core/compaction/buildThread";
import { thresholdCurve } from "../../../extension/src/core/compaction/curve";
import { plainFacts, prepareFacts } from "../../../extension/src/core/compaction/facts";
import { inferThreshold } from "../../../extension/src/core/compaction/infer";
import { POLICY_DEFAULTS, PRESETS } from "../../../extension/src/core/compaction/policy";
import { Simulation } from "../../../extension/src/core/compaction/simulate";
import { NEVER_CANCELLED } from "../../../extension/src/core/ports";
import { readBody } from "../../../extension/src/core/transcript/body";
import { collect } from "../../../extension/src/core/transcript/collect";
import { readTranscript } from "../../../extension/src/core/transcript/read";
import { nodeFiles } from "../../../extension/src/node/files";
import { indexFile } from "../../../extension/src/node/indexFile";
import { nodeUtf8 } from "../../../extension/src/node/utf8";
import { corpusPath, hasCorpus } from "../../corpus";

function* files(folder: string): Generator<string> {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) yield* files(path);
    else if (/\.(jsonl?|traj)$/.test(name) && statSync(path).size < 3_000_000) yield path;
  }
}

function isTranscripts(name: string): boolean {
  return name !== "oracle" && statSync(corpusPath(name)).isDirectory();
}

async function open(path: string) {
  const source = await nodeFiles.open(path);
  const index = await collect(readTranscript(source, { utf8: nodeUtf8 }, {}, NEVER_CANCELLED));
  const reader = {
    result: async (result: (typeof index.results)[number]) => {
      const body = result.body === undefined ? undefined : await readBody(source, result.body, { utf8: nodeUtf8 });
      return body?.ok === true ? body.value.text : undefined;
    },
  };
  return { index, reader };
}

describe.skipIf(!hasCorpus)("real transcripts", () => {
  it("every preset runs over every thread, and the sums hold", async () => {
    let threads = 0;
    for (const folder of readdirSync(corpusPath()).filter(isTranscripts)) {
      for (const path of files(corpusPath(folder))) {
        const { index, reader } = await open(path);
        if (index.header === undefined) continue;
        for (const { id } of index.threads) {
          const thread = buildThread(index, id);
          if (thread === undefined || thread.calls.count === 0) continue;
          threads++;
          const facts = await prepareFacts(thread, index.results, index.header.agent, reader, NEVER_CANCELLED);
          const { seen } = thread.calls;
          for (let call = 1; call < seen.length; call++) expect(seen[call]).toBeGreaterThanOrEqual(seen[call - 1] ?? 0);
          const simulation = new Simulation(thread, facts);
          for (const { policy } of PRESETS) {
            const { totals } = simulation.run([policy]);
            expect(totals.saved.cached + totals.saved.uncached).toBeCloseTo(totals.saved.input, 6);
          }
          thresholdCurve(thread, facts, POLICY_DEFAULTS.persist);
        }
      }
    }
    expect(threads).toBeGreaterThan(60);
  }, 60_000);

  it("a result is first seen by the call after the one that asked for it", async () => {
    const { index } = await open(corpusPath("hermes", "export.jsonl"));
    let checked = 0;
    for (const { id } of index.threads) {
      const thread = buildThread(index, id);
      if (thread === undefined) continue;
      for (let i = 0; i < thread.results.count; i++) {
        const result = index.results[thread.results.index[i] ?? -1];
        const item = thread.results.item[i] ?? 0;
        const first = thread.items.firstCall[item] ?? 0;
        if (result?.call === undefined || first >= thread.calls.count) continue;
        expect(thread.calls.number[first], `${id}, result ${result.index}`).toBe(result.call + 1);
        checked++;
      }
    }
    expect(checked).toBeGreaterThan(80);
  });

  it("a session of the database is the one of the export", async () => {
    const { index: exported } = await open(corpusPath("hermes", "export.jsonl"));
    const stored = await collect(indexFile(corpusPath("hermes", "home", "state.db"), undefined, NEVER_CANCELLED));
    let compared = 0;
    for (const { id } of stored.threads) {
      const thread = buildThread(stored, id);
      if (thread === undefined || thread.calls.count === 0) continue;
      const { saved } = new Simulation(thread, plainFacts(thread)).run([POLICY_DEFAULTS.micro]).totals;
      expect(saved.cached + saved.uncached).toBeCloseTo(saved.input, 6);
      const other = buildThread(exported, id);
      // An export holds no archived rows, so a compacted session is shorter there.
      if (other === undefined || stored.compactions.some(({ threadId }) => threadId === id)) continue;
      expect([...thread.calls.seen], id).toEqual([...other.calls.seen]);
      expect([...thread.items.chars], id).toEqual([...other.items.chars]);
      compared++;
    }
    expect(compared).toBeGreaterThan(5);
  });

  it("the threshold in force is found from the transcript alone", async () => {
    const { index, reader } = await open(corpusPath("hermes", "export.jsonl"));
    const thread = buildThread(index, "20260908_090003_1c40de");
    if (thread === undefined) throw new Error("the session is not in the export");
    const facts = await prepareFacts(thread, index.results, "hermes", reader, NEVER_CANCELLED);
    const found = inferThreshold(thread, facts, index.results);
    // The home's config says 30,000; one result of exactly that length stayed.
    expect(found.atLeast).toBe(30_000);
    expect(found.below).toBe(30_001);
    expect(found.tools.find(({ tool }) => tool === "read_file")?.limitedBy).toBe("pinned");
  });
});
