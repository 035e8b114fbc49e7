import { err, ok, type Problem, type Result } from "../../model/problem";
import type { AgentId, CharUnit, DatabaseFormatId, Thread } from "../../model/transcript";
import type { Cancel, Database, DatabaseTable, Utf8 } from "../../ports";
import { TranscriptBuilder } from "../builder";
import type { TranscriptEvent } from "../events";
import type { DatabaseContext } from "./access";
import { HermesDatabaseReader } from "./hermesDatabase";
import { OpencodeDatabaseReader } from "./opencodeDatabase";
import { OpenmausbotDatabaseReader } from "./openmausbotDatabase";
import { databaseProblem } from "./problems";
import type { DatabaseReader } from "./reader";
import { WebUiDatabaseReader } from "./webUiDatabase";

/** Batches end after so many events or bytes of rows, whichever comes first. */
const BATCH_EVENTS = 500;
const BATCH_BYTES = 1024 * 1024;

interface DatabaseFacts {
  readonly agent: AgentId;
  readonly unit: CharUnit;
  /** Tables and columns that make it this kind; any of these sets is enough. */
  readonly needs: readonly Readonly<Record<string, readonly string[]>>[];
  readonly create: (context: DatabaseContext) => DatabaseReader;
}

/** Every database that is read, in one table; the first whose tables are there wins. */
export const DATABASES: Readonly<Record<DatabaseFormatId, DatabaseFacts>> = {
  "hermes-db": {
    agent: "hermes",
    unit: "codePoints",
    needs: [{ sessions: ["id"], messages: ["session_id", "role", "content"] }],
    create: (context) => new HermesDatabaseReader(context),
  },
  "opencode-db": {
    agent: "opencode",
    unit: "utf16",
    needs: [
      { session: ["id"], message: ["id", "session_id", "data"], part: ["id", "message_id", "data"] },
      { session_message: ["id", "session_id", "type", "data"] },
    ],
    create: (context) => new OpencodeDatabaseReader(context),
  },
  "hermes-web-ui-db": {
    agent: "hermes",
    unit: "codePoints",
    needs: [{ gc_messages: ["roomId", "content"] }],
    create: (context) => new WebUiDatabaseReader(context),
  },
  "openmausbot-db": {
    agent: "openmausbot",
    unit: "utf16",
    needs: [{ messages: ["thread_id", "id", "role", "kind", "text"] }],
    create: (context) => new OpenmausbotDatabaseReader(context),
  },
};

interface Foreign {
  readonly table: string;
  readonly column: string;
  readonly text: string;
}

/** Databases of agents that hold no transcript, by a column that only they have, and what to open instead. */
const FOREIGN: readonly Foreign[] = [
  {
    // openai/codex codex-rs/state/migrations/0001_threads.sql
    table: "threads",
    column: "rollout_path",
    text: "is Codex's list of its sessions and holds none of their texts. Open the files rollout-….jsonl in the folder “sessions” beside it.",
  },
];

/** Which agent's database it is, by its tables and columns. */
export function detectDatabase(path: string, tables: readonly DatabaseTable[]): Result<DatabaseFormatId> {
  const lacking: string[] = [];
  for (const format of Object.keys(DATABASES) as DatabaseFormatId[]) {
    for (const needs of DATABASES[format].needs) {
      const found = Object.keys(needs).map((name) => tables.find((table) => table.name === name));
      if (found.some((table) => table === undefined)) continue;
      const missing = found.flatMap((table) =>
        (needs[table?.name ?? ""] ?? []).flatMap((column) =>
          table?.columns.includes(column) === true ? [] : [`${table?.name}.${column}`],
        ),
      );
      if (missing.length === 0) return ok(format);
      lacking.push(...missing);
    }
  }
  const foreign = FOREIGN.find(({ table, column }) =>
    tables.some(({ name, columns }) => name === table && columns.includes(column)),
  );
  const say = (code: string, text: string): Result<DatabaseFormatId> =>
    err({ code, severity: "error", message: `${path} ${text}` });
  if (foreign !== undefined) return say("unsupported-format", foreign.text);
  if (lacking.length > 0) {
    return say("database-schema", `has no columns that are needed to read it: ${lacking.slice(0, 8).join(", ")}.`);
  }
  const names = tables.slice(0, 8).map((table) => table.name);
  return say(
    "unknown-format",
    "is a SQLite database without the tables of a known agent. Known are Hermes state.db, hermes-web-ui.db, opencode.db " +
      `and OpenMausBot messages.db; it has ${names.length === 0 ? "no tables" : names.join(", ")}.`,
  );
}

/**
 * Reads an agent's database as batches of events, every session a thread; the threads come first. Nothing is thrown for
 * what is wrong with the file. Cancelled, it ends after the batch at hand without the closing events.
 */
export async function* readDatabase(
  database: Database,
  ports: { readonly utf8: Utf8 },
  cancel: Cancel,
): AsyncGenerator<readonly TranscriptEvent[]> {
  const found = formatOf(database);
  if (cancel.isCancellationRequested) return;
  if (!found.ok) {
    yield [{ kind: "problem", problem: found.error }];
    return;
  }
  const format = found.value;
  const { agent, unit, create } = DATABASES[format];
  const builder = new TranscriptBuilder(
    { format, agent, unit, sessionId: undefined, model: undefined },
    { lateCalls: false },
  );
  const reader = create({ database, builder, utf8: ports.utf8, cancel });
  const totalBytes = database.bytes;
  let doneBytes = 0;
  let batchBytes = 0;
  let first = true;
  for (const bytes of reader.read()) {
    if (cancel.isCancellationRequested) return;
    doneBytes += bytes;
    batchBytes += bytes;
    reader.out.drain();
    if (!first && reader.out.length < BATCH_EVENTS && batchBytes < BATCH_BYTES) continue;
    first = false;
    batchBytes = 0;
    yield [...reader.out.take(), { kind: "progress", doneBytes: Math.min(doneBytes, totalBytes), totalBytes }];
  }
  if (cancel.isCancellationRequested) return;
  builder.finish();
  yield [...reader.out.take(), { kind: "progress", doneBytes: totalBytes, totalBytes }];
}

/** The sessions of a database, in the order of their beginning; no texts are read for it. */
export async function listThreads(
  database: Database,
  ports: { readonly utf8: Utf8 },
  cancel: Cancel,
): Promise<Result<readonly Thread[]>> {
  const threads = new Map<string, Thread>();
  let problem: Problem | undefined;
  let isKnown = false;
  // The first batch has them all.
  for await (const events of readDatabase(database, ports, cancel)) {
    for (const event of events) {
      if (event.kind === "thread") threads.set(event.thread.id, event.thread);
      else if (event.kind === "header") isKnown = true;
      else if (event.kind === "problem") problem ??= event.problem;
    }
    break;
  }
  return !isKnown && problem !== undefined ? err(problem) : ok([...threads.values()]);
}

function formatOf(database: Database): Result<DatabaseFormatId, Problem> {
  try {
    return detectDatabase(database.path, database.tables());
  } catch (error) {
    return err(databaseProblem(database.path, error));
  }
}
