/**
 * The report of one simulation: what `context-budget simulate --json` prints and the editor exports. Described by
 * schemas/report.schema.json; a test keeps the two equal.
 */
import type { Policy, PriceRatios } from "../../model/policy";
import type { ReportProblem } from "../../model/reportProblem";
import type { AgentId, FormatId, Thread, ToolResult } from "../../model/transcript";
import type { CacheModel } from "../cacheModel";
import { savedAt, thresholdCurve } from "../curve";
import type { ResultFacts } from "../facts";
import { inferThreshold, type ThresholdInference } from "../infer";
import type { LedgerSide, TokenRule } from "../ledger";
import { type PersistPolicy, POLICY_DEFAULTS } from "../policy";
import { measuredInput, measuredTotals, type SimThread } from "../simThread";
import type { SimOptions, SimOutcome } from "../simulate";
import type { Action, Reason } from "../stage";
import type { SideTotals } from "../totals";
import { type ChosenPolicy, writePolicySpec } from "./policySpec";

type Counts = Readonly<Partial<Record<Reason, number>>>;

export interface PolicyOutcome {
  /** Name of the preset; null for a policy given by its own option. */
  readonly preset: string | null;
  readonly source: string | null;
  /** What is only followed in outline; null when nothing is. */
  readonly approximation: string | null;
  /** What `--policy` takes to choose the same. */
  readonly spec: string;
  readonly parameters: Policy;
  readonly replaced: number;
  /** Requests before which it looked and did nothing, by reason. */
  readonly idle: Counts;
  /** Results that no policy replaced, by what this one had against it. */
  readonly kept: Counts;
}

export interface AffectedReport {
  /** `index` of the result in `inspect`. */
  readonly result: number;
  readonly tool: string | null;
  readonly callId: string | null;
  /** Physical line of its record; in a database the row id. */
  readonly line: number | null;
  /** Position in `policies`. */
  readonly policy: number;
  readonly action: Action;
  /** Number of the first request that held the replacement. */
  readonly call: number;
  /** Code points; exact when `exact`, else what follows from the length alone. */
  readonly before: number;
  readonly after: number;
  readonly exact: boolean;
  /** Code points not sent over all requests; negative when the replacement is longer. */
  readonly saved: number;
}

export interface LedgerSideReport {
  /** Estimated tokens. */
  readonly total: number;
  readonly cached: number;
  readonly uncached: number;
  /** Message that first differs from the previous request, by its index in the thread; null when nothing of an own message does. */
  readonly firstChange: number | null;
}

export interface LedgerRow {
  readonly call: number;
  /** Milliseconds since the epoch; null when the transcript does not say. */
  readonly at: number | null;
  readonly before: LedgerSideReport;
  readonly after: LedgerSideReport;
  /** As the transcript states it, in tokens; null where it states nothing. */
  readonly measured: {
    readonly input: number | null;
    readonly cacheRead: number | null;
    readonly cacheWrite: number | null;
    readonly output: number | null;
  };
}

export interface CacheBreakReport {
  /** Number of the request. */
  readonly call: number;
  readonly lost: number;
  readonly saved: number;
  readonly breakEven: number | null;
  /** The same in money; null without prices, or never. */
  readonly breakEvenPrice: number | null;
}

export interface CurveReport {
  /** Code points of input not sent at a threshold that is below `steps[i]` and not below `steps[i − 1]`. Exact. */
  readonly steps: readonly number[];
  readonly saved: readonly number[];
  readonly savedFirst: readonly number[];
  readonly results: readonly number[];
  /** Saved at every threshold, by caps of tools. */
  readonly always: { readonly saved: number; readonly savedFirst: number; readonly results: number };
  readonly candidates: readonly {
    readonly threshold: number;
    readonly saved: number;
    readonly savedFirst: number;
    readonly results: number;
  }[];
}

export interface SimulationReport {
  readonly thread: {
    readonly id: string;
    readonly title: string;
    readonly kind: Thread["kind"];
    readonly calls: number;
    readonly results: number;
  };
  /** How tokens are estimated and what else is assumed. */
  readonly assumed: {
    readonly tokens: TokenRule;
    /** Tokens in every request that the transcript does not show, from its first measured request; 0 when none is. */
    readonly baseTokens: number;
    readonly windowTokens: number | null;
    readonly cache: CacheModel;
    /** Null = prices are left out. */
    readonly prices: PriceRatios | null;
  };
  /** What the transcript states; `calls` of the requests state their input. */
  readonly measured: { readonly calls: number; readonly input: number; readonly cacheRead: number };
  readonly totals: {
    readonly before: SideTotals;
    readonly after: SideTotals;
    readonly saved: { readonly input: number; readonly cached: number; readonly uncached: number };
    readonly breaks: readonly CacheBreakReport[];
    readonly breakEvenReached: number | null;
    /** The same in money; null without prices or when not in this thread. */
    readonly breakEvenReachedPrice: number | null;
  };
  readonly policies: readonly PolicyOutcome[];
  readonly affected: readonly AffectedReport[];
  readonly ledger: readonly LedgerRow[];
  /** Null where it was not asked for. */
  readonly curve: CurveReport | null;
  /** The threshold that must have been in force; null for agents other than Hermes. */
  readonly inferred: Omit<ThresholdInference, "conflicts"> | null;
}

export interface SimulateReport {
  readonly file: string;
  readonly format: FormatId | null;
  /** Of the file, hexadecimal, so that a result can be repeated; null for databases and for what could not be read. */
  readonly sha256: string | null;
  /** Null when the transcript, or its thread, could not be read; `problems` says why. */
  readonly simulation: SimulationReport | null;
  readonly problems: readonly ReportProblem[];
}

