import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";

export interface ProcessRun {
  readonly ms: number;
  /** Processor time of all threads, milliseconds: steadier than wall time on a busy machine. */
  readonly cpu: number;
  /** Highest resident memory, bytes. */
  readonly peak: number;
  readonly output: string;
}

/** Runs Node with the arguments to its end. `pin`: on the first processor only (Linux). */
export function measureProcess(options: {
  readonly root: string;
  readonly folder: string;
  readonly name: string;
  readonly args: readonly string[];
  readonly pin?: boolean;
}): ProcessRun {
  const { root, folder, name, args, pin = false } = options;
  const peakFile = join(folder, "peak");
  const node = [process.execPath, "--require", join(root, "test/bench/peak.cjs"), ...args];
  const [command = "", ...rest] = pin ? ["taskset", "-c", "0", ...node] : node;
  const began = performance.now();
  const child = spawnSync(command, rest, {
    encoding: "utf8",
    env: { ...process.env, BENCH_PEAK: peakFile },
    maxBuffer: 1 << 28,
  });
  const ms = performance.now() - began;
  if (child.error) throw child.error;
  if (child.status !== 0) throw new Error(`${name} exited with ${child.status}: ${child.stderr}`);
  const { peak, cpu } = JSON.parse(readFileSync(peakFile, "utf8"));
  return { ms, cpu, peak, output: child.stdout };
}
