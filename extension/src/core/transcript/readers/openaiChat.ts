import type { RecordPlace } from "../../model/transcript";
import { type At, below, type ThreadState, type TranscriptBuilder } from "../builder";
import { isObject, own } from "../json";
import { plural } from "../problems";
import { openaiUsage, timeText } from "../usage";
import { ChatMessages } from "./chatMessages";
import type { Item, Reader, ReaderContext } from "./reader";

/** tau-bench keeps its messages under `traj`. */
const ARRAYS = ["messages", "traj"] as const;

/**
 * OpenAI chat completions: a request, a request with its response beside it, a response alone, a list of messages, or
 * one of these per line. Without a response the format says nothing about usage.
 */
export class OpenaiChatReader implements Reader {
  readonly arrays: ReadonlySet<string> = new Set(ARRAYS);
  readonly members: ReadonlySet<string> = new Set(["model", "response", "choices", "usage", "created"]);
  private readonly builder: TranscriptBuilder;
  private readonly chat: ChatMessages;
  private state: ThreadState | undefined;
  private threads = 0;
  private facts = new Map<string, Item>();

  constructor(private readonly context: ReaderContext) {
    this.builder = context.builder;
    this.chat = new ChatMessages(this.builder, { hermes: false });
  }

  /** A message, or a whole request or response on one line. */
  record(item: Item): void {
    const { value, place, texts } = item;
    const at: At = { place, texts, path: [] };
    if (isObject(value) && own(value, "role") === undefined) {
      const key = ARRAYS.find((name) => Array.isArray(own(value, name)));
      const isResponse = Array.isArray(own(value, "choices"));
      if (key !== undefined || isResponse || isObject(own(value, "response"))) {
        this.newThread();
        this.setModel(texts.name(own(value, "model")));
        const list = key === undefined ? undefined : own(value, key);
        if (key !== undefined && Array.isArray(list)) {
          list.forEach((message, i) => {
            this.chat.message(this.thread(), message, below(at, key, i));
          });
        }
        if (isResponse) this.response(value, at);
        if (isObject(own(value, "response"))) this.response(own(value, "response"), below(at, "response"));
        return;
      }
    }
    this.chat.message(this.thread(), value, at);
  }

  begin(): void {
    this.newThread();
    this.facts = new Map();
  }

  member(key: string, item: Item): void {
    this.facts.set(key, item);
    if (key === "model") this.setModel(item.texts.name(item.value));
  }

  element(_key: string, item: Item): void {
    this.chat.message(this.thread(), item.value, { place: item.place, texts: item.texts, path: [] });
  }

  end(_place: RecordPlace): void {
    const choices = this.facts.get("choices");
    if (choices !== undefined) {
      const rest = {
        choices: choices.value,
        usage: this.facts.get("usage")?.value,
        created: this.facts.get("created")?.value,
      };
      this.response(rest, { place: choices.place, texts: choices.texts, path: [] }, true);
    }
    const response = this.facts.get("response");
    if (response !== undefined)
      this.response(response.value, { place: response.place, texts: response.texts, path: [] });
    this.thread();
  }

  finish(): void {
    if (this.threads === 0) this.thread();
  }

  /** `bare`: the path begins at the list of choices, because its members were read one by one. */
  private response(value: unknown, at: At, bare = false): void {
    const choices = own(value, "choices");
    const model = at.texts.name(own(value, "model"));
    this.setModel(model);
    if (!Array.isArray(choices)) return;
    const message = own(choices[0], "message");
    if (choices.length > 1) {
      const place = at.place;
      const say = (count: number) =>
        `${plural(count, "response")} with several choices; only the first of each is read.`;
      this.builder.problems.tally("other-choices", "info", place, say);
    }
    if (message === undefined) return;
    const inner = bare ? below(at, 0, "message") : below(at, "choices", 0, "message");
    const timed = isObject(message) ? { timestamp: timeText(own(value, "created")), ...message } : message;
    this.chat.message(this.thread(), timed, inner, openaiUsage(own(value, "usage")), model);
  }

  private setModel(model: string | undefined): void {
    if (model === undefined) return;
    this.builder.describe({ model });
    this.builder.updateThread(this.thread(), { model });
  }

  private newThread(): void {
    this.state = undefined;
  }

  private thread(): ThreadState {
    if (this.state === undefined) {
      this.threads++;
      const id = this.threads === 1 ? this.context.name : `${this.context.name}-${this.threads}`;
      this.state = this.builder.open({ id, title: id, kind: "main", model: undefined, startedAt: undefined });
    }
    return this.state;
  }
}
