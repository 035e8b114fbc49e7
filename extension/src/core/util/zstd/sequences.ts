import { BackwardBits } from "./bits";
import { constantTable, type FseTable, fseTable, readFseTable } from "./entropy";

/** One kind of code: how its tables are bounded and, by code, which value it begins at and how many bits it adds. */
interface CodeKind {
  readonly maxLog: number;
  readonly maxCode: number;
  readonly usual: FseTable | undefined;
}

// RFC 8878, 3.1.1.3.2.2: the distributions that need not be stored.
const LITERALS: CodeKind = {
  maxLog: 9,
  maxCode: 35,
  usual: fseTable(
    [4, 3, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3, 2, 1, 1, 1, 1, 1, -1, -1, -1, -1],
    6,
  ),
};
const OFFSETS: CodeKind = {
  maxLog: 8,
  maxCode: 31,
  usual: fseTable([1, 1, 1, 1, 1, 1, 2, 2, 2, ...Array<number>(15).fill(1), -1, -1, -1, -1, -1], 5),
};
const MATCHES: CodeKind = {
  maxLog: 9,
  maxCode: 52,
  usual: fseTable([1, 4, 3, 2, 2, 2, 2, 2, 2, ...Array<number>(37).fill(1), -1, -1, -1, -1, -1, -1, -1], 6),
};

// RFC 8878, 3.1.1.3.2.1.1: bits that a code adds, from the first code on that adds any.
const LITERAL_BITS = [1, 1, 1, 1, 2, 2, 3, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16];
const MATCH_BITS = [1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16];
const LITERAL_CODES = codes(16, LITERAL_BITS, 0);
const MATCH_CODES = codes(32, MATCH_BITS, 3);

interface Codes {
  readonly bits: readonly number[];
  readonly base: readonly number[];
}

/** Codes without bits count up from `least`; each one with bits begins where the one before ends. */
function codes(plain: number, more: readonly number[], least: number): Codes {
  const bits = [...Array<number>(plain).fill(0), ...more];
  let next = least;
  const base = bits.map((width) => {
    const value = next;
    next += 2 ** width;
    return value;
  });
  return { bits, base };
}

/** What a block leaves for the next one of its frame. */
export interface SequenceState {
  literals: FseTable | undefined;
  offsets: FseTable | undefined;
  matches: FseTable | undefined;
  /** The three newest offsets. */
  recent: [number, number, number];
}

export function firstState(): SequenceState {
  return { literals: undefined, offsets: undefined, matches: undefined, recent: [1, 4, 8] };
}

export interface SequenceTarget {
  /** Takes so many of the block's literals, then repeats `match` bytes from `offset` back. False: it cannot. */
  copy(literals: number, offset: number, match: number): boolean;
}

/** Runs the sequences of a block, which stand in the half-open range. False when they are damaged. */
export function runSequences(
  bytes: Uint8Array,
  from: number,
  to: number,
  state: SequenceState,
  target: SequenceTarget,
): boolean {
  const first = bytes[from] ?? 0;
  let at = from + 1;
  let count = first;
  if (first === 255) {
    count = (bytes[at] ?? 0) + ((bytes[at + 1] ?? 0) << 8) + 0x7f00;
    at += 2;
  } else if (first >= 128) {
    count = ((first - 128) << 8) + (bytes[at] ?? 0);
    at++;
  }
  if (at > to || from >= to) return false;
  if (count === 0) return at === to;
  const modes = bytes[at++] ?? 0;
  if ((modes & 3) !== 0) return false;
  const table = (kind: CodeKind, mode: number, known: FseTable | undefined): FseTable | undefined => {
    if (mode === 0) return kind.usual;
    if (mode === 3) return known;
    if (mode === 1) {
      const symbol = bytes[at++] ?? 0;
      return at > to || symbol > kind.maxCode ? undefined : constantTable(symbol);
    }
    const stored = readFseTable(bytes, at, to, kind.maxLog);
    if (stored === undefined || stored.table.symbols.some((symbol) => symbol > kind.maxCode)) return undefined;
    at = stored.next;
    return stored.table;
  };
  const literals = table(LITERALS, modes >> 6, state.literals);
  const offsets = literals && table(OFFSETS, (modes >> 4) & 3, state.offsets);
  const matches = offsets && table(MATCHES, (modes >> 2) & 3, state.matches);
  if (literals === undefined || offsets === undefined || matches === undefined) return false;
  state.literals = literals;
  state.offsets = offsets;
  state.matches = matches;
  return decode(new BackwardBits(bytes, at, to), count, { literals, offsets, matches, state, target });
}

interface Decoding {
  readonly literals: FseTable;
  readonly offsets: FseTable;
  readonly matches: FseTable;
  readonly state: SequenceState;
  readonly target: SequenceTarget;
}

function decode(input: BackwardBits, count: number, { literals, offsets, matches, state, target }: Decoding): boolean {
  let l = input.read(literals.log);
  let o = input.read(offsets.log);
  let m = input.read(matches.log);
  for (let i = 0; i < count; i++) {
    if (input.left < 0) return false;
    const width = offsets.symbols[o] ?? 0;
    const stated = 2 ** width + input.read(width);
    const matchCode = matches.symbols[m] ?? 0;
    const match = (MATCH_CODES.base[matchCode] ?? 0) + input.read(MATCH_CODES.bits[matchCode] ?? 0);
    const literalCode = literals.symbols[l] ?? 0;
    const run = (LITERAL_CODES.base[literalCode] ?? 0) + input.read(LITERAL_CODES.bits[literalCode] ?? 0);
    if (input.left < 0 || !target.copy(run, offsetOf(stated, run, state.recent), match)) return false;
    if (i === count - 1) break;
    l = (literals.base[l] ?? 0) + input.read(literals.bits[l] ?? 0);
    m = (matches.base[m] ?? 0) + input.read(matches.bits[m] ?? 0);
    o = (offsets.base[o] ?? 0) + input.read(offsets.bits[o] ?? 0);
  }
  return input.left === 0;
}

/** The offset that a stated one means: up to 3 it names a recent one, and no literals before it shift the names by one. */
function offsetOf(stated: number, literals: number, recent: [number, number, number]): number {
  const [a, b, c] = recent;
  if (stated > 3) {
    recent[0] = stated - 3;
    recent[1] = a;
    recent[2] = b;
    return stated - 3;
  }
  const name = stated - 1 + (literals === 0 ? 1 : 0);
  if (name === 0) return a;
  const offset = name === 1 ? b : name === 2 ? c : a - 1;
  recent[0] = offset;
  recent[1] = a;
  if (name > 1) recent[2] = b;
  return offset;
}
