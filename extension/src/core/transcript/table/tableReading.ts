import type { ShownTotals } from "../../model/openTable";
import { err, type Problem, type Result } from "../../model/problem";
import { type Cancel, type FileSource, OUT_OF_ROOM } from "../../ports";
import { type GraphPieces, joined } from "../../util/graph/writeGraph";
import { openedSource, type TextPorts } from "../inflated";
import { baseName, type ReadOptions, tooManyRecords } from "../read";
import { type Feed, feedRecords, tornLine } from "../records";
import { feedRows, rowSourceIn, rowsOf } from "../rows/feedRows";
import { type Layout, sniffLayout, unreadable } from "../sniff";
import { steadySource } from "../steadySource";
import { endOfLastLine, endOfLines, lookAtLastLine } from "./lastLine";
import { newObservers, type Observers, observe, shownTotals } from "./observers";
import { type Base, copied, newBase, restoredBase, storingBase } from "./readingBase";
import { TranscriptTable } from "./transcriptTable";

/** `ScanOptions.parsedBytes`. */
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
  private shown = newObservers(this.table);
  /** Threads of calls without a result that the table lists and `shown` has not heard of, once for each call. */
  private missing: readonly string[] = [];

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
    this.missing = [];
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
    return joined(lasting(this.stating()));
  }

  /** The same in short steps and pieces, each of which is there until the next; nothing may be read between them. */
  *stating(): GraphPieces {
    const { base, table } = this;
    if (base === undefined || table.marked === undefined) return err("the file is read anew when it changes");
    return yield* storingBase({ base, mark: table.marked }, table);
  }

  /** The reading again that gave `state` and whose table this is; undefined when the state is not whole. */
  static restored(
    table: TranscriptTable,
    state: Uint8Array,
    ports: TextPorts,
    options: ReadOptions,
  ): TableReading | undefined {
    const stored = restoredBase(state, { table, ports, options });
    if (stored === undefined) return undefined;
    const reading = new TableReading(ports, options);
    reading.table = table;
    reading.shown = newObservers(table);
    table.marked = stored.mark;
    reading.base = stored.base;
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
    const { table, ports, options } = this;
    const base = newBase(sniffed.value, opened.value.name ?? baseName(source.path), source, { table, ports, options });
    this.alone = opened.value.spread !== true;
    if (base.fold !== undefined) table.expect(source.bytes);
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
    this.missing = events.flatMap((event) => (event.kind === "result" ? [event.result.threadId] : []));
  }

  /** The same where closing changes the reader: a copy of it is closed. */
  private async *closeCopy(
    base: Base,
    file: FileSource,
    readOn: boolean,
    cancel: Cancel,
  ): AsyncGenerator<ReadingProgress, ReadingEnd> {
    const { table, ports, options } = this;
    const copy = copied(base, { table, ports, options });
    // What cannot be copied is closed itself, and read from the beginning next time.
    if (copy === undefined) this.base = undefined;
    else table.mark();
    const last = copy ?? base;
    this.shown = last.observers;
    if (readOn) {
      const end = yield* this.feed(last, file, base.layout, cancel);
      if (end !== "done") return end;
    }
    this.finish(last);
    return "done";
  }

  private finish(base: Base): void {
    base.fold?.tell();
    base.reader.finish();
    base.builder.finish();
    this.take(base);
  }

  /** Reads from where the base ends to the end of `source`. A read that fails is a problem; what came before it stays. */
  private async *feed(
    base: Base,
    source: FileSource,
    layout: Layout,
    cancel: Cancel,
  ): AsyncGenerator<ReadingProgress, ReadingEnd> {
    const records = this.records(base, source, layout, cancel);
    try {
      for (;;) {
        const step = await records.next();
        this.take(base);
        if (cancel.isCancellationRequested) return this.stopped();
        if (step.done === true) {
          base.fold?.tell();
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

  private records(base: Base, source: FileSource, layout: Layout, cancel: Cancel): AsyncGenerator<number, number> {
    const { ports, options: scan } = this;
    const { reader, builder, fold, held, offset, line } = base;
    const feed: Feed = { source, utf8: ports.utf8, reader, problems: builder.problems, cancel, scan };
    const small = offset > base.skip && source.bytes - offset < (scan.parsedBytes ?? PARSED_TAIL);
    if (layout !== "lines" || small) return feedRecords(feed, layout, offset, line);
    if (fold === undefined || held === undefined)
      return rowsOf(feed, ports, offset, line) ?? feedRecords(feed, layout, offset, line);
    const rows = rowSourceIn(held.memory, source, ports, scan, offset);
    return rows === undefined ? feedRecords(feed, layout, offset, line) : feedRows(feed, rows, offset, line, fold);
  }

  /** Takes in what the reader told. */
  private take({ builder, fold, observers }: Base): void {
    const events = builder.take();
    if (fold !== undefined) fold.events(events);
    else observe(observers, this.table, events);
  }

  private stopped(): ReadingEnd {
    this.base = undefined;
    return "cancelled";
  }

  /** Only the platform's read errors are expected here; a bug in a reader must not pass for one. */
  private broken(base: Base, source: FileSource, error: unknown): ReadingEnd {
    if (!(error instanceof Error && "code" in error)) throw error;
    this.base = undefined;
    if (error.code === OUT_OF_ROOM) {
      // What numbers and pairs the records is not whole any more, so that nothing can be closed.
      base.builder.problems.add(tooManyRecords(source));
      base.fold?.tell();
      this.take(base);
      return "broken";
    }
    base.builder.problems.add({ ...unreadable(source, error), code: "read-failed" });
    this.finish(base);
    return "broken";
  }
}

function* lasting(steps: GraphPieces): GraphPieces {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    yield step.value.map((piece) => piece.slice());
  }
}

/** The file as if it ended at `bytes`. */
function upTo(file: FileSource, bytes: number): FileSource {
  if (bytes >= file.bytes) return file;
  const { path, blocking } = file;
  const read = (start: number, end: number): Promise<Uint8Array> => file.read(start, Math.min(end, bytes));
  return blocking === undefined ? { path, bytes, read } : { path, bytes, read, blocking };
}
