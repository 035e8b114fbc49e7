import { countNewlines } from "./lines";

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** A value inside a JSON text, by position. Offsets are absolute in the file, lines physical and 1-based. */
export interface Piece {
  /**
   * begin: a root value starts · member: one value of a root object · element: one element of a root array, or of one of
   * the named arrays of a root object · end: the root value is complete · scalar: a root value that is neither object nor array.
   */
  readonly kind: "begin" | "member" | "element" | "end" | "scalar";
  /** Name of the member (for an element: of the array it stands in); undefined in a root array. */
  readonly key: string | undefined;
  readonly index: number;
  readonly line: number;
  readonly start: number;
  readonly end: number;
  /** Deepest nesting inside the value; 0 for a scalar. */
  readonly depth: number;
}

/**
 * Finds the pieces of one or more JSON root values without parsing them: brackets, strings and commas only. Fed chunk by
 * chunk; keeps no bytes except the key being read. Never throws: broken JSON gives pieces that do not parse.
 */
export class StructureScanner {
  /** Deepest nesting met so far. */
  maxDepth = 0;
  private depth = 0;
  private deepest = 0;
  private inString = false;
  private escaped = false;
  private rootIsList = false;
  /** Depth at which elements or members are cut: 1, or 2 inside a named array. 0 outside a root value. */
  private level = 0;
  private valueStart = -1;
  private valueLine = 0;
  private valueIsScalar = false;
  private lastByte = -1;
  private awaitingKey = false;
  private keyStart = -1;
  private keyBytes: number[] = [];
  private key: string | undefined;
  private index = 0;
  private rootStart = -1;
  private rootLine = 0;
  private line: number;
  private counted: number;
  private chunkStart = 0;
  private chunk: Uint8Array = new Uint8Array(0);
  private pieces: Piece[] = [];

  constructor(
    private readonly arrays: ReadonlySet<string>,
    start: number,
    line: number,
  ) {
    this.counted = start;
    this.line = line;
  }

  /** True inside a root value: at the end of the input it means that the value was cut off. */
  get open(): boolean {
    return this.level > 0 || this.inString;
  }

  /** Member of the root object whose value is not finished yet, or that was named last; undefined in a root list. */
  get openKey(): string | undefined {
    return this.level > 0 ? this.key : undefined;
  }

  /** Where the unfinished value (or root) began, when `open`. */
  get openPlace(): { readonly start: number; readonly line: number } {
    return this.valueStart >= 0
      ? { start: this.valueStart, line: this.valueLine }
      : { start: this.rootStart, line: this.rootLine };
  }

  /** Reads the next bytes; `start` is their offset in the file. Returns the pieces that end in them. */
  feed(bytes: Uint8Array, start: number): readonly Piece[] {
    this.pieces = [];
    this.chunk = bytes;
    this.chunkStart = start;
    const length = bytes.length;
    let i = 0;
    while (i < length) {
      if (this.inString) {
        i = this.skipString(i);
        continue;
      }
      const byte = bytes[i] ?? 0;
      if (byte > 0x20) this.token(byte, start + i);
      i++;
    }
    this.line += countNewlines(bytes, Math.max(0, this.counted - start), length);
    this.counted = start + length;
    return this.pieces;
  }

  /** Ends a scalar root value that the end of the input ends. */
  finish(): readonly Piece[] {
    this.pieces = [];
    if (this.level === 0 && this.valueStart >= 0) this.closeValue(this.lastByte + 1);
    return this.pieces;
  }

  private skipString(from: number): number {
    const bytes = this.chunk;
    let i = from;
    if (this.escaped) {
      this.escaped = false;
      this.keep(from, from + 1);
      i++;
    }
    for (;;) {
      const quote = bytes.indexOf(QUOTE, i);
      const stop = quote === -1 ? bytes.length : quote;
      let slashes = 0;
      for (let k = stop - 1; k >= i && bytes[k] === BACKSLASH; k--) slashes++;
      this.keep(i, stop);
      if (quote === -1) {
        this.escaped = slashes % 2 === 1;
        if (stop > i) this.lastByte = this.chunkStart + stop - 1;
        return bytes.length;
      }
      i = quote + 1;
      this.lastByte = this.chunkStart + quote;
      if (slashes % 2 === 1) {
        this.keep(quote, quote + 1);
        continue;
      }
      this.inString = false;
      this.endString(this.chunkStart + i);
      return i;
    }
  }

