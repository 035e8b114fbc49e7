import { parsePolicy } from "../../core/compaction/parsePolicy";
import type { CacheModel, Policy, PriceRatios } from "../../core/model/policy";
import {
  type AffectedOrder,
  WHATIF_LIMITS,
  type WhatIfAssumptions,
  type WhatIfCalls,
  type WhatIfExportFormat,
  type WhatIfInput,
} from "../../protocol/whatIf";

type Fields = Readonly<Record<string, unknown>>;

/** Longest id of a thread and longest words about a cache, in UTF-16 units. */
const MAX_TEXT = 4_096;
const MAX_TOKENS = 1e12;
const MAX_MS = 1e12;
const MAX_RATIO = 1_000;
const MAX_ROWS = 1e9;

const ORDERS: readonly AffectedOrder[] = ["saved", "before", "call"];
const FORMATS: readonly WhatIfExportFormat[] = ["markdown", "csv", "json"];

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isText = (value: unknown): value is string => typeof value === "string" && value.length <= MAX_TEXT;
const isWhole = (value: unknown, min: number, max: number): value is number =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= min && value <= max;
const isRatio = (value: unknown): value is number => typeof value === "number" && value >= 0 && value <= MAX_RATIO;

/** One guard per call of the simulation: the body in its declared shape, without anything more, or undefined. */
export const WHATIF_BODIES: {
  readonly [M in keyof WhatIfCalls]: (body: Fields) => WhatIfCalls[M]["in"] | undefined;
} = {
  whatIfOpen: ({ thread }) => (thread === null || isText(thread) ? { thread } : undefined),
  whatIfRun: parseInput,
  whatIfAffected: ({ input, order, from, count }) => {
    const parsed = parseInput(input);
    const by = ORDERS.find((one) => one === order);
    const isSlice = isWhole(from, 0, MAX_ROWS) && isWhole(count, 0, WHATIF_LIMITS.affected);
    return parsed !== undefined && by !== undefined && isSlice ? { input: parsed, order: by, from, count } : undefined;
  },
  whatIfCurve: ({ thread, policy }) => {
    if (!isText(thread)) return undefined;
    if (policy === null) return { thread, policy };
    const parsed = parsePolicy(policy);
    return parsed === undefined ? undefined : { thread, policy: parsed };
  },
  whatIfDiff: ({ input, call }) => {
    const parsed = parseInput(input);
    return parsed !== undefined && isWhole(call, 0, MAX_ROWS) ? { input: parsed, call } : undefined;
  },
  whatIfApply: ({ threshold }) => (isWhole(threshold, 1, MAX_TOKENS) ? { threshold } : undefined),
  whatIfExport: ({ input, format }) => {
    const parsed = parseInput(input);
    const as = FORMATS.find((one) => one === format);
    return parsed !== undefined && as !== undefined ? { input: parsed, format: as } : undefined;
  },
};

function parseInput(value: unknown): WhatIfInput | undefined {
  if (!isFields(value) || !isText(value.thread) || !Array.isArray(value.policies)) return undefined;
  if (value.policies.length > WHATIF_LIMITS.policies) return undefined;
  const policies: Policy[] = [];
  for (const one of value.policies) {
    const policy = parsePolicy(one);
    if (policy === undefined) return undefined;
    policies.push(policy);
  }
  const assumptions = parseAssumptions(value.assumptions);
  return assumptions && { thread: value.thread, policies, assumptions };
}

function parseAssumptions(value: unknown): WhatIfAssumptions | undefined {
  if (!isFields(value)) return undefined;
  const { windowTokens, baseTokens } = value;
  const cache = parseCache(value.cache);
  const prices = value.prices === null ? null : parsePrices(value.prices);
  const isTokens = (tokens: unknown, min: number): tokens is number | null =>
    tokens === null || isWhole(tokens, min, MAX_TOKENS);
  if (cache === undefined || prices === undefined) return undefined;
  if (!isTokens(windowTokens, 1) || !isTokens(baseTokens, 0)) return undefined;
  return { cache, prices, windowTokens, baseTokens };
}

function parseCache(value: unknown): CacheModel | undefined {
  if (!isFields(value)) return undefined;
  const { id, blockTokens, minPrefixTokens, ttlMs, source } = value;
  if (!isText(id) || !isText(source)) return undefined;
  if (!isWhole(blockTokens, 1, MAX_TOKENS) || !isWhole(minPrefixTokens, 0, MAX_TOKENS)) return undefined;
  if (ttlMs !== null && !isWhole(ttlMs, 0, MAX_MS)) return undefined;
  return { id, blockTokens, minPrefixTokens, ttlMs, source };
}

function parsePrices(value: unknown): PriceRatios | undefined {
  if (!isFields(value)) return undefined;
  const { write, read } = value;
  return isRatio(write) && isRatio(read) ? { write, read } : undefined;
}
