import type { LedgerSide } from "./ledger";
import type { SimOptions } from "./simulate";

/** Sums of one side over all requests, in tokens. */
export interface SideTotals {
  readonly input: number;
  readonly cached: number;
  readonly uncached: number;
  readonly peak: number;
  /** Requests that do not fit into the window; null without a window. */
  readonly overWindow: number | null;
  /** Requests that rewrote something the previous one held. */
  readonly rewrites: number;
  /** Price in uncached tokens; null without prices. */
  readonly cost: number | null;
}

/** A request that lost cached tokens because a policy rewrote its history. */
export interface CacheBreak {
  /** Position of the request. */
  readonly call: number;
  /** First item that differs from the previous request. */
  readonly item: number;
  /** Uncached tokens more than without the policies, in this request. */
  readonly lost: number;
  /** Tokens fewer than without the policies, in this request. */
  readonly saved: number;
  /**
   * After how many further requests the tokens not sent outweigh the tokens lost, if every one saved as much as this one;
   * null = never.
   */
  readonly breakEven: number | null;
  /** The same in money: a token not sent would mostly have been a cheap cached one. Null without prices, or never. */
  readonly breakEvenPrice: number | null;
}

export interface SimTotals {
  readonly before: SideTotals;
  readonly after: SideTotals;
  /** Before minus after, split by what the provider would have had in its cache. Negative = the policies cost more. */
  readonly saved: { readonly input: number; readonly cached: number; readonly uncached: number };
  readonly breaks: readonly CacheBreak[];
  /** Further requests after the first break until all that was saved outweighs all that was lost; null = not in this thread. */
  readonly breakEvenReached: number | null;
  /** The same in money; null without prices or when not in this thread. */
  readonly breakEvenReachedPrice: number | null;
}

/** Sums, cache breaks and break-evens of the first `calls` requests. Estimated tokens. */
export function ledgerTotals(before: LedgerSide, after: LedgerSide, calls: number, options: SimOptions): SimTotals {
  const left = sideTotals(before, calls, options);
  const right = sideTotals(after, calls, options);
  const breaks = findBreaks(before, after, calls, options);
  return {
    before: left,
    after: right,
    saved: {
      input: left.input - right.input,
      cached: left.cached - right.cached,
      uncached: left.uncached - right.uncached,
    },
    breaks,
    ...reached(before, after, calls, options, breaks[0]?.call),
  };
}

function sideTotals(side: LedgerSide, calls: number, options: SimOptions): SideTotals {
  let input = 0;
  let cached = 0;
  let peak = 0;
  let over = 0;
  let rewrites = 0;
  const { prices, windowTokens } = options;
  for (let call = 0; call < calls; call++) {
    const total = side.total[call] ?? 0;
    input += total;
    cached += side.cached[call] ?? 0;
    peak = Math.max(peak, total);
    if (windowTokens !== null && total > windowTokens) over++;
    rewrites += side.rewritten[call] ?? 0;
  }
  const uncached = input - cached;
  const cost = prices === null ? null : uncached * prices.write + cached * prices.read;
  return { input, cached, uncached, peak, overWindow: windowTokens === null ? null : over, rewrites, cost };
}

function findBreaks(before: LedgerSide, after: LedgerSide, calls: number, options: SimOptions): readonly CacheBreak[] {
  const breaks: CacheBreak[] = [];
  const { prices } = options;
  for (let call = 1; call < calls; call++) {
    const item = after.firstChange[call] ?? 0;
    if (after.rewritten[call] !== 1 || item >= (before.firstChange[call] ?? 0)) continue;
    const lost = uncachedAt(after, call) - uncachedAt(before, call);
    const saved = (before.total[call] ?? 0) - (after.total[call] ?? 0);
    // What is sent uncached now was read from the cache without the policies, at the price of reading.
    const priced = prices === null ? null : { lost: lost * (prices.write - prices.read), saved: saved * prices.read };
    breaks.push({
      call,
      item,
      lost,
      saved,
      breakEven: furtherCalls(lost, saved),
      breakEvenPrice: priced === null ? null : furtherCalls(priced.lost - priced.saved, priced.saved),
    });
  }
  return breaks;
}

function uncachedAt(side: LedgerSide, call: number): number {
  return (side.total[call] ?? 0) - (side.cached[call] ?? 0);
}

function furtherCalls(lost: number, saved: number): number | null {
  if (lost <= 0) return 0;
  return saved > 0 ? Math.ceil(lost / saved) : null;
}

function reached(
  before: LedgerSide,
  after: LedgerSide,
  calls: number,
  options: SimOptions,
  from: number | undefined,
): Pick<SimTotals, "breakEvenReached" | "breakEvenReachedPrice"> {
  let tokens: number | null = null;
  let price: number | null = null;
  let lost = 0;
  let saved = 0;
  let cost = 0;
  const { prices } = options;
  for (let call = from ?? calls; call < calls; call++) {
    const cachedChange = (after.cached[call] ?? 0) - (before.cached[call] ?? 0);
    const uncachedChange = uncachedAt(after, call) - uncachedAt(before, call);
    lost += Math.max(0, uncachedChange);
    saved += call === from ? 0 : (before.total[call] ?? 0) - (after.total[call] ?? 0);
    if (tokens === null && saved >= lost) tokens = call - (from ?? call);
    if (prices === null) continue;
    cost += uncachedChange * prices.write + cachedChange * prices.read;
    if (price === null && cost <= 0) price = call - (from ?? call);
  }
  return { breakEvenReached: tokens, breakEvenReachedPrice: price };
}
