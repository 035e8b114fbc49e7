import type { Message, RecordPlace, TextSize, ThreadParent, Usage } from "../../model/transcript";
import { type At, below, type CompactionFacts, type ThreadState } from "../builder";
import { callIdentity } from "../callIdentity";
import { flatten, measureArguments, measureParts } from "../flatten";
import { isObject, type JsonObject, own, type Texts } from "../json";
import { plural } from "../problems";
import { codexUsage, count, timeText } from "../usage";
import { isSilentCodexEvent, isSilentCodexRecord } from "./codexTypes";
import { type ContextPart, ContextParts } from "./contextParts";
import type { Item } from "./reader";
import { atOf, RecordReader } from "./recordReader";
import { addResponseItem, itemKind } from "./responseItems";

/** Openings of user items that Codex puts before the conversation (codex-rs core, initial context). */
const INJECTED = /^\s*(?:<environment_context>|<user_instructions>|<permissions |<turn_aborted>|<skill>|# AGENTS\.md )/;

/** Openings of what marks a text that the program sent somewhere, kept as an answer for older releases only. */
const DELIVERED = "codex:code-mode-delivery:v1:";

const TOKEN_COUNTS = ["total_tokens", "input_tokens", "cached_input_tokens", "output_tokens"] as const;

interface OpenCall {
  readonly key: string;
  usage: boolean;
}

/** A message that only an event told of so far. */
interface Told {
  readonly state: ThreadState;
  readonly role: "user" | "assistant";
  readonly place: RecordPlace;
  readonly size: TextSize;
  readonly images: number;
}

/**
 * Codex rollouts: enveloped lines (2025-09 and later) and the bare items before that. Events repeat the items, so they
 * give messages only where a file has no items; usage comes from `token_count`, turns from `task_started`.
 */
export class CodexReader extends RecordReader {
  private sawMeta = false;
  private model: string | undefined;
  private open: OpenCall | undefined;
  private calls = 0;
  private total: string | undefined;
  /** Responses whose usage was told by a record of their own. */
  private readonly responses = new Set<string>();
  /** The session whose history stands first; all forks of it name it last. */
  private origin = "";
  private contextTokens: number | undefined;
  private tasks = false;
  /** True from the start of a turn until the model is asked. */
  private fresh = false;
  private fromItem = false;
  private items = 0;
  private compacted = false;
  private readonly told: Told[] = [];
  /** What each turn brought into the context since the last compaction, by the number of the turn. */
  private readonly turns = new ContextParts();
  private turn: ContextPart | undefined;
  /** Developer messages in context; a replacement history holds them anew. */
  private system: Message[] = [];

  record(item: Item): void {
    const { value } = item;
    if (!isObject(value)) {
      this.notARecord(item);
      return;
    }
    const payload = own(value, "payload");
    const at = atOf(item);
    const type = own(value, "type");
    if (isObject(payload)) {
      if (isDelivered(own(value, "metadata"), at.texts)) return;
      this.enveloped(type, payload, below(at, "payload"), timeText(own(value, "timestamp")));
    } else if (own(value, "record_type") === "state") return;
    else if (type === undefined && own(value, "role") === undefined) this.meta(value, at.texts);
    else this.item(value, at, undefined);
  }

  override get settled(): boolean {
    return this.main !== undefined && (this.items > 0 || this.told.length === 0);
  }

  override finish(): void {
    if (this.items === 0) {
      for (const { state, role, place, ...content } of this.told) this.builder.message(state, role, place, content);
    }
    this.thread();
  }

  private enveloped(type: unknown, payload: JsonObject, at: At, time: string | undefined): void {
    switch (type) {
      case "session_meta":
        this.meta(payload, at.texts, at);
        return;
      case "turn_context":
        this.model = at.texts.name(own(payload, "model")) ?? this.model;
        this.setModel(this.thread(), this.model);
        return;
      case "response_item":
        this.item(payload, at, time);
        return;
      case "event_msg":
        this.event(payload, at, time);
        return;
      case "compacted":
        this.compaction(payload, at);
        return;
      case "token_usage_record":
        this.response(payload, at, time);
        return;
      case "inter_agent_communication": {
        const text = own(payload, "content");
        const isPacked = typeof own(payload, "encrypted_content") === "string";
        const content = isPacked ? [text, { type: "encrypted_content" }] : text;
        this.item({ type: "agent_message", content }, at, time);
        return;
      }
      default:
        if (typeof type === "string" && isSilentCodexRecord(type)) return;
        this.builder.unknownRecord(typeof type === "string" ? at.texts.decode(type) : "no type", at.place);
    }
  }

  /** The first meta names the file; a fork replays those of the sessions it comes from. */
  private meta(value: JsonObject, texts: Texts, at?: At): void {
    this.origin = texts.name(own(value, "id")) ?? this.origin;
    if (this.sawMeta) {
      if (at === undefined) return;
      const say = (replayed: number) =>
        `${plural(replayed, "earlier session")} replayed in this file: what follows is history that was copied from there.`;
      this.builder.problems.tally("replayed-session", "info", at.place, say, texts.name(own(value, "id")));
      const id = texts.name(own(value, "id"));
      const { main } = this;
      if (main !== undefined && main.thread.parent === undefined && id !== undefined) {
        this.builder.updateThread(main, { parent: { id, relation: "branch" } });
      }
      return;
    }
    this.sawMeta = true;
    const id = texts.name(own(value, "id"));
    const startedAt = timeText(own(value, "timestamp"));
    const source = own(value, "source");
    const facts = {
      kind: isObject(source) || own(value, "thread_source") === "subagent" ? "subagent" : "main",
      startedAt,
      source: texts.name(source),
      project: texts.name(own(value, "cwd")),
      parent: parentOf(value, texts),
    } as const;
    this.builder.updateThread(this.thread({ id, kind: facts.kind, startedAt }), facts);
    if (id !== undefined) this.builder.describe({ sessionId: id });
    const base = own(value, "base_instructions");
    const text = isObject(base) ? own(base, "text") : base;
    if (at !== undefined && typeof text === "string") {
      this.builder.systemPrompt(this.thread(), at.place, measureParts(flatten(text, texts).parts, texts));
    }
  }

  private item(value: JsonObject, at: At, time: string | undefined): void {
    const state = this.thread();
    const kind = itemKind(value);
    if (kind !== "silent" && kind !== "unknown") this.compacted = false;
    if (kind === "user" && !this.tasks && !this.isInjected(value, at.texts)) this.beginTurn(state, true);
    let call: number | undefined;
    if (kind === "assistant") call = this.ensureCall(state, at, time);
    else if (kind === "user" || kind === "output") this.open = undefined;
    if (kind !== "silent" && kind !== "compaction" && kind !== "unknown") this.items++;
    if (kind === "compaction") return;
    const turn = String(state.turn ?? 0);
    if (this.turn?.id !== turn) this.turn = this.turns.add(turn);
    this.keepSystem(addResponseItem(this.builder, state, value, at, call, this.turn));
  }

  private keepSystem(message: Message | undefined): void {
    if (message?.role === "system") this.system.push(message);
  }

  private isInjected(value: JsonObject, texts: Texts): boolean {
    const first = flatten(own(value, "content"), texts).parts[0] ?? "";
    return INJECTED.test(texts.head(first, 100));
  }

  private beginTurn(state: ThreadState, fromItem: boolean): void {
    if (this.fresh) return;
    state.nextTurn();
    this.fresh = true;
    this.fromItem = fromItem;
  }

  private ensureCall(state: ThreadState, at: At, time: string | undefined): number {
    this.fresh = false;
    this.open ??= { key: `${++this.calls}`, usage: false };
    return this.tellCall(state, this.open, at, time, undefined);
  }

  private tellCall(
    state: ThreadState,
    open: OpenCall,
    at: At,
    time: string | undefined,
    usage: Usage | undefined,
    identity?: number,
  ): number {
    return this.builder.call(state, open.key, { model: this.model, at: time, usage, place: at.place, identity });
  }

  private event(value: JsonObject, at: At, time: string | undefined): void {
    const state = this.thread();
    switch (own(value, "type")) {
      case "task_started":
      case "turn_started":
        if (!(this.fresh && this.fromItem && !this.tasks)) state.nextTurn();
        this.fresh = true;
        this.fromItem = false;
        this.tasks = true;
        return;
      case "user_message":
        if (!this.tasks) this.beginTurn(state, false);
        this.keep("user", value, at);
        return;
      case "agent_message":
        this.keep("assistant", value, at);
        return;
      case "token_count":
        this.tokens(state, value, at, time);
        return;
      case "context_compacted":
        if (!this.compacted) this.compact(state, at, { what: "summary", tokensBefore: this.contextTokens });
        this.compacted = true;
        this.open = undefined;
        return;
      case "thread_rolled_back":
        this.rollBack(state, count(own(value, "num_turns")), at);
        return;
      default: {
        const type = at.texts.name(own(value, "type")) ?? "without a type";
        if (!isSilentCodexEvent(type)) this.builder.unknownRecord(`event ${type}`, at.place);
      }
    }
  }

  /** The newest turns are taken back; what stood before the first prompt is not. */
  private rollBack(state: ThreadState, turns: number | undefined, at: At): void {
    const gone = turns === undefined ? [] : this.turns.where((id) => id !== "0").slice(-turns);
    this.turn = undefined;
    this.open = undefined;
    if (turns === undefined) this.builder.compaction(state, at.place, { what: "rewind" });
    else this.turns.leave(this.builder, state, at.place, turns === 0 ? [] : gone, { what: "rewind" });
  }

  /** A message that items repeat as a rule; told at the end of a file without items. */
  private keep(role: "user" | "assistant", value: JsonObject, at: At): void {
    if (this.items > 0) return;
    const state = this.thread();
    const { parts } = flatten(own(value, "message"), at.texts);
    const images = own(value, "images");
    const size = measureParts(parts, at.texts);
    this.told.push({ state, role, place: at.place, size, images: Array.isArray(images) ? images.length : 0 });
  }

  /** Events come in pairs; only one that changes the total stands for a call. */
  private tokens(state: ThreadState, value: JsonObject, at: At, time: string | undefined): void {
    const info = own(value, "info");
    const total = own(info, "total_token_usage");
    const last = own(info, "last_token_usage");
    if (!isObject(total) || !isObject(last)) return;
    const key = ["total_tokens", "input_tokens", "output_tokens"]
      .map((name) => count(own(total, name)) ?? "")
      .join(" ");
    if (key === this.total) {
      this.builder.usage.skip("repeated-total", at.place);
      return;
    }
    this.total = key;
    if (this.responses.size > 0) {
      this.builder.usage.skip("same-message", at.place);
      return;
    }
    // No request has a name; its running total is one within a session and all copies of it.
    const counts = [total, last].flatMap((half) => TOKEN_COUNTS.map((name) => count(own(half, name)) ?? ""));
    this.tellUsage(state, last, at, time, callIdentity(counts.join(" "), this.origin));
  }

  /** Since autumn 2026 each response has a record of its own, which the running total only repeats. */
  private response(value: JsonObject, at: At, time: string | undefined): void {
    const usage = own(value, "usage");
    const id = at.texts.name(own(value, "response_id"));
    if (id === undefined || !isObject(usage)) return;
    if (this.responses.has(id)) {
      this.builder.usage.skip("repeated-record", at.place);
      return;
    }
    this.responses.add(id);
    this.tellUsage(this.thread(), usage, at, time, callIdentity(id));
  }

  private tellUsage(
    state: ThreadState,
    stated: JsonObject,
    at: At,
    time: string | undefined,
    identity: number | undefined,
  ): void {
    const usage = codexUsage(stated);
    const input = count(own(stated, "input_tokens"));
    if (usage === undefined || input === undefined) return;
    this.contextTokens = input + (count(own(stated, "output_tokens")) ?? 0);
    if (this.open?.usage === true) this.open = undefined;
    // Up to 2025 the figure came before the items of its call, later behind them.
    const open = this.open ?? { key: `${++this.calls}`, usage: false };
    this.fresh = false;
    this.tellCall(state, open, at, time, usage, identity);
    open.usage = true;
    this.open = open;
  }

  private compaction(value: JsonObject, at: At): void {
    const state = this.thread();
    const history = own(value, "replacement_history");
    const tokensBefore = this.contextTokens;
    const messages = Array.isArray(history) ? this.system : [];
    this.compact(state, at, { what: "summary", tokensBefore, scope: "all", messages });
    this.compacted = true;
    this.open = undefined;
    if (Array.isArray(history)) {
      this.system = [];
      history.forEach((entry, i) => {
        this.carry(state, entry, below(at, "replacement_history", i));
      });
      return;
    }
    const { parts } = flatten(own(value, "message"), at.texts);
    this.builder.carried(state, "user", at.place, { size: measureParts(parts, at.texts), images: 0 });
  }

  private compact(state: ThreadState, at: At, facts: CompactionFacts): void {
    this.builder.compaction(state, at.place, facts);
    this.turns.clear();
    this.turn = undefined;
  }

  private carry(state: ThreadState, entry: unknown, at: At): void {
    if (!isObject(entry)) return;
    const kind = itemKind(entry);
    if (kind !== "user" && kind !== "assistant" && kind !== "system" && kind !== "output") return;
    const flat = flatten(own(entry, kind === "output" ? "output" : "content"), at.texts);
    const args = own(entry, "arguments") ?? own(entry, "input");
    const role = kind === "output" ? "user" : kind;
    const content = { size: measureParts(flat.parts, at.texts), images: flat.images };
    const carried = this.builder.carried(state, role, at.place, {
      ...content,
      args: measureArguments([args], at.texts),
    });
    this.keepSystem(carried);
  }
}

/** Copies of what stands in no context (openai/codex codex-rs/history/src/rollout_payload.rs). */
function isDelivered(metadata: unknown, texts: Texts): boolean {
  return texts.name(own(metadata, "delivered_assistant_message"))?.startsWith(DELIVERED) === true;
}

/** A sub-agent names the thread that started it, a fork the session that it is a copy of. */
function parentOf(value: JsonObject, texts: Texts): ThreadParent | undefined {
  const spawned = own(own(own(value, "source"), "subagent"), "thread_spawn");
  const delegate = texts.name(own(spawned, "parent_thread_id")) ?? texts.name(own(value, "parent_thread_id"));
  if (delegate !== undefined) return { id: delegate, relation: "delegate" };
  const origin = texts.name(own(value, "forked_from_id"));
  return origin === undefined ? undefined : { id: origin, relation: "branch" };
}
