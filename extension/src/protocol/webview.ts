/**
 * Boundary between the extension host and the inspector page. Both ends import this file only.
 * Page → host: calls with exactly one reply (ok, err or cancelled). Host → page: events; while hidden the last full state wins.
 */

import type { FileStatus } from "../core/model/fileStatus";
import type { FormatFacts } from "../core/model/formatFacts";
import type { Severity } from "../core/model/problem";
import type { ResultRow, RowFilter, RowRef, RowSort, RowsAnswer } from "../core/model/rowQuery";
import type { SearchEnd, SearchHit, SearchProgress, SearchQuery } from "../core/model/search";
import type { AgentId, CharUnit, CompactionKind, FormatId } from "../core/model/transcript";
import type { NotCountedReason } from "../core/model/usageLedger";
import type { HandleCalls } from "./handles";
import type { WhatIfCalls, WhatIfEvents } from "./whatIf";

export type { FormatFacts, Tells } from "../core/model/formatFacts";

export const PROTOCOL_VERSION = 1;

export type { FileStatus, ResultRow };

/** A thread with its own figures. */
export interface ThreadRow extends Figures {
  readonly id: string;
  readonly title: string;
  readonly kind: "main" | "subagent" | "sidechain";
  readonly model: string | null;
}

export interface ProblemRow {
  readonly code: string;
  readonly severity: Severity;
  readonly message: string;
  readonly line: number | null;
}

/** Characters in context by the kind of their messages, in the transcript's unit. */
export interface Composition {
  readonly system: number;
  readonly user: number;
  readonly assistant: number;
  readonly inlineResults: number;
  readonly persistedPreviews: number;
}

/** Figures of one thread or, in the header, of the transcript: those of the context are sums over its main threads, the others over all. */
export interface Figures {
  readonly calls: number;
  readonly messages: number;
  readonly results: number;
  readonly persisted: number;
  /** Characters in context, in the transcript's unit. */
  readonly chars: number;
  /** Sum of the stated sizes of persisted results minus what their notices take, in the same unit. */
  readonly charsKeptOut: number;
  /** Results that a compaction took out of context, and their characters: listed, but not in `chars` and `composition`. */
  readonly resultsLeft: number;
  readonly charsLeft: number;
  readonly composition: Composition;
  /**
   * Tokens in context after the newest call with usage (input + cache read + cache write), in the header of the last main thread with
   * such a call; null = the transcript does not say.
   */
  readonly measuredTokens: number | null;
}

export interface Header extends Figures {
  readonly file: string;
  readonly title: string;
  readonly format: FormatId;
  readonly agent: AgentId;
  readonly unit: CharUnit;
  readonly model: string | null;
}

/** What stands above the transcript's totals; the ends of the file tell it before the rest is read. */
export interface Glance {
  /** The user's first words, or what the agent called the session, with secrets masked; null = unknown. */
  readonly title: string | null;
  /** Context window of the thread whose measured tokens the header has, else of the main one; null = unknown. */
  readonly window: ContextWindow | null;
  /** Windows of threads by the names of their models, as far as these are known; empty while the transcript is read. */
  readonly windows: readonly ThreadWindow[];
}

export interface ContextWindow {
  readonly tokens: number;
  readonly from: WindowSource;
}

export interface ThreadWindow extends ContextWindow {
  readonly thread: string;
}

export type WindowSource = "transcript" | "setting" | "model";

export interface Progress {
  readonly doneBytes: number;
  readonly totalBytes: number;
}

/** The rows of the results table as a whole; the page asks with `rows` for those that it shows. */
export interface RowsNews {
  /** Grows whenever a row came, changed or went. */
  readonly revision: number;
  readonly count: number;
}

/** A part of the rows, as `RowsRequest` says; only hits of the page's search with that number when it is not null. */
export interface RowsAsked {
  readonly filter: RowFilter;
  readonly sort: RowSort;
  readonly search: number | null;
  readonly from: number;
  readonly count: number;
  readonly around: { readonly ref: RowRef; readonly before: number } | null;
  readonly find: readonly RowRef[];
  readonly summary: boolean;
}

/** idle: nothing read yet · reading · done · cancelled · failed (see `error`). */
export type Phase = "reading" | "done" | "cancelled" | "failed";

export interface FullState {
  readonly phase: Phase;
  readonly progress: Progress | null;
  readonly header: Header | null;
  readonly threads: readonly ThreadRow[];
  readonly rows: RowsNews;
  readonly problems: readonly ProblemRow[];
  /** Problems beyond the cap, not sent. */
  readonly problemsOmitted: number;
  /** Why the transcript could not be opened: names file, place and remedy. */
  readonly error: string | null;
  /** True while the file is being written. */
  readonly live: boolean;
  readonly locale: string;
}

