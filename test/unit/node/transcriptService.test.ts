import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { NO_FILTER } from "../../../extension/src/core/model/rowQuery";
import { type FileSource, NEVER_CANCELLED } from "../../../extension/src/core/ports";
import { collect } from "../../../extension/src/core/transcript/collect";
import { nodeFiles } from "../../../extension/src/node/files";
import { indexFile } from "../../../extension/src/node/indexFile";
import { IndexStore } from "../../../extension/src/node/indexStore";
import { loadTranscript } from "../../../extension/src/node/simulation/loadTranscript";
import { storedIndex } from "../../../extension/src/node/storedTable";
import { type ServiceParts, TranscriptService } from "../../../extension/src/node/transcriptService";
import type { TableNews } from "../../../extension/src/protocol/tableWorker";
import { answer, claudeBlock, jsonLines, prompt, toolResult, use } from "../transcript/support";

let folder: string;
let file: string;
let trouble: string[];
let news: TableNews[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "service-"));
  file = join(folder, "session.jsonl");
  trouble = [];
  news = [];
});
afterEach(async () => {
  // One that is still storing would write into the folder while it is removed.
  await Promise.all(services.splice(0).map((service) => service.idle()));
  rmSync(folder, { recursive: true, force: true });
});

const turns = (from: number, to: number, size = 1_000): string =>
  Array.from({ length: to - from }, (_, i) => i + from)
    .map((i) =>
      jsonLines(
        prompt(`go ${i}`),
        answer(`m${i}`, use(`t${i}`), { input_tokens: i, output_tokens: 1 }),
        toolResult(
          `t${i}`,
          i % 7 === 0 ? claudeBlock("y".repeat(40_000), `/h/tool-results/t${i}.txt`) : "r".repeat(size),
        ),
      ),
    )
    .join("");

const store = () =>
  new IndexStore({
    folder: join(folder, "store"),
    limitBytes: 50_000_000,
    reader: "r",
    trouble: (message) => trouble.push(message),
  });
const services: TranscriptService[] = [];
const open = (parts: Partial<ServiceParts> = {}) => {
  const service = new TranscriptService({
    path: file,
    format: undefined,
    store: store(),
    copy: {},
    news: (one) => news.push(one),
    trouble: (message) => trouble.push(message),
    clock: { now: () => Date.UTC(2100, 0) },
    ...parts,
  });
  services.push(service);
  return service;
};
const read = async (service: TranscriptService) => {
  const answered = await service.read(false, NEVER_CANCELLED);
  await service.idle();
  return answered;
};
const look = async (service: TranscriptService) => {
  const answered = await service.look(NEVER_CANCELLED);
  await service.idle();
  return answered;
};
/** The index as one reading of the file gives it now. */
const oracle = () => collect(indexFile(file, undefined, NEVER_CANCELLED));
const all = { filter: NO_FILTER, sort: null, within: null };

