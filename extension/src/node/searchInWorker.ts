import type { PackedTargets } from "../core/model/openTable";
import type { SearchQuery, SearchStep } from "../core/model/search";
import type { Cancel } from "../core/ports";
import { tellError } from "../core/util/tellError";
import { isWorkerFrame, type SearchRequest, WORKER_PROTOCOL } from "../protocol/worker";
import { ReadingThread } from "./readingThread";
import { type IndexOptions, workerFileOf } from "./workerFile";

/** How often a running search looks whether it was cancelled, milliseconds. */
const CANCEL_POLL_MS = 50;

/**
 * Searches the texts of a transcript in a thread of its own. The promise rejects with an Error when the file cannot be
 * opened or the thread fails; cancelled, it resolves at once and nothing more is told.
 */
export function searchInWorker(
  path: string,
  targets: PackedTargets,
  query: SearchQuery,
  onStep: (step: SearchStep) => void,
  cancel: Cancel,
  options: Pick<IndexOptions, "workerFile"> = {},
): Promise<void> {
  if (cancel.isCancellationRequested) return Promise.resolve();
  const request: SearchRequest = { v: WORKER_PROTOCOL, searchIn: path, query, targets };
  return new Promise<void>((resolve, reject) => {
    const thread = new ReadingThread(workerFileOf(options), request);
    const { worker } = thread;
    let settled = false;
    const settle = (finish: () => void): void => {
      if (settled) return;
      settled = true;
      clearInterval(poll);
      void thread.end().then(finish, finish);
    };
    const fail = (why: string): void => settle(() => reject(new Error(`Searching ${path} failed: ${why}`)));
    const poll = setInterval(() => {
      if (cancel.isCancellationRequested) settle(resolve);
    }, CANCEL_POLL_MS);
    worker.on("message", (message: unknown) => {
      if (settled) return;
      if (!isWorkerFrame(message)) fail("its thread answered something unexpected.");
      else if (message.t === "found") onStep(message.step);
      else if (message.t === "folder") return;
      else if (message.t === "done") settle(resolve);
      else fail(message.t === "failed" ? message.message : "its thread answered a question that was not asked.");
    });
    worker.on("error", (error) => fail(tellError(error).message));
    worker.on("exit", (code) => fail(`its thread ended unexpectedly (exit code ${code}).`));
  });
}
