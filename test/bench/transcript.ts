import { statSync } from "node:fs";
import { join } from "node:path";
import { writeClaudeTranscript } from "./generate";
import { measureProcess, type ProcessRun } from "./process";
import { printTable, spread, type Verdict } from "./statistics";

/** `inspect --summary` may take at most this share of the parse loop's time (median of the paired ratios). */
const GOAL = 1;
/** Peak resident memory of `inspect --summary`, MB; the file has 100 MB and must not be held. */
const PEAK_MB = 220;

/**
 * `inspect --summary` on a made transcript next to a loop of decode + JSON.parse per line, each in a fresh process, in
 * alternating order; the ratio is taken within each pair so that a busy machine slows both.
 */
export function benchTranscript(options: {
  readonly root: string;
  readonly cli: string;
  readonly folder: string;
  readonly bytes: number;
  readonly rounds: number;
}): readonly Verdict[] {
  const file = join(options.folder, `claude-${options.bytes}.jsonl`);
  const made = writeClaudeTranscript(file, options.bytes);
  const run = (name: string, args: readonly string[]): ProcessRun => measureProcess({ ...options, name, args });
  const inspect = (): ProcessRun => run("inspect", [options.cli, "inspect", file, "--summary", "--json"]);
  const loop = (): ProcessRun => run("loop", [join(options.root, "test/bench/parseLoop.mjs"), file]);
  // Brings the file into the page cache for both.
  loop();
  const pairs = Array.from({ length: options.rounds }, (_, round) => {
    if (round % 2 === 0) return { inspect: inspect(), loop: loop() };
    const first = loop();
    return { inspect: inspect(), loop: first };
  });
  const report = JSON.parse(pairs[0]?.inspect.output ?? "null");
  const ours = spread(pairs.map((pair) => pair.inspect.ms));
  const theirs = spread(pairs.map((pair) => pair.loop.ms));
  const ratio = spread(pairs.map((pair) => pair.inspect.ms / pair.loop.ms));
  const cpu = spread(pairs.map((pair) => pair.inspect.cpu / pair.loop.cpu));
  const peak = Math.max(...pairs.map((pair) => pair.inspect.peak)) / 1e6;
  const peakLoop = Math.max(...pairs.map((pair) => pair.loop.peak)) / 1e6;
  const ms = (value: number): string => value.toFixed(0);
  console.log(
    `\ninspect --summary, ms: Claude Code transcript of ${(statSync(file).size / 1e6).toFixed(1)} MB, ${made.lines.toLocaleString("en-US")} lines, ${made.results.toLocaleString("en-US")} results, ${options.rounds} rounds`,
  );
  printTable([
    ["", "min", "median", "max", "peak MB"],
    ["context-budget inspect", ms(ours.min), ms(ours.median), ms(ours.max), peak.toFixed(0)],
    ["decode + JSON.parse per line", ms(theirs.min), ms(theirs.median), ms(theirs.max), peakLoop.toFixed(0)],
    ["ratio of wall time", ratio.min.toFixed(3), ratio.median.toFixed(3), ratio.max.toFixed(3), ""],
    ["ratio of processor time", cpu.min.toFixed(3), cpu.median.toFixed(3), cpu.max.toFixed(3), ""],
  ]);
  const { results, states } = report.totals;
  return [
    {
      goal: "inspect no slower than the parse loop (median)",
      measured: ratio.median.toFixed(3),
      met: ratio.median <= GOAL,
    },
    { goal: `inspect peak memory at most ${PEAK_MB} MB`, measured: `${peak.toFixed(0)} MB`, met: peak <= PEAK_MB },
    {
      goal: "inspect finds every result that was written",
      measured: `${results - states.missing} of ${made.results}, ${states.persisted} of ${made.persisted} persisted`,
      met: results - states.missing === made.results && states.persisted === made.persisted,
    },
  ];
}
