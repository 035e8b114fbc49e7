import { addSizes } from "../../util/textSize";
import { type At, below, NO_TEXT, type ThreadState, type TranscriptBuilder } from "../builder";
import { flatten, measureArguments, measureParts } from "../flatten";
import { isObject, type JsonObject, own } from "../json";
import { count, openhumanTotals, openhumanUsage, statedUsage, timeText, tinyagentsUsage } from "../usage";
import { ChatMessages } from "./chatMessages";
import type { Item } from "./reader";
import { atOf, RecordReader } from "./recordReader";

const ROLES = ["system", "user", "assistant", "tool"] as const;

/** Lists of tinyagents messages: each an object whose only key is the role (tinyhumansai/tinyagents message/types.rs). */
export class TinyagentsMessagesReader extends RecordReader {
  override readonly arrays: ReadonlySet<string> = new Set(["messages"]);

  record(item: Item): void {
    const { value } = item;
    const messages = own(value, "messages");
    if (Array.isArray(messages)) {
      messages.forEach((message, i) => {
        this.message(message, below(atOf(item), "messages", i));
      });
    } else this.message(value, atOf(item));
  }

  private message(value: unknown, at: At): void {
    if (!addTinyagentsMessage(this.builder, this.thread(), value, at)) {
      this.builder.unknownRecord(isObject(value) ? (Object.keys(value)[0] ?? "empty object") : typeof value, at.place);
    }
  }
}

/** False when it is no message. A result names no tool; its call does. */
function addTinyagentsMessage(builder: TranscriptBuilder, state: ThreadState, value: unknown, at: At): boolean {
  const role = ROLES.find((name) => isObject(own(value, name)));
  if (role === undefined) return false;
  const message = own(value, role);
  const inner = below(at, role);
  const { texts, place } = at;
  const content = own(message, "content");
  if (role === "tool") {
    const callId = texts.name(own(message, "tool_call_id"));
    const input = { callId, tool: undefined, content, at: below(inner, "content"), isError: false };
    const trusted = own(message, "trusted_verbatim") === true;
    const result = builder.result(state, input, () => (trusted ? { trustedVerbatim: true } : {}));
    builder.message(state, "tool", place, { size: result.size, images: result.images });
    return true;
  }
  if (role === "user") state.nextTurn();
  let args = NO_TEXT;
  if (role === "assistant") {
    const usage = tinyagentsUsage(own(message, "usage"));
    const call = builder.call(state, undefined, { model: state.thread.model, at: undefined, usage, place });
    const calls = own(message, "tool_calls");
    for (const entry of Array.isArray(calls) ? calls : []) {
      args = addSizes(args, measureArguments([own(entry, "arguments")], texts));
      const id = texts.name(own(entry, "id"));
      builder.toolCall(state, { id, tool: texts.name(own(entry, "name")), call, turn: state.turn, place });
    }
  }
  const flat = flatten(content, texts);
  builder.unknownBlocks(flat.unknown, place);
  builder.message(state, role, place, { size: measureParts(flat.parts, texts), images: flat.images, args });
  return true;
}

/** Event kinds that carry no content; others that are not known are counted. */
const SILENT =
  /^(?:run_|model_started|model_delta|tool_started|tool_delta|tools_filtered|state_update|middleware_|cache_|retry_|sub_agent_|steered|route_selected|rate_limit|fallback_|model_override|workspace_|control_|usage|cost|tool_progress|unknown_tool)/;

/**
 * tinyagents run logs: an append store whose values are observations. Inputs and outputs are there only when the run
 * captured them; otherwise only calls, their usage and the compressions are known (tinyagents events/types.rs).
 */
export class TinyagentsRunReader extends RecordReader {
  private readonly runs = new Map<string, ThreadState>();
  private readonly seenInputs = new Map<ThreadState, number>();
  private readonly models = new Map<string, string>();
  private readonly started = new Set<string>();

  record(item: Item): void {
    const observation = own(item.value, "value");
    const event = own(observation, "event");
    if (!isObject(observation) || !isObject(event)) {
      this.notARecord(item);
      return;
    }
    const time = timeText(own(observation, "ts_ms") ?? own(item.value, "created_at_ms"));
    const state = this.run(observation, item, time);
    this.event(state, event, below(atOf(item), "value", "event"), time);
  }

  private event(state: ThreadState, event: JsonObject, at: At, time: string | undefined): void {
    const { texts, place } = at;
    const kind = own(event, "kind");
    const callId = texts.name(own(event, "call_id"));
    switch (kind) {
      case "model_started": {
        const model = texts.name(own(event, "model"));
        if (callId !== undefined && model !== undefined) this.models.set(callId, model);
        this.setModel(state, model);
        return;
      }
      case "model_completed":
        this.completed(state, event, callId, at, time);
        return;
      case "tool_started":
      case "tool_completed":
        this.tool(state, event, callId, kind === "tool_completed", at);
        return;
      case "compressed":
        this.builder.compaction(state, place, {
          what: "summary",
          scope: "unstated",
          tokensBefore: count(own(event, "from_tokens")),
          tokensAfter: count(own(event, "to_tokens")),
        });
        return;
      default:
        if (typeof kind !== "string" || !SILENT.test(kind)) {
          this.builder.unknownRecord(typeof kind === "string" ? texts.decode(kind) : "no kind", place);
        }
    }
  }

