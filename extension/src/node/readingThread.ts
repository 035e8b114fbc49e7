import { rmSync } from "node:fs";
import { Worker, type WorkerOptions } from "node:worker_threads";
import { ENDING, OPENING, type Openings } from "./openFile";

/** How often a thread that is to end is asked whether it is about to open a file, milliseconds. */
const OPENING_POLL_MS = 5;
/** A thread that is busy otherwise, or does not get its code loaded, is ended after so long all the same. Milliseconds. */
const PATIENCE_MS = 5_000;

/**
 * A thread out of the worker's bundle, and how it ends without leaving anything. Node forgets to close files that a thread was
 * about to open when it was ended: closing a transcript as soon as it was opened cost a dozen handles, one per file of code. So a
 * thread ends when it is about to open none (`openFile`). Its private folder, of which a message of kind `folder` tells, goes
 * with it.
 */
export class ReadingThread {
  readonly worker: Worker;
  /** What the thread counts in. */
  readonly start: Openings = { openings: new SharedArrayBuffer(8) };
  private readonly words: Int32Array;
  private folder: string | undefined;
  private isGone = false;
  private ending: Promise<void> | undefined;

  /** `options`: for a program that is run as a thread. */
  constructor(workerFile: string, request: object, options: Omit<WorkerOptions, "workerData"> = {}) {
    this.words = new Int32Array(this.start.openings);
    // Its own code.
    this.words[OPENING] = 1;
    this.worker = new Worker(workerFile, { ...options, workerData: { ...request, ...this.start } });
    // Also heard after nobody else listens: messages that were under way arrive before the end.
    this.worker.on("message", (message: unknown) => {
      const path = folderOf(message);
      if (path !== undefined) this.folder = path;
    });
    // Whoever asks something of the thread listens as well; one that is ended has nobody any more.
    this.worker.on("error", () => undefined);
    this.worker.on("exit", () => {
      this.isGone = true;
    });
  }

  /** Ends the thread; resolves when it is gone with all that it left. */
  end(): Promise<void> {
    this.ending ??= this.endNow();
    return this.ending;
  }

  private async endNow(): Promise<void> {
    const until = Date.now() + PATIENCE_MS;
    // What was not begun to load is not begun any more, so that nothing is left to wait for but what is under way.
    Atomics.store(this.words, ENDING, 1);
    while (Atomics.load(this.words, OPENING) !== 0 && !this.isGone && Date.now() < until) {
      await new Promise((resolve) => setTimeout(resolve, OPENING_POLL_MS));
    }
    await this.worker.terminate();
    if (this.folder !== undefined) rmSync(this.folder, { recursive: true, force: true });
  }
}

function folderOf(message: unknown): string | undefined {
  if (typeof message !== "object" || message === null) return undefined;
  const { t, path } = message as { readonly t?: unknown; readonly path?: unknown };
  return t === "folder" && typeof path === "string" ? path : undefined;
}
