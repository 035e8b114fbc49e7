import type { Message } from "../../model/transcript";
import { addSizes } from "../../util/textSize";
import { type At, below, NO_TEXT, type ThreadState, type TranscriptBuilder } from "../builder";
import { callIdentity } from "../callIdentity";
import { measureArguments, measureParts } from "../flatten";
import { isImageType } from "../imageType";
import { isObject, type JsonObject, own } from "../json";
import { opencodeUsage, timeText } from "../usage";
import { ContextParts } from "./contextParts";

/** Types that put nothing into the context. */
const SILENT_TYPES = new Set(["agent-switched", "model-switched", "location-switched"]);
/** Files that the model gets as a text, which is stored packed (packages/core/src/session/runner/to-llm-message.ts). */
const INLINED_FILES = new Set(["text/plain", "application/x-directory"]);

/**
 * Messages of opencode 2 (sst/opencode packages/schema/src/session-message.ts), each whole in one record that names its
 * `type`: rows of `session_message`, or what an export lists. An assistant's record is one call; its tool calls hold their
 * results. From a completed compaction on, nothing before it is sent (packages/core/src/session/history.ts).
 */
export class OpencodeTwo {
  /** Of the newest answer. */
  model: string | undefined;
  /** What is in context, by the ids of its records. */
  readonly live = new ContextParts();
  private part = this.live.add("");
  private system: Message[] = [];
  /** Since autumn 2026 a record tells when the session went idle: prompts before that are steering, no turn of their own. */
  private idles = false;
  private busy = false;

  constructor(private readonly builder: TranscriptBuilder) {}

  /** `origin` = id of the message that this one is a copy of; its own where it is none. */
  message(state: ThreadState, value: JsonObject, at: At, origin: string | undefined): void {
    const { texts, place } = at;
    const type = texts.name(own(value, "type")) ?? "";
    this.part = this.live.add(texts.name(own(value, "id")) ?? "");
    switch (type) {
      case "user":
        if (!this.busy || !this.idles) state.nextTurn();
        this.busy = true;
        this.say(state, "user", [own(value, "text")], at, this.files(value, at));
        return;
      case "synthetic":
      case "skill":
        this.say(state, "user", [own(value, "text")], at);
        return;
      case "shell": {
        const output = own(value, "output");
        this.say(state, "user", [own(value, "command"), isObject(output) ? own(output, "output") : output], at);
        return;
      }
      case "system":
        this.system.push(this.say(state, "system", [own(value, "text")], at));
        return;
      case "assistant":
        this.assistant(state, value, at, origin);
        return;
      case "compaction":
        this.compaction(state, value, at, origin);
        return;
      case "idle":
        this.idles = true;
        this.busy = false;
        return;
      default:
        if (!SILENT_TYPES.has(type)) this.builder.unknownRecord(type === "" ? "no type" : `message ${type}`, place);
    }
  }

  private say(state: ThreadState, role: "system" | "user", strings: readonly unknown[], at: At, images = 0): Message {
    const parts = strings.filter((text): text is string => typeof text === "string");
    const told = this.builder.message(state, role, at.place, { size: measureParts(parts, at.texts), images });
    this.part.messages.push(told);
    return told;
  }

  /** Number of the pictures. */
  private files(value: JsonObject, at: At): number {
    const files = own(value, "files");
    let images = 0;
    for (const file of Array.isArray(files) ? files : []) {
      const mime = at.texts.name(own(file, "mime")) ?? "";
      if (isImageType(mime)) images++;
      else if (INLINED_FILES.has(mime)) this.builder.unknownBlocks([`file ${mime}`], at.place);
    }
    return images;
  }

  private assistant(state: ThreadState, value: JsonObject, at: At, origin: string | undefined): void {
    const { texts, place } = at;
    this.model = texts.name(own(own(value, "model"), "id")) ?? this.model;
    const call = this.call(state, value, at, origin);
    const content = own(value, "content");
    const strings: string[] = [];
    let args = NO_TEXT;
    (Array.isArray(content) ? content : []).forEach((part: unknown, i) => {
      const type = own(part, "type");
      const text = own(part, "text");
      if (type === "text" && typeof text === "string") strings.push(text);
      else if (type === "tool") {
        args = addSizes(args, measureArguments([own(own(part, "state"), "input")], texts));
        this.tool(state, part, below(at, "content", i), call);
      } else if (type !== "reasoning") this.builder.unknownBlocks([texts.name(type) ?? typeof type], place);
    });
    const size = measureParts(strings, texts);
    this.part.messages.push(this.builder.message(state, "assistant", place, { size, images: 0, args }));
  }

  private call(state: ThreadState, value: JsonObject, at: At, origin: string | undefined): number {
    return this.builder.call(state, at.texts.name(own(value, "id")), {
      model: this.model,
      at: timeText(own(own(value, "time"), "created")),
      usage: opencodeUsage(own(value, "tokens")),
      place: at.place,
      identity: origin === undefined ? undefined : callIdentity(origin),
    });
  }

  private tool(state: ThreadState, value: unknown, at: At, call: number): void {
    const { texts, place } = at;
    const id = texts.name(own(value, "id"));
    const tool = texts.name(own(value, "name"));
    this.builder.toolCall(state, { id, tool, call, turn: state.turn, place });
    const run = own(value, "state");
    const status = own(run, "status");
    if (status !== "completed" && status !== "error") return;
    const executed = own(value, "executed") === true || own(own(value, "provider"), "executed") === true;
    const path = outcomePath(run, executed);
    const result = this.builder.result(state, {
      callId: id,
      tool,
      content: path.reduce<unknown>((inner, key) => own(inner, key), run),
      at: below(at, "state", ...path),
      isError: status === "error",
    });
    this.part.results.push(result.index);
  }

  /** Usage of a compaction is that of the request for the summary, which still saw everything. */
  private compaction(state: ThreadState, value: JsonObject, at: At, origin: string | undefined): void {
    const { texts, place } = at;
    if (opencodeUsage(own(value, "tokens")) !== undefined) {
      this.model = texts.name(own(own(value, "model"), "id")) ?? this.model;
      this.call(state, value, at, origin);
    }
    const status = own(value, "status");
    // Before summer 2026 the record was only written when the summary was there.
    if (status !== undefined && status !== "completed") return;
    const trigger = texts.name(own(value, "reason"));
    this.builder.compaction(state, place, { what: "summary", trigger, scope: "all", messages: this.system });
    this.system = [];
    this.live.clear();
    const kept = [own(value, "summary"), own(value, "recent")].filter((text) => typeof text === "string");
    const carried = this.builder.carried(state, "user", place, { size: measureParts(kept, texts), images: 0 });
    if (carried !== undefined) this.live.add(texts.name(own(value, "id")) ?? "").messages.push(carried);
  }
}

/**
 * Where the text of a finished call lies in its state: what the provider itself ran gives its own result, else the parts
 * of `content`; what has none, the message of its error or the structured value (ToolOutput of packages/llm).
 */
function outcomePath(run: unknown, executed: boolean): readonly string[] {
  if (executed && own(run, "result") !== undefined) return ["result"];
  const content = own(run, "content");
  if ((Array.isArray(content) || typeof content === "string") && content.length > 0) return ["content"];
  if (own(own(run, "error"), "message") !== undefined) return ["error", "message"];
  const structured = own(run, "structured");
  return isObject(structured) && Object.keys(structured).length > 0 ? ["structured"] : ["content"];
}
