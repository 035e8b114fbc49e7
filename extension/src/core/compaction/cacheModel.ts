/** How a provider caches the beginning of a request. Data, so that it can be edited. */
export interface CacheModel {
  readonly id: string;
  /** Cached tokens are a multiple of this. */
  readonly blockTokens: number;
  /** Shorter beginnings are not cached. Tokens. */
  readonly minPrefixTokens: number;
  /** Time after which an unused cache is gone; null = not taken into account. Milliseconds. */
  readonly ttlMs: number | null;
  readonly source: string;
}

/** Published behaviour of some providers; all of it changes, so every number can be set. */
export const CACHE_MODELS: readonly CacheModel[] = [
  {
    id: "plain",
    blockTokens: 1,
    minPrefixTokens: 0,
    ttlMs: null,
    source: "every common prefix counts",
  },
  {
    id: "anthropic-5m",
    blockTokens: 1,
    minPrefixTokens: 1024,
    ttlMs: 300_000,
    source: "Anthropic prompt caching; some models need 2,048 or 4,096 tokens",
  },
  {
    id: "anthropic-1h",
    blockTokens: 1,
    minPrefixTokens: 1024,
    ttlMs: 3_600_000,
    source: "Anthropic prompt caching with the long time to live",
  },
  {
    id: "openai",
    blockTokens: 128,
    minPrefixTokens: 1024,
    ttlMs: 600_000,
    source: "OpenAI prompt caching: from 1,024 tokens in steps of 128, 5 to 10 minutes",
  },
  {
    id: "deepseek",
    blockTokens: 64,
    minPrefixTokens: 64,
    ttlMs: null,
    source: "DeepSeek context caching: units of 64 tokens, hours to days",
  },
];

/** Prices relative to one uncached input token. */
export interface PriceRatios {
  /** A token that is written to the cache (1.25 for five minutes, 2 for an hour at Anthropic; 1 where writing is free). */
  readonly write: number;
  /** A token read from the cache (0.1 at Anthropic and DeepSeek, 0.1 to 0.5 at OpenAI). */
  readonly read: number;
}

/** Tokens of a common prefix that the provider would have in its cache. */
export function cachedTokens(prefixTokens: number, idleMs: number, model: CacheModel): number {
  if (model.ttlMs !== null && idleMs > model.ttlMs) return 0;
  const whole = Math.floor(prefixTokens / model.blockTokens) * model.blockTokens;
  return whole < model.minPrefixTokens ? 0 : whole;
}
