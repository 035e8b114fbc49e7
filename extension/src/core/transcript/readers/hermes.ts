import type { RecordPlace, Thread } from "../../model/transcript";
import type { At, ThreadState, TranscriptBuilder } from "../builder";
import { flatten, measureParts } from "../flatten";
import { isObject, type JsonObject, own } from "../json";
import { count, statedUsage, timeText } from "../usage";
import { ChatMessages } from "./chatMessages";
import { type Item, NO_KEYS, type Reader, type ReaderContext } from "./reader";

/** In `model_config`. The migration of old homes marks sessions of unknown origin as `__orphaned__`; those are no delegates. */
const DELEGATED = /"_delegate_from"\s*:\s*"(?!__orphaned__")/;
const MESSAGES: ReadonlySet<string> = new Set(["messages"]);
const at = (item: Item): At => ({ place: item.place, texts: item.texts, path: [] });

/** `sessions/session_{id}.json`: one object with the session's facts and its messages. */
export class HermesSnapshotReader implements Reader {
  readonly arrays = MESSAGES;
  readonly members: ReadonlySet<string> = new Set(["session_id", "model", "session_start", "system_prompt"]);
  private readonly builder: TranscriptBuilder;
  private readonly chat: ChatMessages;
  private readonly facts = new Map<string, Item>();
  private state: ThreadState | undefined;

  constructor(private readonly context: ReaderContext) {
    this.builder = context.builder;
    this.chat = new ChatMessages(this.builder, { hermes: true });
  }

  record(item: Item): void {
    this.chat.message(this.thread(), item.value, at(item));
  }

  begin(): void {}

  member(key: string, item: Item): void {
    this.facts.set(key, item);
    if (this.state !== undefined) this.builder.updateThread(this.state, this.described());
    if (key === "system_prompt") {
      this.builder.systemPrompt(
        this.thread(),
        item.place,
        measureParts(flatten(item.value, item.texts).parts, item.texts),
      );
    }
  }

  element(_key: string, item: Item): void {
    this.record(item);
  }

  end(): void {
    this.thread();
  }

  finish(): void {
    this.thread();
  }

  private described(): Omit<Thread, "id" | "kind"> {
    const id = this.name("session_id");
    const model = this.name("model");
    this.builder.describe({ sessionId: id, model });
    const startedAt = timeText(this.facts.get("session_start")?.value);
    return { title: id ?? this.context.name, model, startedAt };
  }

  private name(key: string): string | undefined {
    const item = this.facts.get(key);
    return item?.texts.name(item.value);
  }

  private thread(): ThreadState {
    if (this.state === undefined) {
      const facts = this.described();
      this.state = this.builder.open({ id: facts.title, kind: "main", ...facts });
    }
    return this.state;
  }
}

/** `sessions/{id}.jsonl`: a `session_meta` line, then one message per line. The id is the file's name only. */
export class HermesGatewayReader implements Reader {
  readonly arrays = NO_KEYS;
  readonly members = NO_KEYS;
  private readonly builder: TranscriptBuilder;
  private readonly chat: ChatMessages;
  private state: ThreadState | undefined;

  constructor(private readonly context: ReaderContext) {
    this.builder = context.builder;
    this.chat = new ChatMessages(this.builder, { hermes: true });
  }

  record(item: Item): void {
    const { value, texts } = item;
    const state = this.thread(isObject(value) ? value : {});
    if (isObject(value) && own(value, "role") === "session_meta") {
      const model = texts.name(own(value, "model"));
      this.builder.describe({ model });
      this.builder.updateThread(state, { model });
      return;
    }
    this.chat.message(state, value, at(item));
  }

  begin(): void {}
  member(): void {}
  element(): void {}
  end(): void {}

  finish(): void {
    this.thread({});
  }

  private thread(first: JsonObject): ThreadState {
    if (this.state === undefined) {
      const id = this.context.name;
      this.builder.describe({ sessionId: id });
      const startedAt = timeText(own(first, "timestamp"));
      this.state = this.builder.open({ id, title: id, kind: "main", model: undefined, startedAt });
    }
    return this.state;
  }
}

/**
 * `hermes sessions export`: one line per session with its messages inside; also its `--only user-prompts` form, one line
 * per prompt. A lineage export repeats its messages under `segments`, which are therefore not read.
 */
