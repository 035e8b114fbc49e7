import { decodeHuffman, type HuffmanTable, readHuffmanTable } from "./entropy";
import { firstState, runSequences, type SequenceState, type SequenceTarget } from "./sequences";

/** Blocks are no larger (RFC 8878, 3.1.1.2.4). */
const MAX_BLOCK = 128 * 1024;
/** Blocks read at most: a hostile file could hold millions of blocks that say nothing. */
const MAX_BLOCKS = 2_000_000;
const FIRST_OUTPUT = 1024 * 1024;
const MAGIC = 0xfd2fb528;
/** Frames of other people's data, which are passed over. */
const SKIPPED = 0x184d2a5;

export interface Unpacked {
  readonly bytes: Uint8Array;
  readonly state: "whole" | "capped" | "damaged";
}

/** True for bytes that begin like a Zstandard file. */
export function isZstd(head: Uint8Array): boolean {
  const first = word(head, 0);
  return head.length >= 4 && (first === MAGIC || first >>> 4 === SKIPPED);
}

/**
 * Unpacks Zstandard (RFC 8878), all frames that stand one after another; without dictionaries, checksums are not compared.
 * At most `maxBytes` come out: then `capped`. Damaged or cut input gives the whole blocks before the damage. The memory
 * taken is that of what comes out, whatever a frame says about its window.
 */
export function unzstd(bytes: Uint8Array, maxBytes: number): Unpacked {
  const output = new Output(maxBytes);
  const state = new Frames(bytes, output).run();
  return { bytes: output.taken(), state };
}

function word(bytes: Uint8Array, at: number): number {
  const high = (bytes[at + 3] ?? 0) * 0x1000000;
  return high + ((bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8) | ((bytes[at + 2] ?? 0) << 16));
}

/** What came out so far, in one piece that grows. */
class Output implements SequenceTarget {
  private bytes: Uint8Array;
  used = 0;
  /** Where the frame began; nothing before it may be repeated. */
  frame = 0;
  /** The block's literals, and how many of them are taken. */
  literals: Uint8Array = new Uint8Array(0);
  private taking = 0;
  /** Where the block may end. */
  private limit = 0;

  constructor(readonly maxBytes: number) {
    this.bytes = new Uint8Array(Math.min(maxBytes + MAX_BLOCK, FIRST_OUTPUT));
  }

  /** Makes room for one block. */
  beginBlock(): void {
    const needed = this.used + MAX_BLOCK;
    if (needed > this.bytes.length) {
      const grown = new Uint8Array(Math.min(Math.max(needed, this.bytes.length * 2), this.maxBytes + MAX_BLOCK));
      grown.set(this.bytes.subarray(0, this.used));
      this.bytes = grown;
    }
    this.limit = needed;
    this.taking = 0;
  }

  put(part: Uint8Array): void {
    this.bytes.set(part, this.used);
    this.used += part.length;
  }

  fill(value: number, count: number): void {
    this.bytes.fill(value, this.used, this.used + count);
    this.used += count;
  }

  copy(literals: number, offset: number, match: number): boolean {
    const { bytes, taking } = this;
    let at = this.used;
    if (taking + literals > this.literals.length || at + literals + match > this.limit) return false;
    for (let i = 0; i < literals; i++) bytes[at + i] = this.literals[taking + i] ?? 0;
    this.taking += literals;
    at += literals;
    if (offset <= 0 || offset > at - this.frame) return false;
    if (offset >= match) bytes.copyWithin(at, at - offset, at - offset + match);
    else for (let i = 0; i < match; i++) bytes[at + i] = bytes[at + i - offset] ?? 0;
    this.used = at + match;
    return true;
  }

  /** The literals that no sequence took. */
  rest(): boolean {
    const rest = this.literals.subarray(this.taking);
    if (this.used + rest.length > this.limit) return false;
    this.put(rest);
    return true;
  }

  taken(): Uint8Array {
    return this.bytes.subarray(0, Math.min(this.used, this.maxBytes));
  }
}

class Frames {
  private at = 0;
  private blocks = 0;
  private huffman: HuffmanTable | undefined;
  private sequences: SequenceState = firstState();
  private readonly room = new Uint8Array(MAX_BLOCK);

  constructor(
    private readonly bytes: Uint8Array,
    private readonly output: Output,
  ) {}

  run(): Unpacked["state"] {
    const { bytes } = this;
    while (this.at < bytes.length) {
      const first = word(bytes, this.at);
      if (first >>> 4 === SKIPPED) {
        this.at += 8 + word(bytes, this.at + 4);
        if (this.at > bytes.length) return "damaged";
        continue;
      }
      const state = first === MAGIC ? this.frame() : "damaged";
      if (state !== "whole") return state;
    }
    return "whole";
  }

