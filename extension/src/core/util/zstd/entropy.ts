import { BackwardBits, ForwardBits } from "./bits";

/** Decoding table of a finite state entropy coder (RFC 8878, 4.1): by state. */
export interface FseTable {
  /** Bits that the first state takes. */
  readonly log: number;
  readonly symbols: Uint8Array;
  readonly bits: Uint8Array;
  readonly base: Uint16Array;
}

/** A table whose only symbol takes no bits. */
export function constantTable(symbol: number): FseTable {
  return { log: 0, symbols: Uint8Array.of(symbol), bits: new Uint8Array(1), base: new Uint16Array(1) };
}

/** The table of normalised counts: -1 stands for a symbol that is rarer than one in the table's size. */
export function fseTable(counts: readonly number[], log: number): FseTable | undefined {
  const size = 1 << log;
  const symbols = new Uint8Array(size);
  const next = new Uint16Array(counts.length);
  let high = size;
  counts.forEach((count, symbol) => {
    if (count === -1) symbols[--high] = symbol;
    next[symbol] = Math.abs(count);
  });
  const step = (size >> 1) + (size >> 3) + 3;
  let at = 0;
  for (const [symbol, count] of counts.entries()) {
    for (let i = 0; i < count; i++) {
      symbols[at] = symbol;
      do at = (at + step) & (size - 1);
      while (at >= high);
    }
  }
  if (at !== 0) return undefined;
  const bits = new Uint8Array(size);
  const base = new Uint16Array(size);
  for (let state = 0; state < size; state++) {
    const symbol = symbols[state] ?? 0;
    const number = next[symbol] ?? 0;
    next[symbol] = number + 1;
    const width = log - (31 - Math.clz32(number));
    bits[state] = width;
    base[state] = (number << width) - size;
  }
  return { log, symbols, bits, base };
}

/** A table as it is stored, and the offset behind it. */
export function readFseTable(
  bytes: Uint8Array,
  from: number,
  to: number,
  maxLog: number,
): { readonly table: FseTable; readonly next: number } | undefined {
  const input = new ForwardBits(bytes, from, to);
  const log = input.read(4) + 5;
  if (log > maxLog) return undefined;
  const counts: number[] = [];
  let left = 1 << log;
  while (left > 0 && counts.length < 256) {
    const width = 32 - Math.clz32(left + 1);
    let value = input.read(width);
    const mask = (1 << (width - 1)) - 1;
    const spare = (1 << width) - 1 - (left + 1);
    if ((value & mask) < spare) {
      input.back(1);
      value &= mask;
    } else if (value > mask) value -= spare;
    const count = value - 1;
    left -= Math.abs(count);
    counts.push(count);
    if (count !== 0) continue;
    for (let more = 3; more === 3 && !input.bad; ) {
      more = input.read(2);
      for (let i = 0; i < more; i++) counts.push(0);
    }
  }
  if (input.bad || left !== 0 || counts.length > 256) return undefined;
  const table = fseTable(counts, log);
  return table === undefined ? undefined : { table, next: input.next };
}

/** Decoding table of a Huffman code: by the next `log` bits, the symbol in the low byte and its length above it. */
export interface HuffmanTable {
  readonly log: number;
  readonly entries: Uint16Array;
}

const MAX_HUFFMAN_LOG = 11;
const MAX_WEIGHT_LOG = 6;

/** A Huffman table as it is stored (RFC 8878, 4.2.1), and the offset behind it. */
export function readHuffmanTable(
  bytes: Uint8Array,
  from: number,
  to: number,
): { readonly table: HuffmanTable; readonly next: number } | undefined {
  const head = bytes[from] ?? 0;
  const begin = from + 1;
  const length = head < 128 ? head : (head - 126) >> 1;
  const next = begin + length;
  if (next > to) return undefined;
  const weights = head < 128 ? packedWeights(bytes, begin, next) : plainWeights(bytes, begin, head - 127);
  const table = weights === undefined ? undefined : huffmanTable(weights);
  return table === undefined ? undefined : { table, next };
}

function plainWeights(bytes: Uint8Array, from: number, count: number): number[] {
  return Array.from({ length: count }, (_, i) => {
    const pair = bytes[from + (i >> 1)] ?? 0;
    return i % 2 === 0 ? pair >> 4 : pair & 15;
  });
}

/** Two states take turns; the stream ends when the one at hand finds no bits for its next state. */
function packedWeights(bytes: Uint8Array, from: number, to: number): number[] | undefined {
  const stored = readFseTable(bytes, from, to, MAX_WEIGHT_LOG);
  if (stored === undefined) return undefined;
  const { table, next } = stored;
  const input = new BackwardBits(bytes, next, to);
  let state = input.read(table.log);
  let other = input.read(table.log);
  if (input.left < 0) return undefined;
  const weights: number[] = [];
  while (weights.length < 255) {
    weights.push(table.symbols[state] ?? 0);
    state = (table.base[state] ?? 0) + input.read(table.bits[state] ?? 0);
    if (input.left < 0) {
      weights.push(table.symbols[other] ?? 0);
      return weights;
    }
    [state, other] = [other, state];
  }
  return undefined;
}

/** The last symbol's weight is not stored: it fills the code up. */
function huffmanTable(weights: readonly number[]): HuffmanTable | undefined {
  const share = (weight: number): number => (weight > 0 ? 1 << (weight - 1) : 0);
  const sum = weights.reduce((total, weight) => total + share(weight), 0);
  if (sum === 0 || weights.length > 255 || weights.some((weight) => weight > MAX_HUFFMAN_LOG)) return undefined;
  const log = 32 - Math.clz32(sum);
  const rest = (1 << log) - sum;
  if (log > MAX_HUFFMAN_LOG || (rest & (rest - 1)) !== 0) return undefined;
  const all = [...weights, 32 - Math.clz32(rest)];
  const entries = new Uint16Array(1 << log);
  let at = 0;
  for (let weight = 1; weight <= log; weight++) {
    for (const [symbol, own] of all.entries()) {
      if (own !== weight) continue;
      entries.fill(symbol | ((log + 1 - weight) << 8), at, at + share(weight));
      at += share(weight);
    }
  }
  return { log, entries };
}

/** Decodes exactly the bytes of `into` from a stream; false when the stream holds more or fewer. */
export function decodeHuffman(
  { log, entries }: HuffmanTable,
  bytes: Uint8Array,
  from: number,
  to: number,
  into: Uint8Array,
): boolean {
  const input = new BackwardBits(bytes, from, to);
  for (let at = 0; at < into.length; at++) {
    const entry = entries[input.peek(log)] ?? 0;
    into[at] = entry;
    input.left -= entry >> 8;
  }
  return input.left === 0;
}
