import type { Problem } from "./problem";
import type { Compaction, Message, ModelCall, Thread, ToolResult, TranscriptHeader } from "./transcript";
import type { UsageLedger } from "./usageLedger";

/**
 * What a reader tells, in the order of the file. A later `header` replaces the earlier one; a later `thread` with the
 * same id, `call` with the same thread and number, or `result` with the same index replaces the earlier one too
 * (usage that grows over several lines, a call that follows its result, the text that a model got instead).
 */
export type TranscriptEvent =
  | { readonly kind: "header"; readonly header: TranscriptHeader }
  | { readonly kind: "thread"; readonly thread: Thread }
  /** `replaces`: the message that was told before at the same place of its thread (a record written again as it grows). */
  | { readonly kind: "message"; readonly message: Message; readonly replaces?: Message }
  /** `identity`: what tells the request from all others, in other files too (`core/transcript/callIdentity`), where the format has such names. */
  | { readonly kind: "call"; readonly call: ModelCall; readonly identity?: number | undefined }
  | { readonly kind: "result"; readonly result: ToolResult }
  | ({ readonly kind: "compaction" } & Compaction)
  /** Once, at the end of a transcript that was read whole. */
  | { readonly kind: "ledger"; readonly ledger: UsageLedger }
  | { readonly kind: "problem"; readonly problem: Problem }
  | { readonly kind: "progress"; readonly doneBytes: number; readonly totalBytes: number };
