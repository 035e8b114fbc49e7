import type { RecordPlace, Usage } from "../../model/transcript";
import type { WasmInstance } from "../../ports";
import { latinText, wideText } from "../../util/unitText";
import type { UsageTally } from "../usageTally";
import { BYTES, HEAD, LIST, TALLIES, TEXT_HEAD, WIDE } from "./stateLayout";

/**
 * What the rows of a session were folded into, in the skimmer's memory: ids, calls and their pairs, counters. It is one stretch
 * of bytes; `snapshot` gives them, and `open` with them goes on from there. What readers keep besides (threads, results that
 * wait for their call, the ring's results that they changed) is not in it. Grows with the file, by some 150 bytes per record.
 */
export class RowState {
  private buffer: ArrayBufferLike;
  private words: Int32Array;
  private bytes: Uint8Array;
  private floats: Float64Array;
  /** Texts that were made before, by place: few, and asked for often. */
  private readonly made = new Map<number, string>();

  private constructor(
    private readonly wasm: WasmInstance,
    /** Address of the first byte. */
    private readonly base: number,
  ) {
    this.buffer = wasm.memory;
    this.words = new Int32Array(this.buffer);
    this.bytes = new Uint8Array(this.buffer);
    this.floats = new Float64Array(this.buffer);
  }

  /**
   * At an address (a multiple of 16) behind which the memory is free: new, or what `snapshot` gave before. `records`: about how
   * many there will be.
   */
  static open(wasm: WasmInstance, base: number, records: number, snapshot?: Uint8Array): RowState {
    wasm.call("openState", base, 1, snapshot === undefined ? records : 0);
    const state = new RowState(wasm, base);
    if (snapshot !== undefined) {
      // Makes room: what is behind the header is overwritten.
      wasm.call("textRoom", snapshot.length);
      state.refresh();
      state.bytes.set(snapshot, base);
    }
    return state;
  }

  /** Bytes of a snapshot, a multiple of 16. */
  get length(): number {
    return this.head(HEAD.top);
  }

  snapshot(): Uint8Array {
    return this.bytes.slice(this.base, this.base + this.length);
  }

  /** Puts the bytes from `from` on into `into`, as far as they go; how many those are. */
  copyTo(into: Uint8Array, from: number): number {
    const part = this.bytes.subarray(this.base + from, this.base + Math.min(from + into.length, this.length));
    into.set(part);
    return part.length;
  }

  /** Calls a function of the module, which may give the memory more room. */
  call(name: string, ...args: readonly number[]): number {
    const value = this.wasm.call(name, ...args);
    this.refresh();
    return value;
  }

  private refresh(): void {
    const { memory } = this.wasm;
    if (memory === this.buffer) return;
    this.buffer = memory;
    this.words = new Int32Array(memory);
    this.bytes = new Uint8Array(memory);
    this.floats = new Float64Array(memory);
  }

  head(word: number): number {
    return this.words[(this.base >> 2) + word] ?? 0;
  }

  setHead(word: number, value: number): void {
    this.words[(this.base >> 2) + word] = value;
  }

  /** Number of the first word of an element of a list, for `word`, `float` and `place`. */
  at(list: number, index: number, bytes: number): number {
    return (this.base + this.head(list) + index * bytes) >> 2;
  }

  count(list: number): number {
    return this.head(list + 1);
  }

  /** Index of a new last element, all zero. */
  append(list: number, bytes: number): number {
    return this.call("appendTo", list, bytes);
  }

  word(at: number): number {
    return this.words[at] ?? 0;
  }

  setWord(at: number, value: number): void {
    this.words[at] = value;
  }

  float(at: number): number {
    return this.floats[at >> 1] ?? 0;
  }

  setFloat(at: number, value: number): void {
    this.floats[at >> 1] = value;
  }

  /** The record that an element tells of: its words 7 to 11. */
  place(element: number): RecordPlace {
    return { line: this.word(element + 7), start: this.float(element + 8), end: this.float(element + 10) };
  }

