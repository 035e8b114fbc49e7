import { type At, below, type ThreadState, type TranscriptBuilder, unnamedId } from "../builder";
import { callIdentity } from "../callIdentity";
import { flatten, measureArguments, measureParts } from "../flatten";
import { isObject, type JsonObject, own } from "../json";
import { openhandsUsage } from "../usage";
import { ContextParts } from "./contextParts";
import { branchResumed } from "./livePath";
import { OpenhandsTree, type Step } from "./openhandsTree";
import { forget } from "./openhandsV0";

const SILENT = new Set([
  "CondensationRequest",
  "CondensationSummaryEvent",
  "PauseEvent",
  "TokenEvent",
  "LLMCompletionLogEvent",
  "InterruptEvent",
  "StreamingDeltaEvent",
  "ConversationErrorEvent",
]);
const HOOK = /^Hook/;
/** What the id of a condensation's summary ends with (software-agent-sdk openhands/sdk/event/condenser.py). */
const SUMMARY = "-summary";

/**
 * OpenHands V1 (software-agent-sdk openhands/sdk/event): events by `kind`. Parallel calls are several actions of one
 * `llm_response_id`. What skills add to a message (`extended_content`) and to the system prompt (`dynamic_context`) is sent
 * with it.
 */
export class OpenhandsV1 {
  model: string | undefined;
  private readonly live = new ContextParts();
  private readonly calls = new Map<string, string>();
  private readonly tree = new OpenhandsTree();

  constructor(private readonly builder: TranscriptBuilder) {}

  event(state: ThreadState, value: JsonObject, at: At): void {
    const { texts, place } = at;
    const kind = texts.name(own(value, "kind")) ?? "";
    this.leave(state, this.tree.follow(this.idOf(value, at), texts.name(own(value, "parent_id"))), at);
    switch (kind) {
      case "SystemPromptEvent":
        this.message(state, "system", [own(value, "system_prompt"), own(value, "dynamic_context")], value, at);
        return;
      case "MessageEvent":
        this.conversation(state, value, at);
        return;
      case "ActionEvent":
        this.action(state, value, at);
        return;
      case "ObservationEvent":
        this.result(state, value, observationPath(value), own(own(value, "observation"), "is_error") === true, at);
        return;
      case "AgentErrorEvent":
        this.result(state, value, ["error"], true, at);
        return;
      case "UserRejectObservation":
        this.result(state, value, ["rejection_reason"], true, at);
        return;
      case "Condensation": {
        // The model wrote the summary, in a call of its own.
        if (own(value, "llm_response_id") !== undefined) this.call(state, value, at);
        const ids = own(value, "forgotten_event_ids");
        const gone = new Set(Array.isArray(ids) ? ids.map((id: unknown) => texts.name(id)) : []);
        const summary = own(value, "summary_offset") === undefined ? undefined : own(value, "summary");
        const as = `${this.idOf(value, at)}${SUMMARY}`;
        forget(this.builder, state, this.live, at, { forgotten: (id) => gone.has(id), summary, as });
        return;
      }
      case "ConversationStateUpdateEvent":
        if (own(value, "key") === "stats") this.stats(state, own(value, "value"), at);
        return;
      default:
        if (!SILENT.has(kind) && !HOOK.test(kind)) this.builder.unknownRecord(kind === "" ? "no kind" : kind, place);
    }
  }

  /** The state says which event the conversation is at. */
  leaf(state: ThreadState, id: string | undefined, at: At): void {
    if (id !== undefined) this.leave(state, this.tree.backTo(id), at);
  }

  /** A condensation that is left brings back nothing here: what it forgot counts as gone. */
  private leave(state: ThreadState, { gone: branch, isResumed }: Step, at: At): void {
    if (isResumed) branchResumed(this.builder.problems, at.place);
    if (branch.length === 0) return;
    const left = new Set(branch);
    const gone = this.live.where(
      (id) => left.has(id) || (id.endsWith(SUMMARY) && left.has(id.slice(0, -SUMMARY.length))),
    );
    if (gone.length > 0) this.live.leave(this.builder, state, at.place, gone, { what: "rewind" });
  }