/** One thread as it was simulated. */
export interface SimulatedThread {
  readonly thread: Thread;
  readonly agent: AgentId;
  readonly sim: SimThread;
  readonly facts: ResultFacts;
  /** All results of the transcript; `sim.results.index` points into them. */
  readonly results: readonly ToolResult[];
}

/** What was asked for. */
export interface SimulationChoice {
  /** In the order in which they applied. */
  readonly policies: readonly ChosenPolicy[];
  /** Thresholds to tell of, in code points; null = no curve. */
  readonly thresholds: readonly number[] | null;
}

/** Puts one run into the form of the report. */
export function simulationReport(
  simulated: SimulatedThread,
  choice: SimulationChoice,
  options: SimOptions,
  outcome: SimOutcome,
): SimulationReport {
  const { thread, sim, agent } = simulated;
  return {
    thread: {
      id: thread.id,
      title: thread.title,
      kind: thread.kind,
      calls: sim.calls.count,
      results: sim.results.count,
    },
    assumed: {
      tokens: options.tokens,
      baseTokens: options.baseTokens,
      windowTokens: options.windowTokens,
      cache: options.cache,
      prices: options.prices,
    },
    measured: measuredTotals(sim),
    totals: totalsOf(sim, outcome),
    policies: policiesOf(choice.policies, outcome),
    affected: affectedOf(simulated, outcome),
    ledger: Array.from({ length: outcome.calls }, (_, call) => ledgerRow(sim, outcome, call)),
    curve: choice.thresholds === null ? null : curveOf(simulated, choice.policies, choice.thresholds),
    inferred: agent === "hermes" ? inferredOf(simulated) : null,
  };
}

function totalsOf(sim: SimThread, { totals }: SimOutcome): SimulationReport["totals"] {
  return {
    before: totals.before,
    after: totals.after,
    saved: totals.saved,
    breaks: totals.breaks.map(({ call, lost, saved, breakEven, breakEvenPrice }) => ({
      call: sim.calls.number[call] ?? 0,
      lost,
      saved,
      breakEven,
      breakEvenPrice,
    })),
    breakEvenReached: totals.breakEvenReached,
    breakEvenReachedPrice: totals.breakEvenReachedPrice,
  };
}

function policiesOf(chosen: readonly ChosenPolicy[], outcome: SimOutcome): readonly PolicyOutcome[] {
  const kept = chosen.map(() => new Map<Reason, number>());
  for (const { reasons } of outcome.untouched()) {
    for (const [policy, reason] of reasons.entries()) {
      const counts = kept[policy];
      if (reason !== undefined) counts?.set(reason, (counts.get(reason) ?? 0) + 1);
    }
  }
  return chosen.map(({ policy, preset }, position) => ({
    preset: preset?.id ?? null,
    source: preset?.source ?? null,
    approximation: preset?.approximation ?? null,
    spec: writePolicySpec({ policy, preset }),
    parameters: policy,
    replaced: outcome.policies[position]?.replaced ?? 0,
    idle: Object.fromEntries(outcome.policies[position]?.idle ?? []),
    kept: Object.fromEntries(kept[position] ?? []),
  }));
}

function affectedOf({ results, sim, facts }: SimulatedThread, outcome: SimOutcome): readonly AffectedReport[] {
  return outcome.affected.map((one) => {
    const position = sim.results.index[one.result] ?? 0;
    const result = results[position];
    return {
      result: position,
      tool: result?.tool ?? null,
      callId: result?.callId ?? null,
      line: result?.place.line ?? null,
      policy: one.policy,
      action: one.action,
      call: sim.calls.number[one.call] ?? 0,
      before: one.before,
      after: one.after,
      exact: facts.read[one.result] === 1,
      saved: one.saved,
    };
  });
}

function ledgerRow(sim: SimThread, outcome: SimOutcome, call: number): LedgerRow {
  const { measured } = sim.calls;
  return {
    call: sim.calls.number[call] ?? 0,
    at: orNull(sim.calls.at[call]),
    before: ledgerSide(sim, outcome.before, call),
    after: ledgerSide(sim, outcome.after, call),
    measured: {
      input: orNull(measuredInput(sim, call)),
      cacheRead: orNull(measured.cacheRead[call]),
      cacheWrite: orNull(measured.cacheWrite[call]),
      output: orNull(measured.output[call]),
    },
  };
}

function ledgerSide(sim: SimThread, side: LedgerSide, call: number): LedgerSideReport {
  const total = side.total[call] ?? 0;
  const cached = side.cached[call] ?? 0;
  const message = sim.items.messageIndex[side.firstChange[call] ?? -1] ?? -1;
  return { total, cached, uncached: total - cached, firstChange: message < 0 ? null : message };
}

/** The curve follows the first persist policy given, else what Hermes ships. */
function curveOf(
  { sim, facts }: SimulatedThread,
  policies: readonly ChosenPolicy[],
  thresholds: readonly number[],
): CurveReport {
  const given = policies.map(({ policy }) => policy).find((policy) => policy.kind === "persist");
  const rules: PersistPolicy = given ?? POLICY_DEFAULTS.persist;
  const curve = thresholdCurve(sim, facts, rules);
  return {
    steps: [...curve.steps],
    saved: [...curve.saved],
    savedFirst: [...curve.savedFirst],
    results: [...curve.results],
    always: curve.always,
    candidates: thresholds.map((threshold) => ({ threshold, ...savedAt(curve, threshold) })),
  };
}

function inferredOf({ sim, facts, results }: SimulatedThread): SimulationReport["inferred"] {
  const { conflicts: _, ...inferred } = inferThreshold(sim, facts, results);
  return inferred;
}

function orNull(value: number | undefined): number | null {
  return value === undefined || Number.isNaN(value) ? null : value;
}
