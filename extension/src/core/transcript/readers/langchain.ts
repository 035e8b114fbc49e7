import type { Message, Role } from "../../model/transcript";
import { addSizes } from "../../util/textSize";
import { type At, below, NO_TEXT, type ThreadState } from "../builder";
import { callIdentity } from "../callIdentity";
import { flatten, measureArguments, measureParts } from "../flatten";
import { isObject, type JsonObject, own } from "../json";
import { langchainUsage } from "../usage";
import type { Item } from "./reader";
import { atOf, RecordReader } from "./recordReader";

interface Known {
  message: Message;
  readonly called: Set<string>;
  /** Built up from chunks; the whole message that follows replaces it. */
  partial: boolean;
}

const ROLES: Readonly<Record<string, Role>> = {
  human: "user",
  HumanMessage: "user",
  ai: "assistant",
  AIMessage: "assistant",
  tool: "tool",
  ToolMessage: "tool",
  system: "system",
  SystemMessage: "system",
};

/**
 * LangChain and LangGraph messages: dumps of a state, lists, and recorded streams. A stream says everything many times:
 * each `values` part holds the whole state and each `messages` part a chunk, so messages are merged by id.
 */
export class LangchainReader extends RecordReader {
  override readonly arrays: ReadonlySet<string> = new Set(["messages"]);
  private readonly known = new Map<string, Known>();

  record(item: Item): void {
    this.value(item.value, atOf(item));
  }

  private value(value: unknown, at: At): void {
    if (Array.isArray(value)) {
      this.part(value, at);
      return;
    }
    const messages = own(value, "messages");
    if (Array.isArray(messages)) {
      messages.forEach((message, i) => {
        this.message(message, below(at, "messages", i), true);
      });
    } else this.message(value, at, false);
  }

  /** `["values", state]`, `["messages", [chunk, metadata]]`, with or without a namespace before the mode. */
  private part(value: readonly unknown[], at: At): void {
    const mode = value.findIndex((entry) => entry === "values" || entry === "messages" || entry === "updates");
    const body = value[mode + 1];
    if (mode < 0) {
      value.forEach((entry, i) => {
        if (isObject(entry)) this.message(entry, below(at, i), false);
      });
      return;
    }
    if (value[mode] === "values") this.value(body, below(at, mode + 1));
    else if (value[mode] === "messages" && Array.isArray(body)) this.message(body[0], below(at, mode + 1, 0), false);
  }

  /** `inState`: a state holds whole messages, even where they are still chunks by name. */
  private message(value: unknown, at: At, inState: boolean): void {
    if (!isObject(value)) {
      this.builder.unknownRecord(typeof value, at.place);
      return;
    }
    const { texts } = at;
    const isDump = own(value, "type") === "constructor";
    const names = own(value, "id");
    const name = isDump && Array.isArray(names) ? texts.name(names.at(-1)) : texts.name(own(value, "type"));
    const data = own(value, "data");
    const inner = isDump ? own(value, "kwargs") : isObject(data) ? data : value;
    const step = isDump ? ["kwargs"] : isObject(data) ? ["data"] : [];
    const plain = name?.replace(/Chunk$/, "") ?? "";
    const role = Object.hasOwn(ROLES, plain) ? ROLES[plain] : undefined;
    if (role === undefined || !isObject(inner)) {
      this.builder.unknownRecord(name ?? "no type", at.place);
      return;
    }
    this.add(role, !inState && name?.endsWith("Chunk") === true, inner, below(at, ...step));
  }

  private add(role: Role, isChunk: boolean, value: JsonObject, at: At): void {
    const state = this.thread();
    const { texts, place } = at;
    const id = texts.name(own(value, "id"));
    const known = id === undefined ? undefined : this.known.get(id);
    if (known !== undefined && !known.partial) {
      if (isObject(own(value, "usage_metadata"))) this.builder.usage.skip("same-message", place);
      return;
    }
    if (role === "user" && known === undefined) state.nextTurn();
    if (role === "tool") {
      const result = this.builder.result(state, {
        callId: texts.name(own(value, "tool_call_id")),
        tool: texts.name(own(value, "name")),
        content: own(value, "content"),
        at: below(at, "content"),
        isError: own(value, "status") === "error",
      });
      const message = this.builder.message(state, "tool", place, { size: result.size, images: result.images });
      if (id !== undefined) this.known.set(id, { message, called: new Set(), partial: false });
      return;
    }
    const called = known?.called ?? new Set<string>();
    const args = role === "assistant" ? this.call(state, id, value, at, called, isChunk) : NO_TEXT;
    const flat = flatten(own(value, "content"), texts);
    const size = measureParts(flat.parts, texts);
    const old = isChunk ? known?.message : undefined;
    const content =
      old === undefined
        ? { size, images: flat.images, args }
        : { size: addSizes(old.size, size), images: old.images + flat.images, args: addSizes(old.args, args) };
    const message = this.builder.message(state, role, place, content, known?.message);
    if (id !== undefined) this.known.set(id, { message, called, partial: isChunk });
  }

  private call(
    state: ThreadState,
    id: string | undefined,
    value: JsonObject,
    at: At,
    called: Set<string>,
    isChunk: boolean,
  ) {
    const { texts, place } = at;
    const facts = own(value, "response_metadata");
    // Merged chunks join `model` with itself; `model_name` stays whole.
    const model = texts.name(own(facts, "model_name")) ?? texts.name(own(facts, "model"));
    this.setModel(state, model);
    const usage = langchainUsage(own(value, "usage_metadata"));
    const call = this.builder.call(state, id, {
      model,
      at: undefined,
      usage,
      place,
      identity: id === undefined ? undefined : callIdentity(id),
    });
    const chunks = isChunk ? own(value, "tool_call_chunks") : undefined;
    const calls = Array.isArray(chunks) && chunks.length > 0 ? chunks : own(value, "tool_calls");
    let args = NO_TEXT;
    for (const entry of Array.isArray(calls) ? calls : []) {
      args = addSizes(args, measureArguments([own(entry, "args")], texts));
      const callId = texts.name(own(entry, "id"));
      if (callId === undefined ? isChunk : called.has(callId)) continue;
      if (callId !== undefined) called.add(callId);
      this.builder.toolCall(state, { id: callId, tool: texts.name(own(entry, "name")), call, turn: state.turn, place });
    }
    return args;
  }
}
