import { readFileSync } from "node:fs";
import fc from "fast-check";
import { afterEach, describe, expect, it, vi } from "vitest";
import { NO_FILTER, type RowsRequest } from "../../../../extension/src/core/model/rowQuery";
import { NEVER_CANCELLED, type Wasm } from "../../../../extension/src/core/ports";
import type { ReadOptions } from "../../../../extension/src/core/transcript/read";
import { packedTargets } from "../../../../extension/src/core/transcript/table/searchTargets";
import { ShownTable } from "../../../../extension/src/core/transcript/table/shownTable";
import { tableOf, tableParts } from "../../../../extension/src/core/transcript/table/tableBytes";
import { type ReadingEnd, TableReading } from "../../../../extension/src/core/transcript/table/tableReading";
import { TableRows } from "../../../../extension/src/core/transcript/table/tableRows";
import { packedPieces, unpacked } from "../../../../extension/src/core/util/packed";
import { toOverview } from "../../../../extension/src/node/overview";
import { nodeUtf8 } from "../../../../extension/src/node/utf8";
import { nodeWasm } from "../../../../extension/src/node/wasm";
import { corpusPath } from "../../../corpus";
import { filesBelow } from "../corpusFiles";
import { Random } from "../mutate";
import { file, sessionLines, sizes, step } from "../rowRecords";
import { answer, blockingSource, claudeBlock, jsonLines, prompt, toolResult, use } from "../support";

/** Several processes may share this machine's processors. */
vi.setConfig({ testTimeout: 120_000 });

const RUNS = { seed: 20261130, numRuns: Number(process.env["ROWS_RUNS"] ?? 40) };

afterEach(() => {
  vi.restoreAllMocks();
});

async function advance(reading: TableReading, bytes: Uint8Array): Promise<ReadingEnd> {
  const steps = reading.advance(blockingSource(bytes), NEVER_CANCELLED);
  for (;;) {
    const next = await steps.next();
    if (next.done === true) return next.value;
  }
}

function newReading(options: ReadOptions, wasm: Wasm | undefined): TableReading {
  return new TableReading({ utf8: nodeUtf8, wasm }, { ...options, format: "claude-code" });
}

/** The reading as another process takes it up again. */
function restored(reading: TableReading, options: ReadOptions, wasm: Wasm | undefined): TableReading {
  const state = reading.state();
  if (!state.ok) throw new Error(state.error);
  const parts = unpacked(new Uint8Array(Buffer.concat(packedPieces(tableParts(reading.table)))));
  const table = parts && tableOf(parts);
  const ports = { utf8: nodeUtf8, wasm };
  const again = table && TableReading.restored(table, state.value, ports, { ...options, format: "claude-code" });
  if (again === undefined) throw new Error("the state is not whole");
  return again;
}

const ASKED: RowsRequest = {
  query: { filter: NO_FILTER, sort: null, within: null },
  from: 0,
  count: 1000,
  around: null,
  find: [],
  summary: true,
};

/** All that a reading's thread can be asked. */
function answers(reading: TableReading) {
  const { table, observers } = reading;
  const shown = new ShownTable(table, { totals: () => reading.totals(), timeline: () => observers.timeline });
  const view = shown.view();
  const { threads, header, ledger } = table;
  const about = { summary: { threads: () => view.threads }, timeline: observers.timeline, threads, header, ledger };
  const lines = Array.from({ length: 40 }, (_, i) => i + 1);
  return {
    // Every column with its bytes. What is kept as objects may share them in other ways; `index` holds what they say.
    parts: tableParts(table)
      .filter(({ name }) => name !== "rest")
      .map(({ name, numbers, bytes }) => [name, numbers, Buffer.from(bytes).toString("latin1")]),
    index: table.toIndex(),
    view,
    rows: [
      shown.rows(ASKED),
      shown.rows({ ...ASKED, query: { ...ASKED.query, sort: { key: "chars", descending: true } } }),
    ],
    left: Array.from({ length: table.results.rows }, (_, row) => shown.result(row)?.leftBy),
    spills: shown.spills(0, 1000),
    overviews: [null, ...threads.keys()].map((id) => toOverview(about, id)),
    timelines: [...threads.keys()].map((id) => observers.timeline.thread(id)),
    records: lines.map((line) => shown.recordAt(line)),
    targets: packedTargets(table),
  };
}

