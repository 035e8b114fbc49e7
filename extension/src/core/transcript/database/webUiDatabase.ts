import type { ThreadUsage } from "../../model/transcript";
import type { ThreadState } from "../builder";
import { ChatMessages } from "../readers/chatMessages";
import { timeText, webUiUsage } from "../usage";
import { type DatabaseContext, numberOf, Outbox, type RowObject, TableAccess, textOf } from "./access";
import type { DatabaseReader } from "./reader";

const ROOM_COLUMNS = ["id", "name", "createdAt", "workspace"];
const AGENT_COLUMNS = ["roomId", "model"];
const ORDER_COLUMNS = ["roomId", "timestamp"];
const MESSAGE_COLUMNS = [
  "roomId",
  "senderType",
  "senderAgentRecordId",
  "role",
  "content",
  "timestamp",
  "tool_call_id",
  "tool_calls",
  "tool_name",
];
const PROFILE_COLUMNS = ["session_id", "room_id"];
const USAGE_COLUMNS = [
  "session_id",
  "model",
  "purpose",
  "api_calls",
  "input_tokens",
  "cache_read_tokens",
  "cache_write_tokens",
  "output_tokens",
];

interface Room {
  readonly state: ThreadState;
  readonly messages: readonly number[];
}

/**
 * The database of hermes-web-ui: each room of its group chat is a thread (hermes.md 5.8; packages/server/src/db/hermes/schemas.ts
 * @1ee42740). It holds what was said and the tool results, not what each agent had in its context; that is in `state.db`.
 * Usage is kept per run.
 */
export class WebUiDatabaseReader implements DatabaseReader {
  readonly out: Outbox;
  private readonly access: TableAccess;
  private readonly chat: ChatMessages;

  constructor(private readonly context: DatabaseContext) {
    this.access = new TableAccess(context);
    this.out = new Outbox(context.builder);
    this.chat = new ChatMessages(context.builder, { hermes: false });
  }

  *read(): Generator<number> {
    const rooms = this.rooms();
    yield 0;
    for (const { state, messages } of rooms) {
      for (const id of messages) {
        const row = this.access.row("gc_messages", id, MESSAGE_COLUMNS);
        if (row === undefined) continue;
        this.message(state, row);
        yield row.bytes;
      }
    }
  }

  /** Opens a thread for each room and puts its messages in order; no texts are read yet. */
  private rooms(): readonly Room[] {
    const { builder } = this.context;
    const rows = new Map<string, RowObject>();
    for (const row of this.access.scan("gc_rooms", ROOM_COLUMNS)) rows.set(textOf(row.value["id"]) ?? "", row);
    const messages = new Map<string, { readonly id: number; readonly at: number }[]>();
    for (const { id, value } of this.access.scan("gc_messages", ORDER_COLUMNS)) {
      const room = textOf(value["roomId"]) ?? "";
      const list = messages.get(room) ?? [];
      if (list.length === 0) messages.set(room, list);
      list.push({ id, at: numberOf(value["timestamp"]) ?? 0 });
    }
    const models = this.models();
    const usage = this.usage();
    const ids = [...new Set([...rows.keys(), ...messages.keys()])];
    if (ids.length === 1) builder.describe({ sessionId: ids[0], model: models.get(ids[0] ?? "") });
    return ids.map((id) => {
      const row = rows.get(id)?.value ?? {};
      // A run's messages are stored when it ends, so that rows of several agents stand out of order.
      const list = (messages.get(id) ?? []).sort((a, b) => a.at - b.at || a.id - b.id);
      const state = builder.open({
        id,
        title: textOf(row["name"]) ?? id,
        kind: "main",
        model: models.get(id),
        startedAt: timeText(row["createdAt"] ?? list[0]?.at),
        source: "group chat",
        project: textOf(row["workspace"]),
        usage: usage.get(id) ?? [],
      });
      return { state, messages: list.map((message) => message.id) };
    });
  }

  /** Model of each room whose agents have one and the same. */
  private models(): ReadonlyMap<string, string> {
    const models = new Map<string, string>();
    const mixed = new Set<string>();
    for (const { value } of this.access.scan("gc_room_agents", AGENT_COLUMNS)) {
      const [room, model] = [textOf(value["roomId"]) ?? "", textOf(value["model"])];
      if (model === undefined) continue;
      if ((models.get(room) ?? model) !== model) mixed.add(room);
      models.set(room, model);
    }
    for (const room of mixed) models.delete(room);
    return models;
  }

  /** Sums over the runs of a room's sessions, by model and purpose. */
  private usage(): ReadonlyMap<string, readonly ThreadUsage[]> {
    const roomOf = new Map<string, string>();
    for (const { value } of this.access.scan("gc_session_profiles", PROFILE_COLUMNS)) {
      const [session, room] = [textOf(value["session_id"]), textOf(value["room_id"])];
      if (session !== undefined && room !== undefined) roomOf.set(session, room);
    }
    const sums = new Map<string, Map<string, ThreadUsage>>();
    for (const { value } of this.access.scan("session_usage", USAGE_COLUMNS)) {
      const room = roomOf.get(textOf(value["session_id"]) ?? "");
      if (room === undefined) continue;
      const run = usageOf(value);
      const key = `${run.model ?? ""}\n${run.task ?? ""}`;
      const known = sums.get(room) ?? new Map<string, ThreadUsage>();
      sums.set(room, known.set(key, added(known.get(key), run)));
    }
    return new Map([...sums].map(([room, list]) => [room, [...list.values()]]));
  }

  private message(state: ThreadState, row: RowObject): void {
    const { senderType, senderAgentRecordId, role, ...rest } = row.value;
    const byAgent = senderType === "agent" || textOf(senderAgentRecordId) !== undefined;
    // Older databases know no roles; in newer ones they begin as `user` for whoever wrote.
    const stated = textOf(role) ?? "user";
    const value = { ...rest, role: stated === "user" && byAgent ? "assistant" : stated };
    this.chat.message(state, value, { place: row.place, texts: this.access.texts, path: [] });
  }
}

function usageOf(value: RowObject["value"]): ThreadUsage {
  const usage = webUiUsage(value);
  return {
    model: textOf(value["model"]),
    task: textOf(value["purpose"]),
    calls: numberOf(value["api_calls"]),
    input: usage?.input,
    cacheRead: usage?.cacheRead,
    cacheWrite: usage?.cacheWrite,
    output: usage?.output,
  };
}

function added(a: ThreadUsage | undefined, b: ThreadUsage): ThreadUsage {
  if (a === undefined) return b;
  const plus = (x: number | undefined, y: number | undefined): number | undefined =>
    x === undefined || y === undefined ? (x ?? y) : x + y;
  return {
    ...a,
    calls: plus(a.calls, b.calls),
    input: plus(a.input, b.input),
    cacheRead: plus(a.cacheRead, b.cacheRead),
    cacheWrite: plus(a.cacheWrite, b.cacheWrite),
    output: plus(a.output, b.output),
  };
}