export class HermesExportReader implements Reader {
  readonly arrays = MESSAGES;
  readonly members: ReadonlySet<string> = new Set([
    "id",
    "model",
    "model_config",
    "started_at",
    "source",
    "cwd",
    "parent_session_id",
    "api_call_count",
    "input_tokens",
    "output_tokens",
    "cache_read_tokens",
    "cache_write_tokens",
    "system_prompt",
    "session_id",
    "role",
    "text",
  ]);
  private readonly builder: TranscriptBuilder;
  private readonly chat: ChatMessages;
  private facts = new Map<string, Item>();
  private state: ThreadState | undefined;
  private sessions = 0;
  private sawMessages = false;

  constructor(private readonly context: ReaderContext) {
    this.builder = context.builder;
    this.chat = new ChatMessages(this.builder, { hermes: true });
  }

  record(item: Item): void {
    // An element of a root array: the same sessions in one JSON list are not something Hermes writes.
    this.builder.unknownRecord("list element", item.place);
  }

  begin(): void {
    this.openPending();
    this.facts = new Map();
    this.state = undefined;
    this.sawMessages = false;
  }

  /** A session that was cut off before its first message is listed all the same. */
  private openPending(): void {
    if (this.state === undefined && this.facts.has("id")) this.thread();
  }

  member(key: string, item: Item): void {
    this.facts.set(key, item);
    if (key === "system_prompt" && this.facts.has("id")) {
      this.builder.systemPrompt(
        this.thread(),
        item.place,
        measureParts(flatten(item.value, item.texts).parts, item.texts),
      );
    } else if (this.state !== undefined) this.builder.updateThread(this.state, this.described());
  }

  element(_key: string, item: Item): void {
    this.sawMessages = true;
    const { value, place } = item;
    if (isObject(value)) {
      if (own(value, "role") === "session_meta") return;
      if (own(value, "active") === 0) {
        this.archived(place);
        return;
      }
    }
    this.chat.message(this.thread(), value, at(item));
  }

  end(place: RecordPlace): void {
    const text = this.facts.get("text");
    if (!this.sawMessages && !this.facts.has("id") && text !== undefined) this.prompt(text, place);
    else this.thread();
    // Nothing of a session that is whole is needed any more.
    this.facts = new Map();
  }

  get settled(): boolean {
    return this.facts.size === 0;
  }

  finish(): void {
    this.openPending();
  }

  /** A line of the user-prompts form. */
  private prompt(text: Item, place: RecordPlace): void {
    const session = this.facts.get("session_id");
    const id = session?.texts.name(session.value) ?? this.context.name;
    const state =
      this.builder.find(id) ??
      this.builder.open({ id, title: id, kind: "main", model: undefined, startedAt: undefined });
    state.nextTurn();
    const flat = flatten(text.value, text.texts);
    this.builder.message(state, "user", place, { size: measureParts(flat.parts, text.texts), images: flat.images });
  }

  private archived(place: RecordPlace): void {
    this.builder.problems.tally(
      "archived-rows",
      "info",
      place,
      (count) => `${count} archived or undone messages are left out: they are not sent any more.`,
    );
  }

  private described(): Omit<Thread, "id"> {
    const id = this.name("id");
    const config = this.name("model_config") ?? "";
    const figure = (key: string): number | undefined => count(this.facts.get(key)?.value);
    const stated = {
      input: figure("input_tokens"),
      cacheRead: figure("cache_read_tokens"),
      cacheWrite: figure("cache_write_tokens"),
      output: figure("output_tokens"),
    };
    const parent = this.name("parent_session_id");
    return {
      title: id ?? `${this.context.name}-${this.sessions}`,
      kind: DELEGATED.test(config) ? "subagent" : "main",
      model: this.name("model"),
      startedAt: timeText(this.facts.get("started_at")?.value),
      source: this.name("source"),
      project: this.name("cwd"),
      parent:
        parent === undefined ? undefined : { id: parent, relation: DELEGATED.test(config) ? "delegate" : "child" },
      usage: statedUsage(stated, { model: this.name("model"), calls: figure("api_call_count") || undefined }),
    };
  }

  private name(key: string): string | undefined {
    const item = this.facts.get(key);
    return item?.texts.name(item.value);
  }

  private thread(): ThreadState {
    if (this.state === undefined) {
      this.sessions++;
      const facts = this.described();
      if (this.sessions === 1) this.builder.describe({ sessionId: this.name("id"), model: facts.model });
      else this.builder.describe({ sessionId: undefined });
      this.state = this.builder.open({ id: facts.title, ...facts });
    }
    return this.state;
  }
}
