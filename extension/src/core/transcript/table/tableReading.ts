import type { ShownTotals } from "../../model/openTable";
import { err, type Problem, type Result } from "../../model/problem";
import type { FileFormatId } from "../../model/transcript";
import type { Cancel, FileSource } from "../../ports";
import { readGraph } from "../../util/graph/readGraph";
import { type GraphPieces, joined, writeGraph, writingGraph } from "../../util/graph/writeGraph";
import { TranscriptBuilder } from "../builder";
import type { TranscriptEvent } from "../events";
import { FILE_AGENTS } from "../fileAgents";
import { openedSource, type TextPorts } from "../inflated";
import { baseName, type ReadOptions } from "../read";
import { FORMATS } from "../readers/index";
import type { Reader } from "../readers/reader";
import { type Feed, feedRecords, tornLine } from "../records";
import { rowsOf } from "../rows/feedRows";
import { type Layout, type Sniffed, sniffLayout, unreadable } from "../sniff";
import { steadySource } from "../steadySource";
import { endOfLastLine, endOfLines, lookAtLastLine } from "./lastLine";
import { newObservers, type Observers, observe, shownTotals } from "./observers";
import { STATE_CLASSES } from "./stateClasses";
import { type TableMark, TranscriptTable } from "./transcriptTable";

/** A tail up to this size is parsed; preparing to read it as rows would take longer. Bytes. */
const PARSED_TAIL = 256 * 1024;

export interface ReadingProgress {
  readonly doneBytes: number;
  readonly totalBytes: number;
}

/**
 * done · cancelled: what was read stays, as far as it goes · broken: the same, because the disk gave no more; a problem says so ·
 * changed: nothing was read, because the file does not go on where it ended; read it anew.
 */
export type ReadingEnd = "done" | "cancelled" | "broken" | "changed";

/** What is known at the end of the last whole line, and where that is. */
interface Base {
  readonly format: FileFormatId;
  readonly layout: Layout;
  readonly skip: number;
  readonly reader: Reader;
  readonly builder: TranscriptBuilder;
  readonly observers: Observers;
  /** Bytes of the file that are read in. */
  offset: number;
  /** 1-based number of the line that begins there, or that ends there when `unended`. */
  line: number;
  /** The last record is whole, but its line has no end yet. */
  unended: boolean;
}

interface Stored {
  readonly base: Base;
  readonly mark: TableMark;
}

/**
 * Reads a transcript into a table, and goes on where it ended when the file has grown: then only what was added is read. What is
 * only known at the end (calls without a result, counts, a last line that is cut off) is in the table and is taken back
 * before it goes on. `state` gives what it takes to go on later, in another process.
 *
 * Goes on for formats whose records are lines, in the file itself. Everything else (one JSON document, what is packed, what
 * is spread over several files) is read anew: `goesOn` says so.
 */
export class TableReading {
  table = new TranscriptTable();
  /** False when other files than this one hold parts of the transcript. */
  alone = true;
  /** Undefined before reading, and when it cannot go on. */
  private base: Base | undefined;
  private begun = false;
  private shown = newObservers();
  /** Calls without a result that the table lists and `shown` has not heard of. */
  private missing = 0;

  constructor(
    private readonly ports: TextPorts,
    private readonly options: ReadOptions,
  ) {}

  /** False when the file has to be read from its beginning after any change. */
  get goesOn(): boolean {
    return this.base !== undefined;
  }

  /** Bytes that are read in for good; behind them stands at most a line without an end. */
  get offset(): number {
    return this.base?.offset ?? 0;
  }

  get observers(): Observers {
    return this.shown;
  }

  totals(): ShownTotals {
    return shownTotals(this.shown, this.missing);
  }

  /** Reads the file to its end: from its beginning at first, then what was added. Yields after each step. */
  async *advance(opened: FileSource, cancel: Cancel): AsyncGenerator<ReadingProgress, ReadingEnd> {
    const { base } = this;
    const file = steadySource(opened);
    if (!this.begun) return yield* this.begin(file, cancel);
    if (base === undefined || file.bytes < base.offset || !(await this.isSame(base, file))) return "changed";
    if (base.unended) {
      const { ends, next } = await endOfLastLine(file, base.offset);
      if (!ends) return "changed";
      if (next === undefined) return "done";
      base.offset = next;
      base.line++;
      base.unended = false;
    }
    this.table.takeBack();
    this.missing = 0;
    this.shown = base.observers;
    return yield* this.lines(base, file, cancel);
  }

