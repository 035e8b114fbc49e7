/** How the numbers of a column are kept. constant: every row has the first value, and no memory is taken. */
export const COLUMN_KINDS = ["constant", "uint8", "uint16", "int32", "float64"] as const;
export type ColumnKind = (typeof COLUMN_KINDS)[number];

type Words = Uint8Array | Uint16Array | Int32Array | Float64Array;

interface WordsType {
  readonly BYTES_PER_ELEMENT: number;
  new (rows: number): Words;
  new (buffer: ArrayBufferLike, byteOffset: number, rows: number): Words;
}

/** What a kind holds: whole numbers of a closed range, and one beside it that stands for `undefined`. */
interface Width {
  readonly kind: ColumnKind;
  readonly type: WordsType;
  readonly least: number;
  readonly most: number;
  readonly nothing: number;
}

/** From the narrowest on. The widest holds any number; in it NaN stands for `undefined`. */
const WIDTHS: readonly [Width, Width, Width, Width] = [
  { kind: "uint8", type: Uint8Array, least: 0, most: 0xfe, nothing: 0xff },
  { kind: "uint16", type: Uint16Array, least: 0, most: 0xfffe, nothing: 0xffff },
  { kind: "int32", type: Int32Array, least: -0x7fffffff, most: 0x7fffffff, nothing: -0x80000000 },
  {
    kind: "float64",
    type: Float64Array,
    least: Number.NEGATIVE_INFINITY,
    most: Number.POSITIVE_INFINITY,
    nothing: Number.NaN,
  },
];
const [NARROWEST, , , WIDEST] = WIDTHS;

const FIRST_ROWS = 256;

/**
 * One number or `undefined` per row. Takes no memory until a row differs from `initial`, then 1, 2, 4 or 8 bytes per row, as the
 * numbers that came so far need. NaN reads back as `undefined`.
 */
export class NumberColumn {
  #words: Words | undefined;
  #width: Width = NARROWEST;
  #rows = 0;
  #expected = 0;

  constructor(private readonly initial: number | undefined = undefined) {}

  get rows(): number {
    return this.#rows;
  }

  /** About so many rows will come: there is room for them at once. What is not used takes no memory on most platforms. */
  expect(rows: number): void {
    this.#expected = rows;
  }

  /** Undefined also behind the last row. */
  get(row: number): number | undefined {
    if (row >= this.#rows) return undefined;
    const words = this.#words;
    if (words === undefined) return this.initial;
    const value = words[row];
    const { nothing } = this.#width;
    return value === nothing || Number.isNaN(value) ? undefined : value;
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
    let words = this.#words;
    if (words === undefined && Object.is(value, this.initial)) return;
    if (words === undefined || row >= words.length) words = this.room(row + 1, before);
    if (row > before) words.fill(this.initial ?? this.#width.nothing, before, row);
    const { least, most, nothing } = this.#width;
    if (value === undefined) words[row] = nothing;
    else if (value >= least && value <= most && Object.is(value | 0, value)) words[row] = value;
    else if (this.#width === WIDEST) words[row] = value;
    else this.widened(words, value)[row] = value;
  }

  /** Forgets the rows from `rows` on. */
  truncate(rows: number): void {
    this.#rows = Math.min(this.#rows, rows);
  }

  private room(rows: number, before: number): Words {
    const old = this.#words;
    // There may be more rows than were expected, all of the initial value, and `rows` be one of the first.
    const length = Math.max(
      before,
      rows <= this.#expected ? this.#expected : Math.max(FIRST_ROWS, Math.ceil(rows * 1.5)),
    );
    if (old === undefined) {
      const { initial } = this;
      if (initial !== undefined) this.#width = widthFor(initial, NARROWEST);
      const words = new this.#width.type(length);
      words.fill(initial ?? this.#width.nothing, 0, Math.max(rows, before));
      this.#words = words;
      return words;
    }
    const words = new this.#width.type(length);
    words.set(old);
    this.#words = words;
    return words;
  }

  /** Its words in a width that holds `value` too. */
  private widened(old: Words, value: number): Words {
    const { nothing } = this.#width;
    const width = widthFor(value, this.#width);
    const words = new width.type(old.length);
    for (let i = 0; i < Math.min(old.length, this.#rows); i++) {
      const one = old[i] ?? 0;
      words[i] = one === nothing || Number.isNaN(one) ? width.nothing : one;
    }
    this.#width = width;
    this.#words = words;
    return words;
  }

  /** How it is kept now, and the words of its rows as they lie in memory. */
  stored(): { readonly kind: ColumnKind; readonly bytes: Uint8Array } {
    const words = this.#words;
    if (words === undefined) return { kind: "constant", bytes: new Uint8Array(0) };
    const bytes = new Uint8Array(words.buffer, words.byteOffset, this.#rows * words.BYTES_PER_ELEMENT);
    return { kind: this.#width.kind, bytes };
  }

  /** Takes over what `stored` gave, without copying, in place of what is there. False when it does not fit. */
  load(kind: ColumnKind, rows: number, bytes: Uint8Array): boolean {
    const width = WIDTHS.find((one) => one.kind === kind);
    const each = width?.type.BYTES_PER_ELEMENT ?? 0;
    if (bytes.length < rows * each || (each > 0 && bytes.byteOffset % each !== 0)) return false;
    this.#rows = rows;
    this.#width = width ?? NARROWEST;
    this.#words = width && new width.type(bytes.buffer, bytes.byteOffset, rows);
    return true;
  }
}

/** The narrowest width from `from` on that holds a number. */
function widthFor(value: number, from: Width): Width {
  const isWhole = Object.is(value | 0, value);
  const fits = ({ least, most }: Width): boolean => isWhole && value >= least && value <= most;
  return WIDTHS.slice(WIDTHS.indexOf(from)).find(fits) ?? WIDEST;
}
