import type { TranscriptBuilder } from "../builder";
import type { TranscriptEvent } from "../events";
import { fullTextOf, fullTextUnits } from "./fullText";
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
  /** What the run adds to each thread that it is about. Notices are not in it. */
  readonly sums: readonly RowSums[];
}

/** Takes in what is read, in its order: rows as they are, and events for all that is no row. */
export interface RowSink {
  rows(run: RowRun): void;
  events(events: readonly TranscriptEvent[]): void;
}

const NO_NOTICES: ReadonlyMap<number, Noticed> = new Map();

/**
 * Folds the rows of a session without making anything of them (extension/wasm/fold.ts): what numbers and pairs them lies in the
 * skimmer's memory, where parsed records are numbered and paired too.
 */
export class RowFold {
  readonly books: RowBooks;
  readonly ids: RowIds;
  readonly path: RowPath;
  readonly ring: RowRing;
  private main: RowThread | undefined;
  private builder: TranscriptBuilder | undefined;

  constructor(
    memory: SkimMemory,
    private readonly sink: RowSink,
  ) {
    const state = RowState.open(memory.wasm, (memory.end + 15) & ~15);
    this.books = new RowBooks(state);
    this.ids = new RowIds(state);
    this.ring = new RowRing(this.books);
    this.path = new RowPath(state, () => this.main?.id ?? "");
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
    else {
      this.main = books;
      state.setHead(HEAD.main, books.number);
    }
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
    const told = builder.take();
    if (told.length > 0) this.sink.events(told);
    const from = piece.rowsAt + at * 4;
    const end = piece.rowsAt + piece.words * 4;
    const stop = (state.call("fold", from, end, piece.namesAt, line, piece.start) - piece.rowsAt) >> 2;
    if (stop === at) return stop;
    state.tellTo(builder.usage);
    this.sink.rows({
      piece,
      from: at,
      to: stop,
      line,
      books: this.books,
      notices: this.noticed(piece, at, stop, line),
      sums: this.books.takeSums(),
    });
    return stop;
  }

  private noticed(piece: Skimmed, from: number, to: number, line: number): ReadonlyMap<number, Noticed> {
    const { rows, notices } = piece;
    if (notices.size === 0) return NO_NOTICES;
    const found = new Map<number, Noticed>();
    for (const [block, notice] of notices) {
      if (block < from || block >= to) continue;
      const needed = notice.alone ? fullTextUnits({ ...notice, size: sizeAt(rows, block + 5) }) : undefined;
      const noticed = { ...notice, fullText: fullTextOf(rows, notice.row, placeOf(piece, notice.row, line), needed) };
      this.ring.notice(rows[block + 8] ?? 0, noticed);
      found.set(block, noticed);
    }
    return found;
  }
}
