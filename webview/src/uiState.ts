import { SEARCH_LIMITS, type SearchQuery } from "../../extension/src/core/model/search";
import { fileStatuses, resultStates } from "./guards";
import { type Filter, NO_FILTER, SORT_KEYS, type Sort } from "./rows";

export const TABS = ["overview", "results", "problems"] as const;
export type Tab = (typeof TABS)[number];

/** What the user has set; survives hiding and reloading through the page's own state store. */
export interface UiState {
  /** Null until the user chose one: results where there are some, else the overview. */
  readonly tab: Tab | null;
  /** Thread of the timeline; null = the main one. */
  readonly thread: string | null;
  /** The timeline as a table of numbers. */
  readonly asTable: boolean;
  readonly filter: Filter;
  readonly sort: Sort;
  /** What was looked for inside the results; null = nothing. */
  readonly query: SearchQuery | null;
  /** Index of the selected result, not its place in the table. */
  readonly selected: number | null;
  /** Pixels. */
  readonly scrollTop: number;
  /** Share of the table in the split with the detail pane, 0.2 to 0.85. */
  readonly split: number;
}

export const MIN_SPLIT = 0.2;
export const MAX_SPLIT = 0.85;

export const INITIAL_UI: UiState = {
  tab: null,
  thread: null,
  asTable: false,
  filter: NO_FILTER,
  sort: null,
  query: null,
  selected: null,
  scrollTop: 0,
  split: 0.62,
};

export function clampSplit(split: number): number {
  return Math.min(MAX_SPLIT, Math.max(MIN_SPLIT, split));
}

/** Reads a stored state field by field: whatever does not fit keeps its initial value. */
export function restoreUi(stored: unknown): UiState {
  const from = recordOf(stored);
  const filter = recordOf(from["filter"]);
  const sort = recordOf(from["sort"]);
  const key = SORT_KEYS.find((candidate) => candidate === sort["key"]);
  return {
    tab: TABS.find((tab) => tab === from["tab"]) ?? null,
    thread: typeof from["thread"] === "string" ? from["thread"] : null,
    asTable: from["asTable"] === true,
    filter: {
      text: typeof filter["text"] === "string" ? filter["text"] : "",
      thread: typeof filter["thread"] === "string" ? filter["thread"] : null,
      tool: typeof filter["tool"] === "string" ? filter["tool"] : null,
      state: resultStates.find((state) => state === filter["state"]) ?? null,
      file: fileStatuses.find((status) => status === filter["file"]) ?? null,
    },
    sort: key === undefined ? null : { key, descending: sort["descending"] === true },
    query: queryOf(from["query"]),
    selected: countOf(from["selected"]),
    scrollTop: countOf(from["scrollTop"]) ?? 0,
    split:
      typeof from["split"] === "number" && Number.isFinite(from["split"])
        ? clampSplit(from["split"])
        : INITIAL_UI.split,
  };
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}

function queryOf(value: unknown): SearchQuery | null {
  const { text, regex, matchCase } = recordOf(value);
  return typeof text === "string" && text !== "" && text.length <= SEARCH_LIMITS.query
    ? { text, regex: regex === true, matchCase: matchCase === true }
    : null;
}

function countOf(value: unknown): number | null {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : null;
}