  /** True when the content still looks like the format that was read. */
  private async isSame({ format, layout, skip }: Base, file: FileSource): Promise<boolean> {
    const sniffed = await sniffLayout(file, this.ports, this.options.format);
    if (!sniffed.ok) return false;
    const { value } = sniffed;
    return value.format === format && value.layout === layout && value.skip === skip;
  }

  /**
   * What it takes to go on in another process: bytes that `restored` takes, together with the table. The error says why there
   * is no such thing.
   */
  state(): Result<Uint8Array, string> {
    return joined(this.stating());
  }

  /** The same in short steps and pieces; nothing may be read between them. */
  *stating(): GraphPieces {
    const { base, table } = this;
    if (base === undefined || table.marked === undefined) return err("the file is read anew when it changes");
    const stored: Stored = { base, mark: table.marked };
    return yield* writingGraph(stored, STATE_CLASSES);
  }

  /** The reading again that gave `state` and whose table this is; undefined when the state is not whole. */
  static restored(
    table: TranscriptTable,
    state: Uint8Array,
    ports: TextPorts,
    options: ReadOptions,
  ): TableReading | undefined {
    const read = readGraph(state, STATE_CLASSES);
    if (!read.ok) return undefined;
    const { base, mark } = read.value as Stored;
    const reading = new TableReading(ports, options);
    reading.table = table;
    table.marked = mark;
    reading.base = base;
    reading.begun = true;
    return reading;
  }

  private async *begin(file: FileSource, cancel: Cancel): AsyncGenerator<ReadingProgress, ReadingEnd> {
    this.begun = true;
    const opened = await openedSource(file, this.ports);
    if (cancel.isCancellationRequested) return "cancelled";
    if (!opened.ok) return this.fail(opened.error);
    const { source, problems } = opened.value;
    const sniffed = await sniffLayout(source, this.ports, this.options.format ?? opened.value.format);
    if (cancel.isCancellationRequested) return "cancelled";
    if (!sniffed.ok) return this.fail(sniffed.error);
    const base = newBase(sniffed.value, opened.value.name ?? baseName(source.path));
    this.alone = opened.value.spread !== true;
    for (const problem of problems) base.builder.problems.add(problem);
    this.shown = base.observers;
    if (source === file && base.layout !== "document") {
      this.base = base;
      return yield* this.lines(base, source, cancel);
    }
    const end = yield* this.feed(base, source, base.layout, cancel);
    if (end !== "done") return end;
    this.finish(base);
    yield { doneBytes: source.bytes, totalBytes: source.bytes };
    return "done";
  }

  private fail(problem: Problem): ReadingEnd {
    this.table.problem(problem);
    return "done";
  }

  private async *lines(base: Base, file: FileSource, cancel: Cancel): AsyncGenerator<ReadingProgress, ReadingEnd> {
    let cut: number;
    try {
      cut = await endOfLines(file, base.offset, cancel);
    } catch (error) {
      return this.broken(base, file, error);
    }
    if (cut > base.offset) {
      const end = yield* this.feed(base, upTo(file, cut), base.layout, cancel);
      if (end !== "done") return end;
      base.offset = cut;
    }
    if (cancel.isCancellationRequested) return "cancelled";
    return yield* this.lastLine(base, file, cancel);
  }

  /** Reads what stands behind the last newline, and closes. */
  private async *lastLine(base: Base, file: FileSource, cancel: Cancel): AsyncGenerator<ReadingProgress, ReadingEnd> {
    let kind: Awaited<ReturnType<typeof lookAtLastLine>>;
    try {
      kind = await lookAtLastLine(file, base.offset, this.ports.utf8);
    } catch (error) {
      return this.broken(base, file, error);
    }
    if (kind === "record") {
      const { line } = base;
      const end = yield* this.feed(base, file, base.layout, cancel);
      if (end !== "done") return end;
      base.offset = file.bytes;
      base.line = line;
      base.unended = true;
    }
    const torn = kind === "torn" && base.layout === "lines";
    const plain = kind === "nothing" || kind === "record" || torn;
    if (plain && base.reader.settled === true) {
      this.close(base, torn ? [tornLine({ line: base.line, start: base.offset, end: file.bytes })] : []);
    } else {
      const end = yield* this.closeCopy(base, file, kind === "torn" || kind === "other", cancel);
      if (end !== "done") return end;
    }
    yield { doneBytes: file.bytes, totalBytes: file.bytes };
    return "done";
  }

