/** Guards for what the simulation answers. */
import type { Action, Reason } from "../../extension/src/core/model/policy";
import type {
  WhatIfAffected,
  WhatIfCalls,
  WhatIfCurve,
  WhatIfEvents,
  WhatIfFacts,
  WhatIfOutcome,
  WhatIfPolicyReport,
  WhatIfSeries,
  WhatIfSide,
  WhatIfThread,
} from "../../extension/src/protocol/whatIf";
import {
  type Guard,
  isBoolean,
  isCount,
  isNumber,
  isRecord,
  isString,
  listOf,
  type Members,
  oneOf,
  orNull,
  shape,
} from "./guard";

const ACTIONS: Members<Action> = {
  persisted: true,
  "not-saved": true,
  "turn-budget": true,
  pruned: true,
  blanked: true,
  cleared: true,
  masked: true,
  duplicate: true,
  "one-line": true,
  shortened: true,
};
const REASONS: Members<Reason> = {
  "below-threshold": true,
  pinned: true,
  "registry-cap": true,
  "terminal-capped": true,
  "quotes-tag": true,
  "already-taken-out": true,
  trusted: true,
  "excluded-tool": true,
  protected: true,
  "below-budget": true,
  "not-enough-results": true,
  "reclaim-too-small": true,
  "not-rearmed": true,
  "nothing-eligible": true,
  unsatisfiable: true,
  off: true,
};

const isNumbers = listOf(isNumber);

function isCounts(value: unknown): value is Readonly<Partial<Record<Reason, number>>> {
  return isRecord(value) && Object.entries(value).every(([reason, count]) => oneOf(REASONS)(reason) && isCount(count));
}

const isFacts = shape<WhatIfFacts>({
  thread: isString,
  threads: listOf(shape<WhatIfThread>({ id: isString, title: isString, calls: isCount, results: isCount })),
  calls: isCount,
  results: isCount,
  resultsRead: isCount,
  measured: orNull(
    shape<NonNullable<WhatIfFacts["measured"]>>({ calls: isCount, input: isNumber, cacheRead: isNumber }),
  ),
  suggestedBaseTokens: isNumber,
  suggestedWindowTokens: orNull(isNumber),
  inferred: orNull(
    shape<NonNullable<WhatIfFacts["inferred"]>>({
      atLeast: orNull(isNumber),
      below: orNull(isNumber),
      note: orNull(isString),
    }),
  ),
  configThreshold: orNull(shape<NonNullable<WhatIfFacts["configThreshold"]>>({ chars: isNumber, file: isString })),
  notes: listOf(isString),
});

const isSide = shape<WhatIfSide>({
  input: isNumber,
  cached: isNumber,
  uncached: isNumber,
  peak: isNumber,
  overWindow: orNull(isCount),
  cost: orNull(isNumber),
});

const columns: { readonly [K in keyof WhatIfSeries]: Guard<WhatIfSeries[K]> } = {
  call: listOf(isCount),
  before: isNumbers,
  beforeCached: isNumbers,
  after: isNumbers,
  afterCached: isNumbers,
  measured: listOf(orNull(isNumber)),
  breaks: isNumbers,
  compactions: isNumbers,
};
const isColumns = shape<WhatIfSeries>(columns);
const columnNames = Object.keys(columns) as (keyof WhatIfSeries)[];

/** Columns of one length, so that an index holds for all of them. */
function isSeries(value: unknown): value is WhatIfSeries {
  return isColumns(value) && columnNames.every((name) => value[name].length === value.call.length);
}

const isOutcome = shape<WhatIfOutcome>({
  before: isSide,
  after: isSide,
  saved: shape<WhatIfOutcome["saved"]>({
    input: isNumber,
    cached: isNumber,
    uncached: isNumber,
    cost: orNull(isNumber),
  }),
  breaks: shape<WhatIfOutcome["breaks"]>({
    count: isCount,
    lost: isNumber,
    paysBackAfter: orNull(isNumber),
    paysBackAfterPrice: orNull(isNumber),
  }),
  series: isSeries,
  callsPerPoint: isCount,
  policies: listOf(shape<WhatIfPolicyReport>({ replaced: isCount, idle: isCounts, kept: isCounts })),
  affected: isCount,
  affectedSaved: isNumber,
  capped: isBoolean,
});

const isAffected = shape<WhatIfAffected>({
  index: isCount,
  tool: orNull(isString),
  call: isCount,
  line: orNull(isCount),
  policy: isCount,
  action: oneOf(ACTIONS),
  before: isNumber,
  after: isNumber,
  exact: isBoolean,
  saved: isNumber,
});

const isCurveShape = shape<WhatIfCurve>({
  steps: isNumbers,
  saved: isNumbers,
  savedFirst: isNumbers,
  results: listOf(isCount),
  always: shape<WhatIfCurve["always"]>({ saved: isNumber, savedFirst: isNumber, results: isCount }),
  totalChars: isNumber,
  stepsOmitted: isCount,
});

function isCurve(value: unknown): value is WhatIfCurve {
  return (
    isCurveShape(value) &&
    [value.saved, value.savedFirst, value.results].every(({ length }) => length === value.steps.length)
  );
}

export const whatIfReplyGuards: { readonly [M in keyof WhatIfCalls]: Guard<WhatIfCalls[M]["out"]> } = {
  whatIfOpen: isFacts,
  whatIfRun: isOutcome,
  whatIfAffected: shape<WhatIfCalls["whatIfAffected"]["out"]>({ total: isCount, rows: listOf(isAffected) }),
  whatIfCurve: isCurve,
  whatIfDiff: shape<WhatIfCalls["whatIfDiff"]["out"]>({ opened: isBoolean }),
  whatIfApply: shape<WhatIfCalls["whatIfApply"]["out"]>({ applied: isBoolean }),
  whatIfExport: shape<WhatIfCalls["whatIfExport"]["out"]>({ opened: isBoolean }),
};

export const whatIfEventGuards: { readonly [E in keyof WhatIfEvents]: Guard<WhatIfEvents[E]> } = {
  "whatIf/progress": shape<WhatIfEvents["whatIf/progress"]>({
    what: oneOf<WhatIfEvents["whatIf/progress"]["what"]>({ reading: true, measuring: true }),
    done: isNumber,
    total: isNumber,
  }),
  "whatIf/stale": shape<WhatIfEvents["whatIf/stale"]>({}),
};
