import { latinText, wideText } from "../../util/unitText";

const FIRST_BYTES = 4096;
const FIRST_TEXTS = 256;
/** Flag in the number of a text's first byte: two bytes per UTF-16 unit. */
const WIDE = 0x80000000;
/** Bytes that one list can hold; further texts read back as empty and are counted. */
const MOST_BYTES = 0x7fffffff;

/**
 * Texts, numbered from 1 in the order in which they are added; 0 stands for `undefined`. A text takes one byte per UTF-16
 * unit, or two when a unit is above U+00FF. Any text reads back as it was, lone surrogates included.
 */
export class TextList {
  #bytes: Uint8Array = new Uint8Array(FIRST_BYTES);
  #used = 0;
  #starts: Uint32Array = new Uint32Array(FIRST_TEXTS);
  #count = 0;

  get count(): number {
    return this.#count;
  }

  /** About so many texts will come, with so many bytes together: there is room for them at once. */
  expect(texts: number, bytes: number): void {
    if (this.#count > 0) return;
    this.#starts = new Uint32Array(Math.max(FIRST_TEXTS, texts));
    this.#bytes = new Uint8Array(Math.min(MOST_BYTES, Math.max(FIRST_BYTES, bytes)));
  }

  add(text: string): number {
    let units = 0;
    for (let i = 0; i < text.length; i++) units |= text.charCodeAt(i);
    const wide = units > 0xff;
    const length = wide ? text.length * 2 : text.length;
    if (this.#used + length > MOST_BYTES) return this.place(0, false);
    const number = this.place(length, wide);
    const bytes = this.#bytes;
    let at = this.#used - length;
    for (let i = 0; i < text.length; i++) {
      const unit = text.charCodeAt(i);
      bytes[at++] = unit;
      if (wide) bytes[at++] = unit >>> 8;
    }
    return number;
  }

  /** The same for ASCII bytes that stand somewhere. */
  addAscii(from: Uint8Array, start: number, length: number): number {
    if (this.#used + length > MOST_BYTES) return this.place(0, false);
    const number = this.place(length, false);
    const bytes = this.#bytes;
    const to = this.#used - length;
    for (let i = 0; i < length; i++) bytes[to + i] = from[start + i] ?? 0;
    return number;
  }

  /** Undefined for 0 and for numbers that were not given. */
  get(number: number): string | undefined {
    if (number < 1 || number > this.#count) return undefined;
    const start = this.#starts[number - 1] ?? 0;
    const from = start & ~WIDE;
    const to = number === this.#count ? this.#used : (this.#starts[number] ?? 0) & ~WIDE;
    const make = start >= WIDE ? wideText : latinText;
    return make(this.#bytes, from >>> 0, to >>> 0);
  }

  /** True when the text of that number is this one. */
  is(number: number, text: string): boolean {
    return this.get(number) === text;
  }

  private place(length: number, wide: boolean): number {
    if (this.#used + length > this.#bytes.length) {
      const bytes = new Uint8Array(Math.min(MOST_BYTES, Math.ceil((this.#used + length) * 1.5)));
      bytes.set(this.#bytes.subarray(0, this.#used));
      this.#bytes = bytes;
    }
    if (this.#count === this.#starts.length) {
      const starts = new Uint32Array(Math.max(FIRST_TEXTS, Math.ceil(this.#count * 1.5)));
      starts.set(this.#starts);
      this.#starts = starts;
    }
    this.#starts[this.#count] = wide ? this.#used + WIDE : this.#used;
    this.#used += length;
    return ++this.#count;
  }

  stored(): { readonly starts: Uint8Array; readonly bytes: Uint8Array } {
    const starts = new Uint8Array(this.#starts.buffer, this.#starts.byteOffset, this.#count * 4);
    return { starts, bytes: this.#bytes.subarray(0, this.#used) };
  }

  /** Takes over what `stored` gave, without copying, in place of what is there. False when it does not fit. */
  load(count: number, starts: Uint8Array, bytes: Uint8Array): boolean {
    if (starts.length < count * 4 || starts.byteOffset % 4 !== 0) return false;
    this.#starts = new Uint32Array(starts.buffer, starts.byteOffset, count);
    this.#count = count;
    this.#bytes = bytes;
    this.#used = bytes.length;
    return true;
  }
}

/** Texts that come again and again (tools, models, threads): each is kept once and made into a string once. */
export class NameList {
  readonly list: TextList;
  readonly #numbers = new Map<string, number>();
  readonly #names: string[] = [];
  #known = 0;

  constructor(list = new TextList()) {
    this.list = list;
  }

  /** The number of a name, or 0. */
  find(name: string): number {
    // A list that was loaded is looked up by name only when somebody asks.
    for (; this.#known < this.list.count; this.#known++) {
      const known = this.list.get(this.#known + 1);
      if (known !== undefined) this.#numbers.set(known, this.#known + 1);
    }
    return this.#numbers.get(name) ?? 0;
  }

  /** The number of a name; it is added when it is new. 0 for `undefined`. */
  number(name: string | undefined): number {
    if (name === undefined) return 0;
    const known = this.find(name);
    if (known > 0) return known;
    const number = this.list.add(name);
    this.#numbers.set(name, number);
    this.#known = number;
    return number;
  }

  /** All names; the place of a name is its number - 1. */
  get all(): readonly string[] {
    const names = this.#names;
    for (let number = names.length + 1; number <= this.list.count; number++) names.push(this.list.get(number) ?? "");
    return names;
  }

  get(number: number): string | undefined {
    return number < 1 ? undefined : this.all[number - 1];
  }
}
