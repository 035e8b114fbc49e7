import type { CacheModel } from "../model/policy";

export type { CacheModel, PriceRatios } from "../model/policy";

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

/** Tokens of a common prefix that the provider would have in its cache. */
export function cachedTokens(prefixTokens: number, idleMs: number, model: CacheModel): number {
  if (model.ttlMs !== null && idleMs > model.ttlMs) return 0;
  const whole = Math.floor(prefixTokens / model.blockTokens) * model.blockTokens;
  return whole < model.minPrefixTokens ? 0 : whole;
}