  setPlace(element: number, { line, start, end }: RecordPlace): void {
    this.setWord(element + 7, line);
    this.setFloat(element + 8, start);
    this.setFloat(element + 10, end);
  }

  usage(call: number): Usage | undefined {
    const part = (number: number): number | undefined => {
      const value = this.float(call + 12 + number * 2);
      return Number.isNaN(value) ? undefined : value;
    };
    const usage = { input: part(0), cacheRead: part(1), cacheWrite: part(2), output: part(3) };
    return usage.input === undefined &&
      usage.cacheRead === undefined &&
      usage.cacheWrite === undefined &&
      usage.output === undefined
      ? undefined
      : usage;
  }

  setUsage(call: number, usage: Usage | undefined): void {
    const parts = [usage?.input, usage?.cacheRead, usage?.cacheWrite, usage?.output];
    for (const [number, value] of parts.entries()) this.setFloat(call + 12 + number * 2, value ?? Number.NaN);
  }

  /** The place of a text, or 0. */
  find(space: number, text: string): number {
    const { room, length, wide } = this.put(text);
    return this.call("findText", wide ? space + WIDE : space, room, length);
  }

  /** The place of a text, which is added when it is not there. */
  intern(space: number, text: string): number {
    const { room, length, wide } = this.put(text);
    const ours = wide ? space + WIDE : space;
    return this.call("findText", ours, room, length) || this.call("addText", ours, room, length);
  }

  private put(text: string): { readonly room: number; readonly length: number; readonly wide: boolean } {
    let units = 0;
    for (let i = 0; i < text.length; i++) units |= text.charCodeAt(i);
    const wide = units > 0x7f;
    const length = wide ? text.length * 2 : text.length;
    const room = this.call("textRoom", length);
    const { bytes } = this;
    let at = room;
    for (let i = 0; i < text.length; i++) {
      const unit = text.charCodeAt(i);
      bytes[at++] = unit;
      if (wide) bytes[at++] = unit >> 8;
    }
    return { room, length, wide };
  }

  value(text: number): number {
    return this.word(((this.base + text) >> 2) + 3);
  }

  setValue(text: number, value: number): void {
    this.setWord(((this.base + text) >> 2) + 3, value);
  }

  /** Undefined for 0. */
  text(place: number): string | undefined {
    if (place === 0) return undefined;
    const at = (this.base + place) >> 2;
    return this.textAt(place + TEXT_HEAD, this.word(at + 2), (this.word(at + 1) & WIDE) !== 0);
  }

  /** Like `text`, for names of which there are few. */
  name(place: number): string | undefined {
    const known = this.made.get(place);
    if (known !== undefined || place === 0) return known;
    const name = this.text(place) ?? "";
    this.made.set(place, name);
    return name;
  }

  /** An ASCII text that begins with a word. */
  textAtWord(at: number, length: number): string {
    return this.textAt(at * 4 - this.base, length);
  }

  /** The beginning of a notice by its place, and words of its record's row: 34 is at `at`. */
  kept(place: number): { readonly words: Int32Array; readonly at: number; readonly head: string } {
    const at = (this.base + place) >> 2;
    return { words: this.words, at, head: this.textAt(place + 32, this.word(at + 6)) };
  }

  /** A text by the place of its first byte and its length in bytes. */
  textAt(place: number, length: number, wide = false): string {
    const from = this.base + place;
    return wide ? wideText(this.bytes, from, from + length) : latinText(this.bytes, from, from + length);
  }

  /** Moves what was tallied since the last time into the ledger. */
  tellTo(usage: UsageTally): void {
    for (const [number, name] of TALLIES.entries()) {
      const at = this.at(LIST.tallies, number, BYTES.tally);
      const count = this.word(at);
      if (count === 0) continue;
      usage.more(name, count, (i) => {
        const place = at + 2 + i * 6;
        return { line: this.word(place + 1), start: this.float(place + 2), end: this.float(place + 4) };
      });
      this.setWord(at, 0);
    }
  }
}
