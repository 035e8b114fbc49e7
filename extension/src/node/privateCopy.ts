import { constants, rmSync } from "node:fs";
import { copyFile, type FileHandle, lstat, mkdtemp, readdir, realpath, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { err, ok, type Problem, type Result } from "../core/model/problem";
import type { Cancel } from "../core/ports";
import { unreadable } from "../core/transcript/unreadable";
import { movedAway, mustBeReal, openFile, opening } from "./openFile";
import { rollBack } from "./rollbackJournal";

/** Largest database, with its logs, that is copied to be read: what a temporary folder can be expected to hold. */
export const MAX_DATABASE_BYTES = 2 * 1024 * 1024 * 1024;
/** Copies are tried again while the agent writes, for so long; a writer that never rests lets none pass. */
const PATIENCE_MS = 5_000;
const FEWEST_ATTEMPTS = 12;
/** Longest wait between two tries, in which a gap between two changes may come. */
const LONGEST_WAIT_MS = 100;
const CHUNK_BYTES = 4 * 1024 * 1024;
/**
 * File systems stamp changes with a clock that ticks every few milliseconds; within one tick a change leaves no trace.
 * A commit without a log shows in the header as well, and a log in use covers the database; only one beside an empty log
 * has to be left to rest.
 */
const STAMP_TICK_MS = 12;
const PREFIX = "context-budget-db-";
/** Size of the database and number of changes are in its first 100 bytes (fileformat2.html, 1.3). */
const HEADER_BYTES = 100;
/** Salts and checkpoint number of a write-ahead log are in its first 32 bytes (sqlite.org/fileformat2.html, 4.1). */
const WAL_HEADER_BYTES = 32;

export interface CopyOptions {
  readonly maxBytes?: number;
  /** Folder in which the private folder is made. */
  readonly tempFolder?: string;
  /** Told before anything is written, so that somebody else can remove the folder when this thread is ended. */
  readonly onFolder?: (folder: string) => void;
}

/** A database and its logs in a folder that only this user can read. */
export interface PrivateCopy {
  readonly path: string;
  readonly bytes: number;
  remove(): void;
}

interface Stamp {
  readonly ino: bigint;
  readonly size: bigint;
  readonly mtimeNs: bigint;
  readonly ctimeNs: bigint;
}

interface Seen {
  readonly database: Stamp;
  readonly header: string;
  readonly wal: Stamp | undefined;
  readonly walHeader: string;
  readonly journal: Stamp | undefined;
}

/**
 * Copies a database with its write-ahead log and rollback journal, as they were at one moment. The original is only
 * read: no lock is taken and no other file is made beside it. While a writer is at work the copy is taken again until
 * nothing but the end of the log changed meanwhile, which SQLite ignores when it is not a whole transaction.
 */
export async function copyPrivately(
  path: string,
  options: CopyOptions,
  cancel: Cancel,
): Promise<Result<PrivateCopy | "cancelled">> {
  const parent = options.tempFolder ?? tmpdir();
  let folder: string | undefined;
  const remove = () => {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
    process.off("exit", remove);
  };
  try {
    // The logs lie beside the file that a link leads to.
    const original = await realpath(path);
    if (mustBeReal(path) && original !== path) throw movedAway(path);
    await sweep(parent);
    const began = Date.now();
    for (let attempt = 0; attempt < FEWEST_ATTEMPTS || Date.now() - began < PATIENCE_MS; attempt++) {
      if (cancel.isCancellationRequested) return ok("cancelled");
      const before = await look(original);
      const bytes = Number(before.database.size + (before.wal?.size ?? 0n) + (before.journal?.size ?? 0n));
      const limit = options.maxBytes ?? MAX_DATABASE_BYTES;
      if (bytes > limit) return err(tooLarge(path, bytes, limit));
      const age = Date.now() - Number(before.database.mtimeNs / 1_000_000n);
      if (before.wal !== undefined && before.walHeader === "" && age >= 0 && age < STAMP_TICK_MS) {
        await delay(STAMP_TICK_MS);
        continue;
      }
      folder ??= await privateFolder(parent, options, remove);
      const copied = await copyOnce(original, join(folder, "copy.db"), before, cancel);
      if (copied === "cancelled") {
        remove();
        return ok("cancelled");
      }
      if (copied && isSameMoment(before, await look(original))) {
        const copy = join(folder, "copy.db");
        if (before.journal !== undefined) {
          await rollBack(copy, `${copy}-journal`);
          await rm(`${copy}-journal`);
        }
        return ok({ path: copy, bytes, remove });
      }
      // Not in step with a writer that has a rhythm of its own.
      await delay(Math.min(2 ** (attempt % 7), LONGEST_WAIT_MS) + (attempt % 5));
    }
    remove();
    return err(busy(path));
  } catch (error) {
    remove();
    return err(copyFailed(path, parent, error));
  }
}

async function privateFolder(parent: string, options: CopyOptions, remove: () => void): Promise<string> {
  // mkdtemp makes it readable by its owner only (mode 0700).
  return opening(async () => {
    const folder = await mkdtemp(join(parent, `${PREFIX}${process.pid}-`));
    process.once("exit", remove);
    options.onFolder?.(folder);
    return folder;
  });
}

/** False when the original vanished or shrank on the way. */
async function copyOnce(from: string, to: string, seen: Seen, cancel: Cancel): Promise<boolean | "cancelled"> {
  const files: readonly (readonly [string, Stamp | undefined])[] = [
    ["", seen.database],
    ["-wal", seen.wal],
    ["-journal", seen.journal],
  ];
  for (const [suffix, seenStamp] of files) {
    const target = to + suffix;
    await rm(target, { force: true });
    if (seenStamp === undefined) continue;
    // Sizes as they are by now: the database was looked at before its log, and what went from the log into the database
    // while that was copied stands in the log as it is then.
    const stamp = seen.wal === undefined ? seenStamp : ((await stampOf(from + suffix)) ?? seenStamp);
    const copied = await copyFileOf(from + suffix, target, Number(stamp.size), cancel);
    if (copied !== true) return copied;
  }
  return true;
}

async function copyFileOf(from: string, to: string, bytes: number, cancel: Cancel): Promise<boolean | "cancelled"> {
  // It would follow a link.
  if (!mustBeReal(from) && (await cloned(from, to))) return true;
  const source = await openIfThere(from);
  if (source === undefined) return false;
  try {
    const target = await openFile(to, "w", 0o600);
    try {
      const buffer = Buffer.allocUnsafeSlow(Math.min(CHUNK_BYTES, Math.max(bytes, 1)));
      for (let done = 0; done < bytes; ) {
        if (cancel.isCancellationRequested) return "cancelled";
        const { bytesRead } = await source.read(buffer, 0, Math.min(buffer.length, bytes - done), done);
        if (bytesRead === 0) return false;
        await target.write(buffer, 0, bytesRead, done);
        done += bytesRead;
      }
      return true;
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

async function cloned(from: string, to: string): Promise<boolean> {
  try {
    // Shares the blocks where the file system can; nothing is read or written then.
    await copyFile(from, to, constants.COPYFILE_FICLONE_FORCE);
    return true;
  } catch {
    // Most file systems cannot, and say so in as many ways; the plain copy tells what is really wrong.
    return false;
  }
}

async function look(path: string): Promise<Seen> {
  const database = await stat(path, { bigint: true });
  const wal = await stampOf(`${path}-wal`);
  return {
    database,
    header: await headOf(path, HEADER_BYTES),
    wal,
    walHeader: wal === undefined ? "" : await headOf(`${path}-wal`, WAL_HEADER_BYTES),
    journal: await stampOf(`${path}-journal`),
  };
}

/**
 * True when what was copied belongs together. A log that goes on as it began covers the database: whatever a checkpoint wrote
 * there meanwhile stands in the log, which was copied after it, and only the log's end may have grown.
 */
function isSameMoment(before: Seen, after: Seen): boolean {
  const { wal } = before;
  if (wal !== undefined && after.wal !== undefined) {
    const goesOn = before.walHeader === after.walHeader && wal.ino === after.wal.ino && wal.size <= after.wal.size;
    const noJournal = before.journal === undefined && after.journal === undefined;
    if (goesOn && noJournal && before.walHeader.length === 2 * WAL_HEADER_BYTES) {
      return before.database.ino === after.database.ino;
    }
    if (!goesOn) return false;
  }
  // Without a log, or when it was deleted (its writer left) or made (a writer came), the database itself stayed as it was.
  return (
    before.header === after.header && isSame(before.database, after.database) && isSame(before.journal, after.journal)
  );
}

function isSame(a: Stamp | undefined, b: Stamp | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return a.ino === b.ino && a.size === b.size && a.mtimeNs === b.mtimeNs && a.ctimeNs === b.ctimeNs;
}

/** Pipes, devices and links beside a database are none of its logs: they could be waited on for ever, or lead to anybody's files. */
async function stampOf(path: string): Promise<Stamp | undefined> {
  const found = await ifThere(() => lstat(path, { bigint: true }));
  return found?.isFile() === true ? found : undefined;
}

async function openIfThere(path: string): Promise<FileHandle | undefined> {
  const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);
  return ifThere(() => openFile(path, flags));
}

async function headOf(path: string, bytes: number): Promise<string> {
  const handle = await openIfThere(path);
  if (handle === undefined) return "";
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(bytes), 0, bytes, 0);
    return buffer.toString("hex", 0, bytesRead);
  } finally {
    await handle.close();
  }
}

async function ifThere<T>(use: () => Promise<T>): Promise<T | undefined> {
  try {
    return await use();
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

/** Removes what processes left behind that were killed. */
async function sweep(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    const pid = name.startsWith(PREFIX) ? Number(name.slice(PREFIX.length).split("-")[0]) : Number.NaN;
    if (!Number.isSafeInteger(pid) || pid <= 0 || isAlive(pid)) continue;
    const folder = join(parent, name);
    // Another user's folder stays: it cannot be removed, and need not be.
    await rm(folder, { recursive: true, force: true }).catch((error: unknown) => {
      if (codeOf(error) !== "EACCES" && codeOf(error) !== "EPERM") throw error;
    });
  }
}

function isAlive(pid: number): boolean {
  try {
    // Signal 0 asks only whether the process exists.
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) !== "ESRCH";
  }
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error ? String(error.code) : undefined;
}

const megabytes = (bytes: number): string => `${Math.round(bytes / 1e6)} MB`;

function tooLarge(path: string, bytes: number, limit: number): Problem {
  const message =
    `${path} and its logs take ${megabytes(bytes)}. Databases are read from a private copy, which is made up to ` +
    `${megabytes(limit)}. Export the session that matters (for Hermes: hermes sessions export) and open that.`;
  return { code: "database-too-large", severity: "error", message };
}

function busy(path: string): Problem {
  const message = `${path} changed each time it was copied to be read. Try again when the agent is not writing.`;
  return { code: "database-busy", severity: "error", message };
}

function copyFailed(path: string, parent: string, error: unknown): Problem {
  const code = codeOf(error);
  if (code === undefined) throw error;
  if (code === "ENOSPC" || code === "EDQUOT" || code === "EROFS") {
    const message = `${path} cannot be copied to ${parent} to be read: no room there (${code}). Free some space, or set TMPDIR to another folder.`;
    return { code: "no-room-for-copy", severity: "error", message };
  }
  return unreadable({ path }, error);
}
