import { Worker } from "node:worker_threads";

/** What a skimming thread is started with that gets its request later, as a message. */
export const EARLY = "early";

/** A skimming thread that was started before anybody asked for one. It keeps no process alive. */
export interface EarlyThread {
  readonly worker: Worker;
  /** True once it has ended or failed. */
  readonly isGone: () => boolean;
}

/** Starts a thread out of the bundle `skim.js` that waits for its request. */
export function startEarly(workerFile: string): EarlyThread {
  const worker = new Worker(workerFile, { workerData: EARLY });
  let gone = false;
  const lose = (): void => {
    gone = true;
  };
  worker.on("error", lose);
  worker.on("exit", lose);
  worker.unref();
  return { worker, isGone: () => gone };
}
