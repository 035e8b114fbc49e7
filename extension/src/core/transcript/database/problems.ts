import type { Problem } from "../../model/problem";

const MAGIC = "SQLite format 3\u0000";

/** True when bytes begin like a SQLite database. */
export function isDatabase(head: Uint8Array): boolean {
  return head.length >= MAGIC.length && [...MAGIC].every((character, i) => head[i] === character.charCodeAt(0));
}

/** True for the errors of the `Database` port: something is wrong with the file, not with the program. */
export function isDatabaseError(error: unknown): error is Error & { readonly code: string } {
  return error instanceof Error && "code" in error && String(error.code).startsWith("SQLITE_");
}

/** What an error of the `Database` port means and what to do. `where` names the part that could not be read. */
export function databaseProblem(path: string, error: unknown, where?: string): Problem {
  if (!isDatabaseError(error)) throw error;
  const place = where === undefined ? path : `${path}, ${where},`;
  const say = (code: string, text: string): Problem => ({ code, severity: "error", message: `${place} ${text}` });
  switch (error.code) {
    case "SQLITE_NOTADB":
      return say("not-a-database", "is no readable SQLite database: it is encrypted, or its beginning is damaged.");
    case "SQLITE_CORRUPT":
    case "SQLITE_IOERR":
      return say(
        "database-damaged",
        `is damaged (${error.message}). What could be read is shown. sqlite3 can rescue more: sqlite3 FILE .recover`,
      );
    case "SQLITE_ENCODING":
      return say("database-encoding", "keeps its texts as UTF-16, which no agent does; it cannot be read.");
    case "SQLITE_NOMEM":
    case "SQLITE_TOOBIG":
      return say("database-value-too-large", `holds a value too large to be read (${error.message}).`);
    default:
      return say("database-unreadable", `cannot be read: ${error.message}.`);
  }
}
