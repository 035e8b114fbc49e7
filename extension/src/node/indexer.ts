import { existsSync } from "node:fs";
import type { TranscriptEvent } from "../core/model/transcriptEvent";
import type { Cancel } from "../core/ports";
import { indexFile } from "./indexFile";
import { type IndexOptions, type IndexOutcome, indexInWorker, workerFileOf } from "./indexInWorker";

/** Like `indexInWorker`; where the worker's bundle is absent on disk it reads in this thread. */
export async function startIndex(
  path: string,
  options: IndexOptions,
  onBatch: (events: readonly TranscriptEvent[]) => void,
  cancel: Cancel,
): Promise<IndexOutcome> {
  if (cancel.isCancellationRequested) return "cancelled";
  if (existsSync(workerFileOf(options))) return indexInWorker(path, options, onBatch, cancel);
  for await (const events of indexFile(path, options.format, cancel)) {
    if (cancel.isCancellationRequested) break;
    onBatch(events);
  }
  return cancel.isCancellationRequested ? "cancelled" : "done";
}
