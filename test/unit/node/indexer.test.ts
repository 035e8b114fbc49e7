import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildSync } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { NEVER_CANCELLED, type StartHelper } from "../../../extension/src/core/ports";
import { Collector } from "../../../extension/src/core/transcript/collect";
import type { TranscriptEvent } from "../../../extension/src/core/transcript/events";
import type { TextPorts } from "../../../extension/src/core/transcript/inflated";
import { readTranscript } from "../../../extension/src/core/transcript/read";
import { nodeFiles } from "../../../extension/src/node/files";
import { startIndex } from "../../../extension/src/node/indexer";
import { skimHelpers } from "../../../extension/src/node/skimHelper";
import { nodeUtf8 } from "../../../extension/src/node/utf8";
import { nodeWasm } from "../../../extension/src/node/wasm";
import { repoPath } from "../../corpus";
import { answer, jsonLines, prompt, toolResult, use } from "../transcript/support";

describe("reading in a thread of its own", () => {
  let folder = "";
  let file = "";
  let workerFile = "";

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "indexer-"));
    file = join(folder, "session.jsonl");
    workerFile = join(folder, "worker.js");
    const turns = Array.from({ length: 400 }, (_, i) =>
      jsonLines(prompt(`go ${i}`), answer(`m${i}`, use(`t${i}`)), toolResult(`t${i}`, "r".repeat(i * 20))),
    );
    writeFileSync(file, turns.join(""));
    buildSync({
      entryPoints: [repoPath("extension/src/node/indexWorker.ts")],
      bundle: true,
      platform: "node",
      format: "cjs",
      outfile: workerFile,
      logLevel: "error",
    });
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const index = async (path: string, worker: string) => {
    const collector = new Collector();
    let batches = 0;
    const outcome = await startIndex(
      path,
      { workerFile: worker },
      (events) => {
        batches++;
        collector.add(events);
      },
      NEVER_CANCELLED,
    );
    return { outcome, batches, index: collector.index() };
  };

  it("gives the same index as reading here, and reads here when there is no worker file", async () => {
    const inThread = await index(file, workerFile);
    const here = await index(file, join(folder, "absent.js"));
    expect(inThread.outcome).toBe("done");
    expect(inThread.index.results).toHaveLength(400);
    expect(inThread.batches).toBeGreaterThan(4);
    expect(inThread.index).toEqual(here.index);
  });

  it("gives the same events with the help of a second thread", async () => {
    const source = await nodeFiles.open(file);
    const read = async (ports: TextPorts) => {
      const events: TranscriptEvent[] = [];
      const options = { chunkBytes: 100_000, helpedBytes: 0 };
      for await (const batch of readTranscript(source, ports, options, NEVER_CANCELLED)) events.push(...batch);
      return events.filter(({ kind }) => kind !== "progress");
    };
    const start = skimHelpers(workerFile);
    let answers = 0;
    const helper: StartHelper | undefined =
      start === undefined
        ? undefined
        : (...asked) => {
            const thread = start(...asked);
            if (thread === undefined) return undefined;
            // Waits for the thread, which this small file would not.
            while (!thread.isReady) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
            return {
              isReady: true,
              ask: thread.ask,
              answer: (wait) => {
                const answer = thread.answer(wait);
                if (answer !== "none") answers++;
                return answer;
              },
              close: thread.close,
            };
          };
    expect(await read({ utf8: nodeUtf8, wasm: nodeWasm, helper })).toEqual(await read({ utf8: nodeUtf8 }));
    // One processor: there is no second thread.
    expect(answers > 0).toBe(start !== undefined);
  });

  it.each(["worker.js", "absent.js"])("a file that cannot be opened is a problem (%s)", async (name) => {
    for (const [path, message] of [
      [folder, /is a folder/],
      [join(folder, "none.jsonl"), /does not exist/],
    ] as const) {
      const { outcome, index: found } = await index(path, join(folder, name));
      expect(outcome).toBe("done");
      expect(found.problems).toMatchObject([{ code: "unreadable" }]);
      expect(found.problems[0]?.message).toMatch(message);
    }
  });

  it.each(["worker.js", "absent.js"])("stops when cancelled (%s)", async (name) => {
    const cancel = { isCancellationRequested: false };
    let batches = 0;
    const outcome = await startIndex(
      file,
      { workerFile: join(folder, name) },
      () => {
        batches++;
        cancel.isCancellationRequested = true;
      },
      cancel,
    );
    expect([outcome, batches]).toEqual(["cancelled", 1]);
    expect(await startIndex(file, { workerFile }, () => {}, cancel)).toBe("cancelled");
  });

  it("a thread that dies rejects with what happened", async () => {
    const crash = (name: string, code: string) => {
      const path = join(folder, name);
      writeFileSync(path, code);
      return startIndex(file, { workerFile: path }, () => {}, NEVER_CANCELLED);
    };
    await expect(crash("exit.js", "process.exit(3)")).rejects.toThrow(/session\.jsonl failed: .*exit code 3/);
    await expect(crash("throw.js", "throw new TypeError('boom')")).rejects.toThrow(/boom/);
    await expect(crash("odd.js", "require('node:worker_threads').parentPort.postMessage({ v: 99 })")).rejects.toThrow(
      /unexpected/,
    );
  });

  it("a failing receiver ends the reading and its error comes back", async () => {
    const failing = () => {
      throw new Error("receiver");
    };
    await expect(startIndex(file, { workerFile }, failing, NEVER_CANCELLED)).rejects.toThrow("receiver");
  });
});
