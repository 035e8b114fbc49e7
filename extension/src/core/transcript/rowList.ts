import type { FileStatus } from "../model/fileStatus";
import {
  charsOf,
  FILE_STATUSES,
  fullOf,
  RESULT_STATES,
  type ResultRow,
  type RowsAnswer,
  type RowsRequest,
  tokensOf,
} from "../model/rowQuery";
import type { RowColumns, TextColumn } from "./rowColumns";
import { RowQueries } from "./rowQuery";

/** Different texts with their ids. */
class Texts implements TextColumn {
  readonly texts: string[] = [];
  readonly ids: number[] = [];
  readonly #known = new Map<string, number>();

  id(row: number): number {
    return this.ids[row] ?? -1;
  }

  set(row: number, text: string | null): void {
    this.ids[row] = text === null ? -1 : this.#idOf(text);
  }

  #idOf(text: string): number {
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    this.#known.set(text, this.texts.length);
    return this.texts.push(text) - 1;
  }
}

const STATE_IDS = new Map<string, number>(RESULT_STATES.map((state, id) => [state, id]));
const FILE_IDS = new Map<string, number>(FILE_STATUSES.map((status, id) => [status, id]));

/** Rows kept as objects, by index, and queries over them. Indexes may be left out. */
export class RowList implements RowColumns {
  readonly thread = new Texts();
  readonly tool = new Texts();
  readonly #rows: (ResultRow | undefined)[] = [];
  #there = 0;
  readonly #queries = new RowQueries(this);

  constructor(rows: readonly ResultRow[] = []) {
    for (const row of rows) this.set(row);
  }

  get count(): number {
    return this.#rows.length;
  }

  /** Rows without the indexes that were left out. */
  get there(): number {
    return this.#there;
  }

  get(index: number): ResultRow | undefined {
    return this.#rows[index];
  }

  /** Adds the row, or replaces the one with its index. */
  set(row: ResultRow): void {
    const { index } = row;
    while (this.#rows.length < index) this.#rows.push(undefined);
    if (this.#rows[index] === undefined) this.#there++;
    this.#rows[index] = row;
    this.thread.set(index, row.thread);
    this.tool.set(index, row.tool);
    this.#queries.touch(index);
  }

  setFile(index: number, file: FileStatus): void {
    const row = this.#rows[index];
    if (row !== undefined && row.file !== file) this.set({ ...row, file });
  }

  /** Forgets the rows from `count` on. */
  truncate(count: number): void {
    if (count >= this.#rows.length) return;
    for (const row of this.#rows.slice(count)) if (row !== undefined) this.#there--;
    this.#rows.length = count;
    this.#queries.reset();
  }

  answer(request: RowsRequest): RowsAnswer {
    return this.#queries.answer(request);
  }

  has(row: number): boolean {
    return this.#rows[row] !== undefined;
  }

  turn(row: number): number {
    return this.#rows[row]?.turn ?? -1;
  }

  call(row: number): number {
    return this.#rows[row]?.call ?? -1;
  }

  state(row: number): number {
    return STATE_IDS.get(this.#rows[row]?.state ?? "") ?? -1;
  }

  file(row: number): number {
    return FILE_IDS.get(this.#rows[row]?.file ?? "") ?? -1;
  }

  chars(row: number): number {
    return this.#number(row, charsOf);
  }

  tokens(row: number): number {
    return this.#number(row, tokensOf);
  }

  full(row: number): number {
    return this.#number(row, fullOf);
  }

  left(row: number): boolean {
    return (this.#rows[row]?.leftLine ?? null) !== null;
  }

  path(row: number): string | null {
    return this.#rows[row]?.path ?? null;
  }

  handle(row: number): string | null {
    return this.#rows[row]?.handle ?? null;
  }

  callId(row: number): string | null {
    return this.#rows[row]?.callId ?? null;
  }

  row(row: number): ResultRow {
    const found = this.#rows[row];
    if (found === undefined) throw new Error(`there is no row ${row}`);
    return found;
  }

  #number(row: number, of: (row: ResultRow) => number | null): number {
    const found = this.#rows[row];
    return found === undefined ? -1 : (of(found) ?? -1);
  }
}
