import { spawnSync } from "node:child_process";
import { appendFileSync, mkdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { TableInWorker } from "../../extension/src/node/tableInWorker";
import { writeClaudeTranscript } from "./generate";
import { measureProcess, type ProcessRun } from "./process";
import { printTable, spread, type Verdict } from "./statistics";
import { warmReadings } from "./warm";

/** How many times as fast as the parse loop the index of a large session is to be, each from its first byte to its end. */
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
  /** The program of indexOnce.ts. */
  readonly index: string;
  /** The program of readInThread.ts. */
  readonly thread: string;
  readonly folder: string;
  readonly bytes: number;
  readonly rounds: number;
}

/**
 * A large session: speed against the parse loop on both cores and on one, memory, and the time until something is seen. A goal
 * speaks of index and loop, so each is timed inside a fresh process of its own; beside it stand the whole processes, which begin
 * with the start of Node and, for the index, with loading the program.
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
  const pairs = (pin: boolean): readonly Round[] =>
    Array.from({ length: rounds }, () => ({
      index: timed(process("index", [options.index, file], pin)),
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
  const readings = await warmReadings(file, options.worker, rounds);
  console.log(
    `\nindex of a Claude Code session of ${(bytes / 1e6).toFixed(0)} MB, ${made.lines.toLocaleString("en-US")} lines, against a loop that decodes and JSON.parses every line; ${rounds} rounds, medians`,
  );
  const alone = [both, one].filter((all) => all.length > 0).map((all) => spread(all.map(aloneRatio)).median);
  const wholes = [both, one].filter((all) => all.length > 0);
  const names = ["both cores", "one core"] as const;
  const theirs = spread(both.map((round) => timed(round.theirs))).median;
  printTable([
    ["", "index ms", "loop ms", "times as fast"],
    ...wholes.map((all, at) => compared(all, `index, ${names[at]}`, (round) => [round.index, timed(round.theirs)])),
    row("inspector's thread that runs already", spread(readings).median, theirs),
    ...wholes.map((all, at) =>
      compared(all, `whole process, ${names[at]}`, ({ ours, theirs }) => [ours.ms, theirs.ms]),
    ),
    ...wholes.map((all, at) =>
      compared(all, `whole process without Node's start, ${names[at]}`, ({ ours, theirs, empty }) => [
        ours.ms - empty.ms,
        theirs.ms - empty.ms,
      ]),
    ),
    compared([...both, ...one], "processor time of whole processes", ({ ours, theirs }) => [ours.cpu, theirs.cpu]),
  ]);
  console.log(
    "  Index and loop are timed inside fresh processes, from the question to the answer. Whole processes also start Node, which both pay, and the index loads the program that ships.",
  );
  const { peaks, verdicts } = memoryOf(options, file, both, inspect);
  printTable([["peak memory, MB", "above a process that does nothing"], ...peaks]);
  const first = await firstRows(file, options.worker);
  const { results, states } = JSON.parse(both[0]?.ours.output ?? "null").totals;
  const goals = [BOTH_CORES, ONE_CORE];
  return [
    ...alone.map((ratio, at) => ({
      goal: `index of a large session ${goals[at]} times as fast as the loop on ${names[at]} (median)`,
      measured: ratio.toFixed(2),
      met: ratio >= (goals[at] ?? 0),
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
  /** Milliseconds of the index inside its process. */
  readonly index: number;
  readonly empty: ProcessRun;
  readonly ours: ProcessRun;
  readonly theirs: ProcessRun;
}

/** Milliseconds that a program measured itself: the only round in the last line of its output. */
function timed({ output }: ProcessRun): number {
  const [ms] = JSON.parse(output.trimEnd().split("\n").at(-1) ?? "[]");
  if (typeof ms !== "number") throw new Error(`no time in: ${output}`);
  return ms;
}

function aloneRatio({ index, theirs }: Round): number {
  return timed(theirs) / index;
}

/** What index and loop took; the ratios are taken within each round, since a busy machine slows both. */
function compared(
  rounds: readonly Round[],
  name: string,
  of: (round: Round) => readonly [number, number],
): readonly string[] {
  const [ours, theirs] = [0, 1].map((at) => spread(rounds.map((round) => of(round)[at] ?? 0)).median);
  const ratio = spread(rounds.map((round) => of(round)[1] / of(round)[0])).median;
  return [name, (ours ?? 0).toFixed(0), (theirs ?? 0).toFixed(0), ratio.toFixed(2)];
}

function row(name: string, ours: number, theirs: number): readonly string[] {
  return [name, ours.toFixed(0), theirs.toFixed(0), (theirs / ours).toFixed(2)];
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