  /** The input repeats the whole conversation; only what is new in it is a message. */
  private completed(
    state: ThreadState,
    event: JsonObject,
    callId: string | undefined,
    at: At,
    time: string | undefined,
  ): void {
    const input = own(event, "input");
    const list: readonly unknown[] = Array.isArray(input) ? input : [];
    const seen = this.seenInputs.get(state) ?? 0;
    for (let i = seen; i < list.length; i++) {
      const message = list[i];
      if (own(message, "user") !== undefined) state.nextTurn();
      this.plain(state, message, below(at, "input", i));
    }
    const model = callId === undefined ? undefined : this.models.get(callId);
    const usage = tinyagentsUsage(own(event, "usage"));
    this.builder.call(state, callId, { model: model ?? state.thread.model, at: time, usage, place: at.place });
    const output = own(event, "output");
    if (output !== undefined && output !== null) this.plain(state, output, below(at, "output"));
    this.seenInputs.set(state, Math.max(seen, list.length) + (output === undefined || list.length === 0 ? 0 : 1));
  }

  /** Messages without pairing: calls and results have events of their own. */
  private plain(state: ThreadState, value: unknown, at: At): void {
    const role = ROLES.find((name) => isObject(own(value, name)));
    const message = role === undefined ? value : own(value, role);
    const flat = flatten(own(message, "content"), at.texts);
    const size = measureParts(flat.parts, at.texts);
    if (role === "tool") return;
    this.builder.message(state, role ?? "assistant", at.place, { size, images: flat.images });
  }

  private tool(state: ThreadState, event: JsonObject, callId: string | undefined, done: boolean, at: At): void {
    const { texts, place } = at;
    const tool = texts.name(own(event, "tool_name"));
    const key = callId ?? "";
    if (!this.started.has(key)) {
      this.started.add(key);
      // A start without an end stays without a result; an end whose text was not captured is no result to show.
      if (!done) this.pending.set(key, { state, tool, place, turn: state.turn, call: state.calls || undefined });
    }
    if (!done) return;
    const waiting = this.pending.get(key);
    this.pending.delete(key);
    const output = own(event, "output");
    const error = own(event, "error");
    const failed = typeof error === "string";
    if ((output === undefined || output === null) && !failed) {
      this.resultNotStored(at);
      return;
    }
    const call = waiting?.call ?? (state.calls || undefined);
    this.builder.toolCall(state, { id: callId, tool, call, turn: state.turn, place });
    const path = output === undefined || output === null ? "error" : "output";
    const content = own(event, path);
    const result = this.builder.result(state, { callId, tool, content, at: below(at, path), isError: failed });
    this.builder.message(state, "tool", place, {
      size: result.size,
      images: result.images,
      args: measureArguments([own(event, "input")], texts),
    });
  }

  private readonly pending = new Map<
    string,
    {
      readonly state: ThreadState;
      readonly tool: string | undefined;
      readonly place: Item["place"];
      readonly turn: number | undefined;
      readonly call: number | undefined;
    }
  >();

  override finish(): void {
    for (const [id, { state, ...call }] of this.pending) this.builder.toolCall(state, { id, ...call });
    this.thread();
  }

  private run(observation: JsonObject, item: Item, startedAt: string | undefined): ThreadState {
    const { texts } = item;
    const id = texts.name(own(observation, "run_id")) ?? this.context.name;
    let state = this.runs.get(id);
    if (state === undefined) {
      const parent = texts.name(own(observation, "parent_run_id"));
      state =
        this.main === undefined && parent === undefined
          ? this.thread({ id, startedAt })
          : this.builder.open({
              id,
              title: id,
              kind: parent === undefined ? "main" : "subagent",
              model: undefined,
              startedAt,
              parent: parent === undefined ? undefined : { id: parent, relation: "delegate" },
            });
      this.runs.set(id, state);
    }
    return state;
  }
}

/** openhuman `session_raw`: a meta line, then chat messages; usage stands on the last assistant line of a turn only. */
export class OpenhumanReader extends RecordReader {
  private readonly chat = new ChatMessages(this.context.builder, { hermes: false });

  record(item: Item): void {
    const { value, texts } = item;
    if (!isObject(value)) {
      this.notARecord(item);
      return;
    }
    const meta = own(value, "_meta");
    if (isObject(meta)) {
      const id = texts.name(own(meta, "thread_id"));
      const title = texts.name(own(meta, "agent"));
      const startedAt = timeText(own(meta, "created"));
      if (this.main === undefined) this.thread({ id, startedAt, ...(title === undefined ? {} : { title }) });
      const usage = statedUsage(openhumanTotals(meta));
      if (usage.length > 0) this.builder.updateThread(this.thread(), { usage });
      return;
    }
    const state = this.thread();
    const model = texts.name(own(value, "model"));
    this.setModel(state, model);
    const time = own(value, "ts");
    const timed = time === undefined ? value : { timestamp: time, ...value };
    this.chat.message(state, timed, atOf(item), openhumanUsage(own(value, "usage")), model);
  }
}