describe("TranscriptService", () => {
  it("reads, stores, and the next one takes the stored index", async () => {
    writeFileSync(file, turns(0, 200));
    const first = await read(open());
    expect(first).toMatchObject({ end: "done", source: "file", from: 0 });
    expect(news.length).toBeGreaterThan(0);
    const again = open();
    const second = await read(again);
    expect(second).toMatchObject({ end: "done", source: "store" });
    expect(second.view).toEqual(first.view);
    expect(again.shown.table.toIndex()).toEqual(await oracle());
    expect(again.shown.timeline.thread("s-1").calls).toHaveLength(200);
    expect(trouble).toEqual([]);
  });

  it("goes on reading when a bug keeps its index from being stored, and tells of it", async () => {
    writeFileSync(file, turns(0, 200));
    const broken = store();
    broken.save = () => Promise.reject(new Error("a bug"));
    const service = open({ store: broken });
    expect((await read(service)).end).toBe("done");
    expect(trouble).toEqual([expect.stringContaining(`The index of ${file} was not stored: a bug`)]);
    writeFileSync(file, turns(1, 300));
    expect(await look(service)).toMatchObject({ end: "done" });
    expect(service.shown.table.toIndex()).toEqual(await oracle());
  });

  it("gives the whole stored index to whoever needs all of it, while the file is unchanged", async () => {
    writeFileSync(file, turns(0, 200));
    expect(await storedIndex(store(), file, undefined)).toBeUndefined();
    await read(open());
    expect(await storedIndex(store(), file, undefined)).toEqual(await oracle());
    expect(await storedIndex(store(), file, "codex")).toBeUndefined();
    const loaded = await loadTranscript(
      file,
      { format: undefined, store: store(), onProgress: () => expect.unreachable("it is not read") },
      NEVER_CANCELLED,
    );
    expect(loaded?.ok === true && loaded.value.index).toEqual(await oracle());
    if (loaded?.ok === true) loaded.value.close();
    appendFileSync(file, turns(200, 201));
    expect(await storedIndex(store(), file, undefined)).toBeUndefined();
  });

  it("says that a session begins at a time that is still to come, by the machine's clock", async () => {
    writeFileSync(file, turns(0, 5));
    const codes = async (clock: number) =>
      (await read(open({ clock: { now: () => clock } }))).view.problems.map(({ code }) => code);
    expect(await codes(Date.UTC(2100, 0))).toEqual([]);
    expect(await codes(Date.UTC(2000, 0))).toEqual(["time-ahead"]);
  });

  it("goes on from the stored index when the file has grown", async () => {
    writeFileSync(file, turns(0, 300));
    await read(open());
    appendFileSync(file, turns(300, 310));
    const again = open();
    const second = await read(again);
    expect(second).toMatchObject({ end: "done", source: "tail" });
    expect(second.view.count).toBe(310);
    expect(again.shown.table.toIndex()).toEqual(await oracle());
    expect(again.shown.view()).toEqual((await readAnew()).view);
  });

  const readAnew = async () => read(open({ store: undefined }));

  it.each<[string, () => void]>([
    ["rewritten", () => writeFileSync(file, turns(1, 302))],
    ["cut", () => truncateSync(file, statSync(file).size - 5_000)],
    ["touched", () => utimesSync(file, 1, 1)],
    [
      "replaced by another file",
      () => {
        writeFileSync(`${file}.new`, turns(0, 320));
        renameSync(`${file}.new`, file);
      },
    ],
  ])("reads a file anew that was %s, from the store and live", async (_, change) => {
    writeFileSync(file, turns(0, 300));
    const service = open();
    await read(service);
    change();
    const live = await look(service);
    expect(live).toMatchObject({ end: "done", source: "file" });
    expect(service.shown.table.toIndex()).toEqual(await oracle());
    writeFileSync(file, turns(0, 300));
    await read(open());
    change();
    const again = open();
    expect(await read(again)).toMatchObject({ end: "done", source: "file" });
    expect(again.shown.table.toIndex()).toEqual(await oracle());
  });

  it("follows a file: only the tail is read, torn lines wait, nothing is said twice", async () => {
    writeFileSync(file, turns(0, 50));
    const reads: [number, number][] = [];
    const counted = async (path: string): Promise<FileSource> => {
      const { path: at, bytes, read: take } = await nodeFiles.open(path);
      return {
        path: at,
        bytes,
        read: (start, end) => {
          reads.push([start, end]);
          return take(start, end);
        },
      };
    };
    const service = open({ store: undefined, open: counted });
    await read(service);
    expect(await look(service)).toMatchObject({ end: "same" });
    const more = turns(50, 60);
    let written = 0;
    for (const cut of [10, 400, 401, 2_000, more.length]) {
      const { size } = statSync(file);
      appendFileSync(file, more.slice(written, cut));
      written = cut;
      reads.length = 0;
      const answered = await look(service);
      expect(answered).toMatchObject({ end: "done", source: "tail", goesOn: true });
      expect(service.shown.table.toIndex()).toEqual(await oracle());
      // Besides the head, by which the format is checked, nothing of what was there is read again but an unfinished line.
      const again = reads.filter(([start]) => start > 64 * 1024 && start < size - 3_000);
      expect(again).toEqual([]);
    }
    expect(service.shown.view().count).toBe(60);
  });
  it("a file that is gone or cut to nothing leaves what was read", async () => {
    writeFileSync(file, turns(0, 30));
    const service = open({ store: undefined });
    const first = await read(service);
    writeFileSync(file, "");
    const empty = await look(service);
    expect(empty).toMatchObject({ end: "kept", goesOn: true });
    expect(empty.view.problems.map(({ code }) => code)).toEqual(["empty-file"]);
    expect(service.shown.view()).toEqual(first.view);
    rmSync(file);
    const gone = await look(service);
    expect(gone.end).toBe("kept");
    expect(gone.view.problems.map(({ code }) => code)).toEqual(["unreadable"]);
    writeFileSync(file, turns(0, 31));
    expect(await look(service)).toMatchObject({ end: "done", source: "file" });
    expect(service.shown.view().count).toBe(31);
  });

  it("a session in many files is read again when another one of them was written, and only then", async () => {
    const events = join(folder, "events");
    mkdirSync(events);
    const event = (id: number, more: object) =>
      writeFileSync(join(events, `${id}.json`), JSON.stringify({ id, timestamp: "2026-01-01T00:00:00", ...more }));
    const run = (id: number) => {
      event(id, { source: "agent", action: "run", args: { command: "ls" } });
      event(id + 1, { source: "agent", observation: "run", content: "out", cause: id, extras: {} });
    };
    run(0);
    file = join(events, "0.json");
    const service = open({ store: undefined });
    expect((await read(service)).view.count).toBe(1);
    expect(await look(service)).toMatchObject({ end: "same" });
    run(2);
    expect(await look(service)).toMatchObject({ end: "done", goesOn: true, view: { count: 2 } });
    expect(await look(service)).toMatchObject({ end: "same" });
  });

  it("cancelled, it keeps what it has, stores nothing, and reads all of it next time", async () => {
    writeFileSync(file, turns(0, 3_000));
    const cancel = { isCancellationRequested: false };
    const service = open({
      news: () => {
        cancel.isCancellationRequested = true;
      },
    });
    expect(await service.read(false, cancel)).toMatchObject({ end: "cancelled" });
    await service.idle();
    expect(service.shown.view().count).toBeLessThan(3_000);
    expect(() => readdirSync(join(folder, "store"))).toThrow("ENOENT");
    expect(await look(service)).toMatchObject({ end: "done" });
    expect(service.shown.view().count).toBe(3_000);
  });

  it("answers about rows, results, files and places", async () => {
    writeFileSync(file, turns(0, 100));
    const service = open({ store: undefined });
    await read(service);
    const { shown } = service;
    const spills = shown.spills(0, 5);
    expect(spills.results.map(({ index }) => index)).toEqual([0, 7, 14, 21, 28]);
    expect(spills).toMatchObject({ next: 29, more: true });
    expect(shown.spills(99, 5)).toEqual({ results: [], next: 100, more: false });
    shown.setFiles([[7, "missing"]]);
    const answered = shown.rows({
      query: { ...all, filter: { ...NO_FILTER, files: ["missing"] } },
      from: 0,
      count: 10,
      around: null,
      find: [],
      summary: true,
    });
    expect(answered).toMatchObject({
      all: 100,
      total: 1,
      rows: [{ index: 7, file: "missing", turn: 8, state: "persisted" }],
    });
    appendFileSync(file, turns(100, 101));
    expect(await look(service)).toMatchObject({ from: 100, repathed: [] });
    expect(shown.columns.row(7).file).toBe("missing");
    expect(shown.result(7)?.result.persisted?.path).toBe("/h/tool-results/t7.txt");
    expect(shown.result(1_000)).toBeUndefined();
    const { place } = shown.result(7)?.result ?? { place: undefined };
    expect(shown.recordAt(place?.line ?? 0)).toEqual(place);
    expect(shown.recordAt(100_000)).toBeUndefined();
  });

  it("a store that cannot be used is told, and reading goes on", async () => {
    writeFileSync(file, turns(0, 200));
    writeFileSync(join(folder, "store"), "a file");
    expect(await read(open())).toMatchObject({ end: "done", source: "file" });
    expect(trouble.length).toBeGreaterThan(0);
  });

  it("a stored index that is damaged is dropped, and the transcript read again", async () => {
    writeFileSync(file, turns(0, 200));
    const first = await read(open());
    const [name = ""] = readdirSync(join(folder, "store"));
    truncateSync(join(folder, "store", name), 1_000);
    const again = await read(open());
    expect(again).toMatchObject({ end: "done", source: "file" });
    expect(again.view).toEqual(first.view);
    expect(await read(open())).toMatchObject({ source: "store" });
  });
});
