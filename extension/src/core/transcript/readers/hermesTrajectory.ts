import { addSizes } from "../../util/textSize";
import { TOOL_RESPONSES } from "../bodyPath";
import { type At, below, NO_TEXT, type ThreadState, unnamedId } from "../builder";
import { flatten, measureArguments, measureParts } from "../flatten";
import { isObject, type JsonObject, own } from "../json";
import { plural } from "../problems";
import { taggedJson, toolResponses } from "../toolResponses";
import { timeText } from "../usage";
import type { Item } from "./reader";
import { atOf, RecordReader } from "./recordReader";

/**
 * Hermes trajectories (ShareGPT form), one conversation per line. Calls and results stand as tagged JSON inside the texts;
 * calls have no ids there, so the results of a turn answer the calls of the turn before it in order.
 */
export class HermesTrajectoryReader extends RecordReader {
  override readonly arrays: ReadonlySet<string> = new Set(["conversations"]);
  override readonly members: ReadonlySet<string> = new Set(["model", "timestamp"]);
  private conversations = 0;
  private state: ThreadState | undefined;
  /** Calls of the newest gpt turn that have no result yet, oldest first. */
  private asked: { readonly id: string; readonly tool: string | undefined }[] = [];
  private calls = 0;

  record(item: Item): void {
    const { value } = item;
    const turns = own(value, "conversations");
    if (!isObject(value) || !Array.isArray(turns)) {
      this.notARecord(item);
      return;
    }
    this.begin();
    this.describeConversation(value, atOf(item));
    turns.forEach((turn, i) => {
      this.turn(turn, below(atOf(item), "conversations", i));
    });
  }

  override begin(): void {
    this.state = undefined;
    this.asked = [];
  }

  override member(key: string, item: Item): void {
    this.describeConversation({ [key]: item.value }, atOf(item));
  }

  override element(_key: string, item: Item): void {
    this.turn(item.value, atOf(item));
  }

  override finish(): void {
    if (this.conversations === 0) this.conversation();
  }

  private describeConversation(value: JsonObject, at: At): void {
    const state = this.conversation();
    const model = at.texts.name(own(value, "model"));
    const startedAt = timeText(own(value, "timestamp"));
    if (model !== undefined) {
      if (this.conversations === 1) this.builder.describe({ model });
      this.builder.updateThread(state, { model });
    }
    if (startedAt !== undefined) this.builder.updateThread(state, { startedAt });
  }

  private conversation(): ThreadState {
    if (this.state === undefined) {
      this.conversations++;
      const id = this.conversations === 1 ? this.context.name : `${this.context.name}-${this.conversations}`;
      this.state = this.builder.open({ id, title: id, kind: "main", model: undefined, startedAt: undefined });
    }
    return this.state;
  }

  private turn(turn: unknown, at: At): void {
    const state = this.conversation();
    const { texts, place } = at;
    const value = own(turn, "value");
    const from = own(turn, "from");
    if (from === "gpt" && typeof value === "string") this.gpt(state, texts.decode(value), at);
    else if (from === "tool" && typeof value === "string") this.tool(state, texts.decode(value), at);
    else {
      if (from === "human") state.nextTurn();
      const role = from === "human" ? "user" : from === "system" ? "system" : "other";
      if (role === "other") {
        this.builder.unknownRecord(typeof from === "string" ? `from ${texts.decode(from)}` : "no sender", place);
      }
      const flat = flatten(value, texts);
      this.builder.unknownBlocks(flat.unknown, place);
      this.builder.message(state, role, place, { size: measureParts(flat.parts, texts), images: flat.images });
    }
  }

  private gpt(state: ThreadState, text: string, at: At): void {
    const { place } = at;
    const texts = at.texts.decoded();
    const call = this.builder.call(state, undefined, {
      model: state.thread.model,
      at: undefined,
      usage: undefined,
      place,
    });
    let args = NO_TEXT;
    let rest = "";
    let from = 0;
    this.asked = [];
    for (const block of taggedJson(text, "<tool_call>", "</tool_call>")) {
      if (!isObject(block.value)) continue;
      rest += text.slice(from, block.start);
      from = block.end;
      args = addSizes(args, measureArguments([own(block.value, "arguments")], texts));
      const id = unnamedId(++this.calls);
      const tool = texts.name(own(block.value, "name"));
      this.asked.push({ id, tool });
      this.builder.toolCall(state, { id, tool, call, turn: state.turn, place });
    }
    const said = (rest + text.slice(from)).replace(/^\s*<think>[\s\S]*?<\/think>/, "").trim();
    this.builder.message(state, "assistant", place, { size: texts.measure(said), images: 0, args });
  }

  /** Several results may share one turn. */
  private tool(state: ThreadState, text: string, at: At): void {
    const { place } = at;
    const inner: At = { ...below(at, "value", TOOL_RESPONSES), texts: at.texts.decoded() };
    const responses = toolResponses(text);
    let size = NO_TEXT;
    if (responses.length === 0) {
      const say = (count: number) => `${plural(count, "tool turn")} without a readable result.`;
      this.builder.problems.tally("unreadable-result", "warning", place, say);
    }
    responses.forEach((response, i) => {
      const named = inner.texts.name(own(response, "name"));
      const position = this.asked.findIndex((call) => named === undefined || call.tool === named);
      const asked = position < 0 ? undefined : this.asked.splice(position, 1)[0];
      const stated = inner.texts.name(own(response, "tool_call_id"));
      const result = this.builder.result(
        state,
        {
          callId: asked?.id ?? stated,
          tool: named,
          content: own(response, "content"),
          at: below(inner, i, "content"),
          isError: false,
        },
        // The calls have no ids; the results do, and those are the agent's.
        () => (stated === undefined ? {} : { callId: stated }),
      );
      size = addSizes(size, result.size);
    });
    this.builder.message(state, "tool", place, { size, images: 0 });
  }
}
