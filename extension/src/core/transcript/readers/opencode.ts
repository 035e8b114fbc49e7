import type { ToolResult } from "../../model/transcript";
import { addSizes, measureText } from "../../util/textSize";
import { literalStep } from "../bodyPath";
import { type At, below, NO_TEXT, type ThreadState, type TranscriptBuilder } from "../builder";
import { callIdentity } from "../callIdentity";
import { measureArguments, measureParts } from "../flatten";
import { isObject, type JsonObject, own, scalarText, type Texts } from "../json";
import { opencodeUsage, timeText } from "../usage";
import { type ContextPart, ContextParts } from "./contextParts";
import { OpencodeTwo } from "./opencodeTwo";
import type { Item } from "./reader";
import { atOf, RecordReader } from "./recordReader";

/** What the model gets in place of a pruned result; the store keeps the text (opencode session/message-v2). */
const CLEARED = "[Old tool result content cleared]";
/** Pruned parts of one run are stamped within this time of each other, milliseconds. */
const PRUNE_RUN_MS = 10_000;
/** Parts that a model call writes; others (patches, snapshots) may follow its end. */
const STEP_PARTS = new Set(["text", "reasoning", "tool", "step-start", "step-finish"]);
const SILENT_PARTS = new Set([
  "reasoning",
  "patch",
  "snapshot",
  "agent",
  "subtask",
  "retry",
  "step-start",
  "step-finish",
]);

interface Pruned {
  readonly at: number;
  readonly callId: string | undefined;
  readonly place: At["place"];
}

/**
 * An opencode export: the session's info and its messages, each with its parts; since version 2 a message is one record
 * with a `type`. Times of messages order the prunes.
 */
export class OpencodeExportReader extends RecordReader {
  override readonly arrays: ReadonlySet<string> = new Set(["messages"]);
  override readonly members: ReadonlySet<string> = new Set(["info"]);
  private readonly live = new ContextParts();
  private readonly two = new OpencodeTwo(this.context.builder);
  private readonly createdMs: number[] = [];
  private readonly pruned: Pruned[] = [];
  private steps = 0;
  private compacting: { readonly trigger: string | undefined; readonly tail: string | undefined } | undefined;

  override member(_key: string, item: Item): void {
    const { value, texts } = item;
    const id = texts.name(own(value, "id"));
    const parent = texts.name(own(value, "parentID"));
    const facts = {
      title: texts.name(own(value, "title")) ?? id ?? this.context.name,
      kind: parent === undefined ? "main" : "subagent",
      startedAt: timeText(own(own(value, "time"), "created")),
      project: texts.name(own(value, "directory")),
      parent: parent === undefined ? undefined : { id: parent, relation: "child" as const },
    } as const;
    if (this.main === undefined) this.thread({ id, ...facts });
    else {
      this.builder.updateThread(this.main, facts);
      if (id !== undefined) this.builder.describe({ sessionId: id });
    }
  }

  record(item: Item): void {
    const info = own(item.value, "info");
    if (!isObject(info)) {
      this.recordOfTwo(item, item.texts.name(own(item.value, "id")));
      return;
    }
    const parts = own(item.value, "parts");
    this.message(info, Array.isArray(parts) ? parts : [], atOf(item));
  }

  /** A message of version 2. `origin` = id of the message that it is a copy of; its own where it is none. */
  recordOfTwo(item: Item, origin: string | undefined): void {
    if (!isObject(item.value)) {
      this.notARecord(item);
      return;
    }
    const state = this.thread();
    this.two.message(state, item.value, atOf(item), origin);
    this.setModel(state, this.two.model);
  }

  override finish(): void {
    const state = this.thread();
    const runs: Pruned[][] = [];
    for (const pruned of this.pruned.sort((a, b) => a.at - b.at)) {
      const run = runs.at(-1);
      if (run !== undefined && pruned.at - (run[0]?.at ?? 0) <= PRUNE_RUN_MS) run.push(pruned);
      else runs.push([pruned]);
    }
    for (const run of runs) {
      const first = run[0];
      if (first === undefined) continue;
      this.builder.compaction(state, first.place, {
        what: "prune",
        atMessage: this.createdMs.filter((created) => created <= first.at).length,
        clearedCallIds: run.flatMap((pruned) => pruned.callId ?? []),
      });
    }
  }