  /** Usage per response, where the state keeps it; the sums beside it are of the whole conversation. */
  stats(state: ThreadState, value: unknown, at: At): void {
    const metrics = own(value, "usage_to_metrics");
    if (!isObject(metrics)) return;
    for (const name of Object.keys(metrics)) {
      const usages = own(own(metrics, name), "token_usages");
      for (const usage of Array.isArray(usages) ? usages : []) {
        const key = at.texts.name(own(usage, "response_id"));
        if (key === undefined || !state.callsByKey.has(key)) continue;
        this.builder.call(state, key, {
          model: this.model,
          at: undefined,
          usage: openhandsUsage(usage),
          place: at.place,
          identity: callIdentity(key),
        });
      }
    }
  }

  private idOf(value: JsonObject, at: At): string {
    return at.texts.name(own(value, "id")) ?? `#${at.place.start}`;
  }

  private message(
    state: ThreadState,
    role: "system" | "user" | "assistant",
    content: readonly unknown[],
    value: JsonObject,
    at: At,
  ) {
    const flat = flatten(content.flat(), at.texts);
    this.builder.unknownBlocks(flat.unknown, at.place);
    const told = this.builder.message(state, role, at.place, {
      size: measureParts(flat.parts, at.texts),
      images: flat.images,
    });
    this.live.add(this.idOf(value, at)).messages.push(told);
  }

  private conversation(state: ThreadState, value: JsonObject, at: At): void {
    const message = own(value, "llm_message");
    const isUser = own(message, "role") === "user" || own(value, "source") === "user";
    if (isUser) state.nextTurn();
    else this.call(state, value, at);
    const content = [own(message, "content"), own(value, "extended_content")];
    this.message(state, isUser ? "user" : "assistant", content, value, at);
  }

  private call(state: ThreadState, value: JsonObject, at: At): number {
    const { texts, place } = at;
    const key = texts.name(own(value, "llm_response_id"));
    const time = texts.name(own(value, "timestamp"));
    return this.builder.call(state, key, {
      model: this.model,
      at: time,
      usage: undefined,
      place,
      identity: key === undefined ? undefined : callIdentity(key),
    });
  }

  private action(state: ThreadState, value: JsonObject, at: At): void {
    const { texts, place } = at;
    const call = this.call(state, value, at);
    const key = this.idOf(value, at);
    const id = texts.name(own(value, "tool_call_id")) ?? unnamedId(key);
    const tool = texts.name(own(value, "tool_name"));
    this.calls.set(key, id);
    this.builder.toolCall(state, { id, tool, call, turn: state.turn, place });
    const flat = flatten(own(value, "thought"), texts);
    const args = measureArguments([own(own(value, "tool_call"), "arguments") ?? own(value, "action")], texts);
    const told = this.builder.message(state, "assistant", place, {
      size: measureParts(flat.parts, texts),
      images: flat.images,
      args,
    });
    this.live.add(key).messages.push(told);
  }

  private result(state: ThreadState, value: JsonObject, path: readonly string[], isError: boolean, at: At): void {
    const { texts } = at;
    const action = texts.name(own(value, "action_id"));
    const callId =
      texts.name(own(value, "tool_call_id")) ?? (action === undefined ? undefined : this.calls.get(action));
    const result = this.builder.result(state, {
      callId,
      tool: texts.name(own(value, "tool_name")),
      content: path.reduce<unknown>((inner, key) => own(inner, key), value),
      at: below(at, ...path),
      isError,
    });
    const part = this.live.add(this.idOf(value, at));
    part.results.push(result.index);
    part.messages.push(this.builder.message(state, "tool", at.place, { size: result.size, images: result.images }));
  }
}

/** Early versions kept the text of a command under `output`. */
function observationPath(value: JsonObject): readonly string[] {
  const observation = own(value, "observation");
  return own(observation, "content") === undefined && own(observation, "output") !== undefined
    ? ["observation", "output"]
    : ["observation", "content"];
}
