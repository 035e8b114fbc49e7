import { resolve } from "node:path";
import { err, ok, type Problem, type Result } from "../core/model/problem";
import type { Database, FileSource, OnlyFile } from "../core/ports";
import { isDatabase } from "../core/transcript/database/problems";
import type { CliIo } from "./io";

/** Why a file cannot be opened, in words, by the platform's error code. */
const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "does not exist. Check the spelling",
  EISDIR: "is a folder. Name a file inside it",
  ENOTDIR: "lies below something that is not a folder. Check the path",
  EACCES: "may not be read. Change its permissions or run as its owner",
  EPERM: "may not be read. Change its permissions or run as its owner",
  ELOOP: "is a link that leads back to itself. Remove the loop",
  EINVAL: "is a pipe or a device. Name a regular file",
  ENAMETOOLONG: "has a name longer than the file system allows",
};

export function unreadable(error: unknown): Problem {
  // Ports reject with an Error that carries the platform's code; anything without one is a bug.
  if (!(error instanceof Error) || !("code" in error)) throw error;
  const code = String(error.code);
  const why = REASONS[code] ?? `cannot be read (${code})`;
  return { code: "unreadable", severity: "error", message: `The file ${why}.` };
}

/** Opens a path from the command line, resolved against the working folder. `only`: see `FileAccess.open`. */
export async function openInput(path: string, io: CliIo, only?: OnlyFile): Promise<Result<FileSource>> {
  try {
    return ok(await io.files.open(resolve(io.cwd, path), only));
  } catch (error) {
    return err(unreadable(error));
  }
}

/** Bytes of SQLite's mark at the beginning of a database. */
const MARK_BYTES = 16;

/** The database that a file is, opened; undefined when it is none. */
export async function openIfDatabase(source: FileSource, io: CliIo): Promise<Result<Database | undefined>> {
  try {
    if (!isDatabase(await source.read(0, MARK_BYTES))) return ok(undefined);
  } catch (error) {
    return err(unreadable(error));
  }
  return io.openDatabase(source.path);
}
