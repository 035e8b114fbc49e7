import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { NEVER_CANCELLED, type StartHelper } from "../../../extension/src/core/ports";
import type { TranscriptEvent } from "../../../extension/src/core/transcript/events";
import type { TextPorts } from "../../../extension/src/core/transcript/inflated";
import { readTranscript } from "../../../extension/src/core/transcript/read";
import { skimMemory } from "../../../extension/src/core/transcript/rows/skimmer";
import { startEarly } from "../../../extension/src/node/earlyThread";
import { nodeFiles } from "../../../extension/src/node/files";
import { skimHelpers } from "../../../extension/src/node/skimHelper";
import { nodeUtf8 } from "../../../extension/src/node/utf8";
import { nodeWasm } from "../../../extension/src/node/wasm";
import { buildWorker } from "../../builtWorker";
import { answer, jsonLines, prompt, toolResult, use } from "../transcript/support";

describe("a second thread that skims", () => {
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
    buildWorker(workerFile, "skimThread");
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it.each([
    ["a second thread", false],
    ["a thread that was started before it was asked for", true],
  ])("gives the same events with the help of %s", async (_, isEarly) => {
    const source = await nodeFiles.open(file);
    const read = async (ports: TextPorts) => {
      const events: TranscriptEvent[] = [];
      const options = { chunkBytes: 100_000, helpedBytes: 0 };
      for await (const batch of readTranscript(source, ports, options, NEVER_CANCELLED)) events.push(...batch);
      return events.filter(({ kind }) => kind !== "progress");
    };
    const start = skimHelpers(workerFile, isEarly ? startEarly(workerFile) : undefined);
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

  it("starts another thread where the early one is gone", async () => {
    const early = startEarly(workerFile);
    await early.worker.terminate();
    expect(early.isGone()).toBe(true);
    const start = skimHelpers(workerFile, early);
    const room = skimMemory(nodeWasm, nodeUtf8, { piece: 1 << 16, tail: 1 << 10 }, 2, 4)?.rooms[1];
    expect(room).toBeDefined();
    const { bytes } = await nodeFiles.open(file);
    const helper = start === undefined || room === undefined ? undefined : start(file, bytes, room);
    expect(helper?.answer(true) === "none").toBe(false);
    helper?.close();
  });
});
