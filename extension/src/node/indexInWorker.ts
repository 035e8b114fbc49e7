import { rmSync } from "node:fs";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import type { FileFormatId } from "../core/model/transcript";
import type { TranscriptEvent } from "../core/model/transcriptEvent";
import type { Cancel } from "../core/ports";
import { type IndexRequest, isWorkerFrame, type MoreFrame, WORKER_PROTOCOL } from "../protocol/worker";

export interface IndexOptions {
  /** Read as this format; otherwise the content decides. */
  readonly format?: FileFormatId;
  /** The worker's bundle; by default `worker.mjs` beside the running bundle. */
  readonly workerFile?: string;
}

/** How an index ended when nothing went wrong. */
export type IndexOutcome = "done" | "cancelled";

/** How often a running index looks whether it was cancelled, milliseconds. */
const CANCEL_POLL_MS = 50;

/** The worker's bundle that `options` mean. */
export function workerFileOf(options: IndexOptions): string {
  return options.workerFile ?? join(__dirname, "worker.mjs");
}

/**
 * Reads a transcript in a thread of its own. `onBatch` gets the events in order, at most a few batches ahead of it. Problems
 * with the file are events; the promise rejects with an Error only when the reader itself fails or its thread dies. Holds no
 * reader itself, so that a bundle that always has the worker beside it does not carry the readers twice.
 */
export function indexInWorker(
  path: string,
  options: IndexOptions,
  onBatch: (events: readonly TranscriptEvent[]) => void,
  cancel: Cancel,
): Promise<IndexOutcome> {
  if (cancel.isCancellationRequested) return Promise.resolve("cancelled");
  const request: IndexRequest = { v: WORKER_PROTOCOL, path, format: options.format ?? null };
  const more: MoreFrame = { v: WORKER_PROTOCOL, t: "more" };
  return new Promise<IndexOutcome>((resolve, reject) => {
    const worker = new Worker(workerFileOf(options), { workerData: request });
    let settled = false;
    let folder: string | undefined;
    const settle = (finish: () => void) => {
      if (settled) return;
      settled = true;
      clearInterval(poll);
      // Ending a thread that only reads loses nothing; it resolves at once for one that has ended by itself.
      const ended = () => {
        if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
        finish();
      };
      void worker.terminate().then(ended, ended);
    };
    const fail = (why: string, cause?: unknown) =>
      settle(() => reject(new Error(`Reading ${path} failed: ${why}`, { cause })));
    const poll = setInterval(() => {
      if (cancel.isCancellationRequested) settle(() => resolve("cancelled"));
    }, CANCEL_POLL_MS);
    worker.on("message", (message: unknown) => {
      if (settled) return;
      if (!isWorkerFrame(message)) {
        fail("its reader answered something unexpected.");
        return;
      }
      if (message.t === "folder") folder = message.path;
      else if (message.t === "found") fail("its reader answered a search that was not asked for.");
      else if (message.t === "row" || message.t === "threads")
        fail("its reader answered a question that was not asked.");
      else if (message.t === "done") settle(() => resolve("done"));
      else if (message.t === "failed")
        fail(message.message, Object.assign(new Error(message.message), { stack: message.stack }));
      else if (cancel.isCancellationRequested) settle(() => resolve("cancelled"));
      else {
        try {
          onBatch(message.events);
          worker.postMessage(more);
        } catch (error) {
          settle(() => reject(error instanceof Error ? error : new Error(String(error))));
        }
      }
    });
    worker.on("error", (error) => fail(error.message, error));
    worker.on("exit", (code) => fail(`its thread ended unexpectedly (exit code ${code}).`));
  });
}
