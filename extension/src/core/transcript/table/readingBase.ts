import type { FileFormatId } from "../../model/transcript";
import type { FileSource } from "../../ports";
import { readGraph } from "../../util/graph/readGraph";
import { type GraphPieces, writeGraph, writingGraph } from "../../util/graph/writeGraph";
import type { TranscriptBuilder } from "../builder";
import type { TranscriptEvent } from "../events";
import type { TextPorts } from "../inflated";
import { foldFor, isSkimmed, newReader, type ReadOptions } from "../read";
import type { Reader } from "../readers/reader";
import { rowSource } from "../rows/feedRows";
import type { RowFold, RowRun, RowSink } from "../rows/rowFold";
import { RowState } from "../rows/rowState";
import { type SkimMemory, skimmingMemory } from "../rows/skimmer";
import type { Layout, Sniffed } from "../sniff";
import { newObservers, type Observers, observe } from "./observers";
import { STATE_CLASSES } from "./stateClasses";
import { readPages, writtenPages } from "./storedPages";
import { TableRows } from "./tableRows";
import type { TableMark, TranscriptTable } from "./transcriptTable";

/** What is known at the end of the last whole line, and where that is. */
export interface Base {
  readonly format: FileFormatId;
  readonly layout: Layout;
  readonly skip: number;
  readonly reader: Reader;
  readonly builder: TranscriptBuilder;
  readonly observers: Observers;
  /** What rows are folded into; undefined where they are not. */
  readonly fold: RowFold | undefined;
  /** What of it only this process has. */
  readonly held: Held | undefined;
  /** Bytes of the file that are read in. */
  offset: number;
  /** 1-based number of the line that begins there, or that ends there when `unended`. */
  line: number;
  /** The last record is whole, but its line has no end yet. */
  unended: boolean;
}

export interface Stored {
  readonly base: Base;
  readonly mark: TableMark;
}

interface Held {
  readonly memory: SkimMemory;
  readonly sink: TableSink;
}

/** Takes rows, and events of what is no row, into a table and what is worked out beside it. */
class TableSink implements RowSink {
  readonly piecesAtOnce = 1;
  private observers: Observers | undefined;
  private taker: TableRows | undefined;

  constructor(private readonly table: TranscriptTable) {}

  to(observers: Observers): void {
    this.observers = observers;
    this.taker = new TableRows(this.table, observers);
  }

  rows(run: RowRun): void {
    this.taker?.take(run);
  }

  /** Rows are added up one by one, because what stood in context before each call is shown. */
  totals(): void {}

  events(events: readonly TranscriptEvent[]): void {
    if (this.observers !== undefined) observe(this.observers, this.table, events);
  }
}

/** What a base is made of and where its rows go. */
export interface BaseParts {
  readonly table: TranscriptTable;
  readonly ports: TextPorts;
  readonly options: ReadOptions;
}

/** Nothing of the file is read yet. */
export function newBase(
  sniffed: Sniffed,
  name: string,
  source: FileSource,
  { table, ports, options }: BaseParts,
): Base {
  const { format, layout, skip } = sniffed;
  const rows = isSkimmed(sniffed) ? rowSource(source, ports.utf8, ports, options) : undefined;
  const sink = new TableSink(table);
  const fold = rows && foldFor(rows, sink, source);
  const held = rows === undefined || fold === undefined ? undefined : { memory: rows.memory, sink };
  const { builder, reader } = newReader(format, name, fold);
  const observers = newObservers(table);
  sink.to(observers);
  return { format, layout, skip, reader, builder, observers, fold, held, offset: skip, line: 1, unended: false };
}

/** Another base that knows the same; undefined where something of it cannot be copied. */
export function copied(base: Base, parts: BaseParts): Base | undefined {
  const written = writeGraph(base, STATE_CLASSES, externalsOf(base, parts.table));
  if (!written.ok) return undefined;
  const copy = readWith(written.value, base.fold?.books.state.snapshot(), parts);
  if (copy === undefined) throw new Error("what was stored just now cannot be read");
  return heard(copy as Base);
}

/** Nothing that rows were folded into. */
const NOTHING = { length: 0, copyTo: () => 0 };

/**
 * A base and the mark of its table, as bytes that `restoredBase` takes. A piece is there until the next one is asked for: what rows
 * were folded into may be large, and goes through the same memory bit by bit.
 */
export function* storingBase(stored: Stored, table: TranscriptTable): GraphPieces {
  for (const piece of writtenPages(stored.base.fold?.books.state ?? NOTHING)) yield [piece];
  return yield* writingGraph(stored, STATE_CLASSES, externalsOf(stored.base, table));
}

/** What `storingBase` gave; undefined when it is not whole, or this platform cannot go on with it. */
export function restoredBase(bytes: Uint8Array, parts: BaseParts): Stored | undefined {
  const pages = readPages(bytes);
  if (pages === undefined) return undefined;
  const snapshot = pages.bytes.length === 0 ? undefined : pages.bytes;
  const stored = readWith(bytes.subarray(pages.end), snapshot, parts) as Stored | undefined;
  if (stored !== undefined) heard(stored.base);
  return stored;
}

/** Objects that are not stored with a base, because they are there or made anew. */
function externalsOf({ fold, held }: Base, table: TranscriptTable): ReadonlyMap<unknown, string> {
  const externals = new Map<unknown, string>([
    [table, TABLE],
    [table.calls, CALLS],
  ]);
  if (fold === undefined || held === undefined) return externals;
  return externals.set(held, HELD).set(held.sink, SINK).set(fold.books.state, STATE);
}

const [TABLE, CALLS, HELD, SINK, STATE] = ["table", "calls", "held", "sink", "state"] as const;

function readWith(bytes: Uint8Array, snapshot: Uint8Array | undefined, parts: BaseParts): unknown {
  const { table, ports, options } = parts;
  const externals = new Map<string, unknown>([
    [TABLE, table],
    [CALLS, table.calls],
  ]);
  if (snapshot !== undefined) {
    const memory = skimmingMemory(ports.wasm, ports.utf8, options);
    if (memory === undefined) return undefined;
    const sink = new TableSink(table);
    externals
      .set(HELD, { memory, sink })
      .set(SINK, sink)
      .set(STATE, RowState.open(memory.wasm, memory.end, 0, snapshot));
  }
  const read = readGraph(bytes, STATE_CLASSES, externals);
  return read.ok ? read.value : undefined;
}

/** From now on rows of the base go to what is worked out beside it. */
function heard(base: Base): Base {
  base.held?.sink.to(base.observers);
  return base;
}