  private frame(): Unpacked["state"] {
    const { bytes, output } = this;
    const head = bytes[this.at + 4] ?? 0;
    const single = (head & 0x20) !== 0;
    const dictionary = [0, 1, 2, 4][head & 3] ?? 0;
    const content = [single ? 1 : 0, 2, 4, 8][head >> 6] ?? 0;
    const names = this.at + 5 + (single ? 0 : 1);
    if ((head & 8) !== 0 || bytes.subarray(names, names + dictionary).some((byte) => byte !== 0)) return "damaged";
    this.at = names + dictionary + content;
    this.huffman = undefined;
    this.sequences = firstState();
    output.frame = output.used;
    for (let last = false; !last; ) {
      if (this.at + 3 > bytes.length) return "damaged";
      if (++this.blocks > MAX_BLOCKS) return "capped";
      const header = word(bytes, this.at) & 0xffffff;
      last = (header & 1) !== 0;
      const before = output.used;
      if (!this.block((header >> 1) & 3, header >> 3)) {
        output.used = before;
        return "damaged";
      }
      if (output.used > output.maxBytes) return "capped";
    }
    this.at += (head & 4) !== 0 ? 4 : 0;
    return this.at <= bytes.length ? "whole" : "damaged";
  }

  private block(kind: number, size: number): boolean {
    const { bytes, output } = this;
    const from = this.at + 3;
    const to = from + (kind === 1 ? 1 : size);
    if (kind === 3 || size > MAX_BLOCK || to > bytes.length) return false;
    this.at = to;
    output.beginBlock();
    if (kind === 0) output.put(bytes.subarray(from, to));
    else if (kind === 1) output.fill(bytes[from] ?? 0, size);
    else {
      const next = this.literals(from, to);
      return next !== undefined && runSequences(bytes, next, to, this.sequences, output) && output.rest();
    }
    return true;
  }

  /** Reads the literals of a block (RFC 8878, 3.1.1.3.1); the offset behind them. */
  private literals(from: number, to: number): number | undefined {
    const { bytes, output } = this;
    const head = bytes[from] ?? 0;
    const kind = head & 3;
    const form = (head >> 2) & 3;
    const low = word(bytes, from);
    if (kind < 2) {
      const bytesOfHead = form === 1 ? 2 : form === 3 ? 3 : 1;
      const size = form === 1 ? (low >>> 4) & 0xfff : form === 3 ? (low >>> 4) & 0xfffff : head >> 3;
      const begin = from + bytesOfHead;
      const next = begin + (kind === 0 ? size : 1);
      if (size > MAX_BLOCK || next > to) return undefined;
      output.literals = kind === 0 ? bytes.subarray(begin, next) : this.room.subarray(0, size).fill(bytes[begin] ?? 0);
      return next;
    }
    const width = form < 2 ? 10 : form === 2 ? 14 : 18;
    const mask = (1 << width) - 1;
    const size = (low >>> 4) & mask;
    const packed = Math.floor((low + (bytes[from + 4] ?? 0) * 2 ** 32) / 2 ** (4 + width)) & mask;
    let begin = from + (form < 2 ? 3 : form + 2);
    const next = begin + packed;
    if (size > MAX_BLOCK || next > to) return undefined;
    if (kind === 2) {
      const stored = readHuffmanTable(bytes, begin, next);
      if (stored === undefined) return undefined;
      this.huffman = stored.table;
      begin = stored.next;
    }
    const { huffman } = this;
    if (huffman === undefined) return undefined;
    output.literals = this.room.subarray(0, size);
    const streams = form === 0 ? 1 : 4;
    return decodeStreams(huffman, bytes, begin, next, streams, output.literals) ? next : undefined;
  }
}

/** One stream, or four of which the first three have equal shares and their lengths stand before them. */
function decodeStreams(
  table: HuffmanTable,
  bytes: Uint8Array,
  from: number,
  to: number,
  streams: 1 | 4,
  into: Uint8Array,
): boolean {
  if (streams === 1) return decodeHuffman(table, bytes, from, to, into);
  const share = (into.length + 3) >> 2;
  let begin = from + 6;
  for (let i = 0; i < 4; i++) {
    const length = (bytes[from + 2 * i] ?? 0) | ((bytes[from + 2 * i + 1] ?? 0) << 8);
    const end = i < 3 ? begin + length : to;
    if (begin > to || end > to) return false;
    const part = into.subarray(Math.min(i * share, into.length), i < 3 ? (i + 1) * share : undefined);
    if (!decodeHuffman(table, bytes, begin, end, part)) return false;
    begin = end;
  }
  return true;
}
