import { type At, below } from "../builder";
import { flatten, measureParts } from "../flatten";
import { isObject, own } from "../json";
import { plural } from "../problems";
import { timeText } from "../usage";
import { ChatMessages } from "./chatMessages";
import type { Item } from "./reader";
import { atOf, RecordReader } from "./recordReader";
import { addResponseItem, itemKind } from "./responseItems";

/** A Hermes request dump: exactly what was sent to the provider (hermes.md 5.5); there is no answer and no usage. */
export class HermesRequestReader extends RecordReader {
  override readonly members: ReadonlySet<string> = new Set(["session_id", "timestamp", "reason", "request", "error"]);
  private readonly chat = new ChatMessages(this.context.builder, { hermes: true });
  private readonly facts = new Map<string, Item>();

  record(item: Item): void {
    this.dump(item.value, atOf(item));
  }

  override begin(): void {
    this.facts.clear();
  }

  override member(key: string, item: Item): void {
    this.facts.set(key, item);
  }

  override finish(): void {
    if (this.main === undefined) this.tell();
  }

  override end(): void {
    this.tell();
  }

  private tell(): void {
    const request = this.facts.get("request");
    const session = this.facts.get("session_id");
    const time = this.facts.get("timestamp");
    this.thread({ id: session?.texts.name(session.value), startedAt: timeText(time?.value) });
    if (request !== undefined) this.request(request.value, atOf(request));
  }

  private dump(value: unknown, at: At): void {
    this.thread({ id: at.texts.name(own(value, "session_id")), startedAt: timeText(own(value, "timestamp")) });
    this.request(own(value, "request"), below(at, "request"));
  }

  private request(request: unknown, at: At): void {
    const state = this.thread();
    const { texts, place } = at;
    const body = own(request, "body");
    const inner = below(at, "body");
    if (!isObject(body)) {
      const say = (count: number) => `${plural(count, "request")} without a readable body.`;
      this.builder.problems.tally("no-body", "warning", place, say);
      return;
    }
    this.setModel(state, texts.name(own(body, "model")));
    const system = own(body, "system") ?? own(body, "instructions");
    this.builder.systemPrompt(state, place, measureParts(flatten(system, texts).parts, texts));
    const messages = own(body, "messages");
    if (Array.isArray(messages)) {
      messages.forEach((message, i) => {
        this.chat.message(state, message, below(inner, "messages", i));
      });
    }
    const input = own(body, "input");
    if (!Array.isArray(input)) return;
    let call: number | undefined;
    input.forEach((entry: unknown, i) => {
      if (!isObject(entry)) return;
      const kind = itemKind(entry);
      if (kind === "user") state.nextTurn();
      if (kind === "user" || kind === "output") call = undefined;
      if (kind === "assistant") {
        const { model } = state.thread;
        call ??= this.builder.call(state, undefined, { model, at: undefined, usage: undefined, place });
      }
      addResponseItem(this.builder, state, entry, below(inner, "input", i), call);
    });
  }
}
