import type { ToolResult } from "../../core/model/transcript";
import type { FileReport } from "../../core/results/fileCheck";
import type { FileStatus } from "../../protocol/webview";
import { CancelSource, type Disposable } from "../lifetime";

/** Looks at the file behind one result. */
export type CheckOne = (result: ToolResult, cancel: CancelSource) => Promise<FileReport>;

export interface FileChecksParts {
  readonly check: CheckOne;
  /** Gives more results to look at, when nothing else is left; none: there are no more until `wake`. */
  readonly more?: () => Promise<readonly ToolResult[]>;
  /** Hears statuses as they become known, [row index, status]. */
  readonly found: (statuses: readonly (readonly [number, FileStatus])[]) => void;
  readonly failed: (error: unknown) => void;
}

/** Checks at a time: enough to hide a slow disk, few enough to leave it to others. */
const PARALLEL = 4;
/** Statuses told at once; a table with ten thousand rows must not redraw ten thousand times. */
const BATCH = 50;
/** Reports kept; an older one is made again when somebody asks for it. */
const REPORTS = 2_000;

/** Looks at spill files in the background, in the order asked, a few at a time, and remembers what it found. */
export class FileChecks implements Disposable {
  readonly #parts: FileChecksParts;
  readonly #reports = new Map<number, FileReport>();
  #queue: ToolResult[] = [];
  /** Rows that wait or are being looked at. */
  #asked = new Set<number>();
  #awake = false;
  #fetching = false;
  #running = 0;
  #cancel = new CancelSource();
  #told: [number, FileStatus][] = [];

  constructor(parts: FileChecksParts) {
    this.#parts = parts;
  }

  /** What was found for a row, undefined while nobody has looked. */
  report(index: number): FileReport | undefined {
    return this.#reports.get(index);
  }

  /** Adds results to look at; those without a path are left out. */
  add(results: readonly ToolResult[]): void {
    for (const result of results) {
      if (result.persisted?.path === undefined || this.#asked.has(result.index)) continue;
      this.#asked.add(result.index);
      this.#queue.push(result);
    }
    this.#pump();
  }

  /** There are more results to look at. */
  wake(): void {
    this.#awake = this.#parts.more !== undefined;
    this.#pump();
  }

  /** The row names another file now. */
  forget(index: number): void {
    this.#reports.delete(index);
    this.#asked.delete(index);
  }

  /** The report of one result, looked at now if need be and before the others. */
  async now(result: ToolResult): Promise<FileReport> {
    const known = this.#reports.get(result.index);
    if (known) return known;
    const report = await this.#parts.check(result, this.#cancel);
    this.#keep(result.index, report);
    this.#parts.found([[result.index, report.status]]);
    return report;
  }

  #keep(index: number, report: FileReport): void {
    this.#reports.set(index, report);
    const [oldest] = this.#reports.keys();
    if (this.#reports.size > REPORTS && oldest !== undefined) this.#reports.delete(oldest);
  }

  /** Forgets everything found and everything asked. */
  reset(): void {
    this.#cancel.cancel();
    this.#cancel = new CancelSource();
    this.#reports.clear();
    this.#queue = [];
    this.#asked = new Set();
    this.#awake = false;
    this.#told = [];
  }

  dispose(): void {
    this.reset();
    this.#cancel.cancel();
  }

  #pump(): void {
    while (this.#running < PARALLEL) {
      const next = this.#queue.shift();
      if (!next) {
        this.#fetch();
        return;
      }
      if (this.#reports.has(next.index)) this.#asked.delete(next.index);
      else {
        this.#running++;
        this.#look(next, this.#cancel).catch(this.#parts.failed);
      }
    }
  }

  #fetch(): void {
    const { more } = this.#parts;
    if (more === undefined || !this.#awake || this.#fetching) return;
    const cancel = this.#cancel;
    this.#fetching = true;
    // Who wakes it meanwhile knows of more than what is being fetched.
    this.#awake = false;
    more().then(
      (results) => {
        this.#fetching = false;
        if (!cancel.isCancellationRequested) {
          if (results.length > 0) this.#awake = true;
          this.add(results);
        } else this.#pump();
      },
      (error: unknown) => {
        this.#fetching = false;
        if (!cancel.isCancellationRequested) this.#parts.failed(error);
      },
    );
  }

  async #look(result: ToolResult, cancel: CancelSource): Promise<void> {
    try {
      const report = await this.#parts.check(result, cancel);
      if (cancel.isCancellationRequested) return;
      this.#keep(result.index, report);
      this.#told.push([result.index, report.status]);
    } catch (error) {
      if (cancel.isCancellationRequested) return;
      // One file that cannot be looked at must not leave its row waiting for ever.
      this.#told.push([result.index, "unreadable"]);
      this.#parts.failed(error);
    } finally {
      this.#running--;
      if (!cancel.isCancellationRequested) this.#asked.delete(result.index);
      if (!cancel.isCancellationRequested) this.#tell();
      this.#pump();
    }
  }

  #tell(): void {
    const idle = this.#running === 0 && this.#queue.length === 0;
    if (this.#told.length === 0 || (!idle && this.#told.length < BATCH)) return;
    const told = this.#told;
    this.#told = [];
    this.#parts.found(told);
  }
}
