import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { FileFormatId } from "../core/model/transcript";
import type { StoreRequest } from "../protocol/tableWorker";
import type { RealFile } from "./openFile";

export interface IndexOptions {
  /** Read as this format; otherwise the content decides. */
  readonly format?: FileFormatId;
  /** The worker's bundle; by default `worker.mjs` beside the running bundle. */
  readonly workerFile?: string;
  /** The path is a real one, and links that take its place, or that of a folder on the way, are refused. */
  readonly isReal?: boolean;
}

/** The worker's bundle that `options` mean. */
export function workerFileOf(options: IndexOptions): string {
  return options.workerFile ?? join(__dirname, "worker.mjs");
}

/** What a thread is told besides its request about the file that it reads. */
export function realFile(path: string, { isReal }: Pick<IndexOptions, "isReal">): RealFile {
  return isReal === true ? { realPath: path } : {};
}

/** Where a thread finds stored indexes. `version`: of the extension. */
export interface StoreOptions {
  readonly folder: string;
  readonly limitBytes: number;
  readonly version: string;
}

/** What a thread is told about the store; null: there is none. Which readers made an index changes with every build of them. */
export function storeRequest(workerFile: string, store: StoreOptions | undefined): StoreRequest | null {
  if (store === undefined) return null;
  const { folder, limitBytes, version } = store;
  // The bundle names its parts by what they hold.
  const reader = `${version} ${createHash("sha256").update(readFileSync(workerFile)).digest("hex")}`;
  return { folder, limitBytes, reader };
}
