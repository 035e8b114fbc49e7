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

export interface ThreadTotals {
  readonly id: string;
  readonly title: string;
  readonly kind: Thread["kind"];
  readonly calls: number;
  /** Without a system prompt that stands beside the messages. */
  readonly messages: number;
}

/** What stands in the context of one thread. */
export type ThreadContext = Pick<TranscriptTotals, "chars" | "resultsLeft" | "charsLeft" | "measuredTokens">;

export interface TranscriptTotals {
  readonly calls: number;
  readonly messages: number;
  readonly results: number;
  /** Results in state persisted or handle. */
  readonly persisted: number;
  /** Sum of `composition`: main threads only, since their last compaction. */
  readonly chars: number;
  /** Stated sizes minus what the notices take, over results in state persisted or handle; never negative per result. */
  readonly charsKeptOut: number;
  readonly composition: CompositionTotals;
  /** Results of main threads that a compaction took out of context. Their sizes count in `results`, not in `chars`. */
  readonly resultsLeft: number;
  /** Characters of those results while they stood in context, in the transcript's unit. */
  readonly charsLeft: number;
  /** Input + cache read + cache write of the newest call of a main thread that states usage; null when none does. */
  readonly measuredTokens: number | null;
}

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
