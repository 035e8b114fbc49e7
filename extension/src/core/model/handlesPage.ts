import type { FileStatus } from "./fileStatus";
import type { HandleFacts, HandleUse, Readability, ReadFacts, UseCounts } from "./resultHandle";

/** now · end: at the last time that the transcript states · call: when that request of a thread was sent. */
export type MomentAsked =
  | { readonly kind: "now" }
  | { readonly kind: "end" }
  /** Null: the thread with the most requests, of the main ones where there are any. */
  | { readonly kind: "call"; readonly thread: string | null; readonly call: number };

export interface HandlesAsked {
  readonly moment: MomentAsked;
  /** Only handles used in this way; null = all. */
  readonly use: HandleUse | null;
  readonly from: number;
  readonly count: number;
}

/** A result that has to do with a handle: its index, and where its record and its request are. */
export interface ResultAt {
  readonly row: number;
  readonly line: number;
  readonly tool: string | null;
  readonly turn: number | null;
  readonly call: number | null;
}

export interface ReadRow extends ResultAt, ReadFacts {}

/** A handle with what can be said of it at the moment asked for. Lists hold the first ones; the counts count all. */
export interface HandleRow extends ResultAt, HandleFacts, Readability {
  readonly thread: string;
  /** Characters that the preview and its notice take in context, in the transcript's unit. */
  readonly chars: number;
  /** Characters of the full text as the notice states them; null = it does not. */
  readonly statedChars: number | null;
  readonly statedRounded: boolean;
  /** UTF-16 units between which the kept text's length lies; null where that is not known. */
  readonly keptUnits: readonly [min: number, max: number] | null;
  readonly file: FileStatus;
  readonly reads: readonly ReadRow[];
  readonly repeats: readonly ResultAt[];
  readonly maybe: readonly ResultAt[];
}

export interface HandlesPage {
  /** Of all handles, whatever was asked for. */
  readonly counts: UseCounts;
  /** Handles used in the way asked for. */
  readonly total: number;
  readonly from: number;
  readonly rows: readonly HandleRow[];
  /** Handles that were not looked at because there are too many. */
  readonly omitted: number;
  /** The moment that was asked for, milliseconds since the epoch; null = the transcript states no time for it, or several sessions end at other times. */
  readonly at: number | null;
  /** Of a moment that is a request: its thread, how many requests that has, and which one was taken; null otherwise. */
  readonly calls: { readonly thread: string; readonly count: number; readonly call: number } | null;
}
