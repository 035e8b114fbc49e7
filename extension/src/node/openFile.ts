import { type FileHandle, open } from "node:fs/promises";
import { workerData } from "node:worker_threads";

/** What a reading thread is started with, so that it can be ended without leaving open files. */
export interface Openings {
  /** Two 32-bit words: files that the thread is about to open, its own code included; not 0 once it is to end. */
  readonly openings: SharedArrayBuffer;
}

export const OPENING = 0;
export const ENDING = 1;

/** Of this thread; undefined in one that nobody ends from outside. */
function wordsOf(start: unknown): Int32Array | undefined {
  const { openings } = (typeof start === "object" ? (start ?? {}) : {}) as Partial<Openings>;
  return openings instanceof SharedArrayBuffer ? new Int32Array(openings) : undefined;
}
const words = wordsOf(workerData);

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

/** As `open` of Node. */
export function openFile(path: string, flags?: string | number, mode?: number): Promise<FileHandle> {
  return opening(() => open(path, flags, mode));
}

/** For a thread that this one starts: it counts what it opens here, its own code first. Undefined in one that nobody ends from outside. */
export function sharedOpenings(): Openings | undefined {
  if (words === undefined) return undefined;
  Atomics.add(words, OPENING, 1);
  return { openings: words.buffer as SharedArrayBuffer };
}

/** Told by a thread whose code is loaded: it is started as one that is about to open files. */
export function tellLoaded(): void {
  if (words !== undefined) Atomics.sub(words, OPENING, 1);
}
