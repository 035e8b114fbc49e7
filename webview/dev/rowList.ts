import type { FileStatus } from "../../extension/src/core/model/fileStatus";
import {
  charsOf,
  FILE_STATUSES,
  fullOf,
  RESULT_STATES,
  type ResultRow,
  type RowsAnswer,
  type RowsRequest,
  tokensOf,
} from "../../extension/src/core/model/rowQuery";
import type { RowColumns, TextColumn } from "../../extension/src/core/transcript/rowColumns";
import { RowQueries } from "../../extension/src/core/transcript/rowQuery";

type Numbers = Uint8Array | Int32Array | Float64Array;

/** A copy with room for more rows, when the row does not fit. */
function roomy<T extends Numbers>(numbers: T, row: number): T {
  if (row < numbers.length) return numbers;
  const larger = new (numbers.constructor as new (length: number) => T)(Math.max(256, Math.ceil(row * 1.5)));
  larger.set(numbers);
  return larger;
}

/** Different texts with their ids. */
class Texts implements TextColumn {
  readonly texts: string[] = [];
  #ids: Int32Array = new Int32Array(0);
  readonly #known = new Map<string, number>();

  id(row: number): number {
    return this.#ids[row] ?? -1;
  }

  set(row: number, text: string | null): void {
    this.#ids = roomy(this.#ids, row);
    this.#ids[row] = text === null ? -1 : this.#idOf(text);
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

/** Rows kept as objects, by index, with columns of what queries compare. Indexes may be left out. */
export class RowList implements RowColumns {
  readonly thread = new Texts();
  readonly tool = new Texts();
  readonly #rows: (ResultRow | undefined)[] = [];
  #there = 0;
  /** By row, as `RowColumns` has them. */
  #turns: Int32Array = new Int32Array(0);
  #calls: Int32Array = new Int32Array(0);
  #states: Uint8Array = new Uint8Array(0);
  #files: Uint8Array = new Uint8Array(0);
  #left: Uint8Array = new Uint8Array(0);
  #chars: Float64Array = new Float64Array(0);
  #tokens: Float64Array = new Float64Array(0);
  #full: Float64Array = new Float64Array(0);
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
    this.#note(index, row);
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
    return this.#turns[row] ?? -1;
  }

  call(row: number): number {
    return this.#calls[row] ?? -1;
  }

  state(row: number): number {
    return this.#states[row] ?? -1;
  }

  file(row: number): number {
    return this.#files[row] ?? -1;
  }

  chars(row: number): number {
    return this.#chars[row] ?? -1;
  }

  tokens(row: number): number {
    return this.#tokens[row] ?? -1;
  }

  full(row: number): number {
    return this.#full[row] ?? -1;
  }

  left(row: number): boolean {
    return this.#left[row] === 1;
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

  #note(index: number, row: ResultRow): void {
    if (index >= this.#turns.length) {
      this.#turns = roomy(this.#turns, index);
      this.#calls = roomy(this.#calls, index);
      this.#states = roomy(this.#states, index);
      this.#files = roomy(this.#files, index);
      this.#left = roomy(this.#left, index);
      this.#chars = roomy(this.#chars, index);
      this.#tokens = roomy(this.#tokens, index);
      this.#full = roomy(this.#full, index);
    }
    this.#turns[index] = row.turn ?? -1;
    this.#calls[index] = row.call ?? -1;
    this.#states[index] = STATE_IDS.get(row.state) ?? 0;
    this.#files[index] = FILE_IDS.get(row.file) ?? 0;
    this.#left[index] = row.leftLine === null ? 0 : 1;
    this.#chars[index] = charsOf(row) ?? -1;
    this.#tokens[index] = tokensOf(row) ?? -1;
    this.#full[index] = fullOf(row) ?? -1;
  }
}
