import type { BodyRef, RecordPlace, ThreadParent } from "../../model/transcript";
import { OpencodeExportReader } from "../readers/opencode";
import { type DatabaseContext, numberOf, Outbox, type RowObject, TableAccess, textOf } from "./access";
import { jsonColumn, relocate } from "./jsonColumn";
import { OpencodeRows, type RowOfTwo } from "./opencodeRows";
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
  /** Rows of `session_message`, where they are what is read. */
  readonly two: readonly RowOfTwo[] | undefined;
}

const SESSION_COLUMNS = ["id", "title", "parent_id", "fork_session_id", "directory", "time_created", "revert", "data"];

/**
 * opencode's `opencode.db`: sessions, messages and parts as rows with a JSON column that leaves out what the row's own
 * columns say. Each session is read as an export of it would be. Version 2 keeps sessions in `session_v2` and each message
 * whole in `session_message`; the older tables stay as they were, copies of what was taken over among them, so that a
 * session of `session_v2` is read from there (anomalyco/opencode packages/core/src/session/sql.ts; nicosuave/memex
 * PR #195, JingbiaoMei/Tokdash PR #99). Without that table `session_message` is a by-product of the older ones
 * (anomalyco/opencode PR #30728) and only tells sessions that these say nothing of.
 */
export class OpencodeDatabaseReader implements DatabaseReader {
  readonly out: Outbox;
  private readonly access: TableAccess;
  private readonly two: OpencodeRows;

  constructor(private readonly context: DatabaseContext) {
    this.access = new TableAccess(context);
    this.out = new Outbox(context.builder);
    this.two = new OpencodeRows(this.access);
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
    for (const { id, reader, two } of sessions) {
      for (const row of two ?? []) yield this.messageOfTwo(id, reader, row);
      // Ids rise with time within one machine; the time of creation orders those that were imported.
      const own = (messages.get(id) ?? []).sort((a, b) => a.createdMs - b.createdMs || compare(a.id, b.id));
      for (const message of two === undefined ? own : [])
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
    const { access } = this;
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
    const value = { info: { ...data, id: message.id }, parts: values };
    this.tell(
      () => reader.record({ value, place: row.place, texts: access.texts }),
      (ref): BodyRef => {
        const [key, index, ...rest] = ref.path;
        const place = key === "parts" && typeof index === "number" ? places[index] : undefined;
        return place === undefined ? ref : { place, path: ["data", ...rest] };
      },
    );
    return bytes;
  }

  private messageOfTwo(
    session: string,
    reader: OpencodeExportReader,
    { id, row: number, type, seq }: RowOfTwo,
  ): number {
    const row = this.access.row("session_message", number, ["data"]);
    const data = row === undefined ? undefined : jsonColumn(row, "data", this.context.builder.problems);
    if (row === undefined || data === undefined) return row?.bytes ?? 0;
    const item = { value: { ...data, id, type }, place: row.place, texts: this.access.texts };
    const origin = this.two.origin(session, id, seq);
    this.tell(
      () => reader.recordOfTwo(item, origin),
      ({ place, path }) =>
        place.row?.table === "session_message" ? { place, path: ["data", ...path] } : { place, path },
    );
    return row.bytes;
  }

  /** Has something read, and moves the places of its results to where their texts lie. */
  private tell(read: () => void, move: (ref: BodyRef) => BodyRef): void {
    const { out } = this;
    out.drain();
    const told = out.length;
    read();
    out.drain();
    relocate(out, told, move);
  }

  private sessions(withMessages: ReadonlySet<string>): readonly Session[] {
    const { access, two } = this;
    const rows = new Map<string, RowObject>();
    for (const row of access.scan("session", SESSION_COLUMNS)) rows.set(keyOf(row), row);
    const moved = new Set<string>();
    for (const row of access.scan("session_v2", SESSION_COLUMNS)) {
      moved.add(keyOf(row));
      rows.set(keyOf(row), row);
    }
    two.scan(rows);
    const listed = [...rows].sort(
      ([, a], [, b]) =>
        (numberOf(a.value["time_created"]) ?? 0) - (numberOf(b.value["time_created"]) ?? 0) || a.id - b.id,
    );
    const unlisted = [...withMessages, ...two.sessions()].filter((id) => !rows.has(id));
    const all = [...listed, ...[...new Set(unlisted)].map((id) => [id, undefined] as const)];
    return all.map(([id, row]) => {
      const fromTwo = moved.has(id) || !withMessages.has(id) ? two.of(id) : undefined;
      return { id, reader: this.open(id, row), two: fromTwo };
    });
  }

  private open(id: string, row: RowObject | undefined): OpencodeExportReader {
    const { builder } = this.context;
    const data = row?.value["data"] ? (jsonColumn(row, "data", builder.problems) ?? {}) : {};
    const parent = textOf(row?.value["parent_id"]);
    const fork = textOf(row?.value["fork_session_id"]);
    const created = numberOf(row?.value["time_created"]);
    const revert = row?.value["revert"] ? jsonColumn(row, "revert", builder.problems) : undefined;
    const info = {
      ...data,
      ...(revert === undefined ? {} : { revert }),
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
    const from = parentOf(parent, fork);
    if (state !== undefined && (from !== undefined || project !== undefined)) {
      state.thread = {
        ...state.thread,
        ...(project === undefined ? {} : { project }),
        ...(from === undefined ? {} : { parent: from }),
      };
      this.out.push({ kind: "thread", thread: state.thread });
    }
    return reader;
  }
}

function parentOf(parent: string | undefined, fork: string | undefined): ThreadParent | undefined {
  if (parent !== undefined) return { id: parent, relation: "child" };
  return fork === undefined ? undefined : { id: fork, relation: "branch" };
}

const keyOf = (row: RowObject): string => textOf(row.value["id"]) ?? `#${row.id}`;

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function add<T>(lists: Map<string, T[]>, key: string, value: T): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}
