import type { BodyRef, RecordPlace } from "../../model/transcript";
import { NumberColumn } from "./columns";
import type { NameList } from "./strings";

/** Columns of a group by name; names are part of the stored form. */
export type ColumnSet = Readonly<Record<string, NumberColumn>>;

export function placeColumns() {
  return {
    line: new NumberColumn(),
    start: new NumberColumn(),
    end: new NumberColumn(),
    /** Number of the table's name; 0 outside databases. */
    rowTable: new NumberColumn(0),
    rowId: new NumberColumn(),
  };
}

export type PlaceColumns = ReturnType<typeof placeColumns>;

export function setPlace(columns: PlaceColumns, row: number, place: RecordPlace, names: NameList): void {
  columns.line.set(row, place.line);
  columns.start.set(row, place.start);
  columns.end.set(row, place.end);
  columns.rowTable.set(row, names.number(place.row?.table));
  columns.rowId.set(row, place.row?.id);
}

export function placeAt(columns: PlaceColumns, row: number, names: NameList): RecordPlace {
  const place = { line: columns.line.at(row), start: columns.start.at(row), end: columns.end.at(row) };
  const table = names.get(columns.rowTable.at(row));
  return table === undefined ? place : { ...place, row: { table, id: columns.rowId.at(row) } };
}

export function isSamePlace(a: RecordPlace, b: RecordPlace): boolean {
  if (a === b) return true;
  const same = a.line === b.line && a.start === b.start && a.end === b.end;
  return same && a.row?.table === b.row?.table && a.row?.id === b.row?.id;
}

/** Steps into a record, kept as a tree: paths that begin alike share their steps. Number 0 is the empty path. */
export class PathTree {
  readonly columns = {
    parent: new NumberColumn(0),
    /** Number of the step's name; 0: `index` is the step. */
    name: new NumberColumn(0),
    index: new NumberColumn(0),
  };
  readonly #numbers = new Map<string, number>();
  /** The last path that was asked for: readers hand on the same one again and again. */
  #last: readonly (string | number)[] = [];
  #lastNumber = 0;
  #known = 0;

  constructor(private readonly names: NameList) {}

  number(path: BodyRef["path"]): number {
    if (path === this.#last) return this.#lastNumber;
    let number = 0;
    for (const step of path) number = this.below(number, step);
    this.#last = path;
    this.#lastNumber = number;
    return number;
  }

  private below(parent: number, step: string | number): number {
    const { columns } = this;
    for (; this.#known < columns.parent.rows; this.#known++) {
      const at = this.#known;
      this.#numbers.set(keyOf(columns.parent.at(at), columns.name.at(at), columns.index.at(at)), at + 1);
    }
    const name = typeof step === "string" ? this.names.number(step) : 0;
    const index = typeof step === "number" ? step : 0;
    const key = keyOf(parent, name, index);
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    columns.parent.push(parent);
    columns.name.push(name);
    columns.index.push(index);
    return this.below(parent, step);
  }

  get(number: number): BodyRef["path"] {
    const path: (string | number)[] = [];
    const { parent, name, index } = this.columns;
    // A step's parent stands before it, so this ends.
    for (let at = number; at > 0; at = Math.min(at - 1, parent.at(at - 1))) {
      path.push(this.names.get(name.at(at - 1)) ?? index.at(at - 1));
    }
    return path.reverse();
  }
}

function keyOf(parent: number, name: number, index: number): string {
  return `${parent} ${name} ${index}`;
}
