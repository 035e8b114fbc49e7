import { rmSync } from "node:fs";
import { type TransferListItem, Worker } from "node:worker_threads";

/** How often a thread that is to end is asked whether it has loaded its code, milliseconds. */
const LOADED_POLL_MS = 10;
/** A thread that has not loaded its code after so long is ended all the same, milliseconds. */
const LOADING_MS = 10_000;

/** What every reading thread is started with, besides its request. */
export interface ThreadStart {
  /** One 32-bit word, not 0 once the thread has loaded its code. */
  readonly loaded: SharedArrayBuffer;
}

/**
 * A thread out of the worker's bundle, and how it ends without leaving anything. Node forgets to close files that a thread was
 * about to open when it was ended: closing a transcript as soon as it was opened cost a dozen handles, one per file of code. So a
 * thread ends once it is loaded. Its private folder, of which a message of kind `folder` tells, goes with it.
 */
export class ReadingThread {
  readonly worker: Worker;
  private readonly loaded: Int32Array;
  private folder: string | undefined;
  private isGone = false;
  private ending: Promise<void> | undefined;

  constructor(workerFile: string, request: object, transferList: readonly TransferListItem[] = []) {
    const start: ThreadStart = { loaded: new SharedArrayBuffer(4) };
    this.loaded = new Int32Array(start.loaded);
    this.worker = new Worker(workerFile, { workerData: { ...request, ...start }, transferList: [...transferList] });
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
    const until = Date.now() + LOADING_MS;
    while (Atomics.load(this.loaded, 0) === 0 && !this.isGone && Date.now() < until) {
      await new Promise((resolve) => setTimeout(resolve, LOADED_POLL_MS));
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

/** Told by the thread itself. `start` is what it was started with. */
export function tellLoaded(start: unknown): void {
  const { loaded } = (start ?? {}) as Partial<ThreadStart>;
  if (loaded instanceof SharedArrayBuffer) Atomics.store(new Int32Array(loaded), 0, 1);
}
