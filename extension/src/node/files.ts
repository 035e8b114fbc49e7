import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { type FileHandle, lstat, readdir, realpath, stat } from "node:fs/promises";
import type { BlockingReader, FileAccess, FileSource, FileStat, OnlyFile } from "../core/ports";
import { isStillAt, movedAway, mustBeReal, NO_LINK, openFile } from "./openFile";

/** Read only. Without O_NONBLOCK, opening a named pipe waits for a writer. Windows has no such flag. */
const FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/** A file as it was told apart when it was looked at. */
interface Facts {
  isDirectory(): boolean;
  isFile(): boolean;
}

/**
 * Files of this machine, read only. Only regular files are opened; folders, pipes and devices are refused without
 * waiting on them. No handle stays open between calls.
 */
export const nodeFiles: FileAccess = {
  async stat(path): Promise<FileStat> {
    try {
      // In this order, and the second without following links: all facts are of the very thing that lies at the real path.
      const realPath = await realpath(path);
      const info = await lstat(realPath, { bigint: true });
      if (info.isSymbolicLink()) return { kind: "unreadable", reason: "ELOOP" };
      const kind = info.isFile() ? "file" : info.isDirectory() ? "directory" : "other";
      return {
        kind,
        bytes: Number(info.size),
        mtimeMs: Number(info.mtimeNs) / 1e6,
        realPath,
        identity: identityOf(info),
        names: Number(info.nlink),
      };
    } catch (error) {
      const code = codeOf(error);
      if (code === "ENOENT" || code === "ENOTDIR") return { kind: "missing" };
      return { kind: "unreadable", reason: code ?? String(error) };
    }
  },

  async open(path, only): Promise<FileSource> {
    // Before opening: some devices react to being opened.
    refuseUnlessFile(path, await (only === undefined ? stat(path) : lstat(path)));
    const bytes = await withFile(path, only, async (handle) => (await handle.stat()).size);
    return {
      path,
      bytes,
      read: (start, end) => withFile(path, only, (handle) => readRange(handle, start, end)),
      ...(only === undefined ? { blocking: () => blockingReader(path) } : {}),
    };
  },

  async list(path): Promise<readonly string[]> {
    try {
      return await readdir(path);
    } catch (error) {
      const code = codeOf(error);
      if (code === "ENOENT" || code === "ENOTDIR") return [];
      throw error;
    }
  },
};

/** Reads a regular file in a thread that may wait. */
export function blockingReader(path: string): BlockingReader {
  const isReal = mustBeReal(path);
  const file = openSync(path, isReal ? FLAGS | NO_LINK : FLAGS);
  try {
    refuseUnlessFile(path, fstatSync(file));
    if (isReal && !isStillAt(path, file)) throw movedAway(path);
  } catch (error) {
    closeSync(file);
    throw error;
  }
  const fill = (into: Uint8Array, start: number): number => {
    let done = 0;
    while (done < into.length) {
      const got = readSync(file, into, done, into.length - done, start + done);
      if (got === 0) break;
      done += got;
    }
    return done;
  };
  const take = (start: number, end: number): Uint8Array => {
    const from = Math.max(0, start);
    // Not more than there is: a range may come from a file that was longer.
    const length = Math.max(0, Math.min(end, fstatSync(file).size) - from);
    const data = Buffer.allocUnsafeSlow(length);
    return data.subarray(0, fill(data, from));
  };
  return { fill, take, close: () => closeSync(file) };
}

async function withFile<T>(
  path: string,
  only: OnlyFile | undefined,
  use: (handle: FileHandle) => Promise<T>,
): Promise<T> {
  const handle = await openFile(path, only === undefined ? FLAGS : FLAGS | NO_LINK);
  try {
    if (only === undefined) refuseUnlessFile(path, await handle.stat());
    else await refuseUnlessOnly(path, only, handle);
    return await use(handle);
  } finally {
    await handle.close();
  }
}

/** Asks the open handle, which nobody can exchange any more. */
async function refuseUnlessOnly(path: string, { identity, isReal }: OnlyFile, handle: FileHandle): Promise<void> {
  const info = await handle.stat({ bigint: true });
  refuseUnlessFile(path, info);
  if (identity !== undefined && identity !== identityOf(info)) throw movedAway(path);
  if ((identity !== undefined || isReal === true) && !isStillAt(path, handle.fd)) throw movedAway(path);
}

async function readRange(handle: FileHandle, start: number, end: number): Promise<Uint8Array> {
  const { size } = await handle.stat();
  const from = Math.max(0, start);
  const length = Math.max(0, Math.min(end, size) - from);
  // A Buffer, because its byte search is several times as fast as Uint8Array's; not pooled, so it is freed as a whole.
  const data = Buffer.allocUnsafeSlow(length);
  let done = 0;
  while (done < length) {
    const { bytesRead } = await handle.read(data, done, length - done, from + done);
    // The file was cut while it was read.
    if (bytesRead === 0) return data.subarray(0, done);
    done += bytesRead;
  }
  return data;
}

/** Device and inode as text: they go beyond 2^53. */
function identityOf({ dev, ino }: { readonly dev: bigint; readonly ino: bigint }): string {
  return `${dev}:${ino}`;
}

function refuseUnlessFile(path: string, info: Facts): void {
  if (info.isDirectory()) throw refusal("EISDIR", `${path} is a folder`);
  if (!info.isFile()) throw refusal("EINVAL", `${path} is not a regular file`);
}

function refusal(code: string, message: string): Error {
  return Object.assign(new Error(message), { code });
}

function codeOf(error: unknown): string | undefined {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : undefined;
}
