import type { ToolResult } from "../../model/transcript";
import type { TranscriptBuilder } from "../builder";
import type { TranscriptEvent } from "../events";
import { expectedRecords } from "./expectedRecords";
import { withFullText } from "./fullText";
import { placeOf, type Skimmed, sizeAt } from "./layout";
import { RowBooks, type RowSums, RowThread } from "./rowBooks";
import { RowIds } from "./rowIds";
import { RowPath } from "./rowPath";
import { type Noticed, RowRing } from "./rowRing";
import { RowState } from "./rowState";
import type { SkimMemory } from "./skimmer";
import { HEAD, SPACE } from "./stateLayout";

/** Rows that were folded, one behind the other; see layout.ts for what they say then. */
export interface RowRun {
  readonly piece: Skimmed;
  /** Half-open range of words of `piece.rows`. */
  readonly from: number;
  readonly to: number;
  /** Line of the file on which the piece begins. */
  readonly line: number;
  readonly books: RowBooks;
  /** Results of the run that are notices, by the number of their block's first word. */
  readonly notices: ReadonlyMap<number, Noticed>;
}

/** A result of a row that is a notice. */
export interface NoticedResult extends Pick<ToolResult, "index" | "threadId" | "size" | "state" | "persisted"> {}

/** What rows add up to since it was told before. */
export interface RowTotals {
  readonly books: RowBooks;
  /** Notices are not in it. */
  readonly threads: readonly RowSums[];
  readonly notices: readonly NoticedResult[];
}

/** Takes in what is read: rows, and events for all that is no row. What rows add up to is told before the next events. */
export interface RowSink {
  /** Pieces that are taken in between two times that others get their turn. */
  readonly piecesAtOnce?: number;
  /** For who looks at them one by one. */
  rows?(run: RowRun): void;
  totals(totals: RowTotals): void;
  events(events: readonly TranscriptEvent[]): void;
}

const NO_NOTICES: ReadonlyMap<number, Noticed> = new Map();
const PIECES_AT_ONCE = 16;
/** Runs of rows that are added up before they are told. */
const RUNS_TOGETHER = 32;

/**
 * Folds the rows of a session without making anything of them (extension/wasm/fold.ts): what numbers and pairs them lies in the
 * skimmer's memory, where parsed records are numbered and paired too.
 */
export class RowFold {
  readonly books: RowBooks;
  readonly ids: RowIds;
  readonly path: RowPath;
  readonly ring: RowRing;
  private builder: TranscriptBuilder | undefined;
  /** What is to be told. */
  private runs = 0;
  private noticed: NoticedResult[] = [];

  constructor(
    memory: SkimMemory,
    readonly sink: RowSink,
    /** Of the file. */
    bytes: number,
  ) {
    const state = RowState.open(memory.wasm, (memory.end + 15) & ~15, expectedRecords(bytes));
    this.books = new RowBooks(state);
    this.ids = new RowIds(state);
    this.ring = new RowRing(this.books);
    this.path = new RowPath(this.books);
  }

  /** Pieces that are taken in between two times that others get their turn; each takes about a millisecond at most. */
  get piecesAtOnce(): number {
    return this.sink.piecesAtOnce ?? PIECES_AT_ONCE;
  }

  /** Before anything else: who tells of records that are no rows. */
  begin(builder: TranscriptBuilder): void {
    this.builder = builder;
  }

  /** A thread that rows may belong to from now on: the main one, or that of an agent. */
  opened(books: unknown, agent?: string): void {
    if (!(books instanceof RowThread)) return;
    const { state } = this.books;
    if (agent !== undefined) state.setValue(state.intern(SPACE.agents, agent), books.number + 1);
    else state.setHead(HEAD.main, books.number);
  }

  /** A request with this model has nothing to tell about the thread. `alone`: no more so in all other threads. */
  settled(books: unknown, model: string, alone: boolean): void {
    if (!(books instanceof RowThread)) return;
    if (alone) for (const thread of this.books.threads) thread.settle(undefined);
    books.settle(model);
  }

  /**
   * Folds rows from the word `at` on, up to one that the reader has to read itself or to the end of the piece; where that is.
   * What the reader had told before is handed on first.
   */
  take(piece: Skimmed, at: number, line: number): number {
    const { builder } = this;
    const { state } = this.books;
    if (builder === undefined) throw new Error("nobody reads what is no row");
    this.events(builder.take());
    const from = piece.rowsAt + at * 4;
    const end = piece.rowsAt + piece.words * 4;
    const stop = (state.call("fold", from, end, piece.namesAt, line, piece.start) - piece.rowsAt) >> 2;
    if (stop > at) {
      this.runs++;
      const notices = this.notices(piece, at, stop, line);
      this.sink.rows?.({ piece, from: at, to: stop, line, books: this.books, notices });
    }
    // The reader adds to the same counts.
    if (stop < piece.rows.length || this.runs >= RUNS_TOGETHER) this.tell();
    return stop;
  }

  /** Hands on events, and before them what rows add up to. */
  events(events: readonly TranscriptEvent[]): void {
    if (events.length === 0) return;
    this.tell();
    this.sink.events(events);
  }

  /** Tells what rows add up to. */
  tell(): void {
    const { books, builder, runs, noticed } = this;
    if (runs === 0 || builder === undefined) return;
    this.runs = 0;
    this.noticed = [];
    books.state.tellTo(builder.usage);
    this.sink.totals({ books, threads: books.takeSums(), notices: noticed });
  }

  private notices(piece: Skimmed, from: number, to: number, line: number): ReadonlyMap<number, Noticed> {
    const { rows, notices } = piece;
    if (notices.size === 0) return NO_NOTICES;
    const found = new Map<number, Noticed>();
    for (const [block, notice] of notices) {
      if (block < from || block >= to) continue;
      const { state, persisted, row } = notice;
      const size = sizeAt(rows, block + 5);
      const noticed = withFullText(notice, rows, row, placeOf(piece, row, line), size);
      const index = rows[block + 8] ?? 0;
      const threadId = this.books.threads[rows[row + 41] ?? 0]?.id ?? "";
      this.ring.notice(index, noticed);
      found.set(block, noticed);
      this.noticed.push({ index, threadId, size, state, persisted });
    }
    return found;
  }
}
