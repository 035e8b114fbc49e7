import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { createInterface } from "node:readline";
import { type Chance, MOST_RESULTS, type PlainResult, type Written } from "./transcripts";

const PYTHON = "python3";
/** Only Python's own SQLite writes a write-ahead log here. */
export const canWriteDatabases = spawnSync(PYTHON, ["-c", "import sqlite3"]).status === 0;

/** Writes a database as Hermes does, a step per line of its input; answers each with a line. */
const WRITER = `
import sqlite3, sys, json
db = sqlite3.connect(sys.argv[1], isolation_level=None)
db.execute("PRAGMA journal_mode=WAL")
db.execute("PRAGMA synchronous=OFF")
db.execute("PRAGMA wal_autocheckpoint=200")
db.execute("CREATE TABLE IF NOT EXISTS sessions (id TEXT PRIMARY KEY, source TEXT, model TEXT, started_at REAL, title TEXT, parent_session_id TEXT)")
db.execute("CREATE TABLE IF NOT EXISTS messages (id INTEGER PRIMARY KEY, session_id TEXT, role TEXT, content TEXT, tool_call_id TEXT, tool_calls TEXT, tool_name TEXT, timestamp REAL, active INTEGER, compacted INTEGER, api_content TEXT)")
db.execute("INSERT OR IGNORE INTO sessions VALUES ('s', 'cli', 'm', 1788760800, NULL, NULL)")
def add(role, content, call=None, calls=None):
    db.execute("INSERT INTO messages (session_id, role, content, tool_call_id, tool_calls, tool_name, timestamp, active, compacted) VALUES ('s', ?, ?, ?, ?, ?, 1788760900, 1, 0)",
        (role, content, call, calls, "terminal" if role == "tool" else None))
if db.execute("SELECT count(*) FROM messages").fetchone()[0] == 0: add("user", "begin")
print("ready", flush=True)
for line in sys.stdin:
    step = json.loads(line)
    kind = step["do"]
    if kind == "begin" and not db.in_transaction: db.execute("BEGIN IMMEDIATE")
    elif kind == "commit" and db.in_transaction: db.execute("COMMIT")
    elif kind == "rollback" and db.in_transaction: db.execute("ROLLBACK")
    elif kind == "add":
        for id, text in step["pairs"]:
            add("assistant", "", None, json.dumps([{"id": id, "type": "function", "function": {"name": "terminal", "arguments": "{}"}}]))
            add("tool", text, id)
    elif kind == "keep": db.execute("DELETE FROM messages WHERE id > (SELECT min(id) FROM messages) + ?", (step["count"],))
    elif kind == "clear": db.execute("DELETE FROM messages WHERE role <> 'user'")
    elif kind == "checkpoint" and not db.in_transaction: db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    elif kind == "vacuum" and not db.in_transaction: db.execute("VACUUM")
    rows = db.execute("SELECT tool_call_id, length(content) FROM messages WHERE role = 'tool' ORDER BY id").fetchall()
    print(json.dumps(rows), flush=True)
db.close()
`;

let made = 0;

/** A database with a write-ahead log, whose writer is another process that may be ended at any time. */
export class HermesDatabase implements Written {
  private child: ChildProcess | undefined;
  private lines: AsyncIterator<string> | undefined;
  private rows: readonly PlainResult[] = [];

  constructor(readonly path: string) {}

  async step(chance: Chance): Promise<string> {
    if (this.rows.length > MOST_RESULTS) return this.say({ do: "clear" });
    switch (chance(0, 13)) {
      case 0:
        return this.say({ do: "begin" });
      case 1:
        return this.say({ do: chance(0, 1) === 0 ? "commit" : "rollback" });
      case 2:
        return this.say({ do: "checkpoint" });
      case 3:
        return this.say({ do: "keep", count: 2 * chance(0, 40) });
      case 4:
        return this.say({ do: "vacuum" });
      case 5:
        await this.kill("SIGKILL");
        return "writer killed";
      case 6: {
        await this.kill("SIGKILL");
        for (const suffix of ["", "-wal", "-shm"]) rmSync(this.path + suffix, { force: true });
        return "removed";
      }
      default:
        return this.add(chance(1, 6), chance);
    }
  }

  async rest(chance: Chance): Promise<void> {
    await this.say({ do: "commit" });
    await this.add(1, chance);
  }

  async read(): Promise<readonly PlainResult[]> {
    await this.say({ do: "rows" });
    return this.rows;
  }

  async end(): Promise<void> {
    await this.kill("SIGTERM");
    for (const suffix of ["", "-wal", "-shm"]) rmSync(this.path + suffix, { force: true });
  }

  /** The writer, which is a process of the test's own. */
  get pid(): number | undefined {
    return this.child?.pid;
  }

  private add(count: number, chance: Chance): Promise<string> {
    const pairs = Array.from({ length: count }, () => [`call_db_${made++}`, "🚢 ebb ".repeat(chance(1, 500))]);
    return this.say({ do: "add", pairs });
  }

  private async say(step: { readonly do: string; readonly [key: string]: unknown }): Promise<string> {
    const child = await this.started();
    child.stdin?.write(`${JSON.stringify(step)}\n`);
    this.rows = JSON.parse(await this.line());
    return step.do;
  }

  private async line(): Promise<string> {
    const next = await this.lines?.next();
    if (next?.done !== false) throw new Error(`the writer of ${this.path} ended`);
    return next.value;
  }

  private async started(): Promise<ChildProcess> {
    if (this.child !== undefined) return this.child;
    const child = spawn(PYTHON, ["-c", WRITER, this.path], { stdio: ["pipe", "pipe", "inherit"] });
    this.child = child;
    this.lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    if ((await this.line()) !== "ready") throw new Error("the writer did not come up");
    return child;
  }

  private async kill(signal: NodeJS.Signals): Promise<void> {
    const { child } = this;
    this.child = undefined;
    this.lines = undefined;
    if (child === undefined || child.exitCode !== null) return;
    const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
    child.kill(signal);
    await ended;
  }
}
