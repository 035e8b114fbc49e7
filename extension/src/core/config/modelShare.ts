import type { LoaderId } from "../model/loader";
import { pyRepr } from "../model/pyRepr";
import type { PyDict } from "./pyDict";

/** How well a key fits: length of the part of the model's name, and whether the provider is named too. */
type Rank = readonly [length: number, scoped: 0 | 1];

/**
 * The share of `compression.model_thresholds` for a model: the longest key that is part of its name, letters' case counting.
 * Newer Hermes reads `provider:part`, which counts for that provider only and outranks a bare key of the same length; older
 * Hermes takes the whole key for a part of the name. Source: `agent/context_compressor.py`, `resolve_model_threshold`.
 * @param shares name → float, as the parser of the setting leaves it.
 */
export function modelShare(
  shares: PyDict,
  model: string,
  provider: string | undefined,
  loader: LoaderId,
): { readonly key: string; readonly share: number } | undefined {
  let best: { readonly key: string; readonly share: number; readonly rank: Rank } | undefined;
  for (const [written, share] of shares.v) {
    const key = written.t === "str" ? written.v : pyRepr(written);
    const rank = loader === "ruamel" ? scopedRank(key, model, provider) : bareRank(key, model);
    if (share.t !== "float" || rank === undefined) continue;
    if (best === undefined || outranks({ key, rank }, best, loader)) best = { key, share: share.v, rank };
  }
  return best && { key: best.key, share: best.share };
}

interface Ranked {
  readonly key: string;
  readonly rank: Rank;
}

/** Of equal ranks newer Hermes takes the greater key (Python's `max` of tuples), older the first. */
function outranks(one: Ranked, best: Ranked, loader: LoaderId): boolean {
  if (one.rank[0] !== best.rank[0]) return one.rank[0] > best.rank[0];
  if (one.rank[1] !== best.rank[1]) return one.rank[1] > best.rank[1];
  return loader === "ruamel" && one.key > best.key;
}

function bareRank(key: string, model: string): Rank | undefined {
  return key !== "" && model.includes(key) ? [key.length, 0] : undefined;
}

function scopedRank(key: string, model: string, provider: string | undefined): Rank | undefined {
  const colon = key.indexOf(":");
  if (colon < 0) return model.includes(key) ? [key.length, 0] : undefined;
  const part = key.slice(colon + 1);
  const isRoute = key.slice(0, colon).trim().toLowerCase() === (provider ?? "").trim().toLowerCase();
  return isRoute && model.includes(part) ? [part.length, 1] : undefined;
}
