import { spawnSync } from "node:child_process";
import { appendFileSync, mkdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { TableInWorker } from "../../extension/src/node/tableInWorker";
import { writeClaudeTranscript } from "./generate";
import { measureProcess, type ProcessRun } from "./process";
import { printTable, spread, type Verdict } from "./statistics";
import { warmReadings, warmSummaries } from "./warm";

/** How many times as fast as the parse loop the index of a large session is to be, both without the start of Node. */
const BOTH_CORES = 5;
const ONE_CORE = 3;
/** Megabytes above a process that does nothing. */
const PEAK_MB = 150;
const FIRST_ROWS_MS = 300;
const LONG_LINE_BYTES = 60_000_000;

export interface ScaleOptions {
  readonly root: string;
  readonly cli: string;
  readonly worker: string;
  /** The program of readInThread.ts. */
  readonly thread: string;
  readonly folder: string;
  readonly bytes: number;
  readonly rounds: number;
}

/**
 * A large session: speed against the parse loop on both cores and on one, memory, and the time until something is seen. A whole
 * process begins with the start of Node, of which a process that does nothing consists; what a goal speaks of, the index and
 * the loop, is what both take without it.
 */
export async function benchScale(options: ScaleOptions): Promise<readonly Verdict[]> {
  const { root, folder, rounds } = options;
  const file = join(folder, `claude-${options.bytes}.jsonl`);
  const made = writeClaudeTranscript(file, options.bytes);
  const bytes = statSync(file).size;
  const process = (name: string, args: readonly string[], pin = false) =>
    measureProcess({ root, folder, name, args, pin });
  const loopFile = join(root, "test/bench/parseLoop.mjs");
  const inspect = (path: string, pin = false) =>
    process("inspect", [options.cli, "inspect", path, "--summary", "--json"], pin);
  const loop = (pin: boolean) => process("loop", [loopFile, file], pin);
  const pairs = (pin: boolean) =>
    Array.from({ length: rounds }, () => ({
      empty: process("empty", ["-e", "0"], pin),
      ours: inspect(file, pin),
      theirs: loop(pin),
    }));
  // Brings the file into the page cache for all.
  loop(false);
  const pinned = spawnSync("taskset", ["-c", "0", "true"]).status === 0;
  if (!pinned) console.log("\n  taskset is absent: nothing is measured on one core");
  const both = pairs(false);
  const one = pinned ? pairs(true) : [];
  const loopTimes: readonly number[] = JSON.parse(
    process("loop", [loopFile, file, String(rounds + 1)]).output.split("\n")[1] ?? "[]",
  );
  const loopAlone = spread(loopTimes.slice(1)).median;
  const summaries = await warmSummaries(file, rounds);
  const readings = await warmReadings(file, options.worker, rounds);
  console.log(
    `\nindex of a Claude Code session of ${(bytes / 1e6).toFixed(0)} MB, ${made.lines.toLocaleString("en-US")} lines, against a loop that decodes and JSON.parses every line; ${rounds} rounds, medians`,
  );
  const ratios = [
    compared(both, "wall time, both cores", "ms"),
    ...(pinned ? [compared(one, "wall time, one core", "ms")] : []),
  ];
  const cpu = compared([...both, ...one], "processor time", "cpu");
  const alone = [
    row("summary in a process that runs already", summaries, loopAlone),
    row("inspector's thread that runs already", readings, loopAlone),
  ];
  printTable([
    ["", "index ms", "loop ms", "Node's start ms", "times as fast", "without Node's start"],
    ...[...ratios, cpu].map(({ cells }) => cells),
    ...alone,
  ]);
  console.log(
    "  A whole process begins with the start of Node, which index and loop both pay: it is what a process takes that does nothing. The last two rows have none, in index and loop: they begin with the question, both cores.",
  );
  const { peaks, verdicts } = memoryOf(options, file, both, inspect);
  printTable([["peak memory, MB", "above a process that does nothing"], ...peaks]);
  const first = await firstRows(file, options.worker);
  const { results, states } = JSON.parse(both[0]?.ours.output ?? "null").totals;
  const goals = [BOTH_CORES, ONE_CORE];
  return [
    ...ratios.map(({ whole, work }, at) => ({
      goal: `index of a large session ${goals[at]} times as fast as the loop on ${at === 0 ? "both cores" : "one core"}, both without Node's own start (median)`,
      measured: `${work.toFixed(2)}; as whole processes, with Node's start, ${whole.toFixed(2)}`,
      met: work >= (goals[at] ?? 0),
    })),
    ...verdicts,
    { goal: `first rows within ${FIRST_ROWS_MS} ms`, measured: `${first.toFixed(0)} ms`, met: first <= FIRST_ROWS_MS },
    {
      goal: "large session: every result that was written is found",
      measured: `${results - states.missing} of ${made.results}, ${states.persisted} of ${made.persisted} persisted`,
      met: results - states.missing === made.results && states.persisted === made.persisted,
    },
  ];
}

interface Round {
  readonly empty: ProcessRun;
  readonly ours: ProcessRun;
  readonly theirs: ProcessRun;
}

/** What index, loop and a process that does nothing took; the ratios are taken within each round, since a busy machine slows all. */
function compared(
  rounds: readonly Round[],
  name: string,
  what: "ms" | "cpu",
): { readonly whole: number; readonly work: number; readonly cells: readonly string[] } {
  const median = (of: (round: Round) => number): number => spread(rounds.map(of)).median;
  const empty = median((round) => round.empty[what]);
  const whole = median(({ ours, theirs }) => theirs[what] / ours[what]);
  const work = median(({ ours, theirs }) => (theirs[what] - empty) / (ours[what] - empty));
  const ms = [median((round) => round.ours[what]), median((round) => round.theirs[what]), empty];
  return { whole, work, cells: [name, ...ms.map((value) => value.toFixed(0)), whole.toFixed(2), work.toFixed(2)] };
}

function row(name: string, times: readonly number[], loop: number): readonly string[] {
  const { median } = spread(times);
  return [name, median.toFixed(0), loop.toFixed(0), "", "", (loop / median).toFixed(2)];
}

/** Highest memory of whole processes above one that does nothing: the command line, and the inspector's thread, which may store its index. */
function memoryOf(
  { root, folder, thread, worker }: ScaleOptions,
  file: string,
  rounds: readonly Round[],
  inspect: (path: string) => ProcessRun,
): { readonly peaks: readonly (readonly string[])[]; readonly verdicts: readonly Verdict[] } {
  const longFile = join(folder, "long-line.jsonl");
  writeClaudeTranscript(longFile, 10_000_000);
  const content = "a line \n".repeat(LONG_LINE_BYTES / 9);
  const long = { type: "user", uuid: "long", message: { role: "user", content } };
  appendFileSync(longFile, `${JSON.stringify(long)}\n`);
  const store = join(folder, "stored");
  mkdirSync(store);
  const read = (path: string, ...more: readonly string[]) =>
    measureProcess({ root, folder, name: "thread", args: [thread, path, worker, ...more] });
  const empty = spread(rounds.map((round) => round.empty.peak)).median;
  const above = (runs: readonly ProcessRun[]): number => Math.max(...runs.map(({ peak }) => peak - empty)) / 1e6;
  const measured = [
    ["inspect --summary, large session", above(rounds.map(({ ours }) => ours))],
    ["inspect --summary, a line of 60 MB", above([inspect(longFile)])],
    ["inspector's thread, large session", above([read(file), read(file)])],
    ["inspector's thread, large session, storing its index", above([read(file, store)])],
    ["inspector's thread, a line of 60 MB", above([read(longFile)])],
  ] as const;
  return {
    peaks: measured.map(([name, mb]) => [name, mb.toFixed(0)]),
    verdicts: measured.map(([name, mb]) => ({
      goal: `${name}: at most ${PEAK_MB} MB above a process that does nothing`,
      measured: `${mb.toFixed(0)} MB`,
      met: mb <= PEAK_MB,
    })),
  };
}

/** Milliseconds from the call to the first rows, through the reading thread as the inspector starts it. */
async function firstRows(file: string, workerFile: string): Promise<number> {
  const began = performance.now();
  let first = Number.POSITIVE_INFINITY;
  const cancel = { isCancellationRequested: false };
  const table = new TableInWorker(file, {
    workerFile,
    news: ({ view }) => {
      if (view.count === 0) return;
      first = Math.min(first, performance.now() - began);
      cancel.isCancellationRequested = true;
    },
    trouble: (message) => console.warn(message),
  });
  await table.ask("read", { anew: true }, cancel);
  table.dispose();
  await table.ended();
  return first;
}
