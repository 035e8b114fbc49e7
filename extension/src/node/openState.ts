import type { ShownTotals } from "../core/model/openTable";
import type { FileFormatId } from "../core/model/transcript";
import type { Cancel, FileSource } from "../core/ports";
import { newObservers, type Observers, observe, shownTotals } from "../core/transcript/table/observers";
import { ShownTable } from "../core/transcript/table/shownTable";
import type { ReadingEnd, ReadingProgress, TableReading } from "../core/transcript/table/tableReading";
import { TranscriptTable } from "../core/transcript/table/transcriptTable";
import { unreadable } from "../core/transcript/unreadable";
import { type FileIdentity, identityOf, type Likeness, likeness } from "./fileIdentity";
import { nodeFiles } from "./files";
import { opening } from "./openFile";
import type { CopyOptions } from "./privateCopy";
import type { KeptTable } from "./storedTable";
import { storeState } from "./storeState";
import { nodeUtf8 } from "./utf8";

export interface StateParts {
  readonly path: string;
  readonly format: FileFormatId | undefined;
  readonly copy: CopyOptions;
  readonly open?: (path: string) => Promise<FileSource>;
}

/** Endings of the names of the files in which SQLite keeps what is not in the database yet. */
const BESIDE = ["", "-wal", "-journal"];

/** One state of a transcript: what is shown of it, and what it takes to go on from there. */
export class OpenState {
  readonly shown: ShownTable;
  /** The files that were read, as they were then; empty: a change cannot be told from none. */
  files: readonly (FileIdentity | undefined)[] = [];
  private complete = false;
  /** Of a session that is spread over files: the state of the others before they were read. */
  private store: string | undefined;

  private constructor(
    private readonly parts: StateParts,
    table: TranscriptTable,
    /** Undefined for a database, and for a stored index until it goes on. */
    private reading: TableReading | undefined,
    private readonly observers: Observers | undefined,
    private readonly kept: KeptTable | undefined,
    private readonly late: (() => Promise<Uint8Array | undefined>) | undefined,
  ) {
    this.shown = new ShownTable(table, {
      totals: () => this.totals(),
      timeline: () => this.timeline(),
    });
  }

  /** Nothing was read yet. */
  static empty(parts: StateParts): OpenState {
    const table = new TranscriptTable();
    return new OpenState(parts, table, undefined, newObservers(table), undefined, undefined);
  }

  /** By what the file is; a forced format is one of a file. */
  static async create(parts: StateParts): Promise<OpenState> {
    const { looksLikeDatabase, newReading } = await opening(() => import("./tableReadings"));
    if (parts.format === undefined && (await looksLikeDatabase(parts.path))) return OpenState.empty(parts);
    const reading = newReading(parts.format);
    return new OpenState(parts, reading.table, reading, undefined, undefined, undefined);
  }

  static stored(parts: StateParts, kept: KeptTable, late: () => Promise<Uint8Array | undefined>): OpenState {
    const state = new OpenState(parts, kept.table, undefined, undefined, kept, late);
    state.files = kept.files;
    state.complete = true;
    return state;
  }

  totals(): ShownTotals {
    const { reading, observers, kept } = this;
    if (reading !== undefined) return reading.totals();
    if (observers === undefined && kept !== undefined) return kept.totals;
    return shownTotals(observers ?? newObservers(this.shown.table), []);
  }

  private timeline() {
    const { reading, observers, kept, shown } = this;
    return reading?.observers.timeline ?? observers?.timeline ?? kept?.timeline() ?? newObservers(shown.table).timeline;
  }

  /** Bytes of the file as it was read. */
  get bytes(): number {
    return this.files[0]?.bytes ?? 0;
  }

  /** Rows that stay when the file grows: without calls that wait for their result. */
  get settledRows(): number {
    const { table } = this.shown;
    return table.marked?.rows.results ?? table.results.rows;
  }

  /** True when it was read to its end, and nothing else than these files tells whether it is still right. */
  get isStorable(): boolean {
    return (
      this.complete && this.files.length > 0 && (this.reading?.alone ?? true) && this.shown.table.header !== undefined
    );
  }

  /** What it takes to go on from a stored index, in short steps and pieces; false where it is read anew. */
  *stating(): Generator<readonly Uint8Array[], boolean> {
    const { reading } = this;
    return reading !== undefined && (yield* reading.stating()).ok;
  }

