import type { Message, TextSize, ToolResult } from "../../model/transcript";
import { pushAll } from "../../util/pushAll";
import { addSizes } from "../../util/textSize";
import { type At, NO_TEXT, type ThreadState, type TranscriptBuilder } from "../builder";
import { flatten, measureArguments, measureParts } from "../flatten";
import { isObject, own } from "../json";
import { count, timeText } from "../usage";
import type { ContextParts } from "./contextParts";

/** Where the value under a path of the request lies. */
export type Locate = (path: readonly (string | number)[]) => At;

export interface RequestSink {
  readonly builder: TranscriptBuilder;
  readonly state: ThreadState;
  readonly live: ContextParts;
  readonly resultNotStored: (at: At) => void;
  readonly setModel: (model: string | undefined) => void;
  /** Set once what stands before the first question was told. */
  readonly context: { isTold: boolean };
}

/** Kinds of parts in a rendered message (`ChatCompletionContentPartKind` of @vscode/prompt-tsx); 2 and 3 hold no text. */
const PART = { image: 0, text: 1, document: 4 } as const;

/** Cancelled or failed before the extension stored what it did (`modelState.value`). */
const FINISHED = 1;

/**
 * One request of a VS Code chat: the question, and one model call per round. What the tools gave lies in
 * `result.metadata`; the parts of `response` are for display and have other ids, so they count only without rounds.
 */
export function addRequest(sink: RequestSink, request: unknown, locate: Locate): void {
  const { state } = sink;
  const { texts } = locate([]);
  state.nextTurn();
  const metadata = own(own(request, "result"), "metadata");
  const model = texts.name(own(metadata, "resolvedModel")) ?? texts.name(own(request, "modelId"));
  sink.setModel(model);
  const part = sink.live.add(texts.name(own(request, "requestId")) ?? `#${state.turn}`);
  globalContext(sink, metadata, locate);
  part.messages.push(question(sink, request, metadata, locate));
  const rounds = own(metadata, "toolCallRounds");
  if (Array.isArray(rounds) && rounds.length > 0) addRounds(sink, request, rounds, metadata, locate, model);
  else addShown(sink, request, locate, model);
  addSummaries(sink, metadata, rounds, locate);
  if (!isUndone(request)) return;
  const gone = sink.live.from(part.id, true) ?? [];
  if (gone.length > 0) sink.live.leave(sink.builder, state, locate([]).place, gone, { what: "rewind" });
}

/**
 * Undone by going back to a checkpoint: the next question removes it (`shouldBeRemovedOnSend`, older `isHidden`, of
 * microsoft/vscode chatModel.ts). Of one that is undone from a stop within it on, nothing says what stays.
 */
function isUndone(request: unknown): boolean {
  const undone = own(request, "shouldBeRemovedOnSend") ?? own(request, "isHidden");
  return undone === true || (isObject(undone) && typeof own(undone, "afterUndoStop") !== "string");
}

/** As it was sent and stands in the history since (`renderedUserMessage`), with its context; older ones keep what was typed. */
function question({ builder, state }: RequestSink, request: unknown, metadata: unknown, locate: Locate): Message {
  const whole = locate(["result", "metadata", "renderedUserMessage"]);
  const sent = rendered(builder, whole, metadata, "renderedUserMessage");
  if (sent !== undefined) return builder.message(state, "user", whole.place, sent);
  const { place, texts } = locate(["message"]);
  const typed = flatten(own(own(request, "message"), "text") ?? own(request, "message"), texts);
  const images = imagesOf(own(own(request, "variableData"), "variables"));
  return builder.message(state, "user", place, { size: measureParts(typed.parts, texts), images });
}

/** Stands once before the first question, and stays there. */
function globalContext(sink: RequestSink, metadata: unknown, locate: Locate): void {
  if (sink.context.isTold) return;
  const at = locate(["result", "metadata", "renderedGlobalContext"]);
  const sent = rendered(sink.builder, at, metadata, "renderedGlobalContext");
  if (sent === undefined) return;
  sink.context.isTold = true;
  sink.builder.carried(sink.state, "user", at.place, sent);
}