export interface Detail {
  readonly index: number;
  /** Preview text, or the beginning of an inline text, with its secrets masked; bounded. */
  readonly text: string;
  /** Where `text` begins in the result's whole text, UTF-16 units: hits of a search count from there. */
  readonly textStart: number;
  /** True when `text` is only the beginning of what the transcript holds. */
  readonly capped: boolean;
  /** Secrets that are masked in `text`, in its order. */
  readonly masks: readonly DetailMask[];
  /** What this result is, in a sentence. */
  readonly summary: string;
  readonly path: string | null;
  /** Where the path was found on this machine (after re-basing), if anywhere. */
  readonly resolvedPath: string | null;
  readonly handle: string | null;
  readonly nextOffset: number | null;
  readonly file: FileStatus;
  /** Facts about the file, one sentence each: real against stated size, age against expiry, why it is missing. */
  readonly notes: readonly string[];
  readonly canOpenFull: boolean;
  /** True when the full output can be paged through here: it needs no question. */
  readonly canPage: boolean;
  /** True when the full text stands in the transcript itself. */
  readonly fullInTranscript: boolean;
  readonly canRebase: boolean;
  /** The compaction that took it out of context; null while it stands there, as far as the transcript tells. */
  readonly left: LeftContextBy | null;
}

/** A mask in `Detail.text`. All numbers are UTF-16 units. */
export interface DetailMask {
  /** Half-open range of the mask in `text`. */
  readonly start: number;
  readonly end: number;
  /** In a detail, where the secret begins, counted from `textStart` as if nothing had been masked; and its length. */
  readonly at: number;
  readonly units: number;
  /** What it is, such as `private key`. */
  readonly kind: string;
}

/** A page of a full output, with its secrets masked. Offsets are UTF-16 units of the masked text. */
export interface OutputPage {
  readonly index: number;
  readonly text: string;
  readonly offset: number;
  readonly nextOffset: number;
  readonly length: number;
  /** 0-based. */
  readonly page: number;
  readonly pages: number;
  /** True when secrets were masked somewhere in the output. */
  readonly masked: boolean;
  /** Masks that stand whole in `text`; `at` is where they begin in the output's masked text. */
  readonly masks: readonly DetailMask[];
  /** False when bytes were not UTF-8 and stand as U+FFFD. */
  readonly valid: boolean;
}

export interface LeftContextBy {
  readonly line: number;
  readonly what: CompactionKind;
  /** As the agent names it. */
  readonly trigger: string | null;
}

/** What stood in the context of one call. Tokens are as the transcript states them; null = not stated, never 0 for unknown. */
export interface TimelinePoint {
  /** 1-based within its thread. */
  readonly call: number;
  readonly line: number;
  readonly turn: number | null;
  readonly at: string | null;
  /** Neither read from nor written to the prompt cache. */
  readonly input: number | null;
  readonly cacheRead: number | null;
  readonly cacheWrite: number | null;
  readonly output: number | null;
  /** Characters in context before the answer, in the transcript's unit. */
  readonly chars: number;
}

export interface CompactionTick {
  /** Last call before it; 0 = before the first. */
  readonly afterCall: number;
  readonly line: number;
  readonly what: CompactionKind;
  readonly trigger: string | null;
  /** As the transcript states them. */
  readonly tokensBefore: number | null;
  readonly tokensAfter: number | null;
  readonly tokensFreed: number | null;
  /** In context of the calls directly before and after it, which need not be among the points; null = not stated, or no call. */
  readonly measuredBefore: number | null;
  readonly measuredAfter: number | null;
  /** Results that it cleared, where the transcript names them. */
  readonly cleared: number;
  readonly charsBefore: number;
  readonly charsAfter: number;
}

/** Sums of stated tokens; null where nothing states that part. */
export interface UsageSums {
  readonly input: number | null;
  readonly cacheRead: number | null;
  readonly cacheWrite: number | null;
  readonly output: number | null;
}

export interface ThreadFacts {
  readonly id: string;
  readonly title: string;
  readonly kind: ThreadRow["kind"];
  readonly model: string | null;
  readonly calls: number;
  readonly messages: number;
  /** In its context; see `Figures`. */
  readonly chars: number;
  readonly measuredTokens: number | null;
  readonly compactions: number;
  /** Calls that state usage. */
  readonly callsWithUsage: number;
  /** Summed over those calls; null when none does. */
  readonly usage: UsageSums | null;
  /** What the agent itself says the whole session used; null = it does not say. */
  readonly stated: UsageSums | null;
}

/** How many records, and the 1-based lines of the first of them. */
export interface LedgerEntry {
  readonly count: number;
  readonly lines: readonly number[];
}

export interface Ledger {
  readonly counted: LedgerEntry;
  readonly notCounted: readonly (LedgerEntry & { readonly reason: NotCountedReason })[];
  /** Calls for which no record states usage. */
  readonly callsWithoutUsage: LedgerEntry;
}

