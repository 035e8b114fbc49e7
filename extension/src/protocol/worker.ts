/** Boundary between a window's main thread and the thread that reads a transcript. Both ends import this file only. */
import type { FileFormatId } from "../core/model/transcript";
import type { TranscriptEvent } from "../core/model/transcriptEvent";

export const WORKER_PROTOCOL = 1;

/** Batches that may be under way at once; the worker waits for `more` beyond that, so that a slow reader bounds memory. */
export const BATCHES_UNDER_WAY = 4;

/** What the worker is started with. */
export interface IndexRequest {
  readonly v: typeof WORKER_PROTOCOL;
  readonly path: string;
  /** Null: find out by content. */
  readonly format: FileFormatId | null;
}

/** Main thread → worker: one batch was taken. */
export interface MoreFrame {
  readonly v: typeof WORKER_PROTOCOL;
  readonly t: "more";
}

/** Worker → main thread. Exactly one `done` or `failed` ends the work. */
export type WorkerFrame =
  | { readonly v: typeof WORKER_PROTOCOL; readonly t: "batch"; readonly events: readonly TranscriptEvent[] }
  | { readonly v: typeof WORKER_PROTOCOL; readonly t: "done" }
  | { readonly v: typeof WORKER_PROTOCOL; readonly t: "failed"; readonly message: string; readonly stack: string };

function frame(value: unknown): { readonly [key: string]: unknown } | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const object = value as { readonly [key: string]: unknown };
  return object["v"] === WORKER_PROTOCOL ? object : undefined;
}

export function isIndexRequest(value: unknown): value is IndexRequest {
  const object = frame(value);
  return typeof object?.["path"] === "string" && (object["format"] === null || typeof object["format"] === "string");
}

export function isMoreFrame(value: unknown): value is MoreFrame {
  return frame(value)?.["t"] === "more";
}

export function isWorkerFrame(value: unknown): value is WorkerFrame {
  const object = frame(value);
  switch (object?.["t"]) {
    case "batch":
      return Array.isArray(object["events"]);
    case "done":
      return true;
    case "failed":
      return typeof object["message"] === "string" && typeof object["stack"] === "string";
    default:
      return false;
  }
}