/** Sizes of a message that is kept as it was sent (`IResultMetadata` of microsoft/vscode-copilot-chat prompt/common/conversation.ts). */
function rendered(
  builder: TranscriptBuilder,
  { texts, place }: At,
  metadata: unknown,
  key: string,
): { readonly size: TextSize; readonly images: number } | undefined {
  const parts = own(metadata, key);
  if (!Array.isArray(parts) || parts.length === 0) return undefined;
  const strings: string[] = [];
  let images = 0;
  for (const part of parts) {
    const type = own(part, "type");
    const text = own(part, "text");
    if (type === PART.text && typeof text === "string") strings.push(text);
    else if (type === PART.image) images++;
    else if (type === PART.document) builder.unknownBlocks(["document"], place);
  }
  return { size: measureParts(strings, texts), images };
}

function imagesOf(variables: unknown): number {
  if (!Array.isArray(variables)) return 0;
  return variables.filter((variable) => own(variable, "kind") === "image").length;
}

/** Tokens are those of the request's last round. They include what came from the cache, which is not stated. */
function usageOf(request: unknown, metadata: unknown) {
  const input = count(own(metadata, "promptTokens")) ?? count(own(request, "promptTokens"));
  const output = count(own(metadata, "outputTokens")) ?? count(own(request, "completionTokens"));
  if (input === undefined && output === undefined) return undefined;
  return { input, cacheRead: undefined, cacheWrite: undefined, output };
}

function addRounds(
  sink: RequestSink,
  request: unknown,
  rounds: readonly unknown[],
  metadata: unknown,
  locate: Locate,
  model: string | undefined,
): void {
  const { builder, state, live } = sink;
  const results = own(metadata, "toolCallResults");
  const path = ["result", "metadata", "toolCallRounds"] as const;
  rounds.forEach((round, i) => {
    const at = locate([...path, i]);
    const { texts, place } = at;
    const part = live.add(texts.name(own(round, "id")) ?? `#${state.messages}`);
    const isLast = i === rounds.length - 1;
    const call = builder.call(state, undefined, {
      model,
      at: timeText(own(round, "timestamp")) ?? timeText(own(request, "timestamp")),
      usage: isLast ? usageOf(request, metadata) : undefined,
      place,
    });
    const calls = own(round, "toolCalls");
    const list: readonly unknown[] = Array.isArray(calls) ? calls : [];
    let args = NO_TEXT;
    for (const entry of list) {
      const id = texts.name(own(entry, "id"));
      const tool = texts.name(own(entry, "name"));
      args = addSizes(args, measureArguments([own(entry, "arguments")], texts));
      builder.toolCall(state, { id, tool, call, turn: state.turn, place });
    }
    const text = flatten(own(round, "response"), texts);
    const size = measureParts(text.parts, texts);
    part.messages.push(builder.message(state, "assistant", place, { size, images: text.images, args }));
    for (const entry of list) {
      const result = addResult(sink, own(entry, "id"), own(entry, "name"), results, locate);
      if (result === undefined) continue;
      part.results.push(result.index);
      const { place: resultPlace, images } = result;
      part.messages.push(builder.message(state, "tool", resultPlace, { size: result.size, images }));
    }
    // What a hook answered to the round is sent behind it.
    const hook = own(round, "hookContext");
    if (typeof hook !== "string" || hook === "") return;
    part.messages.push(builder.message(state, "user", place, { size: measureParts([hook], texts), images: 0 }));
  });
}

function addResult(
  sink: RequestSink,
  id: unknown,
  name: unknown,
  results: unknown,
  locate: Locate,
): ToolResult | undefined {
  if (typeof id !== "string") return undefined;
  const stored = own(results, id);
  if (stored === undefined) return undefined;
  const at = locate(["result", "metadata", "toolCallResults", id, "content"]);
  const { texts } = at;
  return sink.builder.result(sink.state, {
    callId: texts.name(id),
    tool: texts.name(name),
    content: own(stored, "content"),
    at,
    isError: own(stored, "isError") === true,
  });
}

