import { constants, readlinkSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { workerData } from "node:worker_threads";

/** What a reading thread is started with, so that it can be ended without leaving open files. */
export interface Openings {
  /** Two 32-bit words: files that the thread is about to open, its own code included; not 0 once it is to end. */
  readonly openings: SharedArrayBuffer;
}

/** What else a reading thread may be started with. */
export interface RealFile {
  /**
   * The real path of the one file that the thread reads, where it was looked at whether that very path may be read: links that take
   * its place, or that of a folder on the way, are refused. What begins with it and a `-` counts too: a database's logs.
   */
  readonly realPath?: string | undefined;
}

export const OPENING = 0;
export const ENDING = 1;

const start = (typeof workerData === "object" ? (workerData ?? {}) : {}) as Partial<Openings & RealFile>;
/** Of this thread; undefined in one that nobody ends from outside. */
const words = start.openings instanceof SharedArrayBuffer ? new Int32Array(start.openings) : undefined;

/** Windows has no such flag; there the file's identity alone tells. */
export const NO_LINK = constants.O_NOFOLLOW ?? 0;

/** Whether links are refused under this path in this thread. */
export function mustBeReal(path: string): boolean {
  const { realPath } = start;
  return realPath !== undefined && (path === realPath || path.startsWith(`${realPath}-`));
}

/**
 * Does what opens a file or makes a folder, and is not interrupted in it: Node forgets what a thread was about to open when it is
 * ended, so whoever ends this one waits for it. Once the thread is to end, nothing more is begun.
 */
export async function opening<T>(run: () => Promise<T>): Promise<T> {
  if (words === undefined) return run();
  // Counted first, so that whoever ends the thread either sees it or is seen.
  Atomics.add(words, OPENING, 1);
  const ends = Atomics.load(words, ENDING) !== 0;
  try {
    if (!ends) return await run();
  } finally {
    Atomics.sub(words, OPENING, 1);
  }
  // Nobody hears the answer any more.
  return new Promise<T>(() => undefined);
}

/** As `open` of Node; where `mustBeReal` says so without following links (code ELOOP or ESTALE). */
export function openFile(path: string, flags?: string | number, mode?: number): Promise<FileHandle> {
  if (typeof flags !== "number" || !mustBeReal(path)) return opening(() => open(path, flags, mode));
  return opening(async () => {
    const handle = await open(path, flags | NO_LINK, mode);
    if (isStillAt(path, handle.fd)) return handle;
    await handle.close();
    throw movedAway(path);
  });
}

/**
 * Whether the handle is of a file at this path. A folder on the way may have become a link while the path was looked at and again
 * while it was opened; Linux tells where a handle really leads, elsewhere the identity has to do.
 */
export function isStillAt(path: string, descriptor: number): boolean {
  if (process.platform !== "linux") return true;
  try {
    return readlinkSync(`/proc/self/fd/${descriptor}`) === path;
  } catch (error) {
    // Without /proc, or where looking there is forbidden, nothing is told; whoever made the file cannot bring that about.
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "ENOENT" || code === "EACCES" || code === "EPERM") return true;
    throw error;
  }
}

/** What is refused where another file than the one that was looked at lies. */
export function movedAway(path: string): Error {
  return Object.assign(new Error(`${path} is another file now than the one that was looked at`), { code: "ESTALE" });
}

/** For a thread that this one starts: it counts what it opens here, its own code first. Undefined in one that nobody ends from outside. */
export function sharedOpenings(): (Openings & RealFile) | undefined {
  if (words === undefined) return undefined;
  Atomics.add(words, OPENING, 1);
  return { openings: words.buffer as SharedArrayBuffer, realPath: start.realPath };
}

/** Told by a thread whose code is loaded: it is started as one that is about to open files. */
export function tellLoaded(): void {
  if (words !== undefined) Atomics.sub(words, OPENING, 1);
}
