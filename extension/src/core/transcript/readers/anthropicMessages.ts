import type { RecordPlace } from "../../model/transcript";
import { readBlocks } from "../blocks";
import { type At, below, NO_TEXT, type ThreadState, type TranscriptBuilder } from "../builder";
import { callIdentity } from "../callIdentity";
import { flatten, measureArguments, measureParts } from "../flatten";
import { isObject, type JsonObject, own } from "../json";
import { anthropicUsage, count, timeText } from "../usage";
import type { Item, Reader, ReaderContext } from "./reader";

/** Anthropic messages: a request, a response, a list of messages, or one of these per line. */
export class AnthropicMessagesReader implements Reader {
  readonly arrays: ReadonlySet<string> = new Set(["messages"]);
  readonly members: ReadonlySet<string> = new Set([
    "system",
    "model",
    "type",
    "role",
    "content",
    "usage",
    "id",
    "created_at",
    "response",
    "context_management",
  ]);
  private readonly builder: TranscriptBuilder;
  private state: ThreadState | undefined;
  private threads = 0;
  private facts = new Map<string, Item>();

  constructor(private readonly context: ReaderContext) {
    this.builder = context.builder;
  }

  record(item: Item): void {
    const { value, place, texts } = item;
    const at: At = { place, texts, path: [] };
    if (!isObject(value)) {
      this.builder.unknownRecord(Array.isArray(value) ? "list" : typeof value, place);
      return;
    }
    const messages = own(value, "messages");
    if (!Array.isArray(messages)) {
      this.message(value, at);
      return;
    }
    this.state = undefined;
    this.setModel(texts.name(own(value, "model")));
    this.system(own(value, "system"), at);
    messages.forEach((message, i) => {
      this.message(message, below(at, "messages", i));
    });
    const response = own(value, "response");
    if (isObject(response)) this.message(response, below(at, "response"));
  }

  begin(): void {
    this.state = undefined;
    this.facts = new Map();
  }

  member(key: string, item: Item): void {
    this.facts.set(key, item);
    if (key === "model") this.setModel(item.texts.name(item.value));
    if (key === "system") this.system(item.value, { place: item.place, texts: item.texts, path: [] });
  }

  element(_key: string, item: Item): void {
    this.message(item.value, { place: item.place, texts: item.texts, path: [] });
  }

  end(_place: RecordPlace): void {
    const response = this.facts.get("response");
    if (response !== undefined)
      this.message(response.value, { place: response.place, texts: response.texts, path: [] });
    const content = this.facts.get("content");
    if (content !== undefined) {
      // A response alone: its members came one by one, so the place is that of its content.
      const value: JsonObject = {
        role: this.facts.get("role")?.value ?? "assistant",
        model: this.facts.get("model")?.value,
        id: this.facts.get("id")?.value,
        usage: this.facts.get("usage")?.value,
        context_management: this.facts.get("context_management")?.value,
        content: content.value,
      };
      this.message(value, { place: content.place, texts: content.texts, path: [] }, true);
    }
    this.thread();
  }

  finish(): void {
    if (this.threads === 0) this.thread();
  }

  private system(value: unknown, at: At): void {
    if (value === undefined || value === null) return;
    this.builder.systemPrompt(this.thread(), at.place, measureParts(flatten(value, at.texts).parts, at.texts));
  }

