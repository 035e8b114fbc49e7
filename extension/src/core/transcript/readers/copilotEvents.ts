import type { Message } from "../../model/transcript";
import { addSizes } from "../../util/textSize";
import { type At, below, NO_TEXT, type ThreadState } from "../builder";
import { callIdentity } from "../callIdentity";
import { flatten, measureArguments, measureParts } from "../flatten";
import { isImageType } from "../imageType";
import { isObject, type JsonObject, own } from "../json";
import { copilotUsage, count, statedUsage, timeText } from "../usage";
import { isSilentCopilotEvent } from "./copilotTypes";
import type { Item } from "./reader";
import { atOf, RecordReader } from "./recordReader";

/** Copilot CLI `events.jsonl` and VS Code's transcript log; they share one vocabulary. */
export class CopilotEventsReader extends RecordReader {
  private model: string | undefined;
  private readonly agents = new Map<string, ThreadState>();
  private readonly called = new Set<string>();
  private readonly systems = new Map<ThreadState, Message>();
  private readonly calls = new Map<ThreadState, number>();

  record(item: Item): void {
    const { value, texts, place } = item;
    const type = own(value, "type");
    const data = own(value, "data");
    if (!isObject(value) || !isObject(data) || typeof type !== "string") {
      this.notARecord(item);
      return;
    }
    const at = below(atOf(item), "data");
    const time = timeText(own(value, "timestamp"));
    if (type === "session.start") {
      const startedAt = timeText(own(data, "startTime")) ?? time;
      const project = texts.name(own(own(data, "context"), "cwd"));
      if (this.main === undefined) this.thread({ id: texts.name(own(data, "sessionId")), startedAt, project });
      return;
    }
    if (type === "session.model_change") {
      this.model = texts.name(own(data, "newModel")) ?? this.model;
      this.setModel(this.thread(), this.model);
      return;
    }
    const agent = texts.name(own(value, "agentId"));
    const state = this.threadOf(data, agent, at, time);
    if (type === "subagent.started" && agent !== undefined) this.begun(state, data, at);
    if (!this.event(type, state, data, at, time) && !isSilentCopilotEvent(type)) {
      this.builder.unknownRecord(texts.decode(type), place);
    }
  }

  private event(type: string, state: ThreadState, data: JsonObject, at: At, time: string | undefined): boolean {
    switch (type) {
      case "system.message":
        this.system(state, data, at);
        return true;
      case "user.message":
        this.user(state, data, at);
        return true;
      case "assistant.message":
        this.assistant(state, data, at, time);
        return true;
      case "tool.execution_start":
        this.toolCall(state, own(data, "toolCallId"), own(data, "toolName"), this.calls.get(state), at);
        return true;
      case "tool.execution_complete":
        this.result(state, data, at);
        return true;
      case "session.compaction_complete":
        this.compacted(state, data, at);
        return true;
      case "session.context_cleared":
        this.cleared(state, data, at);
        return true;
      case "session.mode_notice_delivered": {
        const { parts } = flatten(own(data, "content"), at.texts);
        if (parts.length === 0) return true;
        this.builder.message(state, "user", at.place, { size: measureParts(parts, at.texts), images: 0 });
        return true;
      }
      case "session.shutdown":
        this.shutdown(state, data, at);
        return true;
      case "session.truncation":
        this.builder.compaction(state, at.place, {
          what: "truncation",
          trigger: at.texts.name(own(data, "performedBy")),
          tokensBefore: count(own(data, "preTruncationTokensInMessages")),
          tokensAfter: count(own(data, "postTruncationTokensInMessages")),
        });
        return true;
      default:
        return false;
    }
  }

  /** Input and cache are told once, when the program ends, by model. */
  private shutdown(state: ThreadState, data: JsonObject, at: At): void {
    const metrics = own(data, "modelMetrics");
    if (!isObject(metrics)) return;
    const usage = Object.keys(metrics).flatMap((name) => {
      const one = own(metrics, name);
      const model = at.texts.decode(name);
      return statedUsage(copilotUsage(own(one, "usage")), { model, calls: count(own(own(one, "requests"), "count")) });
    });
    if (usage.length > 0) this.builder.updateThread(state, { usage });
  }

  /** It is written again before each question; the newest one is in context. */
  private system(state: ThreadState, data: JsonObject, at: At): void {
    const { parts } = flatten(own(data, "content"), at.texts);
    const old = this.systems.get(state);
    const content = { size: measureParts(parts, at.texts), images: 0 };
    this.systems.set(state, this.builder.message(state, "system", at.place, content, old));
  }

