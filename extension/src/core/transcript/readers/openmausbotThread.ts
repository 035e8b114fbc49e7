import type { Message, RecordPlace } from "../../model/transcript";
import { recognise } from "../../results/recognise";
import type { At, ThreadState, TranscriptBuilder } from "../builder";
import { flatten, measureParts } from "../flatten";
import { isObject, type JsonObject, own } from "../json";
import { timeText } from "../usage";
import type { Item, Reader, ReaderContext } from "./reader";

/** A message of a thread's tree, and what came of it. */
export interface ThreadNode {
  readonly parent: string | undefined;
  readonly messages: readonly Message[];
  /** Indexes of results. */
  readonly results: readonly number[];
}

/** Tells which messages are not on the way from the active leaf to the root: they were taken back. */
export function leaveBranches(
  builder: TranscriptBuilder,
  state: ThreadState,
  nodes: ReadonlyMap<string, ThreadNode>,
  leaf: string | undefined,
): void {
  if (leaf === undefined || !nodes.has(leaf)) return;
  const active = new Set<string>();
  for (let at: string | undefined = leaf; at !== undefined && !active.has(at); at = nodes.get(at)?.parent)
    active.add(at);
  const gone = [...nodes].filter(([key]) => !active.has(key)).map(([, node]) => node);
  const place = gone[0]?.messages[0]?.place;
  if (place === undefined) return;
  builder.compaction(state, place, {
    what: "rewind",
    scope: "listed",
    messages: gone.flatMap((node) => node.messages),
    results: gone.flatMap((node) => node.results),
  });
}

/**
 * A page of an OpenMausBot thread, or a whole one as older versions kept it. Its activity rows name a tool but hold neither ids nor results, so only a row whose
 * text is a result notice gives a tool result.
 */
export class OpenmausbotThreadReader implements Reader {
  readonly arrays: ReadonlySet<string> = new Set(["messages"]);
  readonly members: ReadonlySet<string> = new Set(["hasMore", "activeLeafId"]);
  private readonly nodes = new Map<string, ThreadNode>();
  private leaf: string | undefined;
  private readonly builder: TranscriptBuilder;
  private state: ThreadState | undefined;

  constructor(private readonly context: ReaderContext) {
    this.builder = context.builder;
  }

  record(item: Item): void {
    const { value, place, texts } = item;
    if (!isObject(value)) {
      this.builder.unknownRecord(typeof value, place);
      return;
    }
    const state = this.thread(timeText(own(value, "at")));
    const role = own(value, "role");
    const kind = own(value, "kind");
    const tool = texts.name(own(own(value, "tool"), "name"));
    const text = own(value, "text");
    const flat = flatten(text, texts);
    const size = measureParts(flat.parts, texts);
    if (role === "user") state.nextTurn();
    const results: number[] = [];
    const told = (message: Message): void => this.node(value, item, message, results);
    if (kind === "activity" || tool !== undefined) {
      const notice = recognise(texts.decode(flat.parts[0] ?? ""), { agent: this.builder.agent, tool });
      if (notice.state !== "inline") {
        const at: At = { place, texts, path: ["text"] };
        const isError = own(own(value, "tool"), "ok") === false;
        results.push(this.builder.result(state, { callId: undefined, tool, content: text, at, isError }).index);
      }
      told(this.builder.message(state, "tool", place, { size, images: flat.images }));
      return;
    }
    const known = role === "user" ? "user" : role === "bot" ? "assistant" : "other";
    told(this.builder.message(state, known, place, { size, images: flat.images }));
  }

  private node(value: JsonObject, { texts }: Item, message: Message, results: readonly number[]): void {
    const id = texts.name(own(value, "id"));
    // A database's reader knows the active branches itself.
    if (id === undefined || this.context.format !== "openmausbot-thread") return;
    this.nodes.set(id, { parent: texts.name(own(value, "parentId")), messages: [message], results });
  }

  begin(): void {}

  member(key: string, item: Item): void {
    if (key === "activeLeafId") {
      this.leaf = item.texts.name(item.value);
      return;
    }
    if (item.value !== true) return;
    this.builder.problems.add({
      code: "page-of-thread",
      severity: "info",
      message: "This is one page of a thread; older messages are in other pages.",
      at: item.place,
    });
  }

  element(_key: string, item: Item): void {
    this.record(item);
  }

  end(_place: RecordPlace): void {
    this.thread(undefined);
  }

  finish(): void {
    leaveBranches(this.builder, this.thread(undefined), this.nodes, this.leaf);
  }

  private thread(startedAt: string | undefined): ThreadState {
    if (this.state === undefined) {
      const id = this.context.name;
      this.state = this.builder.open({ id, title: id, kind: "main", model: undefined, startedAt });
    }
    return this.state;
  }
}
