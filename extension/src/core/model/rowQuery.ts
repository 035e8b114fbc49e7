import type { FileStatus } from "./fileStatus";
import type { ResultState } from "./transcript";

/** One row of the results table. Numbers are exact unless named `tokens`. */
export interface ResultRow {
  /** Index of the result, 0-based over the whole transcript. */
  readonly index: number;
  readonly thread: string;
  readonly turn: number | null;
  readonly call: number | null;
  readonly tool: string | null;
  readonly callId: string | null;
  readonly state: ResultState;
  /** Characters that stand in context, or stood there until a compaction, in the transcript's unit. */
  readonly chars: number;
  /** Characters of the full text as the notice states; null when inline or unstated. */
  readonly statedChars: number | null;
  readonly statedRounded: boolean;
  /** Estimate: chars ÷ 4, rounded up. */
  readonly tokens: number;
  readonly images: number;
  readonly isError: boolean;
  readonly orphan: boolean;
  readonly path: string | null;
  readonly handle: string | null;
  readonly file: FileStatus;
  readonly line: number;
  /** 1-based line of the compaction that took it out of context; null: it stands there, as far as the transcript tells. */
  readonly leftLine: number | null;
}

/** Every state, in the order in which people should see them. */
export const RESULT_STATES = [
  "inline",
  "persisted",
  "handle",
  "truncated",
  "pruned",
  "cleared",
  "duplicate",
  "missing",
] as const satisfies readonly ResultState[];

/** Every file status, in the order in which people should see them. */
export const FILE_STATUSES = [
  "ok",
  "size-differs",
  "preview-differs",
  "expired",
  "missing",
  "other-machine",
  "sandbox",
  "outside",
  "unreadable",
  "not-checked",
  "none",
] as const satisfies readonly FileStatus[];

/** in: as far as the transcript tells it stands in context · left: a compaction took it out. */
export const CONTEXT_PLACES = ["in", "left"] as const;
export type ContextPlace = (typeof CONTEXT_PLACES)[number];

/** Which rows; null = all, a list = any of these. */
export interface RowFilter {
  /** Words that must all occur in the tool, path, handle or call id; case does not matter. */
  readonly text: string;
  readonly threads: readonly string[] | null;
  readonly tools: readonly string[] | null;
  readonly states: readonly ResultState[] | null;
  readonly files: readonly FileStatus[] | null;
  /** First and last turn, both included. */
  readonly turns: readonly [first: number, last: number] | null;
  readonly context: ContextPlace | null;
}

export const NO_FILTER: RowFilter = {
  text: "",
  threads: null,
  tools: null,
  states: null,
  files: null,
  turns: null,
  context: null,
};

export const SORT_KEYS = ["turn", "call", "tool", "state", "chars", "tokens", "full", "where", "file"] as const;
export type SortKey = (typeof SORT_KEYS)[number];
/** Unknown values come last in both directions, equal ones in the order of the transcript; null = the order of the transcript. */
export type RowSort = { readonly key: SortKey; readonly descending: boolean } | null;

export interface RowQuery {
  readonly filter: RowFilter;
  readonly sort: RowSort;
  /** Only these results (hits of a search), by index; null = all. */
  readonly within: readonly number[] | null;
}

/**
 * Names a row across readings of a growing transcript. The index is enough, but for a call that waits for its result:
 * it is listed last and moves down when others come; then the call's id finds it.
 */
export interface RowRef {
  readonly index: number;
  /** Null: whatever stands at `index`. */
  readonly thread: string | null;
  readonly callId: string | null;
}

/** A part of the rows that a query gives. */
export interface RowsRequest {
  readonly query: RowQuery;
  /** Place of the first row wanted, 0-based in the query's order. Past the end: the last `count` rows. */
  readonly from: number;
  readonly count: number;
  /** If the query gives this row, the part begins so many rows before it instead of at `from`. */
  readonly around: { readonly ref: RowRef; readonly before: number } | null;
  /** Rows to look up, wherever they are. */
  readonly find: readonly RowRef[];
  /** Totals and facets are wanted too. */
  readonly summary: boolean;
}

export interface FoundRow {
  /** Place in the query's order; null: the query does not give it. */
  readonly place: number | null;
  /** Null: no such row (yet). */
  readonly row: ResultRow | null;
}

/** How many rows have a value and pass every filter but the one on this column. */
export interface Facet<T extends string = string> {
  readonly value: T;
  readonly count: number;
}

/** The values that occur in the transcript, in the order to show them; a value may count 0. */
export interface RowFacets {
  readonly tools: readonly Facet[];
  /** Tools beyond the bound, the rarest; not listed. */
  readonly toolsOmitted: number;
  readonly threads: readonly Facet[];
  readonly threadsOmitted: number;
  readonly states: readonly Facet<ResultState>[];
  readonly files: readonly Facet<FileStatus>[];
  readonly context: readonly Facet<ContextPlace>[];
}

export interface RowSummary {
  /** Characters of the rows that the query gives, in the transcript's unit. */
  readonly chars: number;
  /** Estimate: the sum of the rows' own estimates. */
  readonly tokens: number;
  readonly facets: RowFacets;
}

export interface RowsAnswer {
  /** Rows of the transcript. */
  readonly all: number;
  /** Rows that the query gives. */
  readonly total: number;
  /** Place of the first of `rows`. */
  readonly from: number;
  readonly rows: readonly ResultRow[];
  /** Place of `around`, null when it was not asked for or the query does not give it. */
  readonly around: number | null;
  /** One per entry of `find`. */
  readonly found: readonly FoundRow[];
  readonly summary: RowSummary | null;
}

/** Bounds of one request and its answer. */
export const ROW_LIMITS = {
  /** Rows in one part. */
  window: 500,
  /** Rows looked up. */
  find: 4,
  /** Values listed per facet. */
  facet: 200,
  /** Values in one list of a filter. */
  values: 200,
  /** UTF-16 units of a filter's text, and of any other text in a request. */
  text: 2_000,
} as const;

/** True when the filter leaves something out or could. */
export function isFiltered(filter: RowFilter): boolean {
  const { text, ...lists } = filter;
  return text.trim() !== "" || Object.values(lists).some((list) => list !== null);
}

/** Characters now in context; null where no result came. */
export function charsOf(row: ResultRow): number | null {
  return row.state === "missing" ? null : row.chars;
}

export function tokensOf(row: ResultRow): number | null {
  return row.state === "missing" ? null : row.tokens;
}

/** Characters of the full text: as its notice states, or as counted where all of it stands in context; null = unknown. */
export function fullOf(row: ResultRow): number | null {
  return row.statedChars ?? (row.state === "inline" ? row.chars : null);
}

/** How to find this row again. */
export function refOf({ index, thread, callId }: ResultRow): RowRef {
  const tooLong = thread.length > ROW_LIMITS.text || (callId?.length ?? 0) > ROW_LIMITS.text;
  return tooLong ? { index, thread: null, callId: null } : { index, thread, callId };
}
