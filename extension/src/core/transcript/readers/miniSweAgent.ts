import { type At, below, NO_TEXT, type ThreadState, unnamedId } from "../builder";
import { flatten, measureParts } from "../flatten";
import { isObject, type JsonObject, own } from "../json";
import { openaiUsage, responsesUsage, timeText } from "../usage";
import { ChatMessages } from "./chatMessages";
import type { Item } from "./reader";
import { atOf, RecordReader } from "./recordReader";

/** The one command of a step stands in a fenced block of the answer (mini-swe-agent agents/default.py). */
const COMMAND = /```(?:mswea_bash\w*|bash)\s*\n/;

/**
 * mini-SWE-agent trajectories: a list of chat messages, bare or beside `info`. Up to version 1 the output of a command is
 * the user message that follows it; later versions use tool messages and keep the response's usage in `extra`.
 */
export class MiniSweAgentReader extends RecordReader {
  override readonly arrays: ReadonlySet<string> = new Set(["messages"]);
  override readonly members: ReadonlySet<string> = new Set(["info"]);
  private readonly chat = new ChatMessages(this.context.builder, { hermes: false });
  private asked: string | undefined;
  private steps = 0;

  override member(_key: string, item: Item): void {
    const config = own(own(item.value, "config"), "model");
    this.setModel(this.thread(), item.texts.name(own(config, "model_name")));
  }

  record(item: Item): void {
    const { value } = item;
    if (!isObject(value)) {
      this.notARecord(item);
      return;
    }
    const messages = own(value, "messages");
    if (Array.isArray(messages)) {
      messages.forEach((message, i) => {
        if (isObject(message)) this.message(message, below(atOf(item), "messages", i));
      });
    } else this.message(value, atOf(item));
  }

  private message(value: JsonObject, at: At): void {
    const state = this.thread();
    const role = own(value, "role");
    const extra = own(value, "extra");
    const response = own(extra, "response");
    const time = own(extra, "timestamp") ?? own(value, "timestamp");
    const timed = time === undefined ? value : { timestamp: timeText(time), ...value };
    if (role === "user" && this.asked !== undefined) {
      this.output(state, value, at, this.asked);
      this.asked = undefined;
      return;
    }
    this.asked = undefined;
    const usage = own(response, "usage");
    const stated = openaiUsage(usage) ?? responsesUsage(usage);
    const model = at.texts.name(own(response, "model"));
    if (role === "assistant" && !Array.isArray(own(value, "tool_calls")) && this.hasCommand(value, at)) {
      this.command(state, value, at, { model, usage: stated, at: timeText(time) });
      return;
    }
    this.chat.message(state, timed, at, stated, model);
  }

  private hasCommand(value: JsonObject, at: At): boolean {
    return flatten(own(value, "content"), at.texts).parts.some((part) => COMMAND.test(at.texts.decode(part)));
  }

  private command(
    state: ThreadState,
    value: JsonObject,
    at: At,
    facts: {
      readonly model: string | undefined;
      readonly usage: ReturnType<typeof openaiUsage>;
      readonly at: string | undefined;
    },
  ): void {
    const { texts, place } = at;
    const model = facts.model ?? state.thread.model;
    const call = this.builder.call(state, undefined, { ...facts, model, place });
    this.asked = unnamedId(++this.steps);
    this.builder.toolCall(state, { id: this.asked, tool: "bash", call, turn: state.turn, place });
    const flat = flatten(own(value, "content"), texts);
    const size = measureParts(flat.parts, texts);
    this.builder.message(state, "assistant", place, { size, images: flat.images, args: NO_TEXT });
  }

  private output(state: ThreadState, value: JsonObject, at: At, callId: string): void {
    const content = own(value, "content");
    const result = this.builder.result(state, {
      callId,
      tool: "bash",
      content,
      at: below(at, "content"),
      isError: false,
    });
    this.builder.message(state, "tool", at.place, { size: result.size, images: result.images });
  }
}
