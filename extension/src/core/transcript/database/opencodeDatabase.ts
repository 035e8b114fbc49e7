import type { BodyRef, RecordPlace } from "../../model/transcript";
import { OpencodeExportReader } from "../readers/opencode";
import { type DatabaseContext, numberOf, Outbox, type RowObject, TableAccess, textOf } from "./access";
import { jsonColumn, relocate } from "./jsonColumn";
import type { DatabaseReader } from "./reader";

interface Part {
  readonly id: string;
  readonly row: number;
}

interface Message {
  readonly id: string;
  readonly row: number;
  readonly createdMs: number;
}

interface Session {
  readonly id: string;
  readonly reader: OpencodeExportReader;
}

/**
 * opencode's `opencode.db`: sessions, messages and parts as rows with a JSON column that leaves out what the row's own
 * columns say. Each session is read as an export of it would be.
 */
export class OpencodeDatabaseReader implements DatabaseReader {
  readonly out: Outbox;
  private readonly access: TableAccess;

  constructor(private readonly context: DatabaseContext) {
    this.access = new TableAccess(context);
    this.out = new Outbox(context.builder);
  }

  *read(): Generator<number> {
    const { access, out } = this;
    const messages = new Map<string, Message[]>();
    for (const row of access.scan("message", ["id", "session_id", "time_created"])) {
      const message = { id: keyOf(row), row: row.id, createdMs: numberOf(row.value["time_created"]) ?? 0 };
      add(messages, textOf(row.value["session_id"]) ?? "", message);
    }
    const parts = new Map<string, Part[]>();
    for (const row of access.scan("part", ["id", "message_id"])) {
      add(parts, textOf(row.value["message_id"]) ?? "", { id: keyOf(row), row: row.id });
    }
    const sessions = this.sessions(new Set(messages.keys()));
    yield 0;
    for (const { id, reader } of sessions) {
      // Ids rise with time within one machine; the time of creation orders those that were imported.
      const own = (messages.get(id) ?? []).sort((a, b) => a.createdMs - b.createdMs || compare(a.id, b.id));
      for (const message of own)
        yield this.message(
          reader,
          message,
          (parts.get(message.id) ?? []).sort((a, b) => compare(a.id, b.id)),
        );
      reader.finish();
      out.drain();
    }
    if (sessions.length > 1) this.context.builder.describe({ sessionId: undefined, model: undefined });
  }

  private message(reader: OpencodeExportReader, message: Message, parts: readonly Part[]): number {
    const { access, out } = this;
    const { problems } = this.context.builder;
    const row = access.row("message", message.row, ["data"]);
    const data = row === undefined ? undefined : jsonColumn(row, "data", problems);
    if (row === undefined || data === undefined) return row?.bytes ?? 0;
    let bytes = row.bytes;
    const places: RecordPlace[] = [];
    const values: unknown[] = [];
    for (const part of parts) {
      const partRow = access.row("part", part.row, ["data"]);
      bytes += partRow?.bytes ?? 0;
      const value = partRow === undefined ? undefined : jsonColumn(partRow, "data", problems);
      if (partRow === undefined || value === undefined) continue;
      places.push(partRow.place);
      values.push({ ...value, id: part.id });
    }
    out.drain();
    const told = out.length;
    reader.record({
      value: { info: { ...data, id: message.id }, parts: values },
      place: row.place,
      texts: access.texts,
    });
    out.drain();
    relocate(out, told, (ref): BodyRef => {
      const [key, index, ...rest] = ref.path;
      const place = key === "parts" && typeof index === "number" ? places[index] : undefined;
      return place === undefined ? ref : { place, path: ["data", ...rest] };
    });
    return bytes;
  }

  private sessions(withMessages: Set<string>): readonly Session[] {
    const sessions: Session[] = [];
    const rows: RowObject[] = [];
    for (const row of this.access.scan("session", ["id", "title", "parent_id", "directory", "time_created", "data"]))
      rows.push(row);
    rows.sort(
      (a, b) => (numberOf(a.value["time_created"]) ?? 0) - (numberOf(b.value["time_created"]) ?? 0) || a.id - b.id,
    );
    for (const row of rows) {
      withMessages.delete(keyOf(row));
      sessions.push(this.open(keyOf(row), row));
    }
    for (const id of withMessages) sessions.push(this.open(id, undefined));
    return sessions;
  }

  private open(id: string, row: RowObject | undefined): Session {
    const { builder } = this.context;
    const data = row?.value["data"] ? (jsonColumn(row, "data", builder.problems) ?? {}) : {};
    const parent = textOf(row?.value["parent_id"]);
    const created = numberOf(row?.value["time_created"]);
    const info = {
      ...data,
      id,
      ...(textOf(row?.value["title"]) === undefined ? {} : { title: row?.value["title"] }),
      ...(parent === undefined ? {} : { parentID: parent }),
      ...(created === undefined || created === 0 ? {} : { time: { created } }),
    };
    const reader = new OpencodeExportReader({ builder, format: "opencode-db", name: id });
    const place = row?.place ?? { line: 0, start: 0, end: 0 };
    reader.member("info", { value: info, place, texts: this.access.texts });
    const state = builder.find(id);
    const project = textOf(row?.value["directory"]);
    if (state !== undefined && (parent !== undefined || project !== undefined)) {
      const from = parent === undefined ? {} : ({ parent: { id: parent, relation: "child" } } as const);
      state.thread = { ...state.thread, ...(project === undefined ? {} : { project }), ...from };
      this.out.push({ kind: "thread", thread: state.thread });
    }
    return { id, reader };
  }
}

const keyOf = (row: RowObject): string => textOf(row.value["id"]) ?? `#${row.id}`;

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function add<T>(lists: Map<string, T[]>, key: string, value: T): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}
