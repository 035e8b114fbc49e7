import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from "node:fs";
import { type FileHandle, open, readdir, realpath, stat } from "node:fs/promises";
import type { BlockingReader, FileAccess, FileSource, FileStat } from "../core/ports";

/** Read only. Without O_NONBLOCK, opening a named pipe waits for a writer. Windows has no such flag. */
const FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/**
 * Files of this machine, read only. Only regular files are opened; folders, pipes and devices are refused without
 * waiting on them. No handle stays open between calls.
 */
export const nodeFiles: FileAccess = {
  async stat(path): Promise<FileStat> {
    try {
      const [info, realPath] = await Promise.all([stat(path), realpath(path)]);
      const kind = info.isFile() ? "file" : info.isDirectory() ? "directory" : "other";
      return { kind, bytes: info.size, mtimeMs: info.mtimeMs, realPath };
    } catch (error) {
      const code = codeOf(error);
      if (code === "ENOENT" || code === "ENOTDIR") return { kind: "missing" };
      return { kind: "unreadable", reason: code ?? String(error) };
    }
  },

  async open(path): Promise<FileSource> {
    // Before opening: some devices react to being opened.
    refuseUnlessFile(path, await stat(path));
    const bytes = await withFile(path, async (handle) => (await handle.stat()).size);
    return {
      path,
      bytes,
      read: (start, end) => withFile(path, (handle) => readRange(handle, start, end)),
      blocking: () => blockingReader(path),
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
  const file = openSync(path, FLAGS);
  try {
    refuseUnlessFile(path, fstatSync(file));
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

async function withFile<T>(path: string, use: (handle: FileHandle) => Promise<T>): Promise<T> {
  const handle = await open(path, FLAGS);
  try {
    refuseUnlessFile(path, await handle.stat());
    return await use(handle);
  } finally {
    await handle.close();
  }
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

function refuseUnlessFile(path: string, info: Stats): void {
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