async function answersOf(bytes: Uint8Array, options: ReadOptions, wasm: Wasm | undefined) {
  const reading = newReading(options, wasm);
  expect(await advance(reading, bytes)).toBe("done");
  return answers(reading);
}

async function expectSame(bytes: Uint8Array, options: ReadOptions, name?: string): Promise<void> {
  expect(await answersOf(bytes, options, nodeWasm), name).toStrictEqual(await answersOf(bytes, {}, undefined));
}

const session = fc
  .tuple(
    fc.array(step, { minLength: 1, maxLength: 80, size: "max" }),
    fc.oneof({ weight: 12, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
  )
  .map(([steps, texts]) => Buffer.from(`${sessionLines(steps, texts).join("\n")}\n`));

/** Lines changed, torn, doubled, glued together or left out. */
const damage = fc.array(fc.tuple(fc.nat(), fc.nat(7)), { maxLength: 4 }).map((changes) => (bytes: Buffer) => {
  const lines = bytes.toString("latin1").split("\n");
  for (const [at, kind] of changes) {
    const random = new Random(at);
    const i = random.below(lines.length);
    const line = lines[i] ?? "";
    const cut = random.below(line.length + 1);
    if (kind === 0) lines.splice(i, 1);
    else if (kind === 1) lines.splice(i, 0, line);
    else if (kind === 2) lines[i] = line.slice(0, cut);
    else if (kind === 3) lines[i] = `${line} ${line}`;
    else if (kind === 4) lines[i] = `${line.slice(0, cut)}\xff${line.slice(cut)}`;
    else if (kind === 5) lines[i] = "\0".repeat(cut);
    else if (kind === 6) lines[i] = line.replaceAll('"tool_use_id"', '"tool_use_ID"');
    else lines[i] = line.replace(/[a-z]/g, (letter) => (random.below(60) === 0 ? "\\u0061" : letter));
  }
  return Buffer.from(lines.join("\n"), "latin1");
});

describe("a table of rows holds what one of parsed records holds, in every column, and gives the same answers", () => {
  it("for records of every shape, at every size of piece", async () => {
    const take = vi.spyOn(TableRows.prototype, "take");
    await fc.assert(
      fc.asyncProperty(file, sizes, (bytes, options) => expectSame(bytes, options)),
      RUNS,
    );
    expect(take.mock.calls.length).toBeGreaterThan(RUNS.numRuns / 4);
  });

  it("for sessions with every kind of event, and with lines that are damaged", async () => {
    const take = vi.spyOn(TableRows.prototype, "take");
    await fc.assert(
      fc.asyncProperty(session, sizes, damage, async (bytes, options, change) => {
        await expectSame(bytes, options);
        await expectSame(change(bytes), options);
      }),
      RUNS,
    );
    expect(take.mock.calls.length).toBeGreaterThan(RUNS.numRuns / 4);
  });

  const found = [...filesBelow("claude-code", ".jsonl"), ...filesBelow("derived", ".jsonl")];
  it.skipIf(found.length === 0)(
    `for every Claude Code file of the corpus${found.length === 0 ? " (absent here)" : ""}`,
    async () => {
      for (const path of found) {
        const bytes = readFileSync(corpusPath(path));
        for (const options of [{}, { chunkBytes: 3001, tailBytes: 700 }]) await expectSame(bytes, options, path);
      }
    },
  );
});

describe("a file that grows", () => {
  it("read as rows: any schedule of appends, stored in between or not, gives what one reading of parsed records gives", async () => {
    const take = vi.spyOn(TableRows.prototype, "take");
    await fc.assert(
      fc.asyncProperty(
        session,
        damage,
        sizes,
        fc.array(fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.boolean(), fc.boolean()), {
          minLength: 1,
          maxLength: 5,
        }),
        async (whole, change, options, some) => {
          const bytes = change(whole);
          const cuts = [...some.map(([at, ...how]) => [Math.floor(at * bytes.length), ...how] as const)];
          cuts.push([bytes.length, true, false]);
          let reading: TableReading | undefined;
          for (const [cut, save, parse] of cuts.sort(([a], [b]) => a - b)) {
            const now = bytes.subarray(0, cut);
            if (now.length === 0) continue;
            const how = parse ? options : { ...options, parsedBytes: 0 };
            if (save && reading?.goesOn === true) reading = restored(reading, how, nodeWasm);
            if (reading === undefined || (await advance(reading, now)) === "changed") {
              reading = newReading(how, nodeWasm);
              expect(await advance(reading, now)).toBe("done");
            }
            const one = newReading({}, undefined);
            expect(await advance(one, now)).toBe("done");
            const [ours, theirs] = [answers(reading), answers(one)];
            // Texts that were taken back stay in their list, so that numbers of texts differ.
            expect({ ...ours, parts: [] }).toStrictEqual({ ...theirs, parts: [] });
          }
        },
      ),
      RUNS,
    );
    expect(take.mock.calls.length).toBeGreaterThan(RUNS.numRuns / 4);
  });

  it("stores no piece of a text", async () => {
    // Of every length, so that ids end anywhere in 16 bytes; nothing else holds this sign twice.
    const text = "~".repeat(3_000);
    const uuid = (n: number) => ({ uuid: `${String(n).padStart(8, "0")}-1111-4111-8111-111111111111` });
    const lines = Array.from({ length: 40 }, (_, i) => {
      const id = `t-${"x".repeat(i)}`;
      const block = claudeBlock(text, `/tmp/${"y".repeat(i)}.txt`);
      return jsonLines(
        prompt(text, uuid(3 * i)),
        answer(`m-${"z".repeat(i)}`, use(id, `Tool${"w".repeat(i)}`, { command: text }), undefined, uuid(3 * i + 1)),
        toolResult(id, i % 2 === 0 ? block : text, { ...uuid(3 * i + 2), toolUseResult: { stdout: text } }),
      );
    });
    const take = vi.spyOn(TableRows.prototype, "take");
    // Every record is the last one of its piece: behind its names stand no others.
    const reading = newReading({ chunkBytes: 1_000 }, nodeWasm);
    expect(await advance(reading, Buffer.from(lines.join("")))).toBe("done");
    expect(reading.table.results.rows).toBe(40);
    expect(take.mock.calls.length).toBeGreaterThan(0);
    const state = reading.state();
    if (!state.ok) throw new Error(state.error);
    const stored = Buffer.concat([state.value, ...packedPieces(tableParts(reading.table))]);
    expect(stored.includes("yyyy")).toBe(true);
    expect(stored.includes("~~")).toBe(false);
  });

  it("is read anew where rows cannot be gone on with", async () => {
    const bytes = Buffer.from(`${sessionLines([], false).join("\n")}\n`);
    const reading = newReading({}, nodeWasm);
    expect(await advance(reading, bytes)).toBe("done");
    const state = reading.state();
    if (!state.ok) throw new Error(state.error);
    const again = (value: Uint8Array, wasm: Wasm | undefined) =>
      TableReading.restored(reading.table, value, { utf8: nodeUtf8, wasm }, {});
    expect(again(state.value, nodeWasm)).toBeInstanceOf(TableReading);
    expect(again(state.value, undefined)).toBeUndefined();
    for (const length of [0, 8, 16, 1000, state.value.length - 1])
      expect(again(state.value.slice(0, length), nodeWasm)).toBeUndefined();
  });
});
