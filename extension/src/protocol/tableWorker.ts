/**
 * Boundary between a window's main thread and the thread that keeps the index of one open transcript. Questions have numbers and get
 * exactly one answer each; news come unasked. Both ends import this file only.
 */
import type { FileStatus } from "../core/model/fileStatus";
import type { PackedTargets, ResultFacts, Spills, TableView } from "../core/model/openTable";
import type { RowsAnswer, RowsRequest } from "../core/model/rowQuery";
import type { FileFormatId, RecordPlace } from "../core/model/transcript";
import type { Overview } from "./webview";

export const TABLE_PROTOCOL = 1;

/** What the thread is started with. */
export interface TableRequest {
  readonly v: typeof TABLE_PROTOCOL;
  readonly tableOf: string;
  /** Null: find out by content. */
  readonly format: FileFormatId | null;
  /** Where indexes are stored, and which readers make them; null: nowhere. */
  readonly store: StoreRequest | null;
}

export interface StoreRequest {
  readonly folder: string;
  /** Of all stored indexes together. */
  readonly limitBytes: number;
  /** Changes with the readers: what others made is not used. */
  readonly reader: string;
}

/**
 * How a reading ended. done: read to the end, or found in the store · cancelled · broken: the disk gave no more · same: the file had
 * not changed · kept: the file cannot be read now (`problems` say why); what was read before is still shown.
 */
export type ReadEnd = "done" | "cancelled" | "broken" | "same" | "kept";

export interface ReadAnswer {
  readonly end: ReadEnd;
  /** True when every result of the view before stands where it stood. */
  readonly goesOn: boolean;
  readonly view: TableView;
  /** Rows from here on are new; those before were there. */
  readonly from: number;
  /** Rows before `from` that name another file now. */
  readonly repathed: readonly number[];
  /** Where it came from: an index in the store, the part of the file that was added, or all of it. */
  readonly source: "store" | "tail" | "file";
}

/** Questions with their answers. */
export interface TableCalls {
  /** Reads the transcript, or takes its index from the store; `anew`: from its beginning whatever is known. */
  read: { in: { readonly anew: boolean }; out: ReadAnswer };
  /** Looks whether the file changed, and takes in what was added to it; otherwise reads it anew beside what is shown. */
  look: { in: Record<string, never>; out: ReadAnswer };
  rows: { in: RowsRequest; out: RowsAnswer };
  result: { in: { readonly index: number }; out: ResultFacts | null };
  /** Results from row `from` on whose notice names a file that nobody has looked at, some at a time. */
  spills: { in: { readonly from: number }; out: Spills };
  files: { in: { readonly statuses: readonly (readonly [row: number, status: FileStatus])[] }; out: null };
  /** Nobody has looked at any file. */
  forgetFiles: { in: Record<string, never>; out: null };
  overview: { in: { readonly thread: string | null }; out: Overview };
  recordAt: { in: { readonly line: number }; out: RecordPlace | null };
  targets: { in: Record<string, never>; out: PackedTargets };
}

export type TableCallName = keyof TableCalls;

export type TableQuestion =
  | {
      readonly v: typeof TABLE_PROTOCOL;
      readonly t: "ask";
      readonly id: number;
      readonly m: TableCallName;
      readonly body: unknown;
    }
  | { readonly v: typeof TABLE_PROTOCOL; readonly t: "cancel"; readonly id: number };

/** What was read since the last news, while a reading runs. */
export interface TableNews {
  readonly view: TableView;
  /** Rows told before that name another file now. */
  readonly repathed: readonly number[];
  readonly doneBytes: number;
  readonly totalBytes: number;
}

/**
 * Thread → main thread. `folder`: a private folder that is to be removed when the thread is ended from outside. `trouble`: for the
 * log; the work goes on.
 */
export type TableFrame =
  | { readonly v: typeof TABLE_PROTOCOL; readonly t: "answer"; readonly id: number; readonly body: unknown }
  | { readonly v: typeof TABLE_PROTOCOL; readonly t: "news"; readonly news: TableNews }
  | { readonly v: typeof TABLE_PROTOCOL; readonly t: "folder"; readonly path: string }
  | { readonly v: typeof TABLE_PROTOCOL; readonly t: "trouble"; readonly message: string }
  | {
      readonly v: typeof TABLE_PROTOCOL;
      readonly t: "failed";
      /** Null: the thread is of no use any more. */
      readonly id: number | null;
      readonly message: string;
      readonly stack: string;
    };

const CALL_NAMES: ReadonlySet<string> = new Set<TableCallName>([
  "read",
  "look",
  "rows",
  "result",
  "spills",
  "files",
  "forgetFiles",
  "overview",
  "recordAt",
  "targets",
]);

function frame(value: unknown): { readonly [key: string]: unknown } | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const object = value as { readonly [key: string]: unknown };
  return object["v"] === TABLE_PROTOCOL ? object : undefined;
}

export function isTableRequest(value: unknown): value is TableRequest {
  const object = frame(value);
  if (typeof object?.["tableOf"] !== "string") return false;
  return (object["format"] === null || typeof object["format"] === "string") && isStore(object["store"]);
}

export function isStore(value: unknown): value is StoreRequest | null {
  if (value === null) return true;
  if (typeof value !== "object") return false;
  const { folder, limitBytes, reader } = value as { readonly [key: string]: unknown };
  return typeof folder === "string" && typeof limitBytes === "number" && typeof reader === "string";
}

export function isTableQuestion(value: unknown): value is TableQuestion {
  const object = frame(value);
  if (typeof object?.["id"] !== "number") return false;
  if (object["t"] === "cancel") return true;
  return object["t"] === "ask" && CALL_NAMES.has(String(object["m"])) && typeof object["body"] === "object";
}

export function isTableFrame(value: unknown): value is TableFrame {
  const object = frame(value);
  switch (object?.["t"]) {
    case "answer":
      return typeof object["id"] === "number";
    case "news":
      return typeof object["news"] === "object" && object["news"] !== null;
    case "folder":
      return typeof object["path"] === "string";
    case "trouble":
      return typeof object["message"] === "string";
    case "failed":
      return typeof object["message"] === "string" && typeof object["stack"] === "string";
    default:
      return false;
  }
}
