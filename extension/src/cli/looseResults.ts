import type { LooseResult } from "../core/compaction/abStudy";
import { err, ok, type Problem, type Result } from "../core/model/problem";
import { type Database, NEVER_CANCELLED, type SqlValue } from "../core/ports";
import { collect } from "../core/transcript/collect";
import { databaseProblem, isDatabaseError } from "../core/transcript/database/problems";
import { readDatabase } from "../core/transcript/database/readDatabase";
import { countCodePoints } from "../core/util/textSize";
import type { CliIo } from "./io";
import { openIfDatabase, openInput } from "./readInput";
import { plain } from "./text";

export interface DatabaseResults {
  readonly kind: "hermes-db" | "hermes-web-ui";
  readonly results: readonly LooseResult[];
  /** Times of results whose text is not there; milliseconds since the epoch. */
  readonly untold: readonly number[];
  /** What could not be read. */
  readonly problems: readonly Problem[];
}

/** Tool results of a Hermes `state.db` or of the database of hermes-web-ui, told apart by their tables. */
export async function databaseResults(path: string, io: CliIo): Promise<Result<DatabaseResults>> {
  const source = await openInput(path, io);
  if (!source.ok) return err({ ...source.error, message: `${plain(path)}: ${source.error.message}` });
  const opened = await openIfDatabase(source.value, io);
  if (!opened.ok) return opened;
  const database = opened.value;
  if (database === undefined)
    return err(failure("not-a-database", `${plain(path)}: --db names a file that is no SQLite database.`));
  try {
    const tables = new Set(database.tables().map(({ name }) => name));
    if (tables.has("gc_messages")) return ok(webUiResults(database, tables));
    if (tables.has("messages")) return ok(await stateResults(database, io));
    const message = `${plain(path)}: --db names a database that is neither a Hermes state.db nor that of hermes-web-ui.`;
    return err(failure("unsupported-format", message));
  } catch (error) {
    return err(databaseProblem(path, error));
  } finally {
    database.close();
  }
}

/** The reader of sessions knows the tools' names, which old rows do not state; the times come from the rows themselves. */
async function stateResults(database: Database, io: CliIo): Promise<DatabaseResults> {
  const index = await collect(readDatabase(database, io, NEVER_CANCELLED));
  const times = new Map<number, number>();
  const problems = index.problems.filter(({ severity }) => severity === "error" || severity === "warning");
  try {
    for (const { id, values } of database.rows({ table: "messages", columns: ["timestamp"], where: { role: "tool" } }))
      times.set(id, milliseconds(values[0], 1000));
  } catch (error) {
    if (!isDatabaseError(error)) throw error;
    problems.push(databaseProblem(database.path, error, "messages"));
  }
  const results = index.results.flatMap((result): LooseResult[] => {
    const at = result.place.row?.table === "messages" ? times.get(result.place.row.id) : undefined;
    if (at === undefined || Number.isNaN(at) || result.state === "missing") return [];
    return [{ tool: result.tool ?? "", chars: result.size.codePoints, at, runId: undefined, thread: result.threadId }];
  });
  return { kind: "hermes-db", results, untold: [], problems };
}

const WEB_UI_COLUMNS = ["roomId", "tool_name", "content", "timestamp", "run_id"] as const;

/** Rooms lead to sessions where `gc_session_profiles` lists them; a room of several sessions leads to none. */
function webUiResults(database: Database, tables: ReadonlySet<string>): DatabaseResults {
  const sessions = new Map<SqlValue, string | undefined>();
  if (tables.has("gc_session_profiles")) {
    for (const { values } of database.rows({ table: "gc_session_profiles", columns: ["room_id", "session_id"] })) {
      const [room = null, session] = values;
      sessions.set(room, sessions.has(room) ? undefined : textOf(session));
    }
  }
  const results: LooseResult[] = [];
  const untold: number[] = [];
  let timeless = false;
  for (const row of database.rows({ table: "gc_messages", columns: WEB_UI_COLUMNS, where: { role: "tool" } })) {
    const [room = null, tool, content, timestamp, run] = row.values;
    const at = milliseconds(timestamp, 1);
    if (Number.isNaN(at)) timeless = true;
    else if (typeof content !== "string") untold.push(at);
    if (typeof content !== "string" || Number.isNaN(at)) continue;
    const thread = sessions.get(room);
    results.push({ tool: textOf(tool) ?? "", chars: countCodePoints(content), at, runId: textOf(run), thread });
  }
  // How many is not said: nothing tells whether they belong to the study.
  const message = "Tool results of gc_messages that have no time are left out.";
  const problems: readonly Problem[] = timeless ? [{ code: "results-left-out", severity: "warning", message }] : [];
  return { kind: "hermes-web-ui", results, untold, problems };
}

function milliseconds(value: SqlValue | undefined, perUnit: number): number {
  return typeof value === "number" ? Math.round(value * perUnit) : Number.NaN;
}

function textOf(value: SqlValue | undefined): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

function failure(code: string, message: string): Problem {
  return { code, severity: "error", message };
}
