import type { Cancel } from "../ports";
import { CACHE_MODELS, type CacheModel, type PriceRatios } from "./cacheModel";
import type { ResultFacts } from "./facts";
import { type LedgerSide, LedgerWriter, TOKEN_RULE, type TokenRule } from "./ledger";
import { Pipeline, type Replacement } from "./pipeline";
import type { Policy } from "./policy";
import { measuredInput, type SimThread } from "./simThread";
import type { Action, Reason } from "./stage";
import { ledgerTotals, type SimTotals } from "./totals";

/** What a simulation assumes beside the policies. All of it belongs into an export. */
export interface SimOptions {
  readonly tokens: TokenRule;
  readonly cache: CacheModel;
  /** Tokens in every request that the transcript does not show: tool schemas, a system prompt kept elsewhere. */
  readonly baseTokens: number;
  /** The model's window in tokens; null = unknown. */
  readonly windowTokens: number | null;
  /** Null = prices are not taken into account. */
  readonly prices: PriceRatios | null;
}

export const SIM_OPTIONS: SimOptions = {
  tokens: TOKEN_RULE,
  cache: CACHE_MODELS[0] ?? { id: "plain", blockTokens: 1, minPrefixTokens: 0, ttlMs: null, source: "" },
  baseTokens: 0,
  windowTokens: null,
  prices: null,
};

/** One result that a policy replaced. Sizes are code points. */
export interface AffectedResult {
  /** Position in `SimThread.results`. */
  readonly result: number;
  readonly policy: number;
  readonly action: Action;
  /** Position of the first request that held the replacement. */
  readonly call: number;
  readonly before: number;
  /** In the last request that held it. */
  readonly after: number;
  /** Code points that were not sent, over all requests; negative where the replacement is longer. */
  readonly saved: number;
}

/** A result that no policy replaced, and what each policy had against it (undefined = it never looked). */
export interface UntouchedResult {
  readonly result: number;
  readonly reasons: readonly (Reason | undefined)[];
}

/** What one policy did. */
export interface PolicyReport {
  readonly replaced: number;
  /** Requests before which it looked and did nothing, by reason. */
  readonly idle: ReadonlyMap<Reason, number>;
}

export interface SimOutcome {
  readonly before: LedgerSide;
  readonly after: LedgerSide;
  readonly totals: SimTotals;
  readonly affected: readonly AffectedResult[];
  /** Works out on demand why the others stayed. */
  untouched(): readonly UntouchedResult[];
  readonly policies: readonly PolicyReport[];
  /** True when it was cancelled: everything stands for the requests up to `calls`. */
  readonly capped: boolean;
  /** Requests that were simulated. */
  readonly calls: number;
}

/** Looks at the cancel token every so many requests. */
const CANCEL_EVERY = 512;

/** A thread ready to be simulated again and again; the side without policies is worked out once. */
export class Simulation {
  readonly before: LedgerSide;

  constructor(
    readonly thread: SimThread,
    readonly facts: ResultFacts,
    readonly options: SimOptions = SIM_OPTIONS,
  ) {
    const ledger = new LedgerWriter(thread, options.tokens, options.cache, options.baseTokens);
    const pipeline = new Pipeline(thread, facts, [], options.baseTokens, ledger);
    for (let call = 0; call < thread.calls.count; call++) pipeline.step(call);
    this.before = ledger.side;
  }

  /** Policies apply in the order given: each sees what the ones before it left. */
  run(policies: readonly Policy[], cancel?: Cancel): SimOutcome {
    const { thread, facts, options } = this;
    const ledger = new LedgerWriter(thread, options.tokens, options.cache, options.baseTokens);
    const pipeline = new Pipeline(thread, facts, policies, options.baseTokens, ledger);
    const track = new Tracker(thread, pipeline);
    pipeline.onChange = (item, before, call) => track.changed(item, before, call);
    let calls = 0;
    for (; calls < thread.calls.count; calls++) {
      if (calls % CANCEL_EVERY === 0 && cancel?.isCancellationRequested === true) break;
      pipeline.step(calls);
    }
    const affected = track.affected(calls);
    const replaced = new Int32Array(policies.length);
    for (const { policy } of affected) replaced[policy] = (replaced[policy] ?? 0) + 1;
    return {
      before: this.before,
      after: ledger.side,
      totals: ledgerTotals(this.before, ledger.side, calls, options),
      affected,
      untouched: () => untouchedResults(thread, affected, pipeline),
      policies: pipeline.stages.map((stage, policy) => ({
        replaced: replaced[policy] ?? 0,
        idle: stage.idle,
      })),
      capped: calls < thread.calls.count,
      calls,
    };
  }

