/** How the numbers of a column are kept. constant: every row has the first value, and no memory is taken. */
export const COLUMN_KINDS = ["constant", "int32", "float64"] as const;
export type ColumnKind = (typeof COLUMN_KINDS)[number];

type Words = Int32Array | Float64Array;

/** Stands for `undefined` in 32 bits; as a number it is kept in 64. In 64 bits NaN does. */
const NOTHING = -0x80000000;
const FIRST_ROWS = 256;

/**
 * One number or `undefined` per row. Takes no memory until a row differs from `initial`, then 4 bytes per row, and 8 once a
 * number comes that is no whole one of 32 bits. NaN reads back as `undefined`.
 */
export class NumberColumn {
  #words: Words | undefined;
  #rows = 0;
  #wide = false;

  constructor(private readonly initial: number | undefined = undefined) {}

  get rows(): number {
    return this.#rows;
  }

  /** Undefined also behind the last row. */
  get(row: number): number | undefined {
    if (row >= this.#rows) return undefined;
    const words = this.#words;
    if (words === undefined) return this.initial;
    const value = words[row];
    if (this.#wide) return Number.isNaN(value) ? undefined : value;
    return value === NOTHING ? undefined : value;
  }

  /** For columns whose rows all have a number; 0 behind the last row. */
  at(row: number): number {
    const words = this.#words;
    if (words === undefined) return this.initial ?? 0;
    return row < this.#rows ? (words[row] ?? 0) : 0;
  }

  push(value: number | undefined): void {
    this.set(this.#rows, value);
  }

  /** Rows between the last one and a new `row` get the initial value. */
  set(row: number, value: number | undefined): void {
    const before = this.#rows;
    if (row >= before) this.#rows = row + 1;
    if (this.#words === undefined && Object.is(value, this.initial)) return;
    let words = this.room(row + 1, before);
    if (row > before) this.clear(words, before, row);
    if (value === undefined) words[row] = this.#wide ? Number.NaN : NOTHING;
    else {
      if (!this.#wide && (!Object.is(value | 0, value) || value === NOTHING)) words = this.widen(words);
      words[row] = value;
    }
  }

  /** Forgets the rows from `rows` on. */
  truncate(rows: number): void {
    this.#rows = Math.min(this.#rows, rows);
  }

  private clear(words: Words, from: number, to: number): void {
    words.fill(this.initial ?? (this.#wide ? Number.NaN : NOTHING), from, to);
  }

  private room(rows: number, before: number): Words {
    const old = this.#words;
    if (old !== undefined && old.length >= rows) return old;
    const length = Math.max(FIRST_ROWS, before, Math.ceil(rows * 1.5));
    const words = this.#wide ? new Float64Array(length) : new Int32Array(length);
    if (old !== undefined) words.set(old);
    else this.clear(words, 0, Math.max(rows, before));
    this.#words = words;
    return words;
  }

  private widen(old: Words): Float64Array {
    const words = new Float64Array(old.length);
    for (let i = 0; i < old.length; i++) {
      const value = old[i] ?? 0;
      words[i] = value === NOTHING ? Number.NaN : value;
    }
    this.#wide = true;
    this.#words = words;
    return words;
  }

  /** How it is kept now, and the words of its rows as they lie in memory. */
  stored(): { readonly kind: ColumnKind; readonly bytes: Uint8Array } {
    const words = this.#words;
    if (words === undefined) return { kind: "constant", bytes: new Uint8Array(0) };
    const bytes = new Uint8Array(words.buffer, words.byteOffset, this.#rows * words.BYTES_PER_ELEMENT);
    return { kind: this.#wide ? "float64" : "int32", bytes };
  }

  /** Takes over what `stored` gave, without copying, in place of what is there. False when it does not fit. */
  load(kind: ColumnKind, rows: number, bytes: Uint8Array): boolean {
    const width = kind === "constant" ? 0 : kind === "float64" ? 8 : 4;
    if (bytes.length < rows * width || (width > 0 && bytes.byteOffset % width !== 0)) return false;
    this.#rows = rows;
    this.#wide = kind === "float64";
    this.#words =
      kind === "constant"
        ? undefined
        : this.#wide
          ? new Float64Array(bytes.buffer, bytes.byteOffset, rows)
          : new Int32Array(bytes.buffer, bytes.byteOffset, rows);
    return true;
  }
}
