import type { FileNews } from "../../node/followFile";
import { CancelSource, type Disposable } from "../lifetime";

export interface LiveSourceParts {
  follow(heard: (news: FileNews) => void): Disposable;
  after(ms: number, run: () => void): Disposable;
  /** Resolves when the reading that runs now has ended. */
  settled(): Promise<void>;
  reread(cancel: CancelSource): Promise<void>;
  liveChanged(live: boolean): void;
  gone(): void;
  failed(error: unknown): void;
}

/** How long to wait between two readings, as a multiple of how long the last one took: a large file costs a bounded share. */
const REST = 3;
/** Bounds of that time, milliseconds. */
const LEAST_REST_MS = 200;
const MOST_REST_MS = 60_000;

/** Turns news of a file into readings of it: one at a time, never while another one runs, with rests in between. */
export class LiveSource implements Disposable {
  readonly #parts: LiveSourceParts;
  readonly #following: Disposable;
  #live = false;
  #dirty = false;
  #active = true;
  #busy = false;
  #rest: Disposable | undefined;
  #cancel: CancelSource | undefined;
  #disposed = false;

  constructor(parts: LiveSourceParts) {
    this.#parts = parts;
    this.#following = parts.follow((news) => this.#heard(news));
  }

  /** True while somebody writes to the file. */
  get live(): boolean {
    return this.#live;
  }

  /** While nobody looks, news only make a reading due; it happens when somebody looks again. */
  setActive(active: boolean): void {
    this.#active = active;
    this.#next();
  }

  dispose(): void {
    this.#disposed = true;
    this.#following.dispose();
    this.#rest?.dispose();
    this.#cancel?.cancel();
  }

  #heard({ live, what }: FileNews): void {
    if (this.#disposed) return;
    if (live !== this.#live) {
      this.#live = live;
      this.#parts.liveChanged(live);
    }
    if (what === "gone") this.#parts.gone();
    if (what === "changed") {
      this.#dirty = true;
      this.#next();
    }
  }

  #next(): void {
    if (!this.#active || !this.#dirty || this.#busy || this.#rest !== undefined || this.#disposed) return;
    this.#busy = true;
    this.#read().catch((error: unknown) => {
      // Whoever is disposed of in the middle of a reading ended it.
      if (!this.#disposed) this.#parts.failed(error);
    });
  }

  async #read(): Promise<void> {
    const cancel = new CancelSource();
    this.#cancel = cancel;
    let took = 0;
    try {
      await this.#parts.settled();
      this.#dirty = false;
      const begun = performance.now();
      await this.#parts.reread(cancel);
      took = performance.now() - begun;
    } finally {
      this.#busy = false;
      if (!this.#disposed) {
        this.#rest = this.#parts.after(Math.min(MOST_REST_MS, Math.max(LEAST_REST_MS, took * REST)), () => {
          this.#rest = undefined;
          this.#next();
        });
      }
    }
  }
}
