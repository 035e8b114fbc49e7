import { thresholdCurve } from "../../core/compaction/curve";
import type { ResultFacts } from "../../core/compaction/facts";
import { type PersistPolicy, POLICY_DEFAULTS } from "../../core/compaction/policy";
import { measuredInput, type SimThread, timesSent } from "../../core/compaction/simThread";
import type { AffectedResult, SimOutcome } from "../../core/compaction/simulate";
import type { SideTotals } from "../../core/compaction/totals";
import type { Policy, Reason } from "../../core/model/policy";
import type { ToolResult } from "../../core/model/transcript";
import {
  type AffectedOrder,
  WHATIF_LIMITS,
  type WhatIfAffected,
  type WhatIfCurve,
  type WhatIfOutcome,
  type WhatIfPolicyReport,
  type WhatIfSeries,
  type WhatIfSide,
} from "../../protocol/whatIf";

/** A run as the page gets it. */
export function outcomeShape(sim: SimThread, outcome: SimOutcome): WhatIfOutcome {
  const { totals } = outcome;
  const callsPerPoint = Math.max(1, Math.ceil(outcome.calls / WHATIF_LIMITS.points));
  const { cost: costBefore } = totals.before;
  const { cost: costAfter } = totals.after;
  return {
    before: sideShape(totals.before),
    after: sideShape(totals.after),
    saved: { ...totals.saved, cost: costBefore === null || costAfter === null ? null : costBefore - costAfter },
    breaks: {
      count: totals.breaks.length,
      lost: totals.breaks.reduce((sum, { lost }) => sum + lost, 0),
      paysBackAfter: totals.breakEvenReached,
      paysBackAfterPrice: totals.breakEvenReachedPrice,
    },
    series: seriesShape(sim, outcome, callsPerPoint),
    callsPerPoint,
    policies: policyReports(outcome),
    affected: outcome.affected.length,
    affectedSaved: outcome.affected.reduce((sum, { saved }) => sum + saved, 0),
    capped: outcome.capped,
  };
}

function sideShape({ input, cached, uncached, peak, overWindow, cost }: SideTotals): WhatIfSide {
  return { input, cached, uncached, peak, overWindow, cost };
}

function seriesShape(
  sim: SimThread,
  { before, after, totals, calls }: SimOutcome,
  callsPerPoint: number,
): WhatIfSeries {
  const breaks = new Uint8Array(calls);
  for (const { call } of totals.breaks) breaks[call] = 1;
  const points: number[] = [];
  const any = (flags: Uint8Array): number[] =>
    points.map((_, point) => {
      const from = point * callsPerPoint;
      return flags.subarray(from, Math.min(calls, from + callsPerPoint)).includes(1) ? 1 : 0;
    });
  for (let from = 0; from < calls; from += callsPerPoint) {
    let largest = from;
    for (let call = from + 1; call < Math.min(calls, from + callsPerPoint); call++)
      if ((before.total[call] ?? 0) > (before.total[largest] ?? 0)) largest = call;
    points.push(largest);
  }
  const column = (values: Float64Array): number[] => points.map((call) => values[call] ?? 0);
  return {
    call: points.map((call) => sim.calls.number[call] ?? 0),
    before: column(before.total),
    beforeCached: column(before.cached),
    after: column(after.total),
    afterCached: column(after.cached),
    measured: points.map((call) => {
      const stated = measuredInput(sim, call);
      return Number.isNaN(stated) ? null : stated;
    }),
    breaks: any(breaks),
    compactions: any(sim.calls.compacted),
  };
}

/** Per policy what it replaced, and by reason what it left alone. */
function policyReports(outcome: SimOutcome): readonly WhatIfPolicyReport[] {
  const kept = outcome.policies.map(() => new Map<Reason, number>());
  for (const { reasons } of outcome.untouched()) {
    for (const [policy, reason] of reasons.entries()) {
      const counts = kept[policy];
      if (reason !== undefined) counts?.set(reason, (counts.get(reason) ?? 0) + 1);
    }
  }
  return outcome.policies.map(({ replaced, idle }, policy) => ({
    replaced,
    idle: Object.fromEntries(idle),
    kept: Object.fromEntries(kept[policy] ?? []),
  }));
}

const BY_ORDER: { readonly [O in AffectedOrder]: (a: AffectedResult, b: AffectedResult) => number } = {
  saved: (a, b) => b.saved - a.saved,
  before: (a, b) => b.before - a.before,
  call: (a, b) => a.call - b.call,
};

/** A stretch of the replaced results in an order; equal ones as they stand in the thread. */
export function affectedShape(
  at: { readonly sim: SimThread; readonly facts: ResultFacts; readonly results: readonly ToolResult[] },
  outcome: SimOutcome,
  wanted: { readonly order: AffectedOrder; readonly from: number; readonly count: number },
): { readonly total: number; readonly rows: readonly WhatIfAffected[] } {
  const { sim, facts, results } = at;
  const compare = BY_ORDER[wanted.order];
  const ordered = [...outcome.affected].sort((a, b) => compare(a, b) || a.result - b.result);
  const count = Math.min(wanted.count, WHATIF_LIMITS.affected);
  const rows = ordered.slice(wanted.from, wanted.from + count).map((one): WhatIfAffected => {
    const index = sim.results.index[one.result] ?? 0;
    const result = results[index];
    return {
      index,
      tool: result?.tool ?? null,
      call: sim.calls.number[one.call] ?? 0,
      line: result?.place.line ?? null,
      policy: one.policy,
      action: one.action,
      before: one.before,
      after: one.after,
      exact: facts.read[one.result] === 1,
      saved: one.saved,
    };
  });
  return { total: ordered.length, rows };
}

/** The curve under the caps of a persist policy; of what Hermes ships when there is none. */
export function curveShape(sim: SimThread, facts: ResultFacts, policy: Policy | null): WhatIfCurve {
  const rules: PersistPolicy = policy?.kind === "persist" ? policy : POLICY_DEFAULTS.persist;
  const curve = thresholdCurve(sim, facts, rules);
  const picked = everyNth(curve.steps.length, WHATIF_LIMITS.steps);
  const column = (values: Float64Array | Int32Array): number[] => picked.map((at) => values[at] ?? 0);
  return {
    steps: column(curve.steps),
    saved: column(curve.saved),
    savedFirst: column(curve.savedFirst),
    results: column(curve.results),
    always: curve.always,
    totalChars: totalChars(sim),
    stepsOmitted: curve.steps.length - picked.length,
  };
}

/**
 * At most so many of a number of positions, spread evenly, ascending. Counted from the end, so that the largest step of a
 * curve, above which nothing is saved, is always one of them.
 */
export function everyNth(total: number, most: number): readonly number[] {
  const every = Math.max(1, Math.ceil(total / most));
  const picked: number[] = [];
  for (let at = total - 1; at >= 0; at -= every) picked.push(at);
  return picked.reverse();
}

/** Code points of input over all requests of a thread. */
export function totalChars(sim: SimThread): number {
  let sum = 0;
  for (let item = 0; item < sim.items.count; item++) sum += (sim.items.chars[item] ?? 0) * timesSent(sim, item);
  return sum;
}
