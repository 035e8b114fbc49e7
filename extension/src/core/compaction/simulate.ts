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
  readonly untouched: readonly UntouchedResult[];
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
    const touched = new Set(affected.map(({ result }) => result));
    const untouched: UntouchedResult[] = [];
    for (let result = 0; result < thread.results.count; result++) {
      if (touched.has(result)) continue;
      untouched.push({ result, reasons: pipeline.stages.map((stage) => stage.reasonOf(result)) });
    }
    return {
      before: this.before,
      after: ledger.side,
      totals: ledgerTotals(this.before, ledger.side, calls, options),
      affected,
      untouched,
      policies: pipeline.stages.map((stage, policy) => ({
        replaced: affected.filter((one) => one.policy === policy).length,
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

export interface RequestItem {
  readonly item: number;
  /** Undefined: the item goes out as it is. */
  readonly replacement: Replacement | undefined;
}

/** Adds up, result by result, what was not sent. */
class Tracker {
  private readonly first = new Map<number, { readonly call: number; readonly replacement: Replacement }>();
  private readonly since = new Map<number, number>();
  private readonly saved = new Map<number, number>();
  private readonly last = new Map<number, Replacement>();

  constructor(
    private readonly thread: SimThread,
    private readonly pipeline: Pipeline,
  ) {}

  changed(item: number, before: Replacement | undefined, call: number): void {
    if ((this.thread.items.result[item] ?? -1) < 0) return;
    this.settle(item, before, call);
    const now = this.pipeline.replacement(item);
    this.since.set(item, call);
    if (now === undefined) return;
    if (!this.first.has(item)) this.first.set(item, { call, replacement: now });
    this.last.set(item, now);
  }

  private settle(item: number, held: Replacement | undefined, until: number): void {
    const from = this.since.get(item);
    if (held === undefined || from === undefined) return;
    const perCall = (this.thread.items.chars[item] ?? 0) - held.chars;
    this.saved.set(item, (this.saved.get(item) ?? 0) + perCall * Math.max(0, until - from));
  }

  affected(calls: number): readonly AffectedResult[] {
    const { items } = this.thread;
    const found: AffectedResult[] = [];
    for (const [item, { call, replacement }] of this.first) {
      const until = Math.min(calls, items.endCall[item] ?? 0);
      this.settle(item, this.pipeline.replacement(item), until);
      const last = this.last.get(item) ?? replacement;
      const { action, policy } = last;
      const before = items.chars[item] ?? 0;
      const result = items.result[item] ?? 0;
      found.push({ result, policy, action, call, before, after: last.chars, saved: this.saved.get(item) ?? 0 });
    }
    return found.sort((a, b) => a.result - b.result);
  }
}
