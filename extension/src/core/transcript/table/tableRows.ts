import * as row from "../rows/layout";
import type { RowRun } from "../rows/rowFold";
import type { RowState } from "../rows/rowState";
import { BYTES, LIST } from "../rows/stateLayout";
import type { ThreadCount } from "../summary";
import type { NumberColumn } from "./columns";
import { ROLES } from "./messageRows";
import type { Observers } from "./observers";
import { FLAG, IN_RECORD } from "./resultRows";
import type { TranscriptTable } from "./transcriptTable";

const [USER, ASSISTANT, TOOL] = (["user", "assistant", "tool"] as const).map((role) => ROLES.indexOf(role));

/** A thread of the rows, as the table and what is worked out beside it know it. */
interface RowsThread {
  readonly id: string;
  /** Number of its name in the table. */
  readonly name: number;
  readonly count: ThreadCount | undefined;
}

/** A text's sizes; there is one of them for all rows. */
interface Sizes {
  codePoints: number;
  utf16: number;
  bytes: number;
}

/**
 * Takes rows into a table and into what is worked out beside it, as `observe` takes in the events that `rowEvents` makes of them,
 * in the same order, but without making anything of a row: an object is made for a notice only.
 */
export class TableRows {
  /** By the number that rows give them. */
  private readonly threads: RowsThread[] = [];
  /** Numbers in the table by the place of a name among the texts of the state. */
  private readonly names = new Map<number, number>();
  /** Numbers in the table of `PATHS`. */
  private readonly paths: number[] = [];
  private readonly size: Sizes = { codePoints: 0, utf16: 0, bytes: 0 };
  private bytes: Uint8Array = new Uint8Array(0);

  constructor(
    private readonly table: TranscriptTable,
    private readonly observers: Observers,
  ) {}

  take(run: RowRun): void {
    const { piece, from, to } = run;
    const { rows } = piece;
    this.observers.summary.lookUp(run.books);
    this.bytes = new Uint8Array(rows.buffer);
    for (let at = from; at < to; at += row.rowWords(rows, at)) {
      const head = rows[at] ?? 0;
      const kind = head & row.KIND;
      if (kind !== row.USER && kind !== row.ASSISTANT) continue;
      const thread = this.threadAt(run, rows[at + 41] ?? 0);
      if (kind === row.ASSISTANT) {
        if ((head & (row.NEW_CALL | row.GROWN)) !== 0) this.call(run, at, thread);
        this.message(run, at, thread, ASSISTANT);
      }
      const results = rows[at + 38] ?? 0;
      for (let i = 0; i < results; i++) this.result(run, at, at + row.HEAD_WORDS + i * row.BLOCK_WORDS, thread);
      if (kind === row.USER) this.message(run, at, thread, row.isOnlyResults(rows, at) ? TOOL : USER);
    }
  }

  private threadAt({ books }: RowRun, number: number): RowsThread {
    const known = this.threads[number];
    if (known !== undefined) return known;
    const id = books.threads[number]?.id ?? "";
    const thread = { id, name: this.table.shared.names.number(id), count: this.observers.summary.countOf(id) };
    this.threads[number] = thread;
    return thread;
  }

  /** Number of a name that stands in the state; 0 for 0. */
  private nameAt(state: RowState, place: number): number {
    const known = this.names.get(place);
    if (known !== undefined) return known;
    const number = this.table.shared.names.number(state.name(place));
    this.names.set(place, number);
    return number;
  }

  private place(run: RowRun, at: number, columns: PlaceOf, to: number): void {
    const { piece, line } = run;
    const { rows, start } = piece;
    columns.line.set(to, line + (rows[at + 3] ?? 0));
    columns.start.set(to, start + (rows[at + 1] ?? 0));
    columns.end.set(to, start + (rows[at + 2] ?? 0));
    columns.rowTable.set(to, 0);
    columns.rowId.set(to, undefined);
  }

  /** The sizes whose three words begin at `at`. */
  private sizeAt(rows: Int32Array, at: number): Sizes {
    const { size } = this;
    const bytes = rows[at] ?? 0;
    size.bytes = bytes;
    size.codePoints = bytes === 0 ? 0 : bytes - (rows[at + 1] ?? 0);
    size.utf16 = bytes === 0 ? 0 : size.codePoints + (rows[at + 2] ?? 0);
    return size;
  }

  private call(run: RowRun, at: number, thread: RowsThread): void {
    const { table, observers } = this;
    const { rows, namesAt } = run.piece;
    const { columns } = table.calls;
    const number = rows[at + 28] ?? 0;
    const known = table.calls.rowOf(thread.name, number);
    const to = known < 0 ? table.calls.rows : known;
    if (known < 0) {
      const { state } = run.books;
      const model = state.word(state.at(LIST.calls, rows[at + 40] ?? 0, BYTES.call) + 3);
      this.place(run, at, columns, to);
      columns.thread.set(to, thread.name);
      columns.number.set(to, number);
      columns.turn.set(to, rows[at + 42] || undefined);
      columns.model.set(to, this.nameAt(state, model));
      const length = rows[at + 13] ?? 0;
      const time = length === 0 ? 0 : table.shared.texts.addAscii(this.bytes, namesAt + (rows[at + 12] ?? 0), length);
      columns.at.set(to, time);
    } else table.keepCall(known);
    const stated = this.usage(rows, at, to);
    observers.timeline.called(thread.id, number, to, thread.count?.chars ?? 0);
    thread.count?.called(number, stated ? table.calls.usage(to) : undefined);
  }

