import type { Message, ToolResult } from "../../model/transcript";
import { addSizes } from "../../util/textSize";
import { type At, below, NO_TEXT, type ThreadState, unnamedId } from "../builder";
import { callIdentity } from "../callIdentity";
import { flatten, measureArguments, measureParts } from "../flatten";
import { isObject, type JsonObject, own } from "../json";
import { geminiUsage, timeText } from "../usage";
import type { Item } from "./reader";
import { atOf, RecordReader } from "./recordReader";

/** What is known of one message id: it is written again as it grows. */
interface Known {
  readonly id: string;
  message: Message;
  readonly results: Map<string, ToolResult>;
  readonly called: Set<string>;
}

const ENDED = new Set(["success", "error", "cancelled"]);

/**
 * Gemini CLI chats, as one object or as an append log. In the log the last record of an id wins and stands where the
 * first one stood; `$rewindTo` takes back that message and all after it; `$set.messages` replaces the history
 * (google-gemini/gemini-cli chatRecordingService.ts @016443b5).
 */
export class GeminiCliReader extends RecordReader {
  override readonly arrays: ReadonlySet<string> = new Set(["messages"]);
  override readonly members: ReadonlySet<string> = new Set(["sessionId", "startTime", "kind"]);
  /** Messages in context, oldest first. */
  private readonly live = new Map<string, Known>();
  private unnamed = 0;

  record(item: Item): void {
    const { value } = item;
    if (!isObject(value)) {
      this.notARecord(item);
      return;
    }
    const at = atOf(item);
    const patch = own(value, "$set");
    const rewind = own(value, "$rewindTo");
    if (isObject(patch)) this.patch(patch, below(at, "$set"));
    else if (typeof rewind === "string") this.rewind(item.texts.decode(rewind), at);
    else if (own(value, "sessionId") !== undefined && own(value, "type") === undefined) this.meta(value, at);
    else this.message(value, at);
  }

  override member(key: string, item: Item): void {
    this.meta({ [key]: item.value }, atOf(item));
  }

  private meta(value: JsonObject, at: At): void {
    const id = at.texts.name(own(value, "sessionId"));
    if (this.main === undefined) {
      if (id !== undefined) this.thread({ id, startedAt: timeText(own(value, "startTime")) });
    } else if (id !== undefined) this.builder.describe({ sessionId: id });
    const state = this.thread();
    const startedAt = timeText(own(value, "startTime"));
    if (startedAt !== undefined) this.builder.updateThread(state, { startedAt });
    if (own(value, "kind") === "subagent") this.builder.updateThread(state, { kind: "subagent" });
    const messages = own(value, "messages");
    if (Array.isArray(messages)) this.each(messages, below(at, "messages"));
  }

  private each(messages: readonly unknown[], at: At): void {
    messages.forEach((message, i) => {
      if (isObject(message)) this.message(message, below(at, i));
    });
  }

  private patch(value: JsonObject, at: At): void {
    const messages = own(value, "messages");
    if (Array.isArray(messages) && messages.length > 0) {
      const kept = new Set(messages.map((message) => at.texts.name(own(message, "id"))));
      this.leave(
        [...this.live.values()].filter((known) => !kept.has(known.id)),
        "summary",
        at,
      );
      this.each(messages, below(at, "messages"));
    }
    const id = at.texts.name(own(value, "sessionId"));
    if (id !== undefined) this.builder.describe({ sessionId: id });
  }

  /** An id that is not there takes everything back. */
  private rewind(id: string, at: At): void {
    const all = [...this.live.values()];
    const from = all.findIndex((known) => known.id === id);
    this.leave(from < 0 ? all : all.slice(from), "rewind", at);
  }

  private leave(gone: readonly Known[], what: "summary" | "rewind", at: At): void {
    if (gone.length === 0) return;
    this.builder.compaction(this.thread(), at.place, {
      what,
      scope: "listed",
      messages: gone.map((known) => known.message),
      results: gone.flatMap((known) => [...known.results.values()].map((result) => result.index)),
    });
    for (const known of gone) this.live.delete(known.id);
  }

  private message(value: JsonObject, at: At): void {
    const type = own(value, "type");
    if (type === "info" || type === "warning" || type === "error") {
      this.thread();
      return;
    }
    if (type !== "user" && type !== "gemini") {
      this.builder.unknownRecord(typeof type === "string" ? at.texts.decode(type) : "no type", at.place);
      return;
    }
    const state = this.thread();
    const id = at.texts.name(own(value, "id")) ?? `#${++this.unnamed}`;
    const known = this.live.get(id);
    if (type === "user" && known === undefined) state.nextTurn();
    const call = type === "gemini" ? this.call(state, id, value, at) : undefined;
    const flat = flatten(own(value, "content"), at.texts);
    this.builder.unknownBlocks(flat.unknown, at.place);
    const calls = own(value, "toolCalls");
    const list: readonly unknown[] = Array.isArray(calls) ? calls : [];
    const args = list.reduce<Message["args"]>(
      (sum, entry) => addSizes(sum, measureArguments([own(entry, "args")], at.texts)),
      NO_TEXT,
    );
    const message = this.builder.message(
      state,
      type === "user" ? "user" : "assistant",
      at.place,
      { size: measureParts(flat.parts, at.texts), images: flat.images, args },
      known?.message,
    );
    const entry: Known = known ?? { id, message, results: new Map(), called: new Set() };
    entry.message = message;
    this.live.set(id, entry);
    list.forEach((tool, i) => {
      if (isObject(tool)) this.tool(state, entry, tool, below(at, "toolCalls", i), call, i);
    });
  }

  private call(state: ThreadState, id: string, value: JsonObject, at: At): number {
    const model = at.texts.name(own(value, "model"));
    this.setModel(state, model);
    return this.builder.call(state, id, {
      model,
      at: timeText(own(value, "timestamp")),
      usage: geminiUsage(own(value, "tokens")),
      identity: callIdentity(id),
      place: at.place,
    });
  }

  /** Call and result are one record; without `result` or an end the result never came. */
  private tool(
    state: ThreadState,
    known: Known,
    value: JsonObject,
    at: At,
    call: number | undefined,
    position: number,
  ): void {
    const { texts, place } = at;
    const id = texts.name(own(value, "id")) ?? unnamedId(`${known.id}:${position}`);
    const tool = texts.name(own(value, "name"));
    const status = own(value, "status");
    const ended = typeof status === "string" && ENDED.has(status);
    const stored = own(value, "result") ?? undefined;
    // The display text is not what the model got, but it may be all that there is.
    const shown = ended && stored === undefined ? own(value, "resultDisplay") : undefined;
    const key =
      stored !== undefined ? "result" : typeof shown === "string" && shown !== "" ? "resultDisplay" : undefined;
    if (key === undefined && ended && status !== "cancelled") {
      this.resultNotStored(at);
      return;
    }
    if (!known.called.has(id)) {
      known.called.add(id);
      this.builder.toolCall(state, { id, tool, call, turn: known.message.turn, place });
    }
    if (key === undefined) return;
    const result = this.builder.result(state, {
      callId: id,
      tool,
      content: own(value, key),
      at: below(at, key),
      isError: status === "error" || status === "cancelled",
      turn: known.message.turn,
      replaces: known.results.get(id),
    });
    known.results.set(id, result);
  }
}
