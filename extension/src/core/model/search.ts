import type { BodyRef } from "./transcript";

/** What to look for inside the results of a transcript. */
export interface SearchQuery {
  readonly text: string;
  /** A regular expression in JavaScript's syntax, else plain text. */
  readonly regex: boolean;
  readonly matchCase: boolean;
}

/** Bounds of one search. */
export const SEARCH_LIMITS = {
  /** Results with a hit; then the search stops and says so. */
  rows: 5_000,
  /** Hits per result whose place is told; more are counted. */
  places: 100,
  /** Hits counted per result. */
  count: 10_000,
  /** Time that a regular expression may take in one text, milliseconds. */
  msPerText: 500,
  /** Texts that took too long before a pattern is given up. */
  slowTexts: 5,
  /** Characters of a query. */
  query: 1_000,
} as const;

/** Half-open range of a hit in the result's text, UTF-16 units. */
export type HitRange = readonly [start: number, end: number];

export interface SearchHit {
  /** Index of the result. */
  readonly index: number;
  readonly count: number;
  readonly ranges: readonly HitRange[];
}

/** How far a search is. */
export interface SearchProgress {
  /** Texts looked at, of `total`. */
  readonly searched: number;
  readonly total: number;
  /** Texts in which the pattern took too long. */
  readonly slow: number;
  /** Texts that could not be read. */
  readonly unreadable: number;
}

/** done: every text was looked at · capped: enough results have a hit · gave-up: the pattern was too slow too often. */
export type SearchEnd = "done" | "capped" | "gave-up";

export interface SearchTarget {
  readonly index: number;
  readonly ref: BodyRef;
}

/** Hits of one step, and how far the search is. `end` comes once, last. */
export interface SearchStep {
  readonly hits: readonly SearchHit[];
  readonly progress: SearchProgress;
  readonly end: SearchEnd | undefined;
}