  /** What became of the files since. */
  async compare(): Promise<Likeness> {
    const [first, ...beside] = this.files;
    if (first === undefined) return "other";
    const { path } = this.parts;
    const others = await Promise.all(
      beside.map(async (file, i) => {
        if (file === undefined) return (await identity(`${path}${BESIDE[i + 1] ?? ""}`)) === undefined;
        return (await alike(file)) === "same";
      }),
    );
    const isStoreSame = this.store === undefined || (await storeState(path))?.text === this.store;
    return isStoreSame && others.every((same) => same) ? alike(first) : "other";
  }

  /** Reads from the beginning. */
  async *begin(cancel: Cancel): AsyncGenerator<ReadingProgress, Exclude<ReadingEnd, "changed">> {
    const { reading } = this;
    if (reading === undefined) return yield* this.database(cancel);
    const end = yield* this.file(reading, cancel);
    if (end === "changed") throw new Error("a first reading cannot go on from another one");
    return end;
  }

  /** Reads what was added to the file; undefined when it has to be read anew. */
  async goOn(cancel: Cancel): Promise<AsyncGenerator<ReadingProgress, ReadingEnd> | undefined> {
    if (this.reading === undefined && this.late !== undefined) {
      const bytes = await this.late();
      const { table } = this.shown;
      const { restoredReading } = await opening(() => import("./tableReadings"));
      if (bytes !== undefined) this.reading = restoredReading(table, bytes, this.parts.format);
    }
    const { reading } = this;
    return reading?.goesOn === true ? this.file(reading, cancel) : undefined;
  }

  private async *file(reading: TableReading, cancel: Cancel): AsyncGenerator<ReadingProgress, ReadingEnd> {
    const { path } = this.parts;
    this.complete = false;
    const before = await identity(path);
    const store = await storeState(path);
    let source: FileSource;
    try {
      source = await (this.parts.open ?? nodeFiles.open)(path);
    } catch (error) {
      if (!(error instanceof Error && "code" in error)) throw error;
      this.shown.table.problem(unreadable({ path }, error));
      this.files = [];
      return "broken";
    }
    const end = yield* reading.advance(source, cancel);
    if (end === "changed") return end;
    this.files = end === "done" && before !== undefined ? asRead(before, await identity(path, source.bytes)) : [];
    this.store = reading.alone ? undefined : store?.text;
    this.complete = end === "done";
    return end;
  }

  private async *database(cancel: Cancel): AsyncGenerator<ReadingProgress, "done" | "cancelled"> {
    const { observers } = this;
    const { path } = this.parts;
    const { table } = this.shown;
    const { openDatabase, readDatabase } = await opening(() => import("./tableReadings"));
    const before = await Promise.all(BESIDE.map((end) => identity(`${path}${end}`)));
    const opened = await openDatabase(path, this.parts.copy, cancel);
    if (!opened.ok) {
      table.problem(opened.error);
      return "done";
    }
    const database = opened.value;
    if (database === undefined || observers === undefined) return "cancelled";
    try {
      for await (const events of readDatabase(database, { utf8: nodeUtf8 }, cancel)) {
        observe(observers, table, events);
        const progress = events.findLast((event) => event.kind === "progress");
        if (progress?.kind === "progress") yield progress;
      }
    } finally {
      database.close();
    }
    if (cancel.isCancellationRequested) return "cancelled";
    const after = await Promise.all(BESIDE.map((end) => identity(`${path}${end}`)));
    const same = before[0] !== undefined && before.every((file, i) => isSame(file, after[i]));
    this.files = same ? before : [];
    this.complete = true;
    return "done";
  }
}

/** Undefined also when the file cannot be looked at: whoever reads it meets the same error and tells it. */
async function identity(path: string, upTo?: number): Promise<FileIdentity | undefined> {
  try {
    return await identityOf(path, upTo);
  } catch (error) {
    if (error instanceof Error && "code" in error) return undefined;
    throw error;
  }
}

/** A file that cannot be looked at is another one: whoever reads it tells why. */
async function alike(file: FileIdentity): Promise<Likeness> {
  try {
    return await likeness(file);
  } catch (error) {
    if (error instanceof Error && "code" in error) return "other";
    throw error;
  }
}

/** The file as it was read: up to the bytes that were there when it was opened. Empty when it was written otherwise meanwhile. */
function asRead(before: FileIdentity, after: FileIdentity | undefined): readonly FileIdentity[] {
  if (after === undefined || after.device !== before.device || after.inode !== before.inode) return [];
  if (after.bytes < before.bytes) return [];
  // It grew between the two looks: the time of what was read is not known, so only more bytes can tell that it is the same.
  if (after.bytes > before.bytes) return [{ ...after, modified: "" }];
  return after.head === before.head && after.tail === before.tail ? [{ ...after, modified: before.modified }] : [];
}

function isSame(a: FileIdentity | undefined, b: FileIdentity | undefined): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
