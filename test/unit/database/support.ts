import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Database as Engine } from "node-sqlite3-wasm";
import { afterAll } from "vitest";
import type { Problem } from "../../../extension/src/core/model/problem";
import { type Database, NEVER_CANCELLED } from "../../../extension/src/core/ports";
import { collect } from "../../../extension/src/core/transcript/collect";
import { readDatabase } from "../../../extension/src/core/transcript/database/readDatabase";
import type { TranscriptIndex } from "../../../extension/src/core/transcript/events";
import type { CopyOptions } from "../../../extension/src/node/privateCopy";
import { openDatabase } from "../../../extension/src/node/sqlite";
import { nodeUtf8 } from "../../../extension/src/node/utf8";

export const ports = { utf8: nodeUtf8 };

export type Value = string | number | bigint | Uint8Array | null;

/** A folder that is gone when the file's tests are done. */
export function scratchFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "database-test-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Makes a database with tables given by their rows; the columns are those of each table's first row. */
export function makeDatabase(
  path: string,
  tables: Readonly<Record<string, readonly Readonly<Record<string, Value>>[]>>,
  statements: readonly string[] = [],
): string {
  const engine = new Engine(path);
  try {
    for (const [table, rows] of Object.entries(tables)) {
      const columns = Object.keys(rows[0] ?? {});
      const typed = columns.map((name) =>
        name === "id" && typeof rows[0]?.["id"] === "number" ? "id INTEGER PRIMARY KEY" : name,
      );
      engine.exec(`CREATE TABLE ${table} (${typed.join(", ")})`);
      for (const row of rows) {
        const values = columns.map((name) => row[name] ?? null);
        // A text with NUL characters can only be given as bytes.
        const marks = values.map((value) => (typeof value === "string" ? "CAST(? AS TEXT)" : "?"));
        const bound = values.map((value) => (typeof value === "string" ? Buffer.from(value) : value));
        engine.run(`INSERT INTO ${table} (${columns.join(", ")}) VALUES (${marks.join(", ")})`, bound);
      }
    }
    // Many at once are written once.
    if (statements.length > 100) engine.exec(`BEGIN; ${statements.join("; ")}; COMMIT`);
    else for (const statement of statements) engine.exec(statement);
  } finally {
    engine.close();
  }
  return path;
}

export async function mustOpen(
  path: string,
  options: CopyOptions & { readonly maxValueBytes?: number } = {},
): Promise<Database> {
  const opened = await openDatabase(path, options, NEVER_CANCELLED);
  if (!opened.ok || opened.value === undefined) throw new Error(JSON.stringify(opened));
  return opened.value;
}

/** Reads a database as a transcript; one that cannot be opened gives its problem. */
export async function readIndex(path: string): Promise<TranscriptIndex | Problem> {
  const opened = await openDatabase(path, {}, NEVER_CANCELLED);
  if (!opened.ok) return opened.error;
  if (opened.value === undefined) throw new Error("cancelled");
  try {
    return await collect(readDatabase(opened.value, ports, NEVER_CANCELLED));
  } finally {
    opened.value.close();
  }
}

export async function mustRead(path: string): Promise<TranscriptIndex> {
  const read = await readIndex(path);
  if ("code" in read) throw new Error(read.message);
  return read;
}

/** A message row of a Hermes database, with what is usual where nothing is said. */
export function message(row: Readonly<Record<string, Value>>): Readonly<Record<string, Value>> {
  return {
    session_id: "s",
    role: "user",
    content: "",
    tool_call_id: null,
    tool_calls: null,
    tool_name: null,
    timestamp: 0,
    active: 1,
    compacted: 0,
    api_content: null,
    ...row,
  };
}

export const callOf = (id: string, name = "terminal", args = "{}"): string =>
  JSON.stringify([{ id, type: "function", function: { name, arguments: args } }]);
