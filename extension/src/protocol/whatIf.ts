/**
 * The what-if part of the boundary between the extension host and the inspector page, and of the one between the host and the
 * thread that simulates. Sizes are code points ("chars") or tokens, as each name says; tokens of a simulation are estimated.
 */
import type { Action, CacheModel, Policy, PriceRatios, Reason } from "../core/model/policy";

/** What a simulation assumes beside the policies. */
export interface WhatIfAssumptions {
  readonly cache: CacheModel;
  /** Null = prices are left out. */
  readonly prices: PriceRatios | null;
  /** The model's window in tokens; null = unknown. */
  readonly windowTokens: number | null;
  /** Tokens in every request that the transcript does not show; null = take the suggestion. */
  readonly baseTokens: number | null;
}

export interface WhatIfInput {
  readonly thread: string;
  /** In the order in which they apply. Empty = nothing is changed. */
  readonly policies: readonly Policy[];
  readonly assumptions: WhatIfAssumptions;
}

/** One thread that can be simulated. */
export interface WhatIfThread {
  readonly id: string;
  readonly title: string;
  readonly calls: number;
  readonly results: number;
}

/** Sent once a thread was read and measured. */
export interface WhatIfFacts {
  readonly thread: string;
  /** Threads with requests, for a choice; at most `WHATIF_LIMITS.threads`. */
  readonly threads: readonly WhatIfThread[];
  readonly calls: number;
  readonly results: number;
  /** Results whose text could be read; the others count by length alone. */
  readonly resultsRead: number;
  /** Requests whose input the transcript states, and what they state together. Tokens; null = none does. */
  readonly measured: { readonly calls: number; readonly input: number; readonly cacheRead: number } | null;
  /** Estimated from the first measured request; 0 when none is measured. */
  readonly suggestedBaseTokens: number;
  /** From the transcript's model, where it is known; null = unknown. */
  readonly suggestedWindowTokens: number | null;
  /** The interval in which the persist threshold must have been; null for agents other than Hermes. Code points. */
  readonly inferred: {
    readonly atLeast: number | null;
    readonly below: number | null;
    /** One sentence: how it compares with the config, and whether that changed after the conversation began. */
    readonly note: string | null;
  } | null;
  /** The threshold of the config that applies on this machine; null = none found or not set. */
  readonly configThreshold: { readonly chars: number; readonly file: string } | null;
  /** Sentences about what the simulation cannot know here (no times, no usage, unstated compactions, …). */
  readonly notes: readonly string[];
}

export interface WhatIfSide {
  readonly input: number;
  readonly cached: number;
  readonly uncached: number;
  readonly peak: number;
  readonly overWindow: number | null;
  readonly cost: number | null;
}

/** Per request, columns of one length; above `WHATIF_LIMITS.points` requests each stands for a stretch (the one with the largest input before). */
export interface WhatIfSeries {
  /** Number of the request as the transcript counts. */
  readonly call: readonly number[];
  readonly before: readonly number[];
  readonly beforeCached: readonly number[];
  readonly after: readonly number[];
  readonly afterCached: readonly number[];
  /** Measured input; null = not stated. */
  readonly measured: readonly (number | null)[];
  /** 1 where the policies rewrote history and cached tokens were lost (anywhere in the stretch). */
  readonly breaks: readonly number[];
  /** 1 where the transcript's own compaction took content away before it (anywhere in the stretch). */
  readonly compactions: readonly number[];
}

export interface WhatIfPolicyReport {
  readonly replaced: number;
  /** Passes that did nothing, by reason. */
  readonly idle: Readonly<Partial<Record<Reason, number>>>;
  /** Results that no policy replaced, by what this one had against them. */
  readonly kept: Readonly<Partial<Record<Reason, number>>>;
}

