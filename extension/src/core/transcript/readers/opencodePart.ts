import type { ToolResult } from "../../model/transcript";
import { measureText } from "../../util/textSize";
import { literalStep } from "../bodyPath";
import { type At, below, type ThreadState, type TranscriptBuilder } from "../builder";
import { isImageType } from "../imageType";
import { own } from "../json";
import type { Item } from "./reader";
import { atOf, RecordReader } from "./recordReader";

/** What the model gets in place of a pruned result; the store keeps the text (opencode session/message-v2). */
const CLEARED = "[Old tool result content cleared]";

/** A finished call's result by its state in version 1: the output, or the error. */
export function addToolState(
  builder: TranscriptBuilder,
  state: ThreadState,
  run: unknown,
  at: At,
  call: { readonly id: string | undefined; readonly tool: string | undefined },
): ToolResult {
  const failed = own(run, "status") === "error";
  const key = failed ? "error" : "output";
  const attachments = own(run, "attachments");
  const images = Array.isArray(attachments) ? attachments.filter((file) => isImageType(own(file, "mime"))).length : 0;
  const isCleared = typeof own(own(run, "time"), "compacted") === "number";
  return builder.result(
    state,
    { callId: call.id, tool: call.tool, content: own(run, key), at: below(at, key), isError: failed, images },
    isCleared
      ? (stored) => ({
          state: "cleared",
          size: measureText(CLEARED),
          persisted: undefined,
          body: { place: at.place, path: [literalStep(CLEARED)] },
          fullText: stored.body,
        })
      : undefined,
  );
}

/** One file of opencode's storage tree. A session is spread over many of them, so it says what to open instead. */
export class OpencodeStorageReader extends RecordReader {
  override readonly members: ReadonlySet<string> = new Set([
    "id",
    "type",
    "sessionID",
    "callID",
    "tool",
    "state",
    "title",
  ]);
  private readonly facts = new Map<string, Item>();

  record(item: Item): void {
    this.notARecord(item);
  }

  override member(key: string, item: Item): void {
    this.facts.set(key, item);
  }

  override finish(): void {
    const id = this.name("sessionID") ?? this.name("id");
    const state = this.thread({ id, title: this.name("title") ?? id ?? this.context.name });
    const run = this.facts.get("state");
    if (run !== undefined && this.facts.has("tool")) {
      const call = { id: this.name("callID") ?? this.name("id"), tool: this.name("tool") };
      this.builder.toolCall(state, { ...call, call: undefined, turn: undefined, place: run.place });
      const status = own(run.value, "status");
      if (status === "completed" || status === "error") addToolState(this.builder, state, run.value, atOf(run), call);
    }
    this.builder.problems.add({
      code: "part-of-store",
      severity: "warning",
      message:
        "This file is one record of opencode's storage folder, which keeps a session in many files. " +
        "Open the session's file under storage/session, or export the session (opencode export) and open that.",
    });
  }

  private name(key: string): string | undefined {
    const item = this.facts.get(key);
    return item?.texts.name(item.value);
  }
}
