import { appendFileSync, mkdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { NO_FILTER, type RowsRequest } from "../../extension/src/core/model/rowQuery";
import { TableInWorker } from "../../extension/src/node/tableInWorker";
import type { ReadAnswer } from "../../extension/src/protocol/tableWorker";
import { writeClaudeTranscript } from "./generate";
import { printTable, spread, type Verdict } from "./statistics";
import { watchTurns } from "./turns";

/** Opening an unchanged file again may take this share of opening it first (medians of one run). */
const GOAL = 1 / 20;
/** Taking in a line that was appended may take this share. */
const TAIL_GOAL = 1 / 20;
/** Milliseconds from opening to the first rows. */
const FIRST_ROWS_MS = 300;
/** Longest time that the asking thread may work without a turn of its event loop, milliseconds. */
const HELD_UP_MS = 50;

const FIRST_ROWS: RowsRequest = {
  query: { filter: NO_FILTER, sort: null, within: null },
  from: 0,
  count: 50,
  around: null,
  find: [],
  summary: true,
};

interface Opening {
  readonly ms: number;
  readonly answer: ReadAnswer;
  /** Until rows could be asked for. */
  readonly firstRows: number;
  readonly heldUp: number;
}

/**
 * The index of a transcript as the inspector gets it: read in a thread of its own, taken from the store, continued with a line
 * that was appended. Times are from the question to the answer, the start of the thread included.
 */
export async function benchReopen(options: {
  readonly worker: string;
  readonly folder: string;
  readonly bytes: number;
  readonly rounds: number;
}): Promise<readonly Verdict[]> {
  const { folder, rounds } = options;
  const file = join(folder, `reopen-${options.bytes}.jsonl`);
  const made = writeClaudeTranscript(file, options.bytes, 11);
  const store = join(folder, "indexes");
  mkdirSync(store, { recursive: true });

  const open = async (then?: (table: TableInWorker) => Promise<void>): Promise<Opening> => {
    const turns = watchTurns();
    const began = performance.now();
    let firstRows = Number.POSITIVE_INFINITY;
    const table = new TableInWorker(file, {
      workerFile: options.worker,
      store: { folder: store, limitBytes: 1_000_000_000, version: "bench" },
      news: ({ view }) => {
        if (view.count > 0) firstRows = Math.min(firstRows, performance.now() - began);
      },
      trouble: (message) => {
        throw new Error(message);
      },
    });
    const answer = await table.ask("read", { anew: false });
    const ms = performance.now() - began;
    const heldUp = turns.stop();
    firstRows = Math.min(firstRows, ms);
    await then?.(table);
    table.dispose();
    await table.ended();
    return { ms, answer, firstRows, heldUp };
  };

  // A look waits for the index to be stored.
  const stored = async (table: TableInWorker): Promise<void> => void (await table.ask("look", {}));

  const first: Opening[] = [];
  const again: Opening[] = [];
  const tail: number[] = [];
  let rows = 0;
  // Brings file and thread into the caches.
  await open(stored);
  for (let round = 0; round < rounds; round++) {
    rmSync(store, { recursive: true });
    first.push(await open(stored));
    again.push(
      await open(async (table) => {
        const asked = performance.now();
        await table.ask("rows", FIRST_ROWS);
        rows = Math.max(rows, performance.now() - asked);
      }),
    );
    again.push(
      await open(async (table) => {
        // The view came from the store before the thread was there; what is appended earlier is in its first reading.
        await table.ask("look", {});
        appendFileSync(file, `{"type":"summary","summary":"round ${round}","leafUuid":"${round}"}\n`);
        const { source } = await table.ask("look", {});
        if (source !== "tail") throw new Error(`an appended line was not taken in, but read from the ${source}`);
        // The second one goes on in the same thread.
        appendFileSync(file, `{"type":"summary","summary":"again ${round}","leafUuid":"${round}"}\n`);
        const second = performance.now();
        await table.ask("look", {});
        tail.push(performance.now() - second);
      }),
    );
  }
  const times = {
    first: spread(first.map(({ ms }) => ms)),
    again: spread(again.map(({ ms }) => ms)),
    tail: spread(tail),
  };
  const ratio = times.again.median / times.first.median;
  const tailRatio = times.tail.median / times.first.median;
  const rowsAt = spread(first.map(({ firstRows }) => firstRows)).median;
  const heldUp = Math.max(...[...first, ...again].map((one) => one.heldUp));
  const fromStore = again.every(({ answer }) => answer.source === "store" && answer.view.count >= made.results);
  const ms = (value: number): string => value.toFixed(1);
  console.log(
    `\nopening a Claude Code transcript of ${(statSync(file).size / 1e6).toFixed(1)} MB, ms, ${made.results.toLocaleString("en-US")} results, ${rounds} rounds`,
  );
  printTable([
    ["", "min", "median", "max"],
    ["first, read", ms(times.first.min), ms(times.first.median), ms(times.first.max)],
    ["again, stored index", ms(times.again.min), ms(times.again.median), ms(times.again.max)],
    ["a line was appended", ms(times.tail.min), ms(times.tail.median), ms(times.tail.max)],
  ]);
  console.log(
    `  first rows after ${ms(rowsAt)} ms, a query of all rows in ${ms(rows)} ms, longest work between two turns of the asking thread ${ms(heldUp)} ms`,
  );
  return [
    { goal: "reopening takes at most 1/20", measured: `1/${(1 / ratio).toFixed(0)}`, met: ratio <= GOAL && fromStore },
    {
      goal: "an appended line takes at most 1/20",
      measured: `1/${(1 / tailRatio).toFixed(0)}`,
      met: tailRatio <= TAIL_GOAL,
    },
    {
      goal: `first rows within ${FIRST_ROWS_MS} ms of opening`,
      measured: `${ms(rowsAt)} ms`,
      met: rowsAt <= FIRST_ROWS_MS,
    },
    {
      goal: `event loop never held up over ${HELD_UP_MS} ms`,
      measured: `${ms(heldUp)} ms`,
      met: heldUp <= HELD_UP_MS,
    },
  ];
}