  /**
   * Items of one request and what the policies put in place of each, for a before/after comparison.
   * @param call position of the request, 0-based.
   */
  requestAt(policies: readonly Policy[], call: number): readonly RequestItem[] {
    const { thread, facts, options } = this;
    const pipeline = new Pipeline(thread, facts, policies, options.baseTokens, undefined);
    for (let at = 0; at <= call && at < thread.calls.count; at++) pipeline.step(at);
    const items: RequestItem[] = [];
    for (let item = 0; item < thread.items.count; item++)
      if (pipeline.isVisible(item)) items.push({ item, replacement: pipeline.replacement(item) });
    return items;
  }

  /** What the transcript measured for a request, in tokens; NaN when it states none. */
  measured(call: number): number {
    return measuredInput(this.thread, call);
  }
}

/**
 * Tokens that the transcript does not show, from the first request that states its input: measured minus estimated, never
 * negative. Undefined when no request states any.
 */
export function suggestBaseTokens(thread: SimThread, facts: ResultFacts, options: SimOptions): number | undefined {
  const bare = new Simulation(thread, facts, { ...options, baseTokens: 0 });
  for (let call = 0; call < thread.calls.count; call++) {
    const measured = measuredInput(thread, call);
    if (!Number.isNaN(measured)) return Math.max(0, Math.round(measured - (bare.before.total[call] ?? 0)));
  }
  return undefined;
}

export interface RequestItem {
  readonly item: number;
  /** Undefined: the item goes out as it is. */
  readonly replacement: Replacement | undefined;
}

function untouchedResults(
  thread: SimThread,
  affected: readonly AffectedResult[],
  pipeline: Pipeline,
): readonly UntouchedResult[] {
  const touched = new Set(affected.map(({ result }) => result));
  const untouched: UntouchedResult[] = [];
  for (let result = 0; result < thread.results.count; result++) {
    if (touched.has(result)) continue;
    untouched.push({ result, reasons: pipeline.stages.map((stage) => stage.reasonOf(result)) });
  }
  return untouched;
}

/** Adds up, result by result, what was not sent. */
class Tracker {
  /** Request that first held a replacement; −1 = none did. */
  private readonly first: Int32Array;
  /** Request since which the present replacement holds. */
  private readonly since: Int32Array;
  private readonly saved: Float64Array;
  private readonly last = new Map<number, Replacement>();

  constructor(
    private readonly thread: SimThread,
    private readonly pipeline: Pipeline,
  ) {
    this.first = new Int32Array(thread.results.count).fill(-1);
    this.since = new Int32Array(thread.results.count);
    this.saved = new Float64Array(thread.results.count);
  }

  changed(item: number, charsBefore: number, call: number): void {
    const result = this.thread.items.result[item] ?? -1;
    if (result < 0) return;
    this.settle(item, result, charsBefore, call);
    this.since[result] = call;
    const replaced = this.pipeline.replacedChars(item) >= 0;
    if (replaced && this.first[result] === -1) this.first[result] = call;
    // Only what is put back has to be remembered; anything else can be asked for at the end.
    const last = charsBefore >= 0 && replaced ? undefined : this.pipeline.replacement(item);
    if (last !== undefined) this.last.set(result, last);
  }

  private settle(item: number, result: number, held: number, until: number): void {
    if (held < 0) return;
    const perCall = (this.thread.items.chars[item] ?? 0) - held;
    this.saved[result] = (this.saved[result] ?? 0) + perCall * Math.max(0, until - (this.since[result] ?? 0));
  }

  affected(calls: number): readonly AffectedResult[] {
    const { items, results } = this.thread;
    const found: AffectedResult[] = [];
    for (let result = 0; result < results.count; result++) {
      const call = this.first[result] ?? -1;
      if (call < 0) continue;
      const item = results.item[result] ?? 0;
      this.settle(item, result, this.pipeline.replacedChars(item), Math.min(calls, items.endCall[item] ?? 0));
      const last = this.pipeline.replacement(item) ?? this.last.get(result);
      if (last === undefined) continue;
      const { action, policy } = last;
      const before = items.chars[item] ?? 0;
      found.push({ result, policy, action, call, before, after: last.chars, saved: this.saved[result] ?? 0 });
    }
    return found;
  }
}