  /** Whether the row states usage, which goes into the row `to`. */
  private usage(rows: Int32Array, at: number, to: number): boolean {
    const { columns } = this.table.calls;
    const states = ((rows[at] ?? 0) & row.HAS_USAGE) !== 0;
    const input = states ? (rows[at + 20] ?? -1) : -1;
    const cacheRead = states ? (rows[at + 21] ?? -1) : -1;
    const cacheWrite = states ? (rows[at + 22] ?? -1) : -1;
    const output = states ? (rows[at + 23] ?? -1) : -1;
    const stated = input >= 0 || cacheRead >= 0 || cacheWrite >= 0 || output >= 0;
    columns.stated.set(to, stated ? 1 : 0);
    columns.input.set(to, input < 0 ? undefined : input);
    columns.cacheRead.set(to, cacheRead < 0 ? undefined : cacheRead);
    columns.cacheWrite.set(to, cacheWrite < 0 ? undefined : cacheWrite);
    columns.output.set(to, output < 0 ? undefined : output);
    return stated;
  }

  private message(run: RowRun, at: number, { name, count }: RowsThread, role = USER): void {
    const { table, observers } = this;
    const { rows } = run.piece;
    const { columns } = table.messages;
    const to = table.messages.rows;
    this.place(run, at, columns, to);
    columns.thread.set(to, name);
    columns.index.set(to, rows[at + 43] ?? 0);
    columns.role.set(to, role);
    columns.turn.set(to, rows[at + 42] || undefined);
    const size = this.sizeAt(rows, at + 25);
    let { codePoints, utf16, bytes } = size;
    let images = rows[at + 30] ?? 0;
    let chars = observers.summary.length(size);
    if (role === TOOL) {
      chars = 0;
      const results = rows[at + 38] ?? 0;
      for (let i = 0, block = at + row.HEAD_WORDS; i < results; i++, block += row.BLOCK_WORDS) {
        this.sizeAt(rows, block + 5);
        codePoints += size.codePoints;
        utf16 += size.utf16;
        bytes += size.bytes;
        images += rows[block + 10] ?? 0;
      }
    }
    columns.codePoints.set(to, codePoints);
    columns.utf16.set(to, utf16);
    columns.bytes.set(to, bytes);
    if (role === ASSISTANT) {
      this.sizeAt(rows, at + 31);
      chars += observers.summary.length(size);
    } else {
      size.codePoints = 0;
      size.utf16 = 0;
      size.bytes = 0;
    }
    columns.argsCodePoints.set(to, size.codePoints);
    columns.argsUtf16.set(to, size.utf16);
    columns.argsBytes.set(to, size.bytes);
    columns.images.set(to, images);
    if (count === undefined) return;
    count.messages++;
    if (role === ASSISTANT) count.assistant += chars;
    else count.user += chars;
  }

  private result(run: RowRun, at: number, block: number, { id, name, count }: RowsThread): void {
    const { table, observers } = this;
    const { piece, line, books, notices } = run;
    const { rows, namesAt } = piece;
    const { state } = books;
    const { results, shared } = table;
    const { columns } = results;
    const to = rows[block + 8] ?? 0;
    const pair = state.at(LIST.pairs, rows[block + 11] ?? 0, BYTES.pair);
    const size = this.sizeAt(rows, block + 5);
    const bits = rows[block + 3] ?? 0;
    this.place(run, at, columns, to);
    columns.thread.set(to, name);
    columns.turn.set(to, rows[at + 42] || undefined);
    columns.call.set(to, state.word(pair + 3) || undefined);
    columns.callId.set(to, shared.texts.addAscii(this.bytes, namesAt + (rows[block] ?? 0), rows[block + 1] ?? 0));
    columns.tool.set(to, this.nameAt(state, state.word(pair + 2)));
    columns.state.set(to, 0);
    columns.flags.set(to, FLAG.there | ((bits & row.IS_ERROR) !== 0 ? FLAG.isError : 0));
    columns.images.set(to, rows[block + 10] ?? 0);
    columns.codePoints.set(to, size.codePoints);
    columns.utf16.set(to, size.utf16);
    columns.bytes.set(to, size.bytes);
    columns.body.set(to, IN_RECORD);
    columns.bodyPath.set(to, this.pathAt(rows[block + 2] ?? 0));
    const isWritten = (bits & row.WRITTEN) !== 0;
    const notice = notices.get(block) ?? (isWritten ? books.written(to, row.placeOf(piece, at, line)) : undefined);
    if (notice === undefined) results.noNotice(to);
    else results.notice(to, notice);
    observers.left.told(to, id);
    if (notice === undefined || (bits & row.MAYBE_NOTICE) === 0) {
      const stated = notice === undefined ? undefined : (notice.persisted?.statedChars ?? 0);
      observers.summary.rowResult(count, to, observers.summary.length(size), stated);
    } else observers.summary.result({ index: to, threadId: id, size, ...notice });
  }

  private pathAt(index: number): number {
    const known = this.paths[index];
    if (known !== undefined) return known;
    const number = this.table.results.paths.number(row.PATHS[index] ?? []);
    this.paths[index] = number;
    return number;
  }
}

type PlaceOf = Readonly<Record<"line" | "start" | "end" | "rowTable" | "rowId", NumberColumn>>;
