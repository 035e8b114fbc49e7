import { HANDLE_USES } from "../../extension/src/core/model/resultHandle";
import {
  CONTEXT_PLACES,
  FILE_STATUSES,
  NO_FILTER,
  RESULT_STATES,
  ROW_LIMITS,
  type RowFilter,
  type RowRef,
  type RowSort,
  SORT_KEYS,
} from "../../extension/src/core/model/rowQuery";
import { SEARCH_LIMITS, type SearchQuery } from "../../extension/src/core/model/search";
import { type HandlesSetup, INITIAL_HANDLES } from "./handles/handlesLoader";
import { INITIAL_SETUP, restoreSetup, type WhatIfSetup } from "./whatIf/whatIfSetup";

export const TABS = ["overview", "results", "handles", "whatIf", "problems"] as const;
export type Tab = (typeof TABS)[number];

/** What the user has set; survives hiding and reloading through the page's own state store. */
export interface UiState {
  /** Null until the user chose one: results where there are some, else the overview. */
  readonly tab: Tab | null;
  /** Thread of the timeline; null = the main one. */
  readonly thread: string | null;
  /** The timeline as a table of numbers. */
  readonly asTable: boolean;
  readonly filter: RowFilter;
  readonly sort: RowSort;
  /** What was looked for inside the results; null = nothing. */
  readonly query: SearchQuery | null;
  /** Names the selected result, not its place in the table. */
  readonly selected: RowRef | null;
  /** Pixels. */
  readonly scrollTop: number;
  /** Share of the table in the split with the detail pane, 0.2 to 0.85. */
  readonly split: number;
  readonly whatIf: WhatIfSetup;
  readonly handles: HandlesSetup;
  /** Offset of the page of the selected result's full output; null = its preview is shown. UTF-16 units. */
  readonly page: number | null;
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
  whatIf: INITIAL_SETUP,
  handles: INITIAL_HANDLES,
  page: null,
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
      text: textOf(filter["text"]) ?? "",
      threads: listOf(filter["threads"], textOf),
      tools: listOf(filter["tools"], textOf),
      states: listOf(filter["states"], (value) => RESULT_STATES.find((state) => state === value) ?? null),
      files: listOf(filter["files"], (value) => FILE_STATUSES.find((status) => status === value) ?? null),
      turns: turnsOf(filter["turns"]),
      context: CONTEXT_PLACES.find((place) => place === filter["context"]) ?? null,
    },
    sort: key === undefined ? null : { key, descending: sort["descending"] === true },
    query: queryOf(from["query"]),
    selected: refOf(from["selected"]),
    scrollTop: countOf(from["scrollTop"]) ?? 0,
    split:
      typeof from["split"] === "number" && Number.isFinite(from["split"])
        ? clampSplit(from["split"])
        : INITIAL_UI.split,
    whatIf: restoreSetup(from["whatIf"]),
    handles: handlesOf(from["handles"]),
    page: countOf(from["page"]),
  };
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}

function textOf(value: unknown): string | null {
  return typeof value === "string" && value.length <= ROW_LIMITS.text ? value : null;
}

/** Null when anything in it does not fit. */
function listOf<T>(value: unknown, of: (value: unknown) => T | null): readonly T[] | null {
  if (!Array.isArray(value) || value.length > ROW_LIMITS.values) {
    return null;
  }
  const items = value.map(of);
  return items.every((item) => item !== null) ? items : null;
}

function turnsOf(value: unknown): RowFilter["turns"] {
  const [first, last] = Array.isArray(value) ? value.map(countOf) : [];
  return typeof first === "number" && typeof last === "number" ? [first, last] : null;
}

function refOf(value: unknown): RowRef | null {
  const { index, thread, callId } = recordOf(value);
  const at = countOf(index);
  return at === null ? null : { index: at, thread: textOf(thread), callId: textOf(callId) };
}

function handlesOf(value: unknown): HandlesSetup {
  const { moment, use } = recordOf(value);
  const { kind, thread, call } = recordOf(moment);
  const number = countOf(call);
  return {
    moment:
      kind === "end"
        ? { kind }
        : kind === "call" && number !== null
          ? { kind, thread: textOf(thread), call: number }
          : INITIAL_HANDLES.moment,
    use: HANDLE_USES.find((one) => one === use) ?? null,
  };
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
