import { type FSWatcher, watch } from "node:fs";
import { basename, dirname } from "node:path";
import { type FilesState, isInStore, stateOf, storeState } from "./storeState";

/** Intervals of following a file, milliseconds. */
export const FOLLOW = {
  /** After a watcher's word, until the file is looked at: writers write in bursts. */
  settle: 100,
  /** Between looks without a watcher's word: network mounts and full watch tables send none. */
  poll: 2_000,
  /** Without a change for so long nobody writes any more. */
  quiet: 30_000,
} as const;

/** same: only `live` may have changed. */
export interface FileNews {
  readonly what: "changed" | "gone" | "same";
  /** True when the file changed lately. */
  readonly live: boolean;
}

export interface FollowOptions {
  readonly intervals?: typeof FOLLOW | { readonly [K in keyof typeof FOLLOW]: number };
  /** False: polling only. */
  readonly watch?: boolean;
}

/** What tells one state of a file from another; undefined = not there. */
interface Signature extends FilesState {
  /** Who may read it: no content, but a reason to try again. */
  readonly access: string;
}

/**
 * Follows one file: grown, rewritten, cut, replaced by another one, gone and back. A watcher makes it quick, looks at
 * intervals make it certain. The write-ahead log beside a database counts as part of it, and so do the files that an agent keeps
 * the rest of a session in. The state at the beginning is no news, so follow before reading.
 */
export class FileFollower {
  private readonly watcher: FSWatcher | undefined;
  private readonly poll: NodeJS.Timeout;
  private readonly intervals: { readonly [K in keyof typeof FOLLOW]: number };
  private settle: NodeJS.Timeout | undefined;
  private last: Signature | undefined;
  private begun = false;
  /** When a change was met here, by this machine's clock. */
  private metMs = Number.NEGATIVE_INFINITY;
  private live = false;
  private looking = false;
  private again = false;
  private disposed = false;

  constructor(
    private readonly path: string,
    private readonly heard: (news: FileNews) => void,
    private readonly failed: (error: unknown) => void,
    options: FollowOptions = {},
  ) {
    this.intervals = options.intervals ?? FOLLOW;
    this.watcher = options.watch === false ? undefined : this.watch();
    this.poll = setInterval(() => this.look(), this.intervals.poll);
    this.poll.unref();
    this.look();
  }

  dispose(): void {
    this.disposed = true;
    this.watcher?.close();
    clearInterval(this.poll);
    clearTimeout(this.settle);
  }

  /** The folder is watched, because a file that is replaced would take its watcher along. */
  private watch(): FSWatcher | undefined {
    const name = basename(this.path);
    const mine = isInStore(this.path) ? undefined : new Set([name, `${name}-wal`]);
    try {
      const watcher = watch(dirname(this.path), { persistent: false }, (_event, file) => {
        if (file !== null && mine?.has(file) === false) return;
        this.settle ??= setTimeout(() => {
          this.settle = undefined;
          this.look();
        }, this.intervals.settle);
      });
      // Polling goes on without it.
      watcher.on("error", () => watcher.close());
      return watcher;
    } catch (error) {
      if (!(error instanceof Error && "code" in error)) throw error;
      return undefined;
    }
  }

  private look(): void {
    if (this.looking) {
      this.again = true;
      return;
    }
    this.looking = true;
    this.compare().then(
      () => {
        this.looking = false;
        if (!this.again) return;
        this.again = false;
        this.look();
      },
      (error: unknown) => {
        this.looking = false;
        this.failed(error);
      },
    );
  }

  private async compare(): Promise<void> {
    const now = await this.signature();
    if (this.disposed) return;
    const before = this.last;
    this.last = now;
    const isWritten = now?.text !== before?.text;
    const isSame = !this.begun || (!isWritten && now?.access === before?.access);
    const what = isSame ? "same" : now === undefined ? "gone" : "changed";
    if (what === "changed" && isWritten) this.metMs = Date.now();
    const live = now !== undefined && this.isLate(now.changedMs);
    this.begun = true;
    if (what === "same" && live === this.live) return;
    this.live = live;
    this.heard({ what, live });
  }

  /**
   * True when a change was met lately, or the file's time is of now. A time far ahead (another machine's clock, a copied
   * file) says nothing; one far behind neither, once a change was met.
   */
  private isLate(changedMs: number): boolean {
    const { quiet } = this.intervals;
    const now = Date.now();
    return now - this.metMs < quiet || Math.abs(now - changedMs) < quiet;
  }

  private async signature(): Promise<Signature | undefined> {
    const [file, log, store] = await Promise.all([
      stateOf(this.path),
      stateOf(`${this.path}-wal`),
      storeState(this.path),
    ]);
    if (file === undefined) return undefined;
    const text = [file, log, store].map((one) => one?.text ?? "-").join(" ");
    return {
      text,
      access: file.access,
      changedMs: Math.max(file.changedMs, log?.changedMs ?? 0, store?.changedMs ?? 0),
    };
  }
}
