import { copyFileSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { buildSync } from "esbuild";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { NEVER_CANCELLED } from "../../../extension/src/core/ports";
import { Collector } from "../../../extension/src/core/transcript/collect";
import { DatabaseRows } from "../../../extension/src/node/databaseRows";
import { startIndex } from "../../../extension/src/node/indexer";
import { repoPath } from "../../corpus";
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
    buildSync({
      entryPoints: [repoPath("extension/src/node/indexWorker.ts")],
      bundle: true,
      platform: "node",
      format: "cjs",
      outfile: workerFile,
      logLevel: "error",
    });
    const engine = "node-sqlite3-wasm.wasm";
    copyFileSync(repoPath("node_modules/node-sqlite3-wasm/dist", engine), join(folder, engine));
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

  const index = async (worker: string) => {
    const collector = new Collector();
    const outcome = await startIndex(path, { workerFile: worker }, (events) => collector.add(events), NEVER_CANCELLED);
    expect(outcome).toBe("done");
    return collector.index();
  };

  it("gives the same index as reading here", async () => {
    const inThread = await index(workerFile);
    expect(inThread.results).toHaveLength(150);
    expect(inThread).toEqual(await index(join(folder, "absent.js")));
  });

  it("leaves no copy behind when it is cancelled", async () => {
    let cancelled = false;
    const cancel = {
      get isCancellationRequested() {
        return cancelled;
      },
    };
    const stop = () => {
      cancelled = true;
    };
    expect(await startIndex(path, { workerFile }, stop, cancel)).toBe("cancelled");
  });

  it("answers for texts and rows, and lets go of its copy", async () => {
    const { results } = await index(workerFile);
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
