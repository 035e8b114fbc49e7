/** Guards for the rows of the table. */
import {
  CONTEXT_PLACES,
  type Facet,
  FILE_STATUSES,
  type FoundRow,
  RESULT_STATES,
  type ResultRow,
  type RowFacets,
  type RowSummary,
} from "../../extension/src/core/model/rowQuery";
import type { Calls, RowsNews } from "../../extension/src/protocol/webview";
import { type Guard, isBoolean, isCount, isNumber, isString, listOf, orNull, shape } from "./guard";

function among<T extends string>(values: readonly T[]): Guard<T> {
  return (value): value is T => values.some((one) => one === value);
}

export const isResultState = among(RESULT_STATES);
export const isFileStatus = among(FILE_STATUSES);

const isRow = shape<ResultRow>({
  index: isCount,
  thread: isString,
  turn: orNull(isNumber),
  call: orNull(isNumber),
  tool: orNull(isString),
  callId: orNull(isString),
  state: isResultState,
  chars: isNumber,
  statedChars: orNull(isNumber),
  statedRounded: isBoolean,
  tokens: isNumber,
  images: isCount,
  isError: isBoolean,
  orphan: isBoolean,
  path: orNull(isString),
  handle: orNull(isString),
  file: isFileStatus,
  line: isCount,
  leftLine: orNull(isCount),
});

function facetsOf<T extends string>(value: Guard<T>): Guard<readonly Facet<T>[]> {
  return listOf(shape<Facet<T>>({ value, count: isCount }));
}

const isSummary = shape<RowSummary>({
  chars: isNumber,
  tokens: isNumber,
  facets: shape<RowFacets>({
    tools: facetsOf(isString),
    toolsOmitted: isCount,
    threads: facetsOf(isString),
    threadsOmitted: isCount,
    states: facetsOf(isResultState),
    files: facetsOf(isFileStatus),
    context: facetsOf(among(CONTEXT_PLACES)),
  }),
});

export const isRowsNews = shape<RowsNews>({ revision: isCount, count: isCount });

export const isRowsAnswer = shape<Calls["rows"]["out"]>({
  revision: isCount,
  all: isCount,
  total: isCount,
  from: isCount,
  rows: listOf(isRow),
  around: orNull(isCount),
  found: listOf(shape<FoundRow>({ place: orNull(isCount), row: orNull(isRow) })),
  summary: orNull(isSummary),
});