  /** Remembers key bytes; a key above 256 bytes is none that a reader asks for. */
  private keep(from: number, to: number): void {
    if (this.keyStart < 0) return;
    for (let i = from; i < to && this.keyBytes.length < 256; i++) this.keyBytes.push(this.chunk[i] ?? 0);
  }

  private endString(end: number): void {
    if (this.keyStart >= 0) {
      this.key = String.fromCharCode(...this.keyBytes);
      this.keyStart = -1;
      this.keyBytes = [];
      return;
    }
    if (this.depth === this.level && this.valueStart >= 0) this.closeValue(end);
  }

  private token(byte: number, at: number): void {
    switch (byte) {
      case QUOTE:
        this.inString = true;
        if (this.awaitingKey && this.depth === 1) {
          this.awaitingKey = false;
          this.keyStart = at;
          this.keyBytes = [];
        } else this.beginValue(at, false);
        break;
      case OPEN_LIST:
      case OPEN_OBJECT:
        this.openBracket(byte, at);
        break;
      case CLOSE_LIST:
      case CLOSE_OBJECT:
        this.closeBracket(at);
        break;
      case COMMA:
        if (this.depth === this.level) {
          if (this.valueIsScalar) this.closeValue(this.lastByte + 1);
          if (this.depth === 1 && !this.rootIsList) this.awaitingKey = true;
        }
        break;
      case COLON:
        break;
      default:
        if (this.depth === this.level) this.beginValue(at, true);
    }
    this.lastByte = at;
  }

  private beginValue(at: number, scalar: boolean): void {
    if (this.depth !== this.level || this.valueStart >= 0) return;
    if (this.depth === 0) {
      this.rootStart = at;
    }
    this.valueStart = at;
    this.valueLine = this.lineAt(at);
    this.valueIsScalar = scalar;
    this.deepest = this.depth;
  }

  private openBracket(byte: number, at: number): void {
    if (this.depth === 0) {
      if (this.valueStart >= 0) this.closeValue(this.lastByte + 1);
      this.rootStart = at;
      this.rootLine = this.lineAt(at);
      this.rootIsList = byte === OPEN_LIST;
      this.level = 1;
      this.depth = 1;
      this.maxDepth = Math.max(this.maxDepth, 1);
      this.index = 0;
      this.key = undefined;
      this.awaitingKey = byte === OPEN_OBJECT;
      this.push("begin", at, at, this.rootLine, 0);
      return;
    }
    const named = this.level === 1 && this.depth === 1 && !this.rootIsList && byte === OPEN_LIST;
    if (named && this.valueStart < 0 && this.key !== undefined && this.arrays.has(this.key)) {
      this.level = 2;
      this.depth = 2;
      this.index = 0;
      return;
    }
    this.beginValue(at, false);
    this.depth++;
    if (this.depth > this.deepest) this.deepest = this.depth;
    if (this.depth > this.maxDepth) this.maxDepth = this.depth;
  }

  private closeBracket(at: number): void {
    if (this.depth === 0) return;
    if (this.depth > this.level) {
      this.depth--;
      if (this.depth === this.level) this.closeValue(at + 1);
      return;
    }
    if (this.valueStart >= 0) this.closeValue(this.lastByte + 1);
    this.depth--;
    this.level--;
    this.key = undefined;
    if (this.level === 0) this.push("end", this.rootStart, at + 1, this.rootLine, 0);
  }

  private closeValue(end: number): void {
    const start = this.valueStart;
    if (start < 0) return;
    this.valueStart = -1;
    this.valueIsScalar = false;
    const kind = this.level === 0 ? "scalar" : this.level === 2 || this.rootIsList ? "element" : "member";
    this.push(kind, start, end, this.valueLine, this.deepest - this.level);
    if (kind === "element") this.index++;
  }

  private push(kind: Piece["kind"], start: number, end: number, line: number, depth: number): void {
    this.pieces.push({ kind, key: this.key, index: kind === "element" ? this.index : 0, line, start, end, depth });
  }

  /** Physical line of an offset in the current chunk; called with growing offsets. */
  private lineAt(at: number): number {
    this.line += countNewlines(this.chunk, Math.max(0, this.counted - this.chunkStart), at - this.chunkStart);
    this.counted = at;
    return this.line;
  }
}