  /** Adds what is known at the end only; the reader has nothing to say then. */
  private close(base: Base, problems: readonly Problem[]): void {
    const { table } = this;
    const events = [...problems.map((problem) => ({ kind: "problem", problem }) as const), ...base.builder.closing()];
    table.mark();
    table.add(events);
    this.missing = events.filter(({ kind }) => kind === "result").length;
  }

  /** The same where closing changes the reader: a copy of it is closed. */
  private async *closeCopy(
    base: Base,
    file: FileSource,
    readOn: boolean,
    cancel: Cancel,
  ): AsyncGenerator<ReadingProgress, ReadingEnd> {
    const copy = copied(base);
    // What cannot be copied is closed itself, and read from the beginning next time.
    if (copy === undefined) this.base = undefined;
    else this.table.mark();
    const last = copy ?? base;
    this.shown = last.observers;
    if (readOn) {
      const end = yield* this.feed(last, file, base.layout, cancel);
      if (end !== "done") return end;
    }
    this.finish(last);
    return "done";
  }

  private finish({ reader, builder, observers }: Base): void {
    reader.finish();
    builder.finish();
    observe(observers, this.table, builder.take());
  }

  /** Reads from where the base ends to the end of `source`. A read that fails is a problem; what came before it stays. */
  private async *feed(
    base: Base,
    source: FileSource,
    layout: Layout,
    cancel: Cancel,
  ): AsyncGenerator<ReadingProgress, ReadingEnd> {
    const { reader, builder, observers, offset } = base;
    const { utf8 } = this.ports;
    const feed: Feed = { source, utf8, reader, problems: builder.problems, cancel, scan: this.options };
    const small = offset > base.skip && source.bytes - offset < PARSED_TAIL;
    const rows = layout === "lines" && !small ? rowsOf(feed, this.ports, offset, base.line) : undefined;
    const records = rows ?? feedRecords(feed, layout, offset, base.line);
    try {
      for (;;) {
        const step = await records.next();
        this.take(observers, builder.take());
        if (cancel.isCancellationRequested) return this.stopped();
        if (step.done === true) {
          base.line = step.value;
          return "done";
        }
        yield { doneBytes: step.value, totalBytes: source.bytes };
      }
    } catch (error) {
      return this.broken(base, source, error);
    } finally {
      await records.return(base.line);
    }
  }

  private take(observers: Observers, events: readonly TranscriptEvent[]): void {
    observe(observers, this.table, events);
  }

  private stopped(): ReadingEnd {
    this.base = undefined;
    return "cancelled";
  }

  /** Only the platform's read errors are expected here; a bug in a reader must not pass for one. */
  private broken(base: Base, source: FileSource, error: unknown): ReadingEnd {
    if (!(error instanceof Error && "code" in error)) throw error;
    this.base = undefined;
    base.builder.problems.add({ ...unreadable(source, error), code: "read-failed" });
    this.finish(base);
    return "broken";
  }
}

function newBase({ format, layout, skip }: Sniffed, name: string): Base {
  const facts = FORMATS[format];
  const header = { format, agent: FILE_AGENTS[format], unit: facts.unit, sessionId: undefined, model: undefined };
  const builder = new TranscriptBuilder(header, { lateCalls: facts.lateCalls });
  const reader = facts.create({ builder, format, name });
  const observers = newObservers();
  return { format, layout, skip, reader, builder, observers, offset: skip, line: 1, unended: false };
}

function copied(base: Base): Base | undefined {
  const written = writeGraph(base, STATE_CLASSES);
  if (!written.ok) return undefined;
  const copy = readGraph(written.value, STATE_CLASSES);
  if (!copy.ok) throw new Error(`what was stored just now cannot be read: ${copy.error}`);
  return copy.value as Base;
}

/** The file as if it ended at `bytes`. */
function upTo(file: FileSource, bytes: number): FileSource {
  if (bytes >= file.bytes) return file;
  const { path, blocking } = file;
  const read = (start: number, end: number): Promise<Uint8Array> => file.read(start, Math.min(end, bytes));
  return blocking === undefined ? { path, bytes, read } : { path, bytes, read, blocking };
}
