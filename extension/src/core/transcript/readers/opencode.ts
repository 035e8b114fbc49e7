import { addSizes } from "../../util/textSize";
import { type At, below, NO_TEXT, type ThreadState } from "../builder";
import { callIdentity } from "../callIdentity";
import { measureArguments, measureParts } from "../flatten";
import { isImageType } from "../imageType";
import { isObject, type JsonObject, own, type Texts } from "../json";
import { opencodeUsage, timeText } from "../usage";
import { type ContextPart, ContextParts } from "./contextParts";
import { addToolState } from "./opencodePart";
import { OpencodeTwo } from "./opencodeTwo";
import type { Item } from "./reader";
import { atOf, RecordReader } from "./recordReader";

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
 * What was undone and is in the store until the next prompt: everything from a message on, or from a part of it
 * (`revert` of a session, sst/opencode packages/opencode/src/session/revert.ts).
 */
interface Undone {
  readonly from: string;
  /** False where the beginning of that message stays; how much of it is not told apart. */
  readonly whole: boolean;
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
  private undone: Undone | undefined;
  private compacting: { readonly trigger: string | undefined; readonly tail: string | undefined } | undefined;

  override member(_key: string, item: Item): void {
    const { value, texts } = item;
    const id = texts.name(own(value, "id"));
    const parent = texts.name(own(value, "parentID"));
    const revert = own(value, "revert");
    const from = texts.name(own(revert, "messageID"));
    if (from !== undefined) this.undone = { from, whole: own(revert, "partID") === undefined, place: item.place };
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
    const { undone } = this;
    if (undone === undefined) return;
    for (const live of [this.live, this.two.live]) {
      const gone = live.from(undone.from, undone.whole) ?? [];
      if (gone.length > 0) live.leave(this.builder, state, undone.place, gone, { what: "rewind" });
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
        if (isImageType(own(value, "mime"))) images++;
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
