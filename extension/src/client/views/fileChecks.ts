import type { ToolResult } from "../../core/model/transcript";
import type { FileReport } from "../../core/results/fileCheck";
import type { FileStatus } from "../../protocol/webview";
import { CancelSource, type Disposable } from "../lifetime";

/** Looks at the file behind one result. */
export type CheckOne = (result: ToolResult, cancel: CancelSource) => Promise<FileReport>;

export interface FileChecksParts {
  readonly check: CheckOne;
  /** Hears statuses as they become known, [row index, status]. */
  readonly found: (statuses: readonly (readonly [number, FileStatus])[]) => void;
  readonly failed: (error: unknown) => void;
}

/** Checks at a time: enough to hide a slow disk, few enough to leave it to others. */
const PARALLEL = 4;
/** Statuses told at once; a table with ten thousand rows must not redraw ten thousand times. */
const BATCH = 50;

/** Looks at spill files in the background, in the order asked, a few at a time, and remembers what it found. */
export class FileChecks implements Disposable {
  readonly #parts: FileChecksParts;
  readonly #reports = new Map<number, FileReport>();
  #queue: ToolResult[] = [];
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
    for (const result of results) if (result.persisted?.path !== undefined) this.#queue.push(result);
    this.#pump();
  }

  /** The report of one result, looked at now if need be and before the others. */
  async now(result: ToolResult): Promise<FileReport> {
    const known = this.#reports.get(result.index);
    if (known) return known;
    const report = await this.#parts.check(result, this.#cancel);
    this.#reports.set(result.index, report);
    this.#parts.found([[result.index, report.status]]);
    return report;
  }

  /** Forgets everything found and everything asked. */
  reset(): void {
    this.#cancel.cancel();
    this.#cancel = new CancelSource();
    this.#reports.clear();
    this.#queue = [];
    this.#told = [];
  }

  dispose(): void {
    this.reset();
    this.#cancel.cancel();
  }

  #pump(): void {
    while (this.#running < PARALLEL) {
      const next = this.#queue.shift();
      if (!next) return;
      if (this.#reports.has(next.index)) continue;
      this.#running++;
      this.#look(next, this.#cancel).catch(this.#parts.failed);
    }
  }

  async #look(result: ToolResult, cancel: CancelSource): Promise<void> {
    try {
      const report = await this.#parts.check(result, cancel);
      if (cancel.isCancellationRequested) return;
      this.#reports.set(result.index, report);
      this.#told.push([result.index, report.status]);
    } catch (error) {
      if (cancel.isCancellationRequested) return;
      // One file that cannot be looked at must not leave its row waiting for ever.
      this.#told.push([result.index, "unreadable"]);
      this.#parts.failed(error);
    } finally {
      this.#running--;
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