export interface WhatIfOutcome {
  readonly before: WhatIfSide;
  readonly after: WhatIfSide;
  /** Before minus after; negative = the policies cost more. Tokens. */
  readonly saved: {
    readonly input: number;
    readonly cached: number;
    readonly uncached: number;
    readonly cost: number | null;
  };
  readonly breaks: {
    readonly count: number;
    /** Cached tokens lost over all breaks. */
    readonly lost: number;
    /** Further requests after the first break until all that was saved outweighs all that was lost; null = not in this thread. */
    readonly paysBackAfter: number | null;
    readonly paysBackAfterPrice: number | null;
  };
  readonly series: WhatIfSeries;
  /** Requests per point of the series. */
  readonly callsPerPoint: number;
  readonly policies: readonly WhatIfPolicyReport[];
  readonly affected: number;
  /** Code points not sent, over all affected results and requests. */
  readonly affectedSaved: number;
  /** True when it was cancelled or bounded on the way. */
  readonly capped: boolean;
}

/** One result that a policy replaced. */
export interface WhatIfAffected {
  /** Index in the results table. */
  readonly index: number;
  readonly tool: string | null;
  readonly call: number;
  readonly line: number | null;
  /** Position in the input's policies. */
  readonly policy: number;
  readonly action: Action;
  readonly before: number;
  readonly after: number;
  /** False where the length alone was known. */
  readonly exact: boolean;
  readonly saved: number;
}

/** The whole curve, not a sample; see `core/compaction/curve.ts`. Code points of input not sent. */
export interface WhatIfCurve {
  readonly steps: readonly number[];
  readonly saved: readonly number[];
  readonly savedFirst: readonly number[];
  readonly results: readonly number[];
  readonly always: { readonly saved: number; readonly savedFirst: number; readonly results: number };
  /** Code points of input before, over all requests: what percentages refer to. */
  readonly totalChars: number;
  /** Steps that did not cross, spread evenly: between two given ones the curve then has more than one level. */
  readonly stepsOmitted: number;
}

export type WhatIfExportFormat = "markdown" | "csv" | "json";

export type AffectedOrder = "saved" | "before" | "call";

export const WHATIF_LIMITS = {
  points: 2_000,
  threads: 200,
  /** Steps of the curve that cross; beyond that only every n-th, and the page says so. */
  steps: 20_000,
  /** Rows of affected results in one answer. */
  affected: 500,
  policies: 8,
} as const;

/** Page → host. All of them can be cancelled. */
export interface WhatIfCalls {
  /** Reads a thread for simulation (null = of the main ones, the one with the most requests). Slow the first time: `whatIf/progress` tells. */
  whatIfOpen: { in: { readonly thread: string | null }; out: WhatIfFacts };
  whatIfRun: { in: WhatIfInput; out: WhatIfOutcome };
  /** Affected results of the same input, in order, from the position `from`. */
  whatIfAffected: {
    in: { readonly input: WhatIfInput; readonly order: AffectedOrder; readonly from: number; readonly count: number };
    out: { readonly total: number; readonly rows: readonly WhatIfAffected[] };
  };
  /** The curve under the caps of a persist policy (its threshold is left aside). */
  whatIfCurve: { in: { readonly thread: string; readonly policy: Policy | null }; out: WhatIfCurve };
  /** Opens the request before and after as a native diff. `call`: number of the request. */
  whatIfDiff: { in: { readonly input: WhatIfInput; readonly call: number }; out: { readonly opened: boolean } };
  /** Writes the threshold into a config file that the user picks, as an edit that can be undone. False = the user said no. */
  whatIfApply: { in: { readonly threshold: number }; out: { readonly applied: boolean } };
  /** Opens the run as a document to be saved. */
  whatIfExport: {
    in: { readonly input: WhatIfInput; readonly format: WhatIfExportFormat };
    out: { readonly opened: boolean };
  };
}

/** Host → page. */
export interface WhatIfEvents {
  "whatIf/progress": { readonly what: "reading" | "measuring"; readonly done: number; readonly total: number };
  /** The transcript grew or was read again: facts are stale, open again. */
  "whatIf/stale": Record<string, never>;
}