export interface Overview {
  /** Thread of the timeline. */
  readonly thread: string;
  readonly points: readonly TimelinePoint[];
  /** Calls per point; above 1 each point is the call with the largest context of its stretch. */
  readonly callsPerPoint: number;
  readonly callsOmitted: number;
  readonly compactions: readonly CompactionTick[];
  readonly compactionsOmitted: number;
  readonly threads: readonly ThreadFacts[];
  readonly threadsOmitted: number;
  /** Null until the transcript was read to its end. */
  readonly ledger: Ledger | null;
  /** Null until the format is known. */
  readonly tells: FormatFacts | null;
}

/** Points, ticks and threads in one overview. */
export const OVERVIEW_LIMITS = { points: 1_200, compactions: 300, threads: 200 } as const;

export type CopyWhat = "path" | "handle" | "preview" | "callId";

/** Page → host. */
export interface Calls extends WhatIfCalls, HandleCalls {
  ready: { in: { readonly version: number }; out: FullState };
  /** Timeline of one thread (null = the first main one) and facts about all. */
  overview: { in: { readonly thread: string | null }; out: Overview };
  glance: { in: Record<string, never>; out: Glance };
  /**
   * Looks inside the results; hits arrive as `search/hits` with the same `search` number before the reply. Cancelling the
   * call ends it.
   */
  search: { in: { readonly search: number; readonly query: SearchQuery }; out: { readonly end: SearchEnd } };
  /** Rows of the table. `revision`: that of the rows in the answer, which may be newer than any told so far. */
  rows: { in: RowsAsked; out: RowsAnswer & { readonly revision: number } };
  detail: { in: { readonly index: number }; out: Detail };
  /** The page of a full output in which an offset lies. Fails with `not-found` and a sentence where it needs a question or is nowhere. */
  outputPage: { in: { readonly index: number; readonly offset: number }; out: OutputPage };
  /** One secret that is masked in a detail's text, as it says. No reply but this and the next holds a secret. */
  showSecret: {
    in: { readonly index: number; readonly at: number; readonly units: number };
    out: { readonly text: string };
  };
  /** One secret that is masked in a page of a full output, by its `at`. */
  showOutputSecret: { in: { readonly index: number; readonly at: number }; out: { readonly text: string } };
  /**
   * Opens the full output read-only; outside known spill folders the host asks first, naming the full path. `opened` false = the
   * user said no; when there is nothing to open the call fails with `not-found` and a message that says why.
   */
  openFull: { in: { readonly index: number }; out: { readonly opened: boolean } };
  /** Reveals the record's line in the transcript's own editor. */
  reveal: { in: { readonly line: number }; out: { readonly opened: boolean } };
  copy: { in: { readonly index: number; readonly what: CopyWhat }; out: { readonly copied: boolean } };
  /** Asks the user for the folder that stands for the missing home, then re-checks every path. */
  rebase: { in: Record<string, never>; out: { readonly changed: boolean } };
  cancelReading: { in: Record<string, never>; out: Record<string, never> };
  /** Reads the transcript again from disk. */
  reload: { in: Record<string, never>; out: Record<string, never> };
}

/** Host → page. */
export interface Events extends WhatIfEvents {
  /** Replaces everything. */
  "state/full": FullState;
  /**
   * What was found since the last event, with the header so far. A thread whose id is already known replaces the older one
   * (totals that grow).
   */
  "state/append": {
    readonly header: Header | null;
    readonly threads: readonly ThreadRow[];
    readonly rows: RowsNews;
    readonly problems: readonly ProblemRow[];
    readonly progress: Progress;
  };
  /** The file was written on and read again: the problems are these. */
  "state/update": {
    readonly header: Header | null;
    readonly threads: readonly ThreadRow[];
    readonly rows: RowsNews;
    readonly problems: readonly ProblemRow[];
    readonly problemsOmitted: number;
  };
  "state/live": { readonly live: boolean };
  "state/phase": {
    readonly phase: Phase;
    readonly error: string | null;
    readonly header: Header | null;
    readonly problemsOmitted: number;
  };
  /** Rows changed, and nothing else: their files were looked at. */
  "rows/changed": RowsNews;
  "search/hits": { readonly search: number; readonly hits: readonly SearchHit[]; readonly progress: SearchProgress };
  /** Select a row (opened from the tree). */
  "select/row": { readonly index: number };
  /** Show a thread: its results and its timeline (opened from the tree). */
  "select/thread": { readonly thread: string };
}

export type CallName = keyof Calls;
export type EventName = keyof Events;
export type ErrorCode = "bad-message" | "not-found" | "too-large" | "failed" | "disposed" | "cancelled";

export type PageFrame = { readonly v: 1; readonly id: number } & (
  | { readonly t: "call"; readonly m: CallName; readonly body: unknown }
  | { readonly t: "cancel" }
);
export type HostFrame =
  | ({ readonly v: 1; readonly id: number } & (
      | { readonly t: "ok"; readonly body: unknown }
      | { readonly t: "err"; readonly code: ErrorCode; readonly message: string }
    ))
  | { readonly v: 1; readonly t: "event"; readonly e: EventName; readonly body: unknown };
