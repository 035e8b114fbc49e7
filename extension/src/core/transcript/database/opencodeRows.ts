import { numberOf, type RowObject, type TableAccess, textOf } from "./access";

/** A row of `session_message`, without its text. */
export interface RowOfTwo {
  readonly id: string;
  readonly row: number;
  readonly type: string;
  /** Order within its session; rows from before the column exists are ordered by time. */
  readonly seq: number;
}

/** Forks of forks that are followed; rows that point at each other end somewhere too. */
const MAX_FORKS = 100;
const COLUMNS = ["id", "session_id", "type", "seq", "time_created"];

/** What the table `session_message` of an `opencode.db` holds, by session. */
export class OpencodeRows {
  private readonly rows = new Map<string, RowOfTwo[]>();
  private readonly bySeq = new Map<string, Map<number, string>>();
  private readonly forkOf = new Map<string, string>();

  constructor(private readonly access: TableAccess) {}

  /** `sessions` = the rows of sessions by their id. */
  scan(sessions: ReadonlyMap<string, RowObject>): void {
    for (const row of this.access.scan("session_message", COLUMNS)) {
      const session = textOf(row.value["session_id"]) ?? "";
      const seq = numberOf(row.value["seq"]) ?? numberOf(row.value["time_created"]) ?? row.id;
      const id = textOf(row.value["id"]) ?? `#${row.id}`;
      const list = this.rows.get(session);
      const entry = { id, row: row.id, type: textOf(row.value["type"]) ?? "", seq };
      if (list === undefined) this.rows.set(session, [entry]);
      else list.push(entry);
    }
    for (const list of this.rows.values()) list.sort((a, b) => a.seq - b.seq || a.row - b.row);
    for (const [id, { value }] of sessions) {
      const from = textOf(value["fork_session_id"]);
      if (from !== undefined) this.forkOf.set(id, from);
    }
  }

  sessions(): readonly string[] {
    return [...this.rows.keys()];
  }

  /** Undefined where the session has none. */
  of(session: string): readonly RowOfTwo[] | undefined {
    return this.rows.get(session);
  }

  /**
   * Id of the message that one is a copy of, through all forks; its own where it is none. A fork copies each row under its
   * number and names it by that (projectFork of packages/core/src/session/projector.ts).
   */
  origin(session: string, id: string, seq: number): string {
    let [at, name] = [session, id];
    for (let n = 0; n < MAX_FORKS && name.endsWith(`_${seq}`); n++) {
      const from = this.forkOf.get(at);
      const original = from === undefined ? undefined : this.numbered(from).get(seq);
      if (from === undefined || original === undefined) break;
      [at, name] = [from, original];
    }
    return name;
  }

  private numbered(session: string): ReadonlyMap<number, string> {
    let numbers = this.bySeq.get(session);
    if (numbers === undefined) {
      numbers = new Map((this.rows.get(session) ?? []).map(({ seq, id }) => [seq, id]));
      this.bySeq.set(session, numbers);
    }
    return numbers;
  }
}
