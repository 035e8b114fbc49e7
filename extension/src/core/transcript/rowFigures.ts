import type { RowColumns } from "./rowColumns";

/**
 * What totals and facets add up, row by row in flat arrays (27 bytes a row): adding up is then ten times faster than through
 * the columns' accessors, and happens whenever something changed.
 */
export class RowFigures {
  readonly #columns: RowColumns;
  #count = 0;
  readonly #touched = new Set<number>();
  #isStale = false;
  thread: Int32Array = new Int32Array(0);
  tool: Int32Array = new Int32Array(0);
  state: Uint8Array = new Uint8Array(0);
  file: Uint8Array = new Uint8Array(0);
  left: Uint8Array = new Uint8Array(0);
  /** 0 where no result came. */
  chars: Float64Array = new Float64Array(0);
  tokens: Float64Array = new Float64Array(0);

  constructor(columns: RowColumns) {
    this.#columns = columns;
  }

  touch(row: number): void {
    if (row < this.#count && !this.#isStale) this.#touched.add(row);
  }

  touchAll(): void {
    this.#isStale = true;
    this.#touched.clear();
  }

  /** Brings the arrays up to date. */
  refresh(): void {
    const { count } = this.#columns;
    if (this.#isStale) this.#count = 0;
    this.#isStale = false;
    if (count > this.chars.length) this.#grow(Math.ceil(count * 1.25));
    for (const row of this.#touched) if (row < count) this.#take(row);
    this.#touched.clear();
    for (let row = this.#count; row < count; row++) this.#take(row);
    this.#count = count;
  }

  #take(row: number): void {
    const columns = this.#columns;
    if (!columns.has(row)) return;
    this.thread[row] = columns.thread.id(row);
    this.tool[row] = columns.tool.id(row);
    this.state[row] = columns.state(row);
    this.file[row] = columns.file(row);
    this.left[row] = columns.left(row) ? 1 : 0;
    this.chars[row] = Math.max(0, columns.chars(row));
    this.tokens[row] = Math.max(0, columns.tokens(row));
  }

  #grow(length: number): void {
    const { thread, tool, state, file, left, chars, tokens } = this;
    this.thread = new Int32Array(length);
    this.thread.set(thread);
    this.tool = new Int32Array(length);
    this.tool.set(tool);
    this.state = new Uint8Array(length);
    this.state.set(state);
    this.file = new Uint8Array(length);
    this.file.set(file);
    this.left = new Uint8Array(length);
    this.left.set(left);
    this.chars = new Float64Array(length);
    this.chars.set(chars);
    this.tokens = new Float64Array(length);
    this.tokens.set(tokens);
  }
}
