/** Boundary between a window's main thread and the thread that reads a transcript. Both ends import this file only. */
import type { PackedTargets } from "../core/model/openTable";
import type { Result } from "../core/model/problem";
import type { SearchQuery, SearchStep } from "../core/model/search";
import type { BodyRef, Thread } from "../core/model/transcript";

export const WORKER_PROTOCOL = 1;

/** Starts a worker that answers for rows of a database, until it is ended. */
export interface RowsRequest {
  readonly v: typeof WORKER_PROTOCOL;
  readonly rowsOf: string;
}

/** Starts a worker that looks for a query in the texts of results, and ends. */
export interface SearchRequest {
  readonly v: typeof WORKER_PROTOCOL;
  readonly searchIn: string;
  readonly query: SearchQuery;
  readonly targets: PackedTargets;
}

/** Where a skimming thread works; `SkimRoom` of core, of which only the thread needs to know more. */
export interface SkimPlace {
  readonly sizes: { readonly piece: number; readonly tail: number };
  readonly shared: unknown;
  readonly own: number;
  readonly slots: number;
}

/**
 * Starts a worker that skims pieces of a file for the thread that reads it. Questions are ranges, answers come in the same
 * order, both through `port`; `answers` counts them, so that the asking thread can wait without its event loop.
 */
export interface SkimRequest {
  readonly v: typeof WORKER_PROTOCOL;
  readonly skim: string;
  readonly totalBytes: number;
  readonly room: SkimPlace;
  /** One 32-bit word. */
  readonly answers: SharedArrayBuffer;
}

/** Main thread → worker: what stands in a row. body: the text of `ref` · row: all of it, for people. */
export interface RowQuestion {
  readonly v: typeof WORKER_PROTOCOL;
  readonly t: "row";
  readonly id: number;
  readonly what: "body" | "row";
  readonly ref: BodyRef;
}

/** Main thread → worker: which sessions the database holds. */
export interface ThreadsQuestion {
  readonly v: typeof WORKER_PROTOCOL;
  readonly t: "threads";
  readonly id: number;
}

export type ThreadsAnswer = Result<readonly Thread[]>;

export type RowAnswer = Result<{ readonly text: string; readonly images: number }>;

/**
 * Worker → main thread. Exactly one `done` or `failed` ends the work. `folder`: a private folder that is to be removed when
 * the thread is ended from outside.
 */
export type WorkerFrame =
  | { readonly v: typeof WORKER_PROTOCOL; readonly t: "folder"; readonly path: string }
  | { readonly v: typeof WORKER_PROTOCOL; readonly t: "row"; readonly id: number; readonly answer: RowAnswer }
  | { readonly v: typeof WORKER_PROTOCOL; readonly t: "threads"; readonly id: number; readonly answer: ThreadsAnswer }
  | { readonly v: typeof WORKER_PROTOCOL; readonly t: "found"; readonly step: SearchStep }
  | { readonly v: typeof WORKER_PROTOCOL; readonly t: "done" }
  | { readonly v: typeof WORKER_PROTOCOL; readonly t: "failed"; readonly message: string; readonly stack: string };

function frame(value: unknown): { readonly [key: string]: unknown } | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const object = value as { readonly [key: string]: unknown };
  return object["v"] === WORKER_PROTOCOL ? object : undefined;
}

export function isSearchRequest(value: unknown): value is SearchRequest {
  const object = frame(value);
  return (
    typeof object?.["searchIn"] === "string" && typeof object["targets"] === "object" && object["targets"] !== null
  );
}

export function isRowsRequest(value: unknown): value is RowsRequest {
  return typeof frame(value)?.["rowsOf"] === "string";
}

export function isSkimRequest(value: unknown): value is SkimRequest {
  const object = frame(value);
  return (
    typeof object?.["skim"] === "string" &&
    typeof object["totalBytes"] === "number" &&
    typeof object["room"] === "object" &&
    object["answers"] instanceof SharedArrayBuffer
  );
}

export function isRowQuestion(value: unknown): value is RowQuestion {
  const object = frame(value);
  const ref = object?.["ref"];
  return (
    object?.["t"] === "row" &&
    typeof object["id"] === "number" &&
    (object["what"] === "body" || object["what"] === "row") &&
    typeof ref === "object" &&
    ref !== null &&
    "place" in ref &&
    "path" in ref &&
    Array.isArray(ref.path)
  );
}

export function isThreadsQuestion(value: unknown): value is ThreadsQuestion {
  const object = frame(value);
  return object?.["t"] === "threads" && typeof object["id"] === "number";
}

export function isWorkerFrame(value: unknown): value is WorkerFrame {
  const object = frame(value);
  switch (object?.["t"]) {
    case "found":
      return typeof object["step"] === "object" && object["step"] !== null;
    case "done":
      return true;
    case "folder":
      return typeof object["path"] === "string";
    case "row":
    case "threads":
      return typeof object["id"] === "number" && typeof object["answer"] === "object" && object["answer"] !== null;
    case "failed":
      return typeof object["message"] === "string" && typeof object["stack"] === "string";
    default:
      return false;
  }
}
