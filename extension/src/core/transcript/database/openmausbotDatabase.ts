import { leaveBranches, OpenmausbotThreadReader, type ThreadNode } from "../readers/openmausbotThread";
import { timeText } from "../usage";
import { type DatabaseContext, Outbox, type RowObject, TableAccess, textOf } from "./access";
import { jsonColumn, relocate } from "./jsonColumn";
import type { DatabaseReader } from "./reader";

const COLUMNS = ["thread_id", "id", "at", "role", "kind", "text", "json"];

const ID_COLUMNS = ["thread_id", "at"];
const STATE_COLUMNS = ["thread_id", "active_leaf_id"];

interface Thread {
  readonly reader: OpenmausbotThreadReader;
  readonly rows: number[];
}

/**
 * OpenMausBot's `messages.db`: threads are trees of messages; the branch that ends in the active leaf is in context, the
 * other ones were taken back.
 */
export class OpenmausbotDatabaseReader implements DatabaseReader {
  readonly out: Outbox;
  private readonly access: TableAccess;

  constructor(private readonly context: DatabaseContext) {
    this.access = new TableAccess(context);
    this.out = new Outbox(context.builder);
  }

  *read(): Generator<number> {
    const threads = this.threads();
    const leaves = new Map<string, string>();
    for (const { value } of this.access.scan("thread_state", STATE_COLUMNS)) {
      const [id, leaf] = [textOf(value["thread_id"]), textOf(value["active_leaf_id"])];
      if (id !== undefined && leaf !== undefined) leaves.set(id, leaf);
    }
    yield 0;
    for (const [id, { reader, rows }] of threads) {
      const nodes = new Map<string, ThreadNode>();
      for (const rowId of rows) {
        const row = this.access.row("messages", rowId, COLUMNS);
        if (row === undefined) continue;
        this.message(reader, row, nodes);
        yield row.bytes;
      }
      this.branches(id, nodes, leaves.get(id));
    }
  }

  /** Opens a thread for each id; no texts are read yet. */
  private threads(): ReadonlyMap<string, Thread> {
    const { builder } = this.context;
    const threads = new Map<string, Thread>();
    for (const row of this.access.scan("messages", ID_COLUMNS)) {
      const id = textOf(row.value["thread_id"]) ?? "";
      const known = threads.get(id);
      if (known !== undefined) {
        known.rows.push(row.id);
        continue;
      }
      const reader = new OpenmausbotThreadReader({ builder, format: "openmausbot-db", name: id });
      threads.set(id, { reader, rows: [row.id] });
      // A reader that is asked to end opens its thread, if only to have one.
      reader.finish();
      const state = builder.find(id);
      if (state !== undefined) builder.updateThread(state, { startedAt: timeText(row.value["at"]) });
    }
    if (threads.size === 1) builder.describe({ sessionId: [...threads.keys()][0] });
    return threads;
  }

  private message(reader: OpenmausbotThreadReader, row: RowObject, nodes: Map<string, ThreadNode>): void {
    const { out, access } = this;
    const { json, text, ...columns } = row.value;
    const data =
      json === undefined || json === null ? {} : (jsonColumn(row, "json", this.context.builder.problems) ?? {});
    const known = Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== null));
    const ownText = typeof text === "string" ? { text } : {};
    out.drain();
    const told = out.length;
    reader.record({ value: { ...data, ...known, ...ownText }, place: row.place, texts: access.texts });
    const events = out.drain();
    if (typeof text !== "string") {
      relocate(out, told, (ref) => (ref.path[0] === "text" ? { ...ref, path: ["json", ...ref.path] } : ref));
    }
    nodes.set(textOf(row.value["id"]) ?? `#${row.id}`, {
      parent: access.texts.name(data["parentId"]),
      messages: events.flatMap((event) => (event.kind === "message" ? [event.message] : [])),
      results: events.flatMap((event) => (event.kind === "result" ? [event.result.index] : [])),
    });
  }

  private branches(id: string, nodes: ReadonlyMap<string, ThreadNode>, leaf: string | undefined): void {
    const { builder } = this.context;
    const state = builder.find(id);
    if (state === undefined) return;
    leaveBranches(builder, state, nodes, leaf);
    this.out.drain();
  }
}
