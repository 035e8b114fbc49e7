import type { Problem } from "./problem";
import type { Message, ModelCall, RecordPlace, Thread, ToolResult, TranscriptHeader } from "./transcript";

/**
 * What a reader tells, in the order of the file. A later `header` replaces the earlier one; a later `thread` with the
 * same id, `call` with the same thread and number, or `result` with the same index replaces the earlier one too
 * (usage that grows over several lines, a call that follows its result, the text that a model got instead).
 */
export type TranscriptEvent =
  | { readonly kind: "header"; readonly header: TranscriptHeader }
  | { readonly kind: "thread"; readonly thread: Thread }
  | { readonly kind: "message"; readonly message: Message }
  | { readonly kind: "call"; readonly call: ModelCall }
  | { readonly kind: "result"; readonly result: ToolResult }
  /** Everything before it in this thread has left the context. */
  | { readonly kind: "compaction"; readonly threadId: string; readonly place: RecordPlace }
  | { readonly kind: "problem"; readonly problem: Problem }
  | { readonly kind: "progress"; readonly doneBytes: number; readonly totalBytes: number };