  private message(info: JsonObject, parts: readonly unknown[], at: At): void {
    const { texts } = at;
    const state = this.thread();
    const role = own(info, "role");
    const created = own(own(info, "time"), "created");
    this.createdMs.push(typeof created === "number" ? created : (this.createdMs.at(-1) ?? 0));
    if (role === "user") state.nextTurn();
    else if (role !== "assistant")
      this.builder.unknownRecord(typeof role === "string" ? `role ${role}` : "no role", at.place);
    const model = texts.name(own(info, "modelID")) ?? texts.name(own(own(info, "model"), "modelID"));
    this.setModel(state, model);
    const calls = role === "assistant" ? this.calls(state, info, parts, at, model) : [];
    // The summariser's own call still saw everything, so it is told first.
    if (own(info, "summary") === true && role === "assistant") this.compacted(state, at);
    const part = this.live.add(texts.name(own(info, "id")) ?? `#${state.messages}`);
    let images = 0;
    let args = NO_TEXT;
    const strings: string[] = [];
    parts.forEach((value, i) => {
      if (!isObject(value)) return;
      const type = own(value, "type");
      if (type === "text") {
        const text = own(value, "text");
        if (typeof text === "string" && own(value, "ignored") !== true) strings.push(text);
      } else if (type === "tool") {
        const input = own(own(value, "state"), "input");
        args = addSizes(args, measureArguments([input], texts));
        this.tool(state, value, below(at, "parts", i), calls[i], part);
      } else if (type === "file") {
        const mime = own(value, "mime");
        if (typeof mime === "string" && mime.startsWith("image/")) images++;
      } else if (type === "compaction") {
        const auto = own(value, "auto");
        const trigger = typeof auto === "boolean" ? (auto ? "auto" : "manual") : undefined;
        this.compacting = { trigger, tail: texts.name(own(value, "tail_start_id")) };
      } else if (typeof type !== "string" || !SILENT_PARTS.has(type)) {
        this.builder.unknownBlocks([typeof type === "string" ? type : typeof type], at.place);
      }
    });
    const known = role === "user" || role === "assistant" ? role : "other";
    const size = measureParts(strings, texts);
    part.messages.push(this.builder.message(state, known, at.place, { size, images, args }));
  }

  private compacted(state: ThreadState, at: At): void {
    const { trigger, tail } = this.compacting ?? { trigger: undefined, tail: undefined };
    this.compacting = undefined;
    const gone = tail === undefined ? undefined : this.live.before(tail);
    this.live.leave(this.builder, state, at.place, gone, { what: "summary", trigger });
  }

  /** One call per step; the number of the call that each part belongs to. A message without steps is one call. */
  private calls(
    state: ThreadState,
    info: JsonObject,
    parts: readonly unknown[],
    at: At,
    model: string | undefined,
  ): readonly (number | undefined)[] {
    const { texts } = at;
    const time = timeText(own(own(info, "time"), "created"));
    const usages = parts.filter((part) => own(part, "type") === "step-finish");
    let key: string | undefined;
    let newest: string | undefined;
    const first = this.steps;
    const name = nameOf(info, texts);
    const tell = (usage: unknown): number => {
      key ??= `${++this.steps}`;
      newest = key;
      const identity = callIdentity(`${name} ${Number(key) - first}`);
      return this.builder.call(state, key, { model, at: time, usage: opencodeUsage(usage), place: at.place, identity });
    };
    const numbers = parts.map((part) => {
      const type = own(part, "type");
      if (typeof type !== "string" || !STEP_PARTS.has(type)) return undefined;
      if (type === "step-start") key = undefined;
      const number = tell(type === "step-finish" ? own(part, "tokens") : undefined);
      if (type === "step-finish") key = undefined;
      return number;
    });
    if (usages.length === 0) {
      key = newest;
      tell(own(info, "tokens"));
    } else if (opencodeUsage(own(info, "tokens")) !== undefined) {
      // The message repeats its last step.
      this.builder.usage.skip("same-message", at.place);
    }
    return numbers;
  }