  /** `transformedContent` is what the model got; `content` is what was typed. */
  private user(state: ThreadState, data: JsonObject, at: At): void {
    state.nextTurn();
    const sent = own(data, "transformedContent");
    const { parts } = flatten(typeof sent === "string" && sent !== "" ? sent : own(data, "content"), at.texts);
    const attachments = own(data, "attachments");
    const images = Array.isArray(attachments) ? attachments.filter(isImage).length : 0;
    this.builder.message(state, "user", at.place, { size: measureParts(parts, at.texts), images });
  }

  private assistant(state: ThreadState, data: JsonObject, at: At, time: string | undefined): void {
    const { texts, place } = at;
    const output = count(own(data, "outputTokens"));
    const usage =
      output === undefined ? undefined : { input: undefined, cacheRead: undefined, cacheWrite: undefined, output };
    const id = own(data, "messageId");
    const key = typeof id === "string" ? id : undefined;
    const model = texts.name(own(data, "model")) ?? this.model;
    this.setModel(state, model);
    const call = this.builder.call(state, key, {
      model,
      at: time,
      usage,
      place,
      identity: key === undefined ? undefined : callIdentity(key),
    });
    this.calls.set(state, call);
    let args = NO_TEXT;
    const requests = own(data, "toolRequests");
    for (const request of Array.isArray(requests) ? requests : []) {
      args = addSizes(args, measureArguments([own(request, "arguments")], texts));
      this.toolCall(state, own(request, "toolCallId"), own(request, "name"), call, at);
    }
    const { parts } = flatten(own(data, "content"), texts);
    this.builder.message(state, "assistant", place, { size: measureParts(parts, texts), images: 0, args });
  }

  /** A request is repeated by the event that starts it. */
  private toolCall(state: ThreadState, id: unknown, name: unknown, call: number | undefined, at: At): void {
    const callId = at.texts.name(id);
    if (callId !== undefined) {
      if (this.called.has(callId)) return;
      this.called.add(callId);
    }
    this.builder.toolCall(state, {
      id: callId,
      tool: at.texts.name(name),
      call,
      turn: state.turn,
      place: at.place,
    });
  }

  private result(state: ThreadState, data: JsonObject, at: At): void {
    const content = own(own(data, "result"), "content");
    const error = own(data, "error");
    const path = content !== undefined ? ["result", "content"] : isObject(error) ? ["error", "message"] : ["error"];
    const result = this.builder.result(state, {
      callId: at.texts.name(own(data, "toolCallId")),
      tool: at.texts.name(own(data, "toolName")),
      content: path.reduce<unknown>((inner, key) => own(inner, key), data),
      at: below(at, ...path),
      isError: own(data, "success") === false,
    });
    this.builder.message(state, "tool", at.place, { size: result.size, images: result.images });
  }

  private compacted(state: ThreadState, data: JsonObject, at: At): void {
    if (own(data, "success") === false) return;
    this.builder.compaction(state, at.place, {
      what: "summary",
      tokensBefore: count(own(data, "preCompactionTokens")),
      tokensAfter: count(own(data, "postCompactionTokens")),
    });
    const { parts } = flatten(own(data, "summaryContent"), at.texts);
    this.builder.carried(state, "user", at.place, { size: measureParts(parts, at.texts), images: 0 });
  }

  private begun(state: ThreadState, data: JsonObject, at: At): void {
    const title = at.texts.name(own(data, "agentDisplayName")) ?? at.texts.name(own(data, "agentName"));
    const call = at.texts.name(own(data, "toolCallId"));
    if (title !== undefined) this.builder.updateThread(state, { title });
    if (call !== undefined && !this.agents.has(call)) this.agents.set(call, state);
  }

  /** The whole conversation was thrown away; what it goes on with may be said. */
  private cleared(state: ThreadState, data: JsonObject, at: At): void {
    this.builder.compaction(state, at.place, { what: "truncation", scope: "all" });
    const { parts } = flatten(own(data, "initialMessage"), at.texts);
    this.builder.carried(state, "user", at.place, { size: measureParts(parts, at.texts), images: 0 });
  }

  /** Events of a sub-agent name the tool call that it runs for, since 2026 the agent beside their data, or both. */
  private threadOf(data: JsonObject, agent: string | undefined, at: At, time: string | undefined): ThreadState {
    const call = at.texts.name(own(data, "parentToolCallId"));
    const names = [call, agent].filter((name) => name !== undefined);
    const [first] = names;
    if (first === undefined) return this.thread({ startedAt: time });
    const known = names.map((name) => this.agents.get(name)).find((state) => state !== undefined);
    const state =
      known ??
      this.builder.open({
        id: first,
        title: first,
        kind: "subagent",
        model: undefined,
        startedAt: time,
        parent: { id: this.thread().thread.id, relation: "delegate" },
      });
    for (const name of names) if (!this.agents.has(name)) this.agents.set(name, state);
    return state;
  }
}

function isImage(attachment: unknown): boolean {
  return own(attachment, "type") === "image" || isImageType(own(attachment, "mimeType"));
}
