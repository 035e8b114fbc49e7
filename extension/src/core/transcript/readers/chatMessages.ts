import type { Role, Usage } from "../../model/transcript";
import { addSizes } from "../../util/textSize";
import { type At, below, NO_TEXT, type ThreadState, type TranscriptBuilder } from "../builder";
import { flatten, measureArguments, measureParts } from "../flatten";
import { isObject, type JsonObject, own, type Texts } from "../json";
import { timeText } from "../usage";

/** Where the tool-calling dialects of one message shape differ. */
export interface ChatDialect {
  /** Hermes: `api_content` replaces the content, some user messages are written by the agent itself. */
  readonly hermes: boolean;
}

/** Openings of user messages that Hermes writes itself when it compacts (agent/context_compressor.py @0000416b). */
const SUMMARIES = [
  "[CONTEXT COMPACTION — REFERENCE ONLY]",
  "[CONTEXT SUMMARY]:",
  "[PRIOR CONTEXT — for reference only; not a new message]",
];
const NOT_A_TURN = [
  ...SUMMARIES,
  "Continue from the compressed conversation context above. This marker exists because no human user turn was available.",
];

/** True for the opening of a message that Hermes wrote itself when it compacted. */
export function isWrittenByCompaction(opening: string): boolean {
  return NOT_A_TURN.some((literal) => opening.startsWith(literal));
}

/** Reads messages of the OpenAI chat shape into a thread; shared by the chat format and the three Hermes formats. */
export class ChatMessages {
  constructor(
    private readonly builder: TranscriptBuilder,
    private readonly dialect: ChatDialect,
  ) {}

  message(state: ThreadState, value: unknown, at: At, usage?: Usage, model?: string): void {
    if (!isObject(value)) {
      this.builder.unknownRecord(Array.isArray(value) ? "list" : value === null ? "null" : typeof value, at.place);
      return;
    }
    const role = own(value, "role");
    // What it replaced is not in the transcript any more, so nothing of what stands here leaves the context.
    if (this.dialect.hermes && (role === "user" || role === "assistant") && this.isSummary(value, at)) {
      this.builder.compaction(state, at.place, { what: "summary", scope: "listed" });
    }
    switch (role) {
      case "system":
      case "developer":
        this.plain(state, "system", value, at);
        break;
      case "user":
        this.user(state, value, at);
        break;
      case "assistant":
        this.assistant(state, value, at, usage, model);
        break;
      case "tool":
      case "function":
        this.tool(state, value, at, role === "function");
        break;
      default:
        this.builder.unknownRecord(typeof role === "string" ? `role ${at.texts.decode(role)}` : "no role", at.place);
        this.plain(state, "other", value, at);
    }
  }

  private content(value: JsonObject): { readonly content: unknown; readonly key: string } {
    const sent = this.dialect.hermes ? own(value, "api_content") : undefined;
    if (sent !== undefined && sent !== null) return { content: sent, key: "api_content" };
    return { content: own(value, "content"), key: "content" };
  }

  private plain(state: ThreadState, role: Role, value: JsonObject, at: At): void {
    const flat = flatten(this.content(value).content, at.texts);
    this.builder.unknownBlocks(flat.unknown, at.place);
    this.builder.message(state, role, at.place, { size: measureParts(flat.parts, at.texts), images: flat.images });
  }

  private user(state: ThreadState, value: JsonObject, at: At): void {
    if (this.beginsTurn(value, at)) state.nextTurn();
    this.plain(state, "user", value, at);
  }

  private isSummary(value: JsonObject, at: At): boolean {
    if (own(value, "_compressed_summary") === 1 || own(value, "_compressed_summary") === true) return true;
    const opening = this.opening(value, at);
    return SUMMARIES.some((literal) => opening.startsWith(literal));
  }

  private opening(value: JsonObject, at: At): string {
    const first = flatten(own(value, "content"), at.texts).parts[0] ?? "";
    return at.texts.head(first, 200);
  }

  private beginsTurn(value: JsonObject, at: At): boolean {
    if (!this.dialect.hermes) return true;
    // A group chat's message that the bot only overheard, or a summary, asks for nothing.
    if (own(value, "observed") === 1 || own(value, "observed") === true) return false;
    if (own(value, "_compressed_summary")) return false;
    const first = flatten(own(value, "content"), at.texts).parts[0] ?? "";
    const opening = at.texts.head(first, 200);
    return !isWrittenByCompaction(opening);
  }

  private assistant(state: ThreadState, value: JsonObject, at: At, usage?: Usage, model?: string): void {
    const { place, texts } = at;
    const named = model ?? texts.name(own(value, "model")) ?? state.thread.model;
    const call = this.builder.call(state, undefined, {
      model: named,
      at: timeText(own(value, "timestamp")),
      usage,
      place,
    });
    let args = NO_TEXT;
    const calls = toolCallsOf(own(value, "tool_calls"), texts);
    for (const entry of calls.list) {
      const fn = isObject(own(entry, "function")) ? own(entry, "function") : entry;
      args = addSizes(args, measureArguments([own(fn, "arguments")], calls.texts));
      const id = calls.texts.name(own(entry, "id")) ?? calls.texts.name(own(entry, "call_id"));
      this.builder.toolCall(state, { id, tool: calls.texts.name(own(fn, "name")), call, turn: state.turn, place });
    }
    const legacy = own(value, "function_call");
    if (isObject(legacy)) {
      args = addSizes(args, measureArguments([own(legacy, "arguments")], texts));
      const tool = texts.name(own(legacy, "name"));
      this.builder.toolCall(state, { id: legacyId(tool), tool, call, turn: state.turn, place });
    }
    const flat = flatten(this.content(value).content, at.texts);
    this.builder.unknownBlocks(flat.unknown, place);
    this.builder.message(state, "assistant", place, {
      size: measureParts(flat.parts, texts),
      images: flat.images,
      args,
    });
  }

  private tool(state: ThreadState, value: JsonObject, at: At, legacy: boolean): void {
    const { texts } = at;
    const tool = texts.name(own(value, "tool_name")) ?? texts.name(own(value, "name"));
    const content = own(value, "content");
    const result = this.builder.result(state, {
      callId: texts.name(own(value, "tool_call_id")) ?? (legacy ? legacyId(tool) : undefined),
      tool,
      content,
      at: below(at, "content"),
      isError: own(value, "is_error") === true,
    });
    this.builder.message(state, "tool", at.place, { size: result.size, images: result.images });
  }
}

/** The old `function_call` form has no ids: a result answers the newest call of its function. */
function legacyId(tool: string | undefined): string | undefined {
  return tool === undefined ? undefined : `function:${tool}`;
}

/** `tool_calls` as a list; databases and their dumps keep it as JSON text. */
export function toolCallsOf(
  value: unknown,
  texts: Texts,
): { readonly list: readonly unknown[]; readonly texts: Texts } {
  if (Array.isArray(value)) return { list: value, texts };
  if (typeof value !== "string") return { list: [], texts };
  try {
    const parsed: unknown = JSON.parse(texts.decode(value));
    return { list: Array.isArray(parsed) ? parsed : [], texts: texts.decoded() };
  } catch {
    // Not JSON, so there are no calls to pair; the message itself is read all the same.
    return { list: [], texts };
  }
}
