import { type CacheModel, cachedTokens } from "./cacheModel";
import { Fenwick } from "./fenwick";
import type { SimThread } from "./simThread";

/** How characters become tokens in the ledger; always an estimate. */
export interface TokenRule {
  readonly charsPerToken: number;
  /** Tokens that an item takes beside its text (role, JSON). */
  readonly itemTokens: number;
  readonly imageTokens: number;
}

export const TOKEN_RULE: TokenRule = { charsPerToken: 4, itemTokens: 0, imageTokens: 1500 };

/** One side of the ledger: per request, in tokens. */
export interface LedgerSide {
  readonly total: Float64Array;
  /** Of the total: what the provider would find in its cache. */
  readonly cached: Float64Array;
  /** Tokens of the beginning that this request shares with the one before, before the cache's rules. */
  readonly prefix: Float64Array;
  /** First item that differs from the previous request: changed, gone, or added; the number of items when none does. */
  readonly firstChange: Int32Array;
  /** 1 where something that the previous request held was changed or gone. */
  readonly rewritten: Uint8Array;
}

/** Weighs requests one after the other and compares each with the one before. Characters stay whole numbers inside. */
export class LedgerWriter {
  private readonly sums: Fenwick;
  private readonly weights: Float64Array;
  /** Weight and version that the previous request held; −1 = not in it. */
  private readonly sentWeight: Float64Array;
  private readonly sentVersion: Int32Array;
  private readonly version: Int32Array;
  /** Items put or removed since the last request, each once. */
  private dirty: number[] = [];
  private readonly isDirty: Uint8Array;
  private readonly base: number;
  private total = 0;
  readonly side: LedgerSide;

  constructor(
    private readonly thread: SimThread,
    private readonly rule: TokenRule,
    private readonly cache: CacheModel,
    baseTokens: number,
  ) {
    const items = thread.items.count;
    const calls = thread.calls.count;
    this.sums = new Fenwick(items);
    this.weights = new Float64Array(items);
    this.sentWeight = new Float64Array(items).fill(-1);
    this.sentVersion = new Int32Array(items);
    this.version = new Int32Array(items);
    this.isDirty = new Uint8Array(items);
    this.base = baseTokens * rule.charsPerToken;
    this.side = {
      total: new Float64Array(calls),
      cached: new Float64Array(calls),
      prefix: new Float64Array(calls),
      firstChange: new Int32Array(calls),
      rewritten: new Uint8Array(calls),
    };
  }

  /** @param version tells two texts of the same length apart; 0 = as in the transcript. */
  put(item: number, chars: number, images: number, version: number): void {
    const { charsPerToken, imageTokens, itemTokens } = this.rule;
    this.set(item, chars + charsPerToken * (imageTokens * images + itemTokens));
    this.version[item] = version;
  }

  remove(item: number): void {
    this.set(item, 0);
    this.version[item] = -1;
  }

  private set(item: number, weight: number): void {
    if (this.isDirty[item] === 0) {
      this.isDirty[item] = 1;
      this.dirty.push(item);
    }
    const change = weight - (this.weights[item] ?? 0);
    this.weights[item] = weight;
    this.total += change;
    this.sums.add(item, change);
  }

  /** Ends a request. Everything that changed since the last one has been put or removed. */
  close(call: number): void {
    const { items, calls } = this.thread;
    let first = items.count;
    let rewritten = 0;
    for (const item of this.dirty) {
      const before = this.sentWeight[item] ?? -1;
      const gone = this.version[item] === -1;
      const same =
        before >= 0 && !gone && before === this.weights[item] && this.sentVersion[item] === this.version[item];
      if (!same && !(gone && before < 0)) {
        first = Math.min(first, item);
        if (before >= 0) rewritten = 1;
      }
      this.sentWeight[item] = gone ? -1 : (this.weights[item] ?? 0);
      this.sentVersion[item] = this.version[item] ?? 0;
      this.isDirty[item] = 0;
    }
    this.dirty = [];
    const { charsPerToken } = this.rule;
    const prefix = call === 0 ? 0 : (this.base + this.sums.sum(first)) / charsPerToken;
    const idle = call === 0 ? 0 : (calls.at[call] ?? Number.NaN) - (calls.at[call - 1] ?? Number.NaN);
    this.side.total[call] = (this.base + this.total) / charsPerToken;
    this.side.prefix[call] = prefix;
    // Without times the cache counts as alive.
    this.side.cached[call] = cachedTokens(prefix, Number.isNaN(idle) ? 0 : idle, this.cache);
    this.side.firstChange[call] = first;
    this.side.rewritten[call] = rewritten;
  }
}
