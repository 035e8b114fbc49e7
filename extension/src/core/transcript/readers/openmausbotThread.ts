import type { RecordPlace } from "../../model/transcript";
import { recognise } from "../../results/recognise";
import type { At, ThreadState, TranscriptBuilder } from "../builder";
import { flatten, measureParts } from "../flatten";
import { isObject, own } from "../json";
import { timeText } from "../usage";
import type { Item, Reader, ReaderContext } from "./reader";

/**
 * A page of an OpenMausBot thread. Its activity rows name a tool but hold neither ids nor results, so only a row whose
 * text is a result notice gives a tool result.
 */
export class OpenmausbotThreadReader implements Reader {
  readonly arrays: ReadonlySet<string> = new Set(["messages"]);
  readonly members: ReadonlySet<string> = new Set(["hasMore"]);
  private readonly builder: TranscriptBuilder;
  private state: ThreadState | undefined;

  constructor(private readonly context: ReaderContext) {
    this.builder = context.builder;
  }

  record(item: Item): void {
    const { value, place, texts } = item;
    if (!isObject(value)) {
      this.builder.unknownRecord(typeof value, place);
      return;
    }
    const state = this.thread(timeText(own(value, "at")));
    const role = own(value, "role");
    const kind = own(value, "kind");
    const tool = texts.name(own(own(value, "tool"), "name"));
    const text = own(value, "text");
    const flat = flatten(text, texts);
    const size = measureParts(flat.parts, texts);
    if (role === "user") state.nextTurn();
    if (kind === "activity" || tool !== undefined) {
      const notice = recognise(texts.decode(flat.parts[0] ?? ""), { agent: this.builder.agent, tool });
      if (notice.state !== "inline") {
        const at: At = { place, texts, path: ["text"] };
        const isError = own(own(value, "tool"), "ok") === false;
        this.builder.result(state, { callId: undefined, tool, content: text, at, isError });
      }
      this.builder.message(state, "tool", place, { size, images: flat.images });
      return;
    }
    this.builder.message(state, role === "user" ? "user" : role === "bot" ? "assistant" : "other", place, {
      size,
      images: flat.images,
    });
  }

  begin(): void {}

  member(_key: string, item: Item): void {
    if (item.value !== true) return;
    this.builder.problems.add({
      code: "page-of-thread",
      severity: "info",
      message: "This is one page of a thread; older messages are in other pages.",
      at: item.place,
    });
  }

  element(_key: string, item: Item): void {
    this.record(item);
  }

  end(_place: RecordPlace): void {
    this.thread(undefined);
  }

  finish(): void {
    this.thread(undefined);
  }

  private thread(startedAt: string | undefined): ThreadState {
    if (this.state === undefined) {
      const id = this.context.name;
      this.state = this.builder.open({ id, title: id, kind: "main", model: undefined, startedAt });
    }
    return this.state;
  }
}
