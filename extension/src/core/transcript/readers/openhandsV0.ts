import { type At, below, NO_TEXT, type ThreadState, type TranscriptBuilder, unnamedId } from "../builder";
import { callIdentity } from "../callIdentity";
import { flatten, measureArguments, measureParts } from "../flatten";
import { isObject, type JsonObject, own, scalarText } from "../json";
import { openaiUsage } from "../usage";
import { ContextParts } from "./contextParts";

/** Actions and observations that move the program, not the conversation. */
const SILENT = new Set([
  "change_agent_state",
  "agent_state_changed",
  "null",
  "recall",
  "recall_observation",
  "start",
  "pause",
  "resume",
  "stop",
  "condensation_request",
  "loop_recovery",
]);
/** Actions that end or answer; nothing is observed after them. */
const FINAL = new Set(["finish", "reject"]);

/** OpenHands V0: actions and observations. A model's response is repeated on every event of its calls; its id tells. */
export class OpenhandsV0 {
  model: string | undefined;
  private readonly live = new ContextParts();
  /** Id of the tool call that an action made. */
  private readonly calls = new Map<string, string>();

  constructor(private readonly builder: TranscriptBuilder) {}

  event(state: ThreadState, value: JsonObject, at: At): void {
    const action = own(value, "action");
    const observation = own(value, "observation");
    if (typeof action === "string") this.action(state, value, at.texts.decode(action), at);
    else if (typeof observation === "string") this.observation(state, value, at.texts.decode(observation), at);
    else this.builder.unknownRecord("no action or observation", at.place);
  }

  private action(state: ThreadState, value: JsonObject, action: string, at: At): void {
    if (SILENT.has(action)) return;
    if (action === "condensation") {
      this.condensation(state, value, at);
      return;
    }
    const { texts, place } = at;
    const args = own(value, "args");
    const part = this.live.add(scalarText(own(value, "id")));
    if (action === "system" || own(value, "source") === "user") {
      const role = action === "system" ? "system" : "user";
      if (role === "user") state.nextTurn();
      const flat = flatten(own(args, "content") ?? own(value, "message"), texts);
      const urls = own(args, "image_urls");
      const images = Array.isArray(urls) ? urls.length : 0;
      part.messages.push(this.builder.message(state, role, place, { size: measureParts(flat.parts, texts), images }));
      return;
    }
    if (own(value, "source") !== "agent") {
      this.builder.unknownRecord(`action ${action}`, place);
      return;
    }
    const call = this.call(state, value, at);
    const said = action === "message" || FINAL.has(action);
    const text = said
      ? (own(args, "content") ?? own(args, "final_thought") ?? own(args, "thought"))
      : own(args, "thought");
    const flat = flatten(text, texts);
    let size = NO_TEXT;
    if (!said) {
      const facts = own(value, "tool_call_metadata");
      const key = scalarText(own(value, "id"));
      const id = texts.name(own(facts, "tool_call_id")) ?? unnamedId(key);
      this.calls.set(key, id);
      const tool = texts.name(own(facts, "function_name")) ?? action;
      this.builder.toolCall(state, { id, tool, call, turn: state.turn, place });
      size = measureArguments([isObject(args) ? withoutThought(args) : args], texts);
    }
    const content = { size: measureParts(flat.parts, texts), images: 0, args: size };
    part.messages.push(this.builder.message(state, "assistant", place, content));
  }

  private call(state: ThreadState, value: JsonObject, at: At): number {
    const { texts, place } = at;
    const response = own(own(value, "tool_call_metadata"), "model_response");
    const id = texts.name(own(response, "id"));
    this.model = texts.name(own(response, "model")) ?? this.model;
    const usage = openaiUsage(own(response, "usage"));
    return this.builder.call(state, id, {
      model: this.model,
      at: texts.name(own(value, "timestamp")),
      usage,
      place,
      identity: id === undefined ? undefined : callIdentity(id),
    });
  }

  private observation(state: ThreadState, value: JsonObject, observation: string, at: At): void {
    if (SILENT.has(observation)) return;
    const { texts } = at;
    const facts = own(value, "tool_call_metadata");
    const cause = own(value, "cause");
    const callId =
      texts.name(own(facts, "tool_call_id")) ?? (cause === undefined ? undefined : this.calls.get(scalarText(cause)));
    const part = this.live.add(scalarText(own(value, "id")));
    if (isObject(own(own(facts, "model_response"), "usage"))) this.builder.usage.skip("same-message", at.place);
    const result = this.builder.result(state, {
      callId,
      tool: texts.name(own(facts, "function_name")) ?? observation,
      content: own(value, "content"),
      at: below(at, "content"),
      isError: observation === "error",
    });
    part.results.push(result.index);
    part.messages.push(this.builder.message(state, "tool", at.place, { size: result.size, images: result.images }));
  }

  private condensation(state: ThreadState, value: JsonObject, at: At): void {
    const args = own(value, "args");
    const ids = own(args, "forgotten_event_ids");
    const from = own(args, "forgotten_events_start_id");
    const to = own(args, "forgotten_events_end_id");
    const list = new Set(Array.isArray(ids) ? ids.map(scalarText) : []);
    const forgotten = (id: string): boolean => {
      if (list.has(id)) return true;
      return typeof from === "number" && typeof to === "number" && Number(id) >= from && Number(id) <= to;
    };
    forget(this.builder, state, this.live, at, { forgotten, summary: own(args, "summary"), as: "summary" });
  }
}

function withoutThought(args: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(args).filter(([key]) => key !== "thought"));
}

interface Condensed {
  readonly forgotten: (id: string) => boolean;
  readonly summary: unknown;
  /** Id under which the summary may leave again. */
  readonly as: string;
}

/** A condensation: the named events leave, a summary takes their place, and the place of a summary of the same id. */
export function forget(
  builder: TranscriptBuilder,
  state: ThreadState,
  live: ContextParts,
  at: At,
  { forgotten, summary, as }: Condensed,
): void {
  const { parts } = flatten(summary, at.texts);
  const gone = live.where((id) => forgotten(id) || (id === as && parts.length > 0));
  live.leave(builder, state, at.place, gone, { what: "summary" });
  const told = builder.carried(state, "user", at.place, { size: measureParts(parts, at.texts), images: 0 });
  if (told !== undefined) live.add(as).messages.push(told);
}
