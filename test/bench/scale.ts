import { spawnSync } from "node:child_process";
import { appendFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { TableInWorker } from "../../extension/src/node/tableInWorker";
import { writeClaudeTranscript } from "./generate";
import { measureProcess } from "./process";
import { printTable, spread, type Verdict } from "./statistics";

/** How many times as fast as the parse loop the index of a large session is to be. */
const BOTH_CORES = 5;
const ONE_CORE = 3;
/** Megabytes above an empty process. */
const PEAK_MB = 150;
const FIRST_ROWS_MS = 300;
const LONG_LINE_BYTES = 60_000_000;

export interface ScaleOptions {
  readonly root: string;
  readonly cli: string;
  readonly worker: string;
  readonly folder: string;
  readonly bytes: number;
  readonly rounds: number;
}

/** A large session: speed against the parse loop on both cores and on one, memory, and the time until something is seen. */
export async function benchScale(options: ScaleOptions): Promise<readonly Verdict[]> {
  const file = join(options.folder, `claude-${options.bytes}.jsonl`);
  const made = writeClaudeTranscript(file, options.bytes);
  const pinned = spawnSync("taskset", ["-c", "0", "true"]).status === 0;
  const inspect = (path: string, pin: boolean) =>
    measureProcess({ ...options, name: "inspect", args: [options.cli, "inspect", path, "--summary", "--json"], pin });
  const loop = (pin: boolean) =>
    measureProcess({ ...options, name: "loop", args: [join(options.root, "test/bench/parseLoop.mjs"), file], pin });
  const nothing = () => measureProcess({ ...options, name: "empty", args: ["-e", "0"], pin: false });
  const empties = Array.from({ length: options.rounds }, nothing);
  const empty = nothing();
  loop(false);
  const both = Array.from({ length: options.rounds }, () => ({ ours: inspect(file, false), theirs: loop(false) }));
  const one = pinned
    ? Array.from({ length: options.rounds }, () => ({ ours: inspect(file, true), theirs: loop(true) }))
    : [];
  if (!pinned) console.log("\n  taskset is absent: nothing is measured on one core");
  const times = (pairs: typeof both) => spread(pairs.map(({ ours, theirs }) => theirs.ms / ours.ms));
  const cpu = spread([...both, ...one].map(({ ours, theirs }) => theirs.cpu / ours.cpu));
  const start = spread(empties.map((run) => run.cpu)).median;
  const work = spread([...both, ...one].map(({ ours, theirs }) => (theirs.cpu - start) / (ours.cpu - start)));
  const [onBoth, onOne] = [times(both), one.length > 0 ? times(one) : undefined];
  const longFile = join(options.folder, "long-line.jsonl");
  writeClaudeTranscript(longFile, 10_000_000);
  const long = {
    type: "user",
    uuid: "long",
    message: { role: "user", content: "a line \n".repeat(LONG_LINE_BYTES / 9) },
  };
  appendFileSync(longFile, `${JSON.stringify(long)}\n`);
  const above = (run: { readonly peak: number }): number => (run.peak - empty.peak) / 1e6;
  const peak = Math.max(...[...both, ...one].map(({ ours }) => above(ours)));
  const longPeak = above(inspect(longFile, false));
  const first = await firstRows(file, options.worker);
  console.log(
    `\nindex of a Claude Code session of ${(statSync(file).size / 1e6).toFixed(0)} MB, ${made.lines.toLocaleString("en-US")} lines: times as fast as decode + JSON.parse per line, ${options.rounds} rounds`,
  );
  const row = (name: string, value: { readonly min: number; readonly median: number; readonly max: number }) => [
    name,
    value.min.toFixed(2),
    value.median.toFixed(2),
    value.max.toFixed(2),
  ];
  printTable([
    ["", "min", "median", "max"],
    row("wall time, both cores", onBoth),
    ...(onOne === undefined ? [] : [row("wall time, one core", onOne)]),
    row("processor time", cpu),
    row("processor time without an empty process", work),
  ]);
  console.log(
    "  Both are whole processes, with the start of Node; the last row is nearer to a thread that runs already.",
  );
  const { results, states } = JSON.parse(both[0]?.ours.output ?? "null").totals;
  return [
    {
      goal: `large session ${BOTH_CORES} times as fast as the loop on both cores (median)`,
      measured: onBoth.median.toFixed(2),
      met: onBoth.median >= BOTH_CORES,
    },
    ...(onOne === undefined
      ? []
      : [
          {
            goal: `large session ${ONE_CORE} times as fast as the loop on one core (median)`,
            measured: onOne.median.toFixed(2),
            met: onOne.median >= ONE_CORE,
          },
        ]),
    {
      goal: `large session at most ${PEAK_MB} MB above an empty process`,
      measured: `${peak.toFixed(0)} MB`,
      met: peak <= PEAK_MB,
    },
    {
      goal: `a line of 60 MB at most ${PEAK_MB} MB above an empty process`,
      measured: `${longPeak.toFixed(0)} MB`,
      met: longPeak <= PEAK_MB,
    },
    { goal: `first rows within ${FIRST_ROWS_MS} ms`, measured: `${first.toFixed(0)} ms`, met: first <= FIRST_ROWS_MS },
    {
      goal: "large session: every result that was written is found",
      measured: `${results - states.missing} of ${made.results}, ${states.persisted} of ${made.persisted} persisted`,
      met: results - states.missing === made.results && states.persisted === made.persisted,
    },
  ];
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
