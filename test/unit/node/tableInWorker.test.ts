import { once } from "node:events";
import { appendFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { NO_FILTER, type RowsRequest } from "../../../extension/src/core/model/rowQuery";
import { NEVER_CANCELLED } from "../../../extension/src/core/ports";
import { collect } from "../../../extension/src/core/transcript/collect";
import { targetsOf } from "../../../extension/src/core/transcript/table/searchTargets";
import { indexFile } from "../../../extension/src/node/indexFile";
import { TableInWorker, type TableOptions } from "../../../extension/src/node/tableInWorker";
import type { TableNews } from "../../../extension/src/protocol/tableWorker";
import { buildWorker } from "../../builtWorker";
import { answer, jsonLines, prompt, toolResult, use } from "../transcript/support";

const turns = (from: number, to: number): string =>
  Array.from({ length: to - from }, (_, i) => i + from)
    .map((i) => jsonLines(prompt(`go ${i}`), answer(`m${i}`, use(`t${i}`)), toolResult(`t${i}`, "r".repeat(i % 3_000))))
    .join("");
const FIRST: RowsRequest = {
  query: { filter: NO_FILTER, sort: { key: "chars", descending: true }, within: null },
  from: 0,
  count: 3,
  around: null,
  find: [],
  summary: false,
};

describe("an index in a thread of its own", () => {
  let bundle = "";
  let workerFile = "";
  let folder = "";
  let file = "";
  let news: TableNews[];
  let trouble: string[];
  const tables: TableInWorker[] = [];

  beforeAll(() => {
    bundle = mkdtempSync(join(tmpdir(), "table-worker-"));
    workerFile = join(bundle, "worker.js");
    buildWorker(workerFile);
  });
  afterAll(() => rmSync(bundle, { recursive: true }));
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "table-"));
    file = join(folder, "session.jsonl");
    news = [];
    trouble = [];
  });
  afterEach(async () => {
    for (const table of tables.splice(0)) {
      table.dispose();
      await table.ended();
    }
    rmSync(folder, { recursive: true });
  });

  const open = (options: Partial<TableOptions> = {}): TableInWorker => {
    const table = new TableInWorker(file, {
      workerFile,
      store: { folder: join(folder, "store"), limitBytes: 50_000_000, version: "1" },
      news: (one) => news.push(one),
      trouble: (message) => trouble.push(message),
      ...options,
    });
    tables.push(table);
    return table;
  };

  it("reads, answers while it reads, stores, and goes on with what is added", async () => {
    writeFileSync(file, turns(0, 3_000));
    const table = open();
    const reading = table.ask("read", { anew: false });
    const early = table.ask("rows", FIRST);
    const first = await reading;
    expect(first).toMatchObject({ end: "done", source: "file", view: { count: 3_000 } });
    expect((await early).all).toBeLessThanOrEqual(3_000);
    expect(news.length).toBeGreaterThan(0);
    expect(news.every(({ view }, i) => view.count >= (news[i - 1]?.view.count ?? 0))).toBe(true);
    const { results } = await collect(indexFile(file, undefined, NEVER_CANCELLED));
    expect(await table.ask("result", { index: 7 })).toEqual({ result: results[7], leftBy: undefined });
    expect((await table.ask("rows", FIRST)).rows.map(({ chars }) => chars)).toEqual([2_999, 2_998, 2_997]);
    const targets = [...targetsOf(await table.ask("targets", {}))];
    expect(targets).toEqual(results.map(({ index, body }) => ({ index, ref: body })));
    appendFileSync(file, turns(3_000, 3_002));
    expect(await table.ask("look", {})).toMatchObject({
      end: "done",
      source: "tail",
      goesOn: true,
      view: { count: 3_002 },
    });
    expect(readdirSync(join(folder, "store"))).toHaveLength(1);
    const again = open();
    expect(await again.ask("read", { anew: false })).toMatchObject({ source: "tail", view: { count: 3_002 } });
    expect((await again.ask("overview", { thread: null })).points.length).toBeGreaterThan(0);
    const other = open({ store: { folder: join(folder, "store"), limitBytes: 50_000_000, version: "2" } });
    expect(await other.ask("read", { anew: false })).toMatchObject({ source: "file" });
    expect(trouble).toEqual([]);
  });

  it("tells at once what is stored of a file that did not change, as the thread tells it later", async () => {
    writeFileSync(file, turns(0, 600));
    const table = open();
    const first = await table.ask("read", { anew: false });
    // A look waits for the index to be stored.
    await table.ask("look", {});
    const woken: string[] = [];
    const again = open({ woken: () => woken.push("again") });
    const glance = await again.ask("read", { anew: false });
    expect(glance).toEqual({ ...first, source: "store" });
    // The thread has no row yet; who asks for some waits for it.
    expect((await again.ask("rows", FIRST)).all).toBe(600);
    expect(await again.ask("read", { anew: false })).toEqual(glance);
    expect(woken).toEqual([]);
    const anew = open();
    expect(await anew.ask("read", { anew: true })).toMatchObject({ source: "file" });
    const careful = open({ isReal: true });
    expect(await careful.ask("read", { anew: false })).toEqual(glance);
    await Promise.all([anew.ask("look", {}), careful.ask("look", {})]);
    expect(trouble).toEqual([]);
  });

  it("what was told at once is told anew where the rest of the stored index is damaged", async () => {
    writeFileSync(file, turns(0, 600));
    const table = open();
    const first = await table.ask("read", { anew: false });
    await table.ask("look", {});
    const [name = ""] = readdirSync(join(folder, "store"));
    const stored = readFileSync(join(folder, "store", name));
    const middle = stored.length >> 1;
    stored[middle] = (stored[middle] ?? 0) ^ 1;
    stored[stored.length >> 2] = (stored[stored.length >> 2] ?? 0) ^ 1;
    stored.fill(1, 80 + 4096, 80 + 8192);
    writeFileSync(join(folder, "store", name), stored);
    const woken: string[] = [];
    const again = open({ woken: () => woken.push("again") });
    expect(await again.ask("read", { anew: false })).toMatchObject({ view: first.view });
    expect((await again.ask("rows", FIRST)).all).toBe(600);
    expect(woken).toEqual(["again"]);
    expect(await again.ask("look", {})).toMatchObject({ end: "same", view: { count: 600 } });
  });

  it("a thread that is lost while it takes an index from the store is told by the next question", async () => {
    writeFileSync(file, turns(0, 600));
    const table = open();
    await table.ask("read", { anew: false });
    await table.ask("look", {});
    const again = open();
    expect(await again.ask("read", { anew: false })).toMatchObject({ source: "store" });
    const rows = expect(again.ask("rows", FIRST)).rejects.toThrow(/not open any more/);
    again.dispose();
    await rows;
  });

  it("can be cancelled, and is of use afterwards", async () => {
    writeFileSync(file, turns(0, 12_000));
    const cancel = { isCancellationRequested: false };
    const table = open({
      news: () => {
        cancel.isCancellationRequested = true;
      },
    });
    const stopped = await table.ask("read", { anew: true }, cancel);
    expect(stopped.end).toBe("cancelled");
    expect(stopped.view.count).toBeLessThan(12_000);
    expect((await table.ask("rows", FIRST)).all).toBe(stopped.view.count);
    expect(await table.ask("look", {})).toMatchObject({ end: "done", view: { count: 12_000 } });
  });

  it("a question that fails rejects alone; a thread that dies takes its questions along, and the next one starts another", async () => {
    writeFileSync(file, turns(0, 50));
    const table = open();
    await table.ask("read", { anew: false });
    await expect(table.ask("rows", {} as RowsRequest)).rejects.toThrow(/session\.jsonl failed/);
    expect((await table.ask("rows", FIRST)).all).toBe(50);
    const { worker } = Reflect.get(table, "thread") as { readonly worker: Worker };
    const lost = table.ask("read", { anew: true });
    const told = expect(lost).rejects.toThrow(/ended unexpectedly/);
    await worker.terminate();
    await told;
    expect(await table.ask("look", {})).toMatchObject({ end: "done", view: { count: 50 } });
  });

  it("rows are asked of a thread that died: another one reads first, so that the table is not empty", async () => {
    writeFileSync(file, turns(0, 50));
    let woken = 0;
    const table = open({ woken: () => woken++ });
    await table.ask("read", { anew: false });
    const { worker } = Reflect.get(table, "thread") as { readonly worker: Worker };
    await worker.terminate();
    await expect.poll(() => Reflect.get(table, "thread")).toBeUndefined();
    expect((await table.ask("rows", FIRST)).all).toBe(50);
    expect(woken).toBe(1);
  });

  it.each([
    ["ends", "process.exit(3)", /session\.jsonl failed: .*exit code 3/],
    ["throws", "throw new Error('boom')", /boom/],
    ["answers nonsense", "require('node:worker_threads').parentPort.postMessage({ v: 99 })", /unexpected/],
  ])("a thread that %s rejects with what happened", async (_, code, message) => {
    const odd = join(folder, "odd.js");
    writeFileSync(odd, code);
    await expect(open({ workerFile: odd }).ask("read", { anew: false })).rejects.toThrow(message);
  });

  it("a thread that was started for nothing ends", async () => {
    const worker = new Worker(workerFile, { workerData: { v: 99 } });
    await expect(once(worker, "exit")).rejects.toThrow("without a request");
  });

  it("ends when nobody asks, and the next question starts it again", async () => {
    writeFileSync(file, turns(0, 20));
    let woken = 0;
    const table = open({
      idleMs: 1,
      woken: () => {
        woken += 1;
      },
    });
    await table.ask("read", { anew: false });
    table.tell("files", { statuses: [[3, "missing"]] });
    await expect.poll(() => Reflect.get(table, "thread")).toBeUndefined();
    expect(woken).toBe(0);
    expect((await table.ask("rows", FIRST)).all).toBe(20);
    // What was told of files is gone with the thread, so whoever told it hears of that.
    expect(woken).toBeGreaterThan(0);
    expect((await table.ask("result", { index: 3 }))?.result.callId).toBe("t3");
  });

  it("disposed of, it rejects what is asked and leaves no thread", async () => {
    writeFileSync(file, turns(0, 5_000));
    const table = open();
    const reading = table.ask("read", { anew: false });
    const told = expect(reading).rejects.toThrow(/not open any more/);
    table.dispose();
    await told;
    await table.ended();
    expect(Reflect.get(table, "thread")).toBeUndefined();
    await expect(table.ask("look", {})).rejects.toThrow(/not open any more/);
    table.tell("forgetFiles", {});
    expect(trouble).toEqual([]);
  });

  it("a file that vanishes or cannot be read is told in the answer", async () => {
    const table = open();
    const gone = await table.ask("read", { anew: false });
    expect(gone).toMatchObject({ end: "broken", view: { count: 0, problems: [{ severity: "error" }] } });
    writeFileSync(file, turns(0, 10));
    expect(await table.ask("look", {})).toMatchObject({ end: "done", view: { count: 10 } });
    rmSync(file);
    expect(await table.ask("look", {})).toMatchObject({ end: "kept", view: { count: 10 } });
    expect(existsSync(join(folder, "store"))).toBe(false);
  });
});
