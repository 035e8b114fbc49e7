import type { Message } from "../../model/transcript";
import { type At, below, NO_TEXT, type ThreadState, type TranscriptBuilder } from "../builder";
import { flatten, measureArguments, measureParts } from "../flatten";
import { type JsonObject, own } from "../json";
import type { ContextPart } from "./contextParts";

/** What an item of the Responses shape is to the conversation. */
export type ItemKind = "user" | "system" | "assistant" | "output" | "compaction" | "silent" | "unknown";

const CALL = /^(function|custom_tool|local_shell|shell|apply_patch|computer|tool_search)_call$/;
const OUTPUT =
  /^(?:(?:function|custom_tool|local_shell|shell|apply_patch|computer|tool_search)_call|tool_search)_output$/;
/** Calls that the provider runs itself and whose item holds the result, if anything does. */
const HOSTED: Readonly<Record<string, readonly string[]>> = {
  mcp_call: ["output", "error"],
  code_interpreter_call: ["outputs"],
  file_search_call: ["results"],
  image_generation_call: ["result"],
  web_search_call: [],
};
const SILENT = new Set([
  "reasoning",
  "item_reference",
  "additional_tools",
  "configuration_update",
  "compaction_trigger",
  "mcp_list_tools",
  "mcp_approval_request",
  "mcp_approval_response",
  "ghost_snapshot",
]);

export function itemKind(value: JsonObject): ItemKind {
  const type = own(value, "type");
  if (typeof type !== "string") return own(value, "role") === undefined ? "unknown" : messageKind(value);
  if (type === "message") return messageKind(value);
  // What another agent sent to this one (openai/codex codex-rs/protocol/src/models.rs); it has no role.
  if (type === "agent_message") return "user";
  if (type === "reasoning") return "assistant";
  if (CALL.test(type) || Object.hasOwn(HOSTED, type)) return "assistant";
  if (OUTPUT.test(type)) return "output";
  if (type === "compaction" || type === "compaction_summary" || type === "context_compaction") return "compaction";
  return SILENT.has(type) ? "silent" : "unknown";
}

function messageKind(value: JsonObject): ItemKind {
  const role = own(value, "role");
  if (role === "assistant" || role === "user") return role;
  return role === "system" || role === "developer" ? "system" : "unknown";
}

type Part = Pick<ContextPart, "messages" | "results">;

/**
 * Adds one item of the Responses shape to a thread: a message, a tool call or a tool output. Shared by the Responses and
 * the Codex reader. `call`: number of the model call that an assistant item belongs to. `part` takes the messages and results
 * that came of it. Returns the message, if it is one with a text of its own.
 */
export function addResponseItem(
  builder: TranscriptBuilder,
  state: ThreadState,
  value: JsonObject,
  at: At,
  call: number | undefined,
  part?: Part,
): Message | undefined {
  const type = own(value, "type");
  const kind = itemKind(value);
  if (kind === "output") addOutput(builder, state, value, at, part);
  else if (typeof type === "string" && CALL.test(type)) addCall(builder, state, value, type, at, call, part);
  else if (typeof type === "string" && Object.hasOwn(HOSTED, type)) {
    addHosted(builder, state, value, type, at, call, part);
  } else if (kind === "unknown") {
    builder.unknownRecord(typeof type === "string" ? at.texts.decode(type) : "no type", at.place);
  } else if ((kind === "user" || kind === "system" || kind === "assistant") && type !== "reasoning") {
    const flat = flatten(own(value, "content"), at.texts);
    builder.unknownBlocks(flat.unknown, at.place);
    const size = measureParts(flat.parts, at.texts);
    const message = builder.message(state, kind, at.place, { size, images: flat.images });
    part?.messages.push(message);
    return message;
  }
  return undefined;
}

function addCall(
  builder: TranscriptBuilder,
  state: ThreadState,
  value: JsonObject,
  type: string,
  at: At,
  call: number | undefined,
  part: Part | undefined,
): void {
  const { texts, place } = at;
  const id = texts.name(own(value, "call_id")) ?? texts.name(own(value, "id"));
  const tool = texts.name(own(value, "name")) ?? type.replace(/_call$/, "");
  builder.toolCall(state, { id, tool, call, turn: state.turn, place });
  addArguments(builder, state, value, at, part);
}

function addArguments(
  builder: TranscriptBuilder,
  state: ThreadState,
  value: JsonObject,
  at: At,
  part: Part | undefined,
): void {
  const args = own(value, "arguments") ?? own(value, "input") ?? own(value, "action") ?? own(value, "operation");
  const content = { size: NO_TEXT, images: 0, args: measureArguments([args], at.texts) };
  const message = builder.message(state, "assistant", at.place, content);
  part?.messages.push(message);
}

function addOutput(
  builder: TranscriptBuilder,
  state: ThreadState,
  value: JsonObject,
  at: At,
  part: Part | undefined,
): void {
  const { texts } = at;
  const status = own(value, "status");
  const result = builder.result(state, {
    callId: texts.name(own(value, "call_id")),
    tool: texts.name(own(value, "name")),
    content: own(value, "output"),
    at: below(at, "output"),
    isError: status === "incomplete" || status === "failed",
  });
  const message = builder.message(state, "tool", at.place, { size: result.size, images: result.images });
  part?.messages.push(message);
  part?.results.push(result.index);
}

function addHosted(
  builder: TranscriptBuilder,
  state: ThreadState,
  value: JsonObject,
  type: string,
  at: At,
  call: number | undefined,
  part: Part | undefined,
): void {
  const { texts, place } = at;
  const keys = HOSTED[type] ?? [];
  const key = keys.find((name) => own(value, name) !== undefined && own(value, name) !== null);
  addArguments(builder, state, value, at, part);
  if (key === undefined) return;
  const id = texts.name(own(value, "id"));
  const tool = texts.name(own(value, "name")) ?? type.replace(/_call$/, "");
  builder.toolCall(state, { id, tool, call, turn: state.turn, place });
  const isImage = type === "image_generation_call";
  const content = own(value, key);
  const result = builder.result(state, {
    callId: id,
    tool,
    // A generated picture is base64 text; it is an image, whatever it looks like.
    content: isImage ? "" : content,
    at: isImage ? below(at, "image") : below(at, key),
    isError: key === "error",
    ...(isImage ? { images: 1 } : {}),
  });
  part?.results.push(result.index);
}
