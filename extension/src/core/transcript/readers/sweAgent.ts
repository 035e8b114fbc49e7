import type { RecordPlace, TextSize, ThreadUsage } from "../../model/transcript";
import { type At, below, NO_TEXT, type ThreadState, unnamedId } from "../builder";
import { flatten, type Measured, measureArguments, measureParts, measureResult } from "../flatten";
import { isObject, type JsonObject, own, type Texts } from "../json";
import { count, statedUsage, sweAgentUsage } from "../usage";
import type { Item } from "./reader";
import { atOf, RecordReader } from "./recordReader";

/** One step of `trajectory`, kept until it is known whether there is a history: sizes and a place, no texts. */
interface Step {
  readonly at: { readonly place: RecordPlace };
  readonly response: TextSize;
  readonly action: TextSize;
  readonly tool: string | undefined;
  readonly observation: Measured;
}

/**
 * SWE-agent trajectories, 0.x and 1.x. `history` is what the model saw; `trajectory` repeats it step by step (and, in 1.x,
 * the whole prompt with each step), so it is read only where there is no history. Tokens exist as totals of the run.
 */
export class SweAgentReader extends RecordReader {
  override readonly arrays: ReadonlySet<string> = new Set(["history", "trajectory"]);
  override readonly members: ReadonlySet<string> = new Set(["info"]);
  private usage: readonly ThreadUsage[] = [];
  private readonly steps: Step[] = [];
  private actions = 0;
  private history = 0;
  private answers = 0;
  /** Ids of the calls that the next observation answers. */
  private asked: readonly string[] = [];

  record(item: Item): void {
    this.entry(item);
  }

  override element(key: string, item: Item): void {
    if (key === "history") this.entry(item);
    else this.step(item);
  }

  override member(_key: string, { value }: Item): void {
    const stats = own(value, "model_stats");
    this.usage = statedUsage(sweAgentUsage(stats), { calls: count(own(stats, "api_calls")) });
  }

  override finish(): void {
    const state = this.thread();
    if (this.usage.length > 0) this.builder.updateThread(state, { usage: this.usage });
    if (this.history === 0) for (const step of this.steps) this.tellStep(state, step);
    else this.lastObservation(state);
  }

  private entry(item: Item): void {
    const { value, texts, place } = item;
    if (!isObject(value)) {
      this.notARecord(item);
      return;
    }
    this.history++;
    const state = this.thread();
    const role = own(value, "role");
    const isDemo = own(value, "is_demo") === true || own(value, "message_type") === "demonstration";
    if (role === "assistant" && !isDemo) this.assistant(state, value, atOf(item));
    else if ((role === "tool" || role === "user") && !isDemo && this.asked.length > 0) {
      this.observation(state, value, atOf(item));
    } else {
      if (role === "user" && !isDemo) state.nextTurn();
      const flat = flatten(own(value, "content"), texts);
      this.builder.unknownBlocks(flat.unknown, place);
      const known = role === "system" || role === "user" || role === "assistant" ? role : "other";
      this.builder.message(state, known, place, { size: measureParts(flat.parts, texts), images: flat.images });
    }
  }

  private assistant(state: ThreadState, value: JsonObject, at: At): void {
    const { texts, place } = at;
    this.answers++;
    const call = this.builder.call(state, undefined, { model: undefined, at: undefined, usage: undefined, place });
    const calls = own(value, "tool_calls");
    const list: readonly unknown[] = Array.isArray(calls) ? calls : [];
    const action = own(value, "action");
    const asked: string[] = [];
    for (const entry of list) {
      const id = texts.name(own(entry, "id")) ?? unnamedId(++this.actions);
      asked.push(id);
      const tool = texts.name(own(own(entry, "function"), "name"));
      this.builder.toolCall(state, { id, tool, call, turn: state.turn, place });
    }
    if (list.length === 0 && typeof action === "string" && action.trim() !== "") {
      const id = unnamedId(++this.actions);
      asked.push(id);
      this.builder.toolCall(state, { id, tool: commandOf(action, texts), call, turn: state.turn, place });
    }
    this.asked = asked;
    const flat = flatten(own(value, "content"), texts);
    // Without tool calls the action stands inside the content.
    const args = measureArguments(
      list.map((entry) => own(own(entry, "function"), "arguments")),
      texts,
    );
    this.builder.message(state, "assistant", place, {
      size: measureParts(flat.parts, texts),
      images: flat.images,
      args,
    });
  }

  private observation(state: ThreadState, value: JsonObject, at: At): void {
    const { texts, place } = at;
    const ids = own(value, "tool_call_ids");
    const named = (Array.isArray(ids) ? ids : []).flatMap((id: unknown) => texts.name(id) ?? []);
    const callId = named[0] ?? texts.name(own(value, "tool_call_id")) ?? this.asked[0];
    this.asked = this.asked.filter((id) => id !== callId);
    if (own(value, "role") === "user") this.asked = [];
    const content = own(value, "content");
    const result = this.builder.result(state, {
      callId,
      tool: undefined,
      content,
      at: below(at, "content"),
      isError: false,
    });
    this.builder.message(state, "tool", place, { size: result.size, images: result.images });
  }

  /** What the last command gave is in no history, because the model was not asked again; its step has it. */
  private lastObservation(state: ThreadState): void {
    const step = this.steps.at(-1);
    const id = this.asked[0];
    if (step === undefined || id === undefined || this.asked.length > 1 || this.steps.length !== this.answers) return;
    const { place } = step.at;
    const facts = { callId: id, tool: step.tool, place, path: ["observation"], isError: false, images: 0 };
    this.builder.measured(state, facts, step.observation);
  }

  private step(item: Item): void {
    const { value, texts, place } = item;
    if (!isObject(value)) return;
    const action = own(value, "action");
    const flat = flatten(own(value, "observation"), texts);
    const tool = typeof action === "string" ? commandOf(action, texts) : undefined;
    this.steps.push({
      at: { place },
      response: measureParts(flatten(own(value, "response"), texts).parts, texts),
      action: measureArguments([action], texts),
      tool,
      observation: measureResult(flat, texts, { agent: this.builder.agent, tool }),
    });
  }

  private tellStep(state: ThreadState, step: Step): void {
    const { place } = step.at;
    const call = this.builder.call(state, undefined, { model: undefined, at: undefined, usage: undefined, place });
    const id = unnamedId(++this.actions);
    this.builder.message(state, "assistant", place, { size: step.response, images: 0, args: NO_TEXT });
    if (step.action.utf16 === 0) return;
    this.builder.toolCall(state, { id, tool: step.tool, call, turn: undefined, place });
    const { observation, tool } = step;
    const path = ["observation"];
    const result = this.builder.measured(
      state,
      { callId: id, tool, place, path, isError: false, images: 0 },
      observation,
    );
    this.builder.message(state, "tool", place, { size: result.size, images: 0 });
  }
}

/** First word of a command, when it looks like a name. */
function commandOf(action: string, texts: Texts): string | undefined {
  return /^\s*([A-Za-z_][\w.-]{0,40})(?=\s|$)/.exec(texts.head(action, 100))?.[1];
}
