import type { CompactionKind, RecordPlace, Thread } from "./transcript";

/** Characters in context by kind, in the transcript's unit. */
export interface CompositionTotals {
  readonly system: number;
  readonly user: number;
  /** Texts and the arguments of tool calls. */
  readonly assistant: number;
  /** Results of every state but persisted, handle and truncated. */
  readonly inlineResults: number;
  /** Notices with their previews: states persisted, handle and truncated. */
  readonly persistedPreviews: number;
}

/** Figures of one thread, or of a transcript: then those of its context are sums over the main threads, all others over all threads. */
export interface Figures {
  readonly calls: number;
  /** Without a system prompt that stands beside the messages. */
  readonly messages: number;
  readonly results: number;
  /** Results in state persisted or handle. */
  readonly persisted: number;
  /** Sum of `composition`: since the last compaction. */
  readonly chars: number;
  /** Stated sizes minus what the notices take, over results in state persisted or handle; never negative per result. */
  readonly charsKeptOut: number;
  readonly composition: CompositionTotals;
  /** Results that a compaction took out of context. They count in `results`, and their sizes not in `chars`. */
  readonly resultsLeft: number;
  /** Characters of those results while they stood in context, in the transcript's unit. */
  readonly charsLeft: number;
  /**
   * Input + cache read + cache write of the newest call that states usage; null when none does, and after a compaction until the next
   * call. Of a transcript: of the last main thread with such a call.
   */
  readonly measuredTokens: number | null;
}

export interface ThreadTotals extends Figures {
  readonly id: string;
  readonly title: string;
  readonly kind: Thread["kind"];
  /** Null: not stated. */
  readonly model: string | null;
}

export type TranscriptTotals = Figures;

/** The compaction that took a result out of context. */
export interface LeftBy {
  readonly threadId: string;
  /** 1-based among the compactions of its thread, in the order told. */
  readonly number: number;
  readonly what: CompactionKind;
  readonly trigger: string | undefined;
  /** Where the transcript tells of it. */
  readonly place: RecordPlace;
}
