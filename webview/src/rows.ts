/** Which rows the table shows, and in which order. Pure, and exact: tests compare it with the plainest possible loop. */
import type { ResultState } from "../../extension/src/core/model/transcript";
import type { FileStatus, ResultRow } from "../../extension/src/protocol/webview";
import { fileStatuses, resultStates } from "./guards";

export interface Filter {
  /** Words that must all occur in the tool, path, handle or call id; case does not matter. */
  readonly text: string;
  readonly thread: string | null;
  readonly tool: string | null;
  readonly state: ResultState | null;
  readonly file: FileStatus | null;
}

export const NO_FILTER: Filter = { text: "", thread: null, tool: null, state: null, file: null };

export const SORT_KEYS = ["turn", "call", "tool", "state", "chars", "tokens", "full", "where", "file"] as const;
export type SortKey = (typeof SORT_KEYS)[number];
/** null = the order of the transcript. */
export type Sort = { readonly key: SortKey; readonly descending: boolean } | null;

export function isFiltered(filter: Filter): boolean {
  return (
    filter.text.trim() !== "" ||
    filter.thread !== null ||
    filter.tool !== null ||
    filter.state !== null ||
    filter.file !== null
  );
}

export function filterRows(rows: readonly ResultRow[], filter: Filter): readonly ResultRow[] {
  if (!isFiltered(filter)) {
    return rows;
  }
  const words = filter.text
    .toLowerCase()
    .split(/\s+/u)
    .filter((word) => word !== "");
  return rows.filter(
    (row) =>
      (filter.thread === null || row.thread === filter.thread) &&
      (filter.tool === null || row.tool === filter.tool) &&
      (filter.state === null || row.state === filter.state) &&
      (filter.file === null || row.file === filter.file) &&
      matches(row, words),
  );
}

function matches(row: ResultRow, words: readonly string[]): boolean {
  if (words.length === 0) {
    return true;
  }
  const text = `${row.tool ?? ""}\n${row.path ?? ""}\n${row.handle ?? ""}\n${row.callId ?? ""}`.toLowerCase();
  return words.every((word) => text.includes(word));
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

const stateRank = new Map(resultStates.map((state, rank) => [state, rank]));
const fileRank = new Map(fileStatuses.map((status, rank) => [status, rank]));

function sortValue(row: ResultRow, key: SortKey): number | string | null {
  switch (key) {
    case "turn":
      return row.turn;
    case "call":
      return row.call;
    case "tool":
      return row.tool?.toLowerCase() ?? null;
    case "state":
      return stateRank.get(row.state) ?? null;
    case "chars":
      return charsOf(row);
    case "tokens":
      return tokensOf(row);
    case "full":
      return fullOf(row);
    case "where":
      return (row.path ?? row.handle)?.toLowerCase() ?? null;
    case "file":
      return row.file === "none" ? null : (fileRank.get(row.file) ?? null);
  }
}

/** Sorted copy: unknown values last in both directions, equal ones in the order of the transcript. */
export function sortRows(rows: readonly ResultRow[], sort: Sort): readonly ResultRow[] {
  if (sort === null) {
    return rows;
  }
  const sign = sort.descending ? -1 : 1;
  const keyed = rows.map((row) => ({ row, value: sortValue(row, sort.key) }));
  keyed.sort((a, b) => {
    if (a.value === null || b.value === null) {
      return a.value === b.value ? a.row.index - b.row.index : a.value === null ? 1 : -1;
    }
    if (a.value === b.value) {
      return a.row.index - b.row.index;
    }
    return a.value < b.value ? -sign : sign;
  });
  return keyed.map((entry) => entry.row);
}

const NUMBERS_FIRST_DESCENDING: readonly SortKey[] = ["chars", "tokens", "full"];

/** What a click on a column head does: its natural direction, then the other, then the order of the transcript. */
export function nextSort(sort: Sort, key: SortKey): Sort {
  const natural = NUMBERS_FIRST_DESCENDING.includes(key);
  if (sort?.key !== key) {
    return { key, descending: natural };
  }
  return sort.descending === natural ? { key, descending: !natural } : null;
}

export interface Facets {
  readonly tools: readonly string[];
  readonly states: readonly ResultState[];
  readonly files: readonly FileStatus[];
}

/** The values that occur, for the filter menus. */
export function facetsOf(rows: readonly ResultRow[]): Facets {
  const tools = new Set<string>();
  const states = new Set<ResultState>();
  const files = new Set<FileStatus>();
  for (const row of rows) {
    if (row.tool !== null) {
      tools.add(row.tool);
    }
    states.add(row.state);
    files.add(row.file);
  }
  return {
    tools: [...tools].sort(),
    states: resultStates.filter((state) => states.has(state)),
    files: fileStatuses.filter((status) => files.has(status)),
  };
}

/** Sum of characters now in context. */
export function totalChars(rows: readonly ResultRow[]): number {
  let total = 0;
  for (const row of rows) {
    total += charsOf(row) ?? 0;
  }
  return total;
}
