import {
  type FoundRow,
  ROW_LIMITS,
  type RowQuery,
  type RowRef,
  type RowSummary,
  type RowsAnswer,
  type RowsRequest,
} from "../model/rowQuery";
import type { RowColumns } from "./rowColumns";
import { rowFacets } from "./rowFacets";
import { RowFigures } from "./rowFigures";
import { FAILS, rowTest } from "./rowFilter";
import { type RowSorter, rowSorter } from "./rowSorter";

/** Queries whose order is kept: a page that goes back and forth between two does not wait. */
const KEPT = 2;
/** When more than this part of the rows changed, everything is looked at anew. */
const MOST_CHANGED = 1 / 8;

/**
 * Answers queries over columns, and keeps the order of the last few: rows that came or changed since are put into their
 * place, the others are not looked at again. Whoever changes a row that was there says so with `touch` or `reset`; rows
 * behind the last one are noticed.
 */
export class RowQueries {
  readonly #columns: RowColumns;
  readonly #figures: RowFigures;
  #kept: { readonly key: string; readonly within: RowQuery["within"]; readonly order: RowOrder }[] = [];

  constructor(columns: RowColumns) {
    this.#columns = columns;
    this.#figures = new RowFigures(columns);
  }

  /** The row has other values than before. */
  touch(row: number): void {
    this.#figures.touch(row);
    for (const { order } of this.#kept) order.touch(row);
  }

  /** Any row may have other values, or be gone. */
  reset(): void {
    this.#figures.touchAll();
    for (const { order } of this.#kept) order.touchAll();
  }

  answer({ query, from, count, around, find, summary }: RowsRequest): RowsAnswer {
    const columns = this.#columns;
    const order = this.#order(query);
    order.refresh();
    const rows = order.rows;
    const wanted = Math.min(count, ROW_LIMITS.window);
    const center = around === null ? null : this.#place(order, locate(columns, around.ref));
    const first = center === null || around === null ? from : center - around.before;
    const start = Math.max(0, Math.min(first, rows.length - wanted));
    return {
      all: order.all,
      total: rows.length,
      from: start,
      rows: Array.from(rows.subarray(start, start + wanted), (row) => columns.row(row)),
      around: center,
      found: find.slice(0, ROW_LIMITS.find).map((ref): FoundRow => {
        const row = locate(columns, ref);
        return { place: this.#place(order, row), row: row === null ? null : columns.row(row) };
      }),
      summary: summary ? order.summary(this.#figures) : null,
    };
  }

  #place(order: RowOrder, row: number | null): number | null {
    return row === null ? null : order.placeOf(row);
  }

  #order(query: RowQuery): RowOrder {
    const { within } = query;
    const key = JSON.stringify([query.filter, query.sort]);
    const known = this.#kept.find((one) => one.key === key && sameList(one.within, within));
    const kept = known ?? { key, within, order: new RowOrder(this.#columns, query) };
    this.#kept = [kept, ...this.#kept.filter((one) => one !== known)].slice(0, KEPT);
    return kept.order;
  }
}

function sameList(a: RowQuery["within"], b: RowQuery["within"]): boolean {
  if (a === b || a === null || b === null) return a === b;
  return a.length === b.length && a.every((row, at) => row === b[at]);
}

/** The row that a reference names now; null = none. */
function locate(columns: RowColumns, { index, thread, callId }: RowRef): number | null {
  const isThere = index < columns.count && columns.has(index);
  if (thread === null && callId === null) return isThere ? index : null;
  const isIt = (row: number): boolean =>
    columns.has(row) && columns.callId(row) === callId && columns.thread.texts[columns.thread.id(row)] === thread;
  if (isThere && isIt(index)) return index;
  if (callId === null) return null;
  for (let row = columns.count - 1; row >= 0; row--) if (isIt(row)) return row;
  return null;
}

/** Which rows one query gives, in its order. */
class RowOrder {
  readonly #columns: RowColumns;
  readonly #query: RowQuery;
  /** Bits of `FAILS` by row, at least `#count` of them. */
  #fails: Uint16Array = new Uint16Array(0);
  #count = 0;
  #rows: Uint32Array = new Uint32Array(0);
  #touched = new Set<number>();
  #stale = true;
  #absent = 0;
  #summary: RowSummary | undefined;

  constructor(columns: RowColumns, query: RowQuery) {
    this.#columns = columns;
    this.#query = query;
  }

  get rows(): Uint32Array {
    return this.#rows;
  }

  /** Rows that are there, whether the query gives them or not. */
  get all(): number {
    return this.#count - this.#absent;
  }

  touch(row: number): void {
    if (row >= this.#count || this.#stale) return;
    this.#touched.add(row);
    if (this.#touched.size > 64 + this.#count * MOST_CHANGED) this.touchAll();
  }

  touchAll(): void {
    this.#stale = true;
    this.#touched.clear();
  }

  placeOf(row: number): number | null {
    const place = this.#rows.indexOf(row);
    return place < 0 ? null : place;
  }

  refresh(): void {
    const { count } = this.#columns;
    if (!this.#stale && this.#touched.size === 0 && count === this.#count) return;
    this.#summary = undefined;
    const sorter = rowSorter(this.#columns, this.#query.sort);
    if (this.#stale || count < this.#count) this.#build(sorter, count);
    else this.#mend(sorter, count);
    this.#count = count;
    this.#stale = false;
    this.#touched.clear();
  }

  summary(figures: RowFigures): RowSummary {
    this.#summary ??= this.#sum(figures);
    return this.#summary;
  }

  #build(sorter: RowSorter, count: number): void {
    this.#absent = 0;
    this.#count = 0;
    const all = new Uint32Array(count);
    for (let row = 0; row < count; row++) all[row] = row;
    this.#rows = this.#passing(all, count);
    sorter.sort(this.#rows);
  }

  #mend(sorter: RowSorter, count: number): void {
    const changed = [...this.#touched].sort((a, b) => a - b);
    const looked = new Uint32Array(changed.length + count - this.#count);
    looked.set(changed);
    for (let row = this.#count; row < count; row++) looked[changed.length + row - this.#count] = row;
    const kept = changed.length === 0 ? this.#rows : without(this.#rows, changed, this.#count);
    const added = this.#passing(looked, count);
    sorter.sort(added);
    this.#rows = merged(kept, added, sorter);
  }

  /** Of these rows, those that the query gives. Their bits are looked up anew. */
  #passing(looked: Uint32Array, count: number): Uint32Array {
    if (this.#fails.length < count) {
      const fails = new Uint16Array(Math.ceil(count * 1.25));
      fails.set(this.#fails);
      this.#fails = fails;
    }
    const test = rowTest(this.#columns, this.#query);
    const passing = new Uint32Array(looked.length);
    let passed = 0;
    for (let at = 0; at < looked.length; at++) {
      const row = looked[at] ?? 0;
      const bits = test(row);
      const wasAbsent = row < this.#count && this.#fails[row] === FAILS.absent;
      if ((bits === FAILS.absent) !== wasAbsent) this.#absent += wasAbsent ? -1 : 1;
      this.#fails[row] = bits;
      if (bits === 0) passing[passed++] = row;
    }
    return passing.subarray(0, passed);
  }

  #sum(figures: RowFigures): RowSummary {
    figures.refresh();
    const { chars, tokens } = figures;
    let sumOfChars = 0;
    let sumOfTokens = 0;
    // In the order of the rows, not of the query: the arrays are then read from front to back.
    for (let row = 0; row < this.#count; row++) {
      if (this.#fails[row] !== 0) continue;
      sumOfChars += chars[row] ?? 0;
      sumOfTokens += tokens[row] ?? 0;
    }
    const facets = rowFacets(this.#columns, figures, this.#fails, this.#count);
    return { chars: sumOfChars, tokens: sumOfTokens, facets };
  }
}

/** The rows but those, in their order; all are below `count`. */
function without(rows: Uint32Array, left: readonly number[], count: number): Uint32Array {
  const marks = new Uint8Array(count);
  for (const row of left) marks[row] = 1;
  const kept = new Uint32Array(rows.length);
  let many = 0;
  for (let at = 0; at < rows.length; at++) {
    const row = rows[at] ?? 0;
    if (marks[row] === 0) kept[many++] = row;
  }
  return kept.subarray(0, many);
}

/** Both in the sorter's order, without a row in common. Few added rows cost a search each, not a step per row. */
function merged(kept: Uint32Array, added: Uint32Array, sorter: RowSorter): Uint32Array {
  if (added.length === 0) return kept;
  const all = new Uint32Array(kept.length + added.length);
  let from = 0;
  for (let at = 0; at < added.length; at++) {
    const row = added[at] ?? 0;
    const to = firstAfter(kept, from, row, sorter);
    all.set(kept.subarray(from, to), from + at);
    all[to + at] = row;
    from = to;
  }
  all.set(kept.subarray(from), from + added.length);
  return all;
}

/** Place of the first kept row, from `from` on, that comes after this one. */
function firstAfter(kept: Uint32Array, from: number, row: number, sorter: RowSorter): number {
  // Rows are mostly added at the end of the transcript's own order.
  const last = kept[kept.length - 1];
  if (last === undefined || sorter.compare(last, row) < 0) return kept.length;
  let low = from;
  let high = kept.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorter.compare(kept[middle] ?? 0, row) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
