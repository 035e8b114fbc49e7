import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { type FileHandle, stat } from "node:fs/promises";
import { openFile } from "./openFile";

/** Bytes at the beginning and at the end of a file that are digested. */
const BLOCK = 64 * 1024;

/** What tells one state of a file from another. Device, inode and time as decimal text: they go beyond 2^53. */
export interface FileIdentity {
  readonly path: string;
  readonly device: string;
  readonly inode: string;
  readonly bytes: number;
  /** Nanoseconds. */
  readonly modified: string;
  /** SHA-256 of the first and of the last 64 KiB, hex. */
  readonly head: string;
  readonly tail: string;
}

/** same: nothing changed · grown: the same file, and what was there stands where it stood, as far as both blocks tell · other. */
export type Likeness = "same" | "grown" | "other";

/** Undefined when there is no such file. `upTo`: as if the file ended there. Other errors are the platform's. */
export async function identityOf(path: string, upTo?: number): Promise<FileIdentity | undefined> {
  let file: FileHandle;
  try {
    // Opening a pipe would wait for its writer.
    if (!(await stat(path)).isFile()) return undefined;
    file = await openFile(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
  try {
    const { dev, ino, size, mtimeNs } = await file.stat({ bigint: true });
    const bytes = Math.min(Number(size), upTo ?? Number.MAX_SAFE_INTEGER);
    const head = await digest(file, 0, Math.min(BLOCK, bytes));
    const tail = await digest(file, Math.max(0, bytes - BLOCK), bytes);
    return { path, device: `${dev}`, inode: `${ino}`, bytes, modified: `${mtimeNs}`, head, tail };
  } finally {
    await file.close();
  }
}

/**
 * What became of a file since `before`. Numbers of devices and inodes tell files apart only while a disk is mounted: btrfs, overlays
 * and network file systems give others after a restart, some on the way. A file of the same bytes, time and ends is the same
 * without them; one that grew has to have its inode.
 */
export async function likeness(before: FileIdentity): Promise<Likeness> {
  const now = await identityOf(before.path);
  if (now === undefined || now.bytes < before.bytes) return "other";
  if (now.bytes === before.bytes) {
    const same = now.modified === before.modified && now.head === before.head && now.tail === before.tail;
    return same ? "same" : "other";
  }
  if (now.inode !== before.inode) return "other";
  const then = await identityOf(before.path, before.bytes);
  return then?.head === before.head && then.tail === before.tail ? "grown" : "other";
}

async function digest(file: FileHandle, start: number, end: number): Promise<string> {
  const bytes = Buffer.allocUnsafe(end - start);
  let done = 0;
  while (done < bytes.length) {
    const { bytesRead } = await file.read(bytes, done, bytes.length - done, start + done);
    if (bytesRead === 0) break;
    done += bytesRead;
  }
  return createHash("sha256").update(bytes.subarray(0, done)).digest("hex");
}
