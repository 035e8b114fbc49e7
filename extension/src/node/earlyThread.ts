import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";

/** What a skimming thread is started with that gets its request later, as a message. */
export const EARLY = "early";

/** A skimming thread. It keeps no process alive. */
export interface SkimThread {
  readonly worker: Worker;
  /** True once it has ended or failed. */
  readonly isGone: () => boolean;
}

/** The bundle of skimming threads, beside the running one. */
export function skimFile(): string {
  return join(__dirname, "skim.js");
}

/** False on a single processor, and where the bundle is absent. */
export function canHelp(workerFile: string): boolean {
  return availableParallelism() > 1 && existsSync(workerFile);
}

export function watched(worker: Worker): SkimThread {
  let gone = false;
  const lose = (): void => {
    gone = true;
  };
  worker.on("error", lose);
  worker.on("exit", lose);
  worker.unref();
  return { worker, isGone: () => gone };
}

/** Starts a thread that waits for its request, before anybody asks for one. */
export function startEarly(workerFile: string): SkimThread {
  return watched(new Worker(workerFile, { workerData: EARLY }));
}
