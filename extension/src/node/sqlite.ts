import type { Database as Connection, SQLiteValue, Statement } from "node-sqlite3-wasm";
import { err, ok, type Problem, type Result } from "../core/model/problem";
import type { Cancel, Database, DatabaseTable, Row, RowQuery, SqlValue } from "../core/ports";
import { databaseProblem, isDatabase } from "../core/transcript/database/problems";
import { unreadable } from "../core/transcript/unreadable";
import { nodeFiles } from "./files";
import { opening } from "./openFile";
import { type CopyOptions, copyPrivately, type PrivateCopy } from "./privateCopy";
import { nodeUtf8 } from "./utf8";

/** Longest value that is taken into memory, as for a line of a file. */
const MAX_VALUE_BYTES = 256 * 1024 * 1024;
/** Bytes that a row takes at the very least: cell pointer, payload length, row id, header length (fileformat2.html, 1.6). */
const MIN_ROW_BYTES = 4;
/** Statements kept; readers ask the same few questions again and again. */
const MAX_IDLE = 16;
/** Page cache, KiB, negative as SQLite wants it. */
const CACHE = -16_000;

/** Bytes of a database's header, and where it says how texts are encoded: 1 is UTF-8 (fileformat2.html, 1.3). */
const HEADER_BYTES = 100;
const ENCODING_AT = 56;

/** True when a file begins like a SQLite database. False too when it cannot be read; whoever opens it says why. */
export async function looksLikeDatabase(path: string): Promise<boolean> {
  try {
    return isDatabase((await headOf(path)).head);
  } catch (error) {
    if (error instanceof Error && "code" in error) return false;
    throw error;
  }
}

async function headOf(path: string): Promise<{ readonly head: Buffer; readonly bytes: number }> {
  const source = await nodeFiles.open(path);
  return { head: Buffer.from(await source.read(0, HEADER_BYTES)), bytes: source.bytes };
}

/**
 * Opens an agent's database as it is now. Works on a private copy, because a database that is being written can only be
 * read with its log, and the engine cannot take part in the locks of a log. Cancelled, it gives undefined.
 */
export async function openDatabase(
  path: string,
  options: CopyOptions & { readonly maxValueBytes?: number },
  cancel: Cancel,
): Promise<Result<Database | undefined>> {
  try {
    const { head, bytes } = await headOf(path);
    const wrong = wrongHead(head, bytes);
    if (wrong !== undefined)
      return err(wrong === "empty" ? emptyFile(path) : databaseProblem(path, sqliteError(wrong)));
  } catch (error) {
    return err(unreadable({ path }, error));
  }
  const copy = await copyPrivately(path, options, cancel);
  if (!copy.ok) return copy;
  if (copy.value === "cancelled") return ok(undefined);
  try {
    const connection = await connect(copy.value.path);
    return ok(new WasmDatabase(path, connection, copy.value, options.maxValueBytes ?? MAX_VALUE_BYTES));
  } catch (error) {
    copy.value.remove();
    return err(databaseProblem(path, sqliteError(error)));
  }
}

function wrongHead(head: Buffer, bytes: number): "empty" | Error | undefined {
  if (bytes === 0) return "empty";
  if (!isDatabase(head)) return new Error("file is not a database");
  // The engine is built without UTF-16 and would take such texts for UTF-8. A new database says nothing yet (0).
  const encoding = head.length >= HEADER_BYTES ? head.readUInt32BE(ENCODING_AT) : 0;
  return encoding > 1 ? new Error("encoding of texts is not UTF-8") : undefined;
}

function emptyFile(path: string): Problem {
  return { code: "empty-file", severity: "error", message: `${path} is empty. There is nothing to show.` };
}

