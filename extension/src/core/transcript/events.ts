import type { Problem } from "../model/problem";
import type { Compaction, Message, ModelCall, Thread, ToolResult, TranscriptHeader } from "../model/transcript";
import type { UsageLedger } from "../model/usageLedger";

export type { TranscriptEvent } from "../model/transcriptEvent";

/** A transcript read to its end (or to where reading stopped): sizes and places, no bodies. */
export interface TranscriptIndex {
  /** Undefined when the file could not be opened as a transcript; then the first problem says why. */
  readonly header: TranscriptHeader | undefined;
  readonly threads: readonly Thread[];
  readonly messages: readonly Message[];
  readonly calls: readonly ModelCall[];
  readonly results: readonly ToolResult[];
  /** In the order told; `atMessage` says where each happened. */
  readonly compactions: readonly Compaction[];
  readonly problems: readonly Problem[];
  /** Undefined when reading stopped before the end. */
  readonly ledger: UsageLedger | undefined;
}
