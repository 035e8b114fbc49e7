import { type At, below, type ThreadState } from "../builder";
import { flatten, measureParts } from "../flatten";
import { isObject, type JsonObject, own } from "../json";
import { responsesUsage, timeText } from "../usage";
import type { Item } from "./reader";
import { atOf, RecordReader } from "./recordReader";
import { addResponseItem, itemKind } from "./responseItems";

/** OpenAI Responses: a response, a request with or without its response, a list of items, or one of these per line. */
export class OpenaiResponsesReader extends RecordReader {
  override readonly arrays: ReadonlySet<string> = new Set(["output", "input"]);
  override readonly members: ReadonlySet<string> = new Set([
    "id",
    "model",
    "created_at",
    "usage",
    "instructions",
    "input",
    "response",
  ]);
  /** Key of the model call that assistant items belong to; undefined: the next one begins a call. */
  private call: string | undefined;
  private calls = 0;
  private model: string | undefined;
  private time: string | undefined;
  private facts = new Map<string, Item>();

  record(item: Item): void {
    const { value } = item;
    if (!isObject(value)) {
      this.notARecord(item);
      return;
    }
    const isWhole =
      Array.isArray(own(value, "output")) || own(value, "input") !== undefined || isObject(own(value, "response"));
    if (isWhole && itemKind(value) === "unknown") this.whole(value, atOf(item));
    else this.item(value, atOf(item));
  }

  override begin(): void {
    this.call = undefined;
    this.facts = new Map();
  }

  override member(key: string, item: Item): void {
    this.facts.set(key, item);
    const { value, texts } = item;
    if (key === "model") this.nameModel(texts.name(value));
    else if (key === "created_at") this.time = timeText(value);
    else if (key === "instructions") this.instructions(value, atOf(item));
    else if (key === "input") this.textInput(value, atOf(item));
  }

  override element(_key: string, item: Item): void {
    if (isObject(item.value)) this.item(item.value, atOf(item));
    else this.notARecord(item);
  }

  override end(): void {
    const usage = this.facts.get("usage");
    if (usage !== undefined) this.tellUsage(usage.value, usage.place);
    const response = this.facts.get("response");
    if (response !== undefined && isObject(response.value)) this.whole(response.value, atOf(response));
    this.call = undefined;
    this.thread();
  }

  private whole(value: JsonObject, at: At): void {
    const { texts } = at;
    this.call = undefined;
    this.nameModel(texts.name(own(value, "model")));
    this.time = timeText(own(value, "created_at"));
    this.instructions(own(value, "instructions"), below(at, "instructions"));
    const input = own(value, "input");
    if (Array.isArray(input)) this.list(input, below(at, "input"));
    else this.textInput(input, below(at, "input"));
    const output = own(value, "output");
    if (Array.isArray(output)) this.list(output, below(at, "output"));
    if (isObject(own(value, "usage"))) this.tellUsage(own(value, "usage"), at.place);
    const response = own(value, "response");
    if (isObject(response)) this.whole(response, below(at, "response"));
    this.call = undefined;
  }

  private list(items: readonly unknown[], at: At): void {
    items.forEach((value, i) => {
      if (isObject(value)) this.item(value, below(at, i));
      else this.builder.unknownRecord(typeof value, at.place);
    });
  }

  private item(value: JsonObject, at: At): void {
    const state = this.thread();
    const kind = itemKind(value);
    if (kind === "user") state.nextTurn();
    if (kind === "user" || kind === "output") this.call = undefined;
    if (kind === "compaction") this.builder.compaction(state, at.place, { what: "summary" });
    const number = kind === "assistant" ? this.ensureCall(state, at) : undefined;
    if (kind !== "compaction") addResponseItem(this.builder, state, value, at, number);
  }

  private ensureCall(state: ThreadState, at: At): number {
    this.call ??= `${++this.calls}`;
    return this.builder.call(state, this.call, { model: this.model, at: this.time, usage: undefined, place: at.place });
  }

  /** A response's usage; one without any output item was still a request. */
  private tellUsage(value: unknown, place: At["place"]): void {
    const usage = responsesUsage(value);
    if (usage === undefined) return;
    this.call ??= `${++this.calls}`;
    this.builder.call(this.thread(), this.call, { model: this.model, at: this.time, usage, place });
  }

  private instructions(value: unknown, at: At): void {
    const { parts } = flatten(value, at.texts);
    this.builder.systemPrompt(this.thread(), at.place, measureParts(parts, at.texts));
  }

  private textInput(value: unknown, at: At): void {
    if (typeof value !== "string") return;
    const state = this.thread();
    state.nextTurn();
    const { parts } = flatten(value, at.texts);
    this.builder.message(state, "user", at.place, { size: measureParts(parts, at.texts), images: 0 });
  }

  private nameModel(model: string | undefined): void {
    this.model = model ?? this.model;
    this.setModel(this.thread(), model);
  }
}
