import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { BUNDLES } from "../../../extension/build/bundles.mjs";
import { sharedOptions } from "../../../extension/build/options.mjs";
import { OPENING } from "../../../extension/src/node/openFile";
import { ReadingThread } from "../../../extension/src/node/readingThread";
import { TABLE_PROTOCOL, type TableRequest } from "../../../extension/src/protocol/tableWorker";
import { repoPath } from "../../corpus";
import { jsonLines, prompt } from "../transcript/support";

let folder = "";
let workerFile = "";
let request: TableRequest;

/** Threads start slowly on a busy machine. Milliseconds. */
const LONG = 60_000;

/** As it ships: a dozen files of code, which take a while to load. */
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "reading-thread-"));
  workerFile = join(folder, "worker.mjs");
  const shared = BUNDLES.filter(({ runtime }) => runtime === "shared");
  await build(sharedOptions(shared, { outdir: folder, production: true }));
  const path = join(folder, "session.jsonl");
  writeFileSync(path, jsonLines(prompt("go")));
  request = { v: TABLE_PROTOCOL, tableOf: path, format: null, store: null };
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const hasProc = existsSync("/proc/self/fd");
const handles = (): number => readdirSync("/proc/self/fd").length;

describe("a reading thread", () => {
  it.skipIf(!hasProc)(
    "leaves no open file, whenever it is ended",
    async () => {
      // More files than there are in dist/, so that some are being opened at every moment.
      const names = Array.from({ length: 200 }, (_, n) => `part-${n}.mjs`);
      for (const name of names)
        writeFileSync(join(folder, name), `export const value = ${JSON.stringify("x".repeat(5_000))};`);
      const large = join(folder, "large.mjs");
      writeFileSync(
        large,
        `import { workerData } from "node:worker_threads";
       await Promise.all(${JSON.stringify(names)}.map((name) => import("./" + name)));
       Atomics.sub(new Int32Array(workerData.openings), 0, 1);
       setInterval(() => undefined, 1_000);`,
      );
      // The first one opens what the engine keeps open.
      await new ReadingThread(large, request).end();
      const before = handles();
      for (const ms of [0, 5, 10, 20, 30, 45, 60, 80]) {
        const thread = new ReadingThread(large, request);
        await once(thread.worker, "online");
        await new Promise((resolve) => setTimeout(resolve, ms));
        await thread.end();
      }
      expect(handles() - before).toBeLessThanOrEqual(0);
    },
    LONG,
  );

  it.skipIf(!hasProc)("tells when it is loaded, as it ships", async () => {
    const before = handles();
    for (let n = 0; n < 5; n++) {
      const thread = new ReadingThread(workerFile, request);
      await thread.end();
      // It was not given up, but ended when it opened nothing any more.
      expect(new Int32Array(thread.start.openings)[OPENING]).toBe(0);
    }
    expect(handles() - before).toBeLessThanOrEqual(0);
  });

  it.skipIf(!hasProc)(
    "leaves no transcript open, and no folder, that it was about to open or make",
    async () => {
      const path = join(folder, "opened.ts");
      const files = JSON.stringify(repoPath("extension/src/node/openFile"));
      writeFileSync(
        path,
        `import { opening, openFile, tellLoaded } from ${files};
       import { mkdtemp } from "node:fs/promises";
       import { parentPort, workerData } from "node:worker_threads";
       tellLoaded();
       const again = async () => {
         for (;;) await (await openFile(workerData.tableOf, "r")).close();
       };
       for (let n = 0; n < 20; n++) again();
       opening(async () => {
         const path = await mkdtemp(workerData.scratch + "/copy-");
         parentPort.postMessage({ v: 1, t: "folder", path });
       });`,
      );
      const opened = join(folder, "opened.mjs");
      await build({
        entryPoints: [path],
        outfile: opened,
        bundle: true,
        platform: "node",
        format: "esm",
        logLevel: "error",
      });
      const scratch = mkdtempSync(join(folder, "scratch-"));
      await new ReadingThread(opened, { ...request, scratch }).end();
      const before = handles();
      for (let n = 0; n < 12; n++) {
        const thread = new ReadingThread(opened, { ...request, scratch });
        await once(thread.worker, "online");
        await new Promise((resolve) => setTimeout(resolve, 2 * n));
        await thread.end();
      }
      expect(handles() - before).toBeLessThanOrEqual(0);
      expect(readdirSync(scratch)).toEqual([]);
    },
    LONG,
  );

  it("ends when its code cannot be loaded", async () => {
    const broken = join(folder, "broken.mjs");
    writeFileSync(broken, 'import "./absent.mjs";');
    const thread = new ReadingThread(broken, request);
    const [error] = await once(thread.worker, "error");
    expect(String(error)).toMatch(/absent/);
    await thread.end();
  });

  it("takes its private folder along, also one that was made while it ended", async () => {
    const scratch = join(folder, "scratch");
    mkdirSync(scratch);
    const making = join(folder, "making.mjs");
    writeFileSync(
      making,
      `import { parentPort, workerData } from "node:worker_threads";
       import { mkdirSync } from "node:fs";
       mkdirSync(${JSON.stringify(join(scratch, "a"))});
       parentPort.postMessage({ v: 1, t: "folder", path: ${JSON.stringify(join(scratch, "a"))} });
       Atomics.sub(new Int32Array(workerData.openings), 0, 1);
       setInterval(() => undefined, 1_000);`,
    );
    await new ReadingThread(making, request).end();
    expect(readdirSync(scratch)).toEqual([]);
  });

  it("ends once, however often it is asked to", async () => {
    const thread = new ReadingThread(workerFile, request);
    await Promise.all([thread.end(), thread.end()]);
    await thread.end();
  });
});
