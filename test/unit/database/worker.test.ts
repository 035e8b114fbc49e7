import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { NEVER_CANCELLED } from "../../../extension/src/core/ports";
import { collect } from "../../../extension/src/core/transcript/collect";
import { DatabaseRows } from "../../../extension/src/node/databaseRows";
import { indexFile } from "../../../extension/src/node/indexFile";
import { TableInWorker } from "../../../extension/src/node/tableInWorker";
import { buildWorker, copyEngine } from "../../builtWorker";
import { callOf, makeDatabase, message, scratchFolder } from "./support";

describe("a database in a thread of its own", () => {
  const folder = scratchFolder();
  const workerFile = join(folder, "worker.js");
  const temp = join(folder, "temp");
  const before = process.env["TMPDIR"];
  const path = makeDatabase(join(folder, "state.db"), {
    sessions: [{ id: "s", started_at: 1 }],
    messages: Array.from({ length: 300 }, (_, i) =>
      i % 2 === 0
        ? message({ id: i + 1, role: "assistant", content: "", tool_calls: callOf(`c${i}`), timestamp: i })
        : message({ id: i + 1, role: "tool", content: "r".repeat(i * 50), tool_call_id: `c${i - 1}`, timestamp: i }),
    ),
  });

  beforeAll(() => {
    mkdirSync(temp);
    buildWorker(workerFile);
    copyEngine(folder);
  });
  // Threads inherit the environment of the moment in which they start.
  beforeEach(() => {
    process.env["TMPDIR"] = temp;
  });
  afterEach(() => {
    if (before === undefined) delete process.env["TMPDIR"];
    else process.env["TMPDIR"] = before;
    expect(readdirSync(temp)).toEqual([]);
  });

  const open = (): TableInWorker =>
    new TableInWorker(path, {
      workerFile,
      news: () => undefined,
      trouble: (message) => {
        throw new Error(message);
      },
    });
  const here = () => collect(indexFile(path, undefined, NEVER_CANCELLED));

  it("gives the same index as reading here", async () => {
    const { results } = await here();
    expect(results).toHaveLength(150);
    const table = open();
    expect(await table.ask("read", { anew: false })).toMatchObject({ end: "done", view: { count: 150 } });
    const found = await Promise.all(results.map(({ index }) => table.ask("result", { index })));
    expect(found.map((one) => one?.result)).toEqual(results);
    expect(await table.ask("look", {})).toMatchObject({ end: "same" });
    table.dispose();
    await table.ended();
  });

  it("leaves no copy behind when it is cancelled, or ended in the middle", async () => {
    const table = open();
    const cancel = { isCancellationRequested: true };
    expect((await table.ask("read", { anew: false }, cancel)).end).toMatch(/cancelled|done/);
    const lost = expect(table.ask("read", { anew: true })).rejects.toThrow("not open any more");
    table.dispose();
    await lost;
    await table.ended();
  });

  it("answers for texts and rows, and lets go of its copy", async () => {
    const { results } = await here();
    const rows = new DatabaseRows(path, { workerFile });
    const last = results.at(-1);
    if (last?.body === undefined) throw new Error("no result");
    const [text, row, absent] = await Promise.all([
      rows.body(last.body),
      rows.row(last.place),
      rows.row({ line: 999, start: 0, end: 0, row: { table: "messages", id: 999 } }),
    ]);
    expect(text).toEqual({ ok: true, value: { text: "r".repeat(299 * 50), images: 0 } });
    expect(row.ok && JSON.parse(row.value.text)).toMatchObject({ id: 300, role: "tool", tool_call_id: "c298" });
    expect(absent).toMatchObject({ ok: false, error: { code: "transcript-changed" } });
    expect(readdirSync(temp)).toHaveLength(1);
    await rows.dispose();
    expect(readdirSync(temp)).toEqual([]);
    // The next question starts it again.
    expect(await rows.body(last.body)).toEqual(text);
    await rows.dispose();
  });

  it("lists the sessions without reading their texts", async () => {
    const rows = new DatabaseRows(path, { workerFile });
    expect(await rows.threads()).toMatchObject({ ok: true, value: [{ id: "s", kind: "main" }] });
    await rows.dispose();
    const other = new DatabaseRows(makeDatabase(join(folder, "other.db"), { cookies: [{ a: 1 }] }), { workerFile });
    expect(await other.threads()).toMatchObject({ ok: false, error: { code: "unknown-format" } });
    await other.dispose();
  });

  it("gives up its copy when nobody asks any more", async () => {
    const rows = new DatabaseRows(path, { workerFile, idleMs: 1 });
    await rows.row({ line: 1, start: 0, end: 0, row: { table: "messages", id: 1 } });
    await expect.poll(() => readdirSync(temp)).toEqual([]);
  });

  it("says what is wrong with the file", async () => {
    const rows = new DatabaseRows(join(folder, "absent.db"), { workerFile });
    const answer = await rows.row({ line: 1, start: 0, end: 0, row: { table: "messages", id: 1 } });
    expect(answer).toMatchObject({ ok: false, error: { code: "unreadable" } });
    await rows.dispose();
  });

  it("rejects what is asked of a thread that cannot start", async () => {
    const rows = new DatabaseRows(path, { workerFile: join(folder, "no-worker.js") });
    await expect(rows.row({ line: 1, start: 0, end: 0, row: { table: "messages", id: 1 } })).rejects.toThrow(/failed/);
    await rows.dispose();
  });
});