  /** `bare`: the path begins at the content itself. */
  private message(value: unknown, at: At, bare = false): void {
    const { place, texts } = at;
    if (!isObject(value)) {
      this.builder.unknownRecord(typeof value, place);
      return;
    }
    const state = this.thread();
    const role = own(value, "role");
    const blocks = readBlocks(own(value, "content"), texts);
    this.builder.unknownBlocks(blocks.unknown, place);
    if (role === "assistant") this.otherPasses(state, value, at);
    if (blocks.compacts) this.builder.compaction(state, place);
    const content = bare ? at : below(at, "content");
    const size = measureParts(blocks.parts, texts);
    let results = NO_TEXT;
    let resultImages = 0;
    const tellResults = () => {
      for (const block of blocks.results) {
        const { callId, tool } = { callId: texts.name(block.id), tool: block.tool };
        const input = {
          callId,
          tool,
          content: block.content,
          at: below(content, ...block.path),
          isError: block.isError,
        };
        const result = this.builder.result(state, input);
        results = {
          codePoints: results.codePoints + result.size.codePoints,
          utf16: results.utf16 + result.size.utf16,
          bytes: results.bytes + result.size.bytes,
        };
        resultImages += result.images;
      }
    };
    if (role === "assistant") {
      const id = own(value, "id");
      const model = texts.name(own(value, "model")) ?? state.thread.model;
      this.setModel(model);
      this.appliedEdits(state, own(value, "context_management"), at);
      const call = this.builder.call(state, typeof id === "string" ? id : undefined, {
        model,
        at: timeText(own(value, "created_at") ?? own(value, "timestamp")),
        usage: anthropicUsage(own(value, "usage")),
        place,
        identity: typeof id === "string" ? callIdentity(id) : undefined,
      });
      for (const use of blocks.uses) {
        this.builder.toolCall(state, {
          id: texts.name(use.id),
          tool: texts.name(use.name),
          call,
          turn: state.turn,
          place,
        });
      }
      const uses = blocks.uses.map((use) => use.input);
      this.builder.message(state, "assistant", place, {
        size,
        images: blocks.images,
        args: measureArguments(uses, texts),
      });
      tellResults();
      return;
    }
    if (role === "user" && blocks.results.length === 0) state.nextTurn();
    tellResults();
    if (blocks.results.length > 0 && size.utf16 === 0 && blocks.images === 0) {
      this.builder.message(state, "tool", place, { size: results, images: resultImages });
      return;
    }
    const known = role === "user" || role === "system" ? role : "other";
    if (known === "other") this.builder.unknownRecord(typeof role === "string" ? `role ${role}` : "no role", place);
    this.builder.message(state, known, place, { size, images: blocks.images });
  }

  /**
   * What the server had a model do besides the answer: a compaction, which still saw everything, or an advisor. The answer's
   * own usage leaves it out (`usage.iterations`, BetaCompactionIterationUsage of the Messages API).
   */
  private otherPasses(state: ThreadState, message: JsonObject, at: At): void {
    const passes = own(own(message, "usage"), "iterations");
    const id = at.texts.name(own(message, "id"));
    for (const [i, pass] of (Array.isArray(passes) ? passes : []).entries()) {
      if (!isObject(pass) || own(pass, "type") === "message") continue;
      const name = id === undefined ? undefined : `${id} ${i}`;
      this.builder.call(state, name, {
        model: at.texts.name(own(pass, "model")) ?? at.texts.name(own(message, "model")) ?? state.thread.model,
        at: undefined,
        usage: anthropicUsage(pass),
        place: at.place,
        identity: name === undefined ? undefined : callIdentity(name),
      });
    }
  }

  /** What the server left out of the request that this message answers; which results it does not say. */
  private appliedEdits(state: ThreadState, management: unknown, at: At): void {
    const edits = own(management, "applied_edits");
    for (const edit of Array.isArray(edits) ? edits : []) {
      this.builder.compaction(state, at.place, {
        what: "clear",
        trigger: at.texts.name(own(edit, "type")),
        tokensFreed: count(own(edit, "cleared_input_tokens")),
      });
    }
  }

  private setModel(model: string | undefined): void {
    if (model === undefined) return;
    this.builder.describe({ model });
    this.builder.updateThread(this.thread(), { model });
  }

  private thread(): ThreadState {
    if (this.state === undefined) {
      this.threads++;
      const id = this.threads === 1 ? this.context.name : `${this.context.name}-${this.threads}`;
      this.state = this.builder.open({ id, title: id, kind: "main", model: undefined, startedAt: undefined });
    }
    return this.state;
  }
}