/** Without rounds (running, cancelled, or a plain answer) only what was shown is there. */
function addShown(sink: RequestSink, request: unknown, locate: Locate, model: string | undefined): void {
  const { builder, state } = sink;
  const shown = own(request, "response");
  const at = locate(["response"]);
  const { texts, place } = at;
  const list: readonly unknown[] = Array.isArray(shown) ? shown : [];
  const finished = own(own(request, "modelState"), "value") === FINISHED;
  if (list.length === 0 && !finished) return;
  const usage = usageOf(request, own(own(request, "result"), "metadata"));
  const call = builder.call(state, undefined, { model, at: timeText(own(request, "timestamp")), usage, place });
  const parts: string[] = [];
  for (const entry of list) {
    const kind = own(entry, "kind");
    const value = own(entry, "value");
    if (kind === undefined && typeof value === "string") parts.push(value);
    else if (kind === "markdownContent") pushAll(parts, flatten(own(own(entry, "content"), "value"), texts).parts);
    else if (kind === "toolInvocationSerialized" || kind === "toolInvocation") {
      if (own(entry, "isComplete") === true) {
        sink.resultNotStored(at);
        continue;
      }
      const id = texts.name(own(entry, "toolCallId"));
      builder.toolCall(state, { id, tool: texts.name(own(entry, "toolId")), call, turn: state.turn, place });
    }
  }
  const part = sink.live.add(texts.name(own(request, "responseId")) ?? `#${state.messages}`);
  part.messages.push(builder.message(state, "assistant", place, { size: measureParts(parts, texts), images: 0 }));
}

/** A summary replaces every round up to the one it names. */
function addSummaries(sink: RequestSink, metadata: unknown, rounds: unknown, locate: Locate): void {
  const seen = new Set<string>();
  const add = (summary: unknown, round: unknown, path: readonly (string | number)[]): void => {
    const at = locate(path);
    const { texts } = at;
    const id = texts.name(own(summary, "toolCallRoundId")) ?? texts.name(round);
    const text = typeof summary === "string" ? summary : own(summary, "text");
    if (id === undefined || typeof text !== "string" || seen.has(id)) return;
    seen.add(id);
    sink.live.leave(sink.builder, sink.state, at.place, sink.live.upTo(id) ?? [], {
      what: "summary",
      trigger: texts.name(own(summary, "source")),
      tokensBefore: count(own(summary, "contextLengthBefore")),
    });
    const { parts } = flatten(text, texts);
    sink.builder.carried(sink.state, "user", at.place, { size: measureParts(parts, texts), images: 0 });
  };
  const summaries = own(metadata, "summaries");
  if (Array.isArray(summaries)) {
    summaries.forEach((summary, i) => {
      add(summary, undefined, ["result", "metadata", "summaries", i]);
    });
  }
  add(own(metadata, "summary"), undefined, ["result", "metadata", "summary"]);
  if (!Array.isArray(rounds)) return;
  rounds.forEach((round, i) => {
    add(own(round, "summary"), own(round, "id"), ["result", "metadata", "toolCallRounds", i, "summary"]);
    if (isObject(own(round, "compaction"))) compacted(sink, round, locate(["result", "metadata", "toolCallRounds", i]));
  });
}

/** The provider compacted; requests begin with the answer that carries what it made of the rest (platform/endpoint/node/responsesApi.ts). */
function compacted({ builder, state, live }: RequestSink, round: unknown, { texts, place }: At): void {
  const id = texts.name(own(round, "id"));
  const gone = id === undefined ? undefined : live.before(id);
  if (gone !== undefined) live.leave(builder, state, place, gone, { what: "summary" });
}