  private tool(state: ThreadState, value: JsonObject, at: At, call: number | undefined, part: ContextPart): void {
    const { texts, place } = at;
    const id = texts.name(own(value, "callID")) ?? texts.name(own(value, "id"));
    const tool = texts.name(own(value, "tool"));
    this.builder.toolCall(state, { id, tool, call, turn: state.turn, place });
    const run = own(value, "state");
    const status = own(run, "status");
    if (status !== "completed" && status !== "error") return;
    const result = addToolState(this.builder, state, run, below(at, "state"), { id, tool });
    part.results.push(result.index);
    const compacted = own(own(run, "time"), "compacted");
    if (typeof compacted === "number") this.pruned.push({ at: compacted, callId: id, place });
  }
}

/**
 * What is the same in all copies of a message: a fork gives it a new id and keeps its times (`fork` of sst/opencode
 * packages/opencode/src/session/index.ts).
 */
function nameOf(info: JsonObject, texts: Texts): string {
  const created = own(own(info, "time"), "created");
  const completed = own(own(info, "time"), "completed");
  if (typeof created === "number" && typeof completed === "number") return `${created} ${completed}`;
  return texts.name(own(info, "id")) ?? "";
}

function addToolState(
  builder: TranscriptBuilder,
  state: ThreadState,
  run: unknown,
  at: At,
  call: { readonly id: string | undefined; readonly tool: string | undefined },
): ToolResult {
  const failed = own(run, "status") === "error";
  const key = failed ? "error" : "output";
  const attachments = own(run, "attachments");
  const images = Array.isArray(attachments)
    ? attachments.filter((file) => scalarText(own(file, "mime")).startsWith("image/")).length
    : 0;
  const isCleared = typeof own(own(run, "time"), "compacted") === "number";
  return builder.result(
    state,
    { callId: call.id, tool: call.tool, content: own(run, key), at: below(at, key), isError: failed, images },
    isCleared
      ? (stored) => ({
          state: "cleared",
          size: measureText(CLEARED),
          persisted: undefined,
          body: { place: at.place, path: [literalStep(CLEARED)] },
          fullText: stored.body,
        })
      : undefined,
  );
}

/** One file of opencode's storage tree. A session is spread over many of them, so it says what to open instead. */
export class OpencodeStorageReader extends RecordReader {
  override readonly members: ReadonlySet<string> = new Set([
    "id",
    "type",
    "sessionID",
    "callID",
    "tool",
    "state",
    "title",
  ]);
  private readonly facts = new Map<string, Item>();

  record(item: Item): void {
    this.notARecord(item);
  }

  override member(key: string, item: Item): void {
    this.facts.set(key, item);
  }

  override finish(): void {
    const id = this.name("sessionID") ?? this.name("id");
    const state = this.thread({ id, title: this.name("title") ?? id ?? this.context.name });
    const run = this.facts.get("state");
    if (run !== undefined && this.facts.has("tool")) {
      const call = { id: this.name("callID") ?? this.name("id"), tool: this.name("tool") };
      this.builder.toolCall(state, { ...call, call: undefined, turn: undefined, place: run.place });
      const status = own(run.value, "status");
      if (status === "completed" || status === "error") addToolState(this.builder, state, run.value, atOf(run), call);
    }
    this.builder.problems.add({
      code: "part-of-store",
      severity: "warning",
      message:
        "This file is one record of opencode's storage folder, which keeps a session in many files. " +
        "Open the session's file under storage/session, or export the session (opencode export) and open that.",
    });
  }

  private name(key: string): string | undefined {
    const item = this.facts.get(key);
    return item?.texts.name(item.value);
  }
}
