import { FILE_STATUSES, type RowSort, type SortKey } from "../model/rowQuery";
import type { RowColumns, TextColumn } from "./rowColumns";

/** A total order over rows: by the sort's column, unknown values last, equal ones by row. */
export interface RowSorter {
  compare(a: number, b: number): number;
  /** Sorts in place; the rows must come in ascending order. */
  sort(rows: Uint32Array): void;
}

const BY_ROW: RowSorter = { compare: (a, b) => a - b, sort: () => undefined };

/** Below this many rows comparing is quicker than counting digits. */
const RADIX_FROM = 512;
/** So that the places of all digits stay in the first-level cache. */
const DIGIT_BITS = 11;
const DIGITS = 1 << DIGIT_BITS;
const NO_FILE = FILE_STATUSES.indexOf("none");

/** Good until the columns change. */
export function rowSorter(columns: RowColumns, sort: RowSort): RowSorter {
  if (sort === null) return BY_ROW;
  if (sort.key === "where") return byText((row) => columns.path(row) ?? columns.handle(row), sort.descending);
  return byNumber(numberOf(columns, sort.key), sort.descending);
}

function numberOf(columns: RowColumns, key: Exclude<SortKey, "where">): (row: number) => number {
  switch (key) {
    case "turn":
      return (row) => columns.turn(row);
    case "call":
      return (row) => columns.call(row);
    case "tool": {
      const ranks = ranksOf(columns.tool);
      return (row) => ranks[columns.tool.id(row)] ?? -1;
    }
    case "state":
      return (row) => columns.state(row);
    case "chars":
      return (row) => columns.chars(row);
    case "tokens":
      return (row) => columns.tokens(row);
    case "full":
      return (row) => columns.full(row);
    case "file":
      return (row) => (columns.file(row) === NO_FILE ? -1 : columns.file(row));
  }
}

/** Place of each text when case does not matter; texts that are then equal share one. */
function ranksOf({ texts }: TextColumn): Float64Array {
  const lower = texts.map((text) => text.toLowerCase());
  const places = new Map([...new Set(lower)].sort().map((text, place) => [text, place]));
  return Float64Array.from(lower, (text) => places.get(text) ?? -1);
}

/** Values are at least 0; less is unknown. */
function byNumber(value: (row: number) => number, descending: boolean): RowSorter {
  const sign = descending ? -1 : 1;
  const compare = (a: number, b: number): number => {
    const left = value(a);
    const right = value(b);
    if (left === right || (left < 0 && right < 0)) return a - b;
    if (left < 0) return 1;
    return right < 0 ? -1 : sign * (left - right);
  };
  const sort = (rows: Uint32Array): void => {
    const keys = rows.length < RADIX_FROM ? undefined : radixKeys(rows, value, descending);
    if (keys === undefined) rows.sort(compare);
    else radixSort(rows, keys);
  };
  return { compare, sort };
}

/** Keys whose ascending order is the wanted one, from 0 on; undefined when 32 bits do not hold them. */
function radixKeys(rows: Uint32Array, value: (row: number) => number, descending: boolean): Uint32Array | undefined {
  const values = new Float64Array(rows.length);
  let least = Number.POSITIVE_INFINITY;
  let most = -1;
  for (let at = 0; at < rows.length; at++) {
    const found = value(rows[at] ?? 0);
    if (!Number.isInteger(found)) return undefined;
    values[at] = found;
    if (found >= 0 && found < least) least = found;
    if (found > most) most = found;
  }
  // Unknown values come after every other.
  const unknown = most < 0 ? 0 : most - least + 1;
  if (unknown > 0xffff_ffff) return undefined;
  const keys = new Uint32Array(rows.length);
  for (let at = 0; at < rows.length; at++) {
    const found = values[at] ?? 0;
    keys[at] = found < 0 ? unknown : descending ? most - found : found - least;
  }
  return keys;
}

interface Keyed {
  readonly rows: Uint32Array;
  readonly keys: Uint32Array;
}

/** Stable: one pass for each digit that the largest key has. */
function radixSort(rows: Uint32Array, keys: Uint32Array): void {
  let largest = 0;
  for (let at = 0; at < keys.length; at++) largest = Math.max(largest, keys[at] ?? 0);
  let from: Keyed = { rows, keys };
  let to: Keyed = { rows: new Uint32Array(rows.length), keys: new Uint32Array(rows.length) };
  for (let shift = 0; shift < 32 && largest >>> shift > 0; shift += DIGIT_BITS) {
    pass(from, to, shift);
    [from, to] = [to, from];
  }
  if (from.rows !== rows) rows.set(from.rows);
}

function pass(from: Keyed, to: Keyed, shift: number): void {
  const starts = new Uint32Array(DIGITS);
  const { length } = from.keys;
  for (let at = 0; at < length; at++) {
    const digit = ((from.keys[at] ?? 0) >>> shift) & (DIGITS - 1);
    starts[digit] = (starts[digit] ?? 0) + 1;
  }
  let sum = 0;
  for (let digit = 0; digit < DIGITS; digit++) {
    const many = starts[digit] ?? 0;
    starts[digit] = sum;
    sum += many;
  }
  for (let at = 0; at < length; at++) {
    const key = from.keys[at] ?? 0;
    const digit = (key >>> shift) & (DIGITS - 1);
    const place = starts[digit] ?? 0;
    starts[digit] = place + 1;
    to.keys[place] = key;
    to.rows[place] = from.rows[at] ?? 0;
  }
}

function byText(text: (row: number) => string | null, descending: boolean): RowSorter {
  const sign = descending ? -1 : 1;
  const order = (left: string | undefined, right: string | undefined, a: number, b: number): number => {
    if (left === right) return a - b;
    if (left === undefined) return 1;
    if (right === undefined) return -1;
    return left < right ? -sign : sign;
  };
  const lower = (row: number): string | undefined => text(row)?.toLowerCase();
  const compare = (a: number, b: number): number => order(lower(a), lower(b), a, b);
  const sort = (rows: Uint32Array): void => {
    const known: { readonly row: number; readonly text: string }[] = [];
    const unknown: number[] = [];
    for (const row of rows) {
      const found = lower(row);
      if (found === undefined) unknown.push(row);
      else known.push({ row, text: found });
    }
    known.sort((a, b) => order(a.text, b.text, a.row, b.row));
    for (let at = 0; at < known.length; at++) rows[at] = known[at]?.row ?? 0;
    rows.set(unknown, known.length);
  };
  return { compare, sort };
}