async function connect(path: string): Promise<Connection> {
  // Loaded when the first database is opened: compiling the engine takes tens of milliseconds.
  const engine = await opening(() => import("node-sqlite3-wasm"));
  const { Database: Engine } = "default" in engine ? (engine.default as typeof engine) : engine;
  const connection = new Engine(path, { fileMustExist: true });
  try {
    // Exclusive before the first read: otherwise the log needs shared memory, which the engine has not.
    connection.exec("PRAGMA locking_mode=EXCLUSIVE; PRAGMA trusted_schema=OFF; PRAGMA cell_size_check=ON;");
    connection.exec(`PRAGMA cache_size=${CACHE}`);
    connection.all("SELECT count(*) FROM sqlite_schema");
    // One transaction for all that follows: each one of its own would look at the file again.
    connection.exec("PRAGMA query_only=ON; BEGIN");
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}

class WasmDatabase implements Database {
  readonly bytes: number;
  private known: readonly DatabaseTable[] | undefined;
  /** Statements that wait for their next use; looking up single rows would otherwise be spent on parsing SQL. */
  private readonly idle = new Map<string, Statement>();
  /** By the list of columns, which readers keep, and the rest of the question. */
  private readonly sql = new WeakMap<readonly string[], Map<string, string>>();

  constructor(
    readonly path: string,
    private readonly connection: Connection,
    private readonly copy: PrivateCopy,
    readonly maxValueBytes: number,
  ) {
    this.bytes = copy.bytes;
  }

  tables(): readonly DatabaseTable[] {
    this.known ??= guarded(() =>
      this.connection
        .all(
          "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND NOT wr AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'",
        )
        .map((row) => String(row["name"]))
        .map((name) => ({
          name,
          columns: this.connection
            .all("SELECT name FROM pragma_table_info(?)", [name])
            .map((row) => String(row["name"])),
        })),
    );
    return this.known;
  }

  *rows(query: RowQuery): Generator<Row> {
    const sql = this.sqlOf(query);
    const values = [...Object.values(query.where ?? {}), ...(query.after === undefined ? [] : [query.after])];
    const statement = this.idle.get(sql) ?? guarded(() => this.connection.prepare(sql));
    this.idle.delete(sql);
    let failed = false;
    try {
      const rows = statement.iterate(values);
      let left = this.bytes;
      for (;;) {
        const next = guarded(() => rows.next());
        if (next.done === true) return;
        const { row, bytes } = rowOf(query.columns, next.value as Readonly<Record<string, SQLiteValue>>);
        // A damaged tree may lead to the same pages again and again; no table holds more than its file.
        left -= MIN_ROW_BYTES + bytes;
        if (left < 0) throw sqliteError(new Error("database disk image is malformed"));
        yield row;
      }
    } catch (error) {
      failed = true;
      throw error;
    } finally {
      if (failed || this.idle.has(sql) || this.idle.size >= MAX_IDLE) this.finalize(statement);
      else this.idle.set(sql, statement);
    }
  }

  /** A statement that failed tells its error once more when it ends. */
  private finalize(statement: Statement): void {
    try {
      statement.finalize();
    } catch (error) {
      if (!(error instanceof Error && error.name === "SQLite3Error")) throw sqliteError(error);
    }
  }

  close(): void {
    try {
      for (const statement of this.idle.values()) this.finalize(statement);
      this.idle.clear();
      if (this.connection.isOpen) this.connection.close();
    } finally {
      this.copy.remove();
    }
  }

  private sqlOf(query: RowQuery): string {
    const shape = `${query.table}\n${Object.keys(query.where ?? {}).join()}\n${query.after === undefined}${query.order}`;
    let shapes = this.sql.get(query.columns);
    if (shapes === undefined) {
      shapes = new Map();
      this.sql.set(query.columns, shapes);
    }
    let sql = shapes.get(shape);
    if (sql === undefined) {
      sql = this.makeSql(query);
      shapes.set(shape, sql);
    }
    return sql;
  }

  private makeSql(query: RowQuery): string {
    const table = this.tables().find((each) => each.name === query.table);
    if (table === undefined) throw sqliteError(new Error(`no such table: ${query.table}`));
    const rowid = ["rowid", "_rowid_", "oid"].find(
      (name) => !table.columns.some((column) => column.toLowerCase() === name),
    );
    if (rowid === undefined) throw sqliteError(new Error(`no such column: rowid of ${query.table}`));
    const nameOf = (column: string): string => {
      if (column === "rowid") return rowid;
      if (!table.columns.includes(column)) throw sqliteError(new Error(`no such column: ${query.table}.${column}`));
      return quoted(column);
    };
    const names = query.columns.map(nameOf);
    // First letters of the types in one text: the engine makes a JavaScript string of each text.
    const types = names.map((name) => `substr(typeof(${name}), 1, 1)`).join(" || ");
    const fields = names.map(
      (name, i) =>
        // Texts as bytes, because the engine's own strings end at the first NUL character.
        `, CASE WHEN typeof(${name}) NOT IN ('text', 'blob') THEN ${name} ` +
        `WHEN octet_length(${name}) <= ${this.maxValueBytes} THEN CAST(${name} AS BLOB) END AS v${i}`,
    );
    const conditions = Object.keys(query.where ?? {}).map((column) => `${nameOf(column)} = ?`);
    if (query.after !== undefined) conditions.push(`${rowid} > ?`);
    const where = conditions.length === 0 ? "" : ` WHERE ${conditions.join(" AND ")}`;
    const [how, order] = query.order === "any" ? ["", ""] : [" NOT INDEXED", ` ORDER BY ${rowid}`];
    return `SELECT ${rowid} AS r, ${types || "''"} AS t${fields.join("")} FROM ${quoted(table.name)}${how}${where}${order}`;
  }
}

function rowOf(
  columns: readonly string[],
  raw: Readonly<Record<string, SQLiteValue>>,
): { readonly row: Row; readonly bytes: number } {
  const tooLong: string[] = [];
  const badUtf8: string[] = [];
  const types = String(raw["t"]);
  let bytes = 0;
  const values = columns.map((column, i): SqlValue => {
    const value = raw[`v${i}`] ?? null;
    const type = types[i];
    if (type !== "t" && type !== "b") return value;
    if (!(value instanceof Uint8Array)) {
      tooLong.push(column);
      return null;
    }
    bytes += value.length;
    if (type === "b") return value;
    const { text, valid } = nodeUtf8.decode(value);
    if (!valid) badUtf8.push(column);
    return text;
  });
  return { row: { id: Number(raw["r"]), values, tooLong, badUtf8 }, bytes };
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** SQLite's errors by the beginning of their message; the engine hands on no numbers. */
const CODES: readonly (readonly [RegExp, string])[] = [
  [/^file is not a database/, "SQLITE_NOTADB"],
  [/malformed|corrupt/, "SQLITE_CORRUPT"],
  [/I\/O error/, "SQLITE_IOERR"],
  [/^out of memory/, "SQLITE_NOMEM"],
  [/too big/, "SQLITE_TOOBIG"],
  [/^(?:unable to open|Could not open)/, "SQLITE_CANTOPEN"],
  [/encoding/, "SQLITE_ENCODING"],
];

/** The engine's error with SQLite's name for it as `code`. */
function sqliteError(error: unknown): Error {
  if (error instanceof Error && "code" in error && String(error.code).startsWith("SQLITE_")) return error;
  const { message } = error instanceof Error ? error : new Error(String(error));
  // A trap inside the engine is what damage does that its checks let through.
  const trapped = error instanceof RangeError || (error instanceof Error && error.name === "RuntimeError");
  const code = trapped ? "SQLITE_CORRUPT" : (CODES.find(([pattern]) => pattern.test(message))?.[1] ?? "SQLITE_ERROR");
  return Object.assign(new Error(message, { cause: error }), { code });
}

function guarded<T>(use: () => T): T {
  try {
    return use();
  } catch (error) {
    throw sqliteError(error);
  }
}
