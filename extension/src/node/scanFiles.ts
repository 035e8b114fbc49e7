import type { Dirent } from "node:fs";
import { opendir, realpath, stat } from "node:fs/promises";
import { peekFile } from "./peekFile";

/** An entry of a folder, as its folder lists it: a link is not followed. */
export interface FolderEntry {
  readonly name: string;
  readonly kind: "file" | "folder" | "link" | "other";
}

export type Listing =
  /** `isCut`: there are more entries than were asked for. */
  | { readonly kind: "listed"; readonly entries: readonly FolderEntry[]; readonly isCut: boolean }
  | { readonly kind: "missing" }
  /** `code` is the platform's: EACCES, ELOOP, EIO. */
  | { readonly kind: "unreadable"; readonly code: string };

/** What a scan asks of the disk. Nothing here rejects for what is wrong with a file or a folder. */
export interface ScanFiles {
  /** Entries of a folder in no order, at most `limit`. */
  list(path: string, limit: number): Promise<Listing>;
  /**
   * A regular file, links followed; undefined for anything else, and for what is gone or may not be looked at. A database counts with
   * its write-ahead log, in which all that is new may stand for hours.
   */
  file(path: string): Promise<{ readonly bytes: number; readonly mtimeMs: number } | undefined>;
  /** The platform's code that keeps a path from being looked at (EACCES, ELOOP, EIO); undefined when nothing does or nothing is there. */
  blocked(path: string): Promise<string | undefined>;
  /** Where a path leads once links are resolved; undefined when it leads nowhere. */
  real(path: string): Promise<string | undefined>;
  /** A small text file, its first 64 KiB; undefined when it cannot be read. */
  text(path: string): Promise<string | undefined>;
}

const TEXT_BYTES = 64 * 1024;
/** Entries that one turn of the event loop takes in. */
const ENTRIES_AT_ONCE = 256;

export const nodeScanFiles: ScanFiles = {
  async list(path, limit): Promise<Listing> {
    try {
      const entries: FolderEntry[] = [];
      for await (const entry of await opendir(path, { bufferSize: ENTRIES_AT_ONCE })) {
        if (entries.length >= limit) return { kind: "listed", entries, isCut: true };
        entries.push({ name: entry.name, kind: kindOf(entry) });
      }
      return { kind: "listed", entries, isCut: false };
    } catch (error) {
      const code = codeOf(error);
      return code === "ENOENT" || code === "ENOTDIR" ? { kind: "missing" } : { kind: "unreadable", code };
    }
  },

  async file(path) {
    const file = await factsOf(path);
    if (file === undefined || !path.endsWith(".db")) return file;
    const log = await factsOf(`${path}-wal`);
    return log === undefined ? file : { bytes: file.bytes + log.bytes, mtimeMs: Math.max(file.mtimeMs, log.mtimeMs) };
  },

  async blocked(path) {
    try {
      await stat(path);
      return undefined;
    } catch (error) {
      const code = codeOf(error);
      return code === "ENOENT" || code === "ENOTDIR" ? undefined : code;
    }
  },

  async real(path) {
    try {
      return await realpath(path);
    } catch (error) {
      codeOf(error);
      return undefined;
    }
  },

  text: async (path) => (await peekFile(path, TEXT_BYTES, 0))?.head,
};

async function factsOf(path: string): Promise<{ readonly bytes: number; readonly mtimeMs: number } | undefined> {
  try {
    const info = await stat(path);
    return info.isFile() ? { bytes: info.size, mtimeMs: info.mtimeMs } : undefined;
  } catch (error) {
    codeOf(error);
    return undefined;
  }
}

function kindOf(entry: Dirent): FolderEntry["kind"] {
  if (entry.isFile()) return "file";
  if (entry.isDirectory()) return "folder";
  return entry.isSymbolicLink() ? "link" : "other";
}

/** The platform's code; anything else that is thrown is a bug and goes on. */
function codeOf(error: unknown): string {
  if (error instanceof Error && "code" in error) return String(error.code);
  throw error;
}
