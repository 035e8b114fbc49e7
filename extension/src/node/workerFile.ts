import { join } from "node:path";
import type { FileFormatId } from "../core/model/transcript";

export interface IndexOptions {
  /** Read as this format; otherwise the content decides. */
  readonly format?: FileFormatId;
  /** The worker's bundle; by default `worker.mjs` beside the running bundle. */
  readonly workerFile?: string;
}

/** The worker's bundle that `options` mean. */
export function workerFileOf(options: IndexOptions): string {
  return options.workerFile ?? join(__dirname, "worker.mjs");
}
