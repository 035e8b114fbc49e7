import { HEAD_WORDS, PARENT, PARENT_TEXT, UUID_TEXT, UUID_WORDS } from "./layout";
import { QUOTE } from "./letters";
import { continuations, escaped, fours, high, readString, removed } from "./strings";
import { skipDigits } from "./values";

/** Longest string that is handed on as a name or id. */
export const MAX_NAME = 256;

// What is handed on. `row` is the row at hand; `text` is where the next name or id is copied to.
export let row: usize = 0;
export let text: usize = 0;
export let textStart: usize = 0;
export let textEnd: usize = 0;
export let base: usize = 0;
export let flags: i32 = 0;

export function put(word: i32, value: i32): void {
  store<i32>(row + (word << 2), value);
}

// Words of a message: 24 parts, 25 to 27 their bytes, continuation bytes and four-byte characters, 28 and 29 offset and length
// of the first part, 30 images, 31 to 33 the arguments like the parts, 37 uses, 38 results.
export function add(word: i32, value: i32): void {
  const at = row + (word << 2);
  store<i32>(at, load<i32>(at) + value);
}

/** Address of a word of the row. */
export function word(number: i32): usize {
  return row + (number << 2);
}

export function setFlags(bits: i32): void {
  flags |= bits;
}

/** Begins a piece whose first line is at `from`; names go into the half-open range. */
export function beginPiece(from: usize, names: usize, namesEnd: usize): void {
  base = from;
  text = names;
  textStart = names;
  textEnd = namesEnd;
}

/** Begins a row at an address, all words but the first four zero. */
export function beginRow(at: usize): void {
  row = at;
  flags = 0;
  for (let i: usize = 16; i < <usize>HEAD_WORDS * 4; i += 16) v128.store(at + i, i64x2.splat(0));
}

/** Takes back the names that were put since `text` was `mark`. */
export function takeBack(mark: usize): void {
  text = mark;
}

/**
 * Copies a name or id that stands at `at` (its opening quote) to the names and notes offset and length in two words at `to`.
 * The place behind it, or 0 when it is not a plain ASCII string without escapes; an empty one is not plain either.
 */
export function putName(at: usize, to: usize): usize {
  if (load<u8>(at) !== QUOTE) return 0;
  const end = readString(at + 1);
  if (end === 0 || escaped || high) return 0;
  const length = <i32>(end - at) - 1;
  if (length === 0 || length > MAX_NAME || text + length + 16 > textEnd) return 0;
  copyName(at + 1, length);
  store<i32>(to, <i32>(text - textStart));
  store<i32>(to, length, 4);
  text += length;
  return end + 1;
}

/** Copies up to 1,024 bytes at `at` to the names; their offset and, in the lowest 11 bits, their length; -1 where there is no room. */
export function putText(at: usize, length: usize): i32 {
  if (text + length + 16 > textEnd) return -1;
  copyName(at, length);
  const place = ((<i32>(text - textStart)) << 11) | <i32>length;
  text += length;
  return place;
}

/** What is stored of names must not hold what stands behind them in the record: that may be somebody's text. */
function copyName(at: usize, length: usize): void {
  copy(text, at, length);
  v128.store(text + length, i64x2.splat(0));
}

/** Where the name lies that was put into the two words at `at`. */
export function nameOf(at: usize): usize {
  return textStart + load<i32>(at);
}

/** Copies in steps of 16 bytes; up to 15 more than asked for are written. The memory's own copy is a call that costs more. */
export function copy(to: usize, from: usize, length: usize): void {
  for (let i: usize = 0; i < length; i += 16) v128.store(to + i, v128.load(from + i));
}

/** A hash of the name that was put into the two words at `to`, like `hashOf` in rows/nameTable.ts. */
export function nameHash(to: usize): i32 {
  const length = load<i32>(to, 4);
  let at = textStart + load<i32>(to);
  let hash: u32 = length;
  let left = length;
  for (; left >= 4; left -= 4) {
    hash = (hash ^ load<u32>(at)) * 0x9e3779b1;
    hash ^= hash >> 15;
    at += 4;
  }
  if (left > 0) {
    hash = (hash ^ (load<u32>(at) & ((1 << (left << 3)) - 1))) * 0x9e3779b1;
    hash ^= hash >> 15;
  }
  return hash;
}

/** A whole number below a billion, in one word of the row. */
export function putCount(at: usize, word: i32): usize {
  const end = skipDigits(at);
  const length = end - at;
  if (length === 0 || length > 9 || (length > 1 && load<u8>(at) === 0x30)) return 0;
  const after = load<u8>(end);
  if (after === 0x2e || (after | 0x20) === 0x65) return 0;
  let value = 0;
  for (let i = at; i < end; i++) value = value * 10 + <i32>load<u8>(i) - 0x30;
  put(word, value);
  return end;
}

/** The 16 values of hexadecimal digits in lower case; `bad` is set for anything else. */
export let badHex: bool = false;

export function nibbles(letters: v128): v128 {
  const digits = i8x16.sub(letters, i8x16.splat(0x30));
  const isDigits = i8x16.le_u(digits, i8x16.splat(9));
  const lower = i8x16.sub(letters, i8x16.splat(0x61));
  const isLower = i8x16.le_u(lower, i8x16.splat(5));
  if (i8x16.bitmask(v128.or(isDigits, isLower)) !== 0xffff) badHex = true;
  return v128.bitselect(digits, i8x16.add(lower, i8x16.splat(10)), isDigits);
}

export function pairs(values: v128): v128 {
  const highs = i16x8.shl(v128.and(values, i16x8.splat(0x00ff)), 4);
  return v128.or(highs, i16x8.shr_u(values, 8));
}

/** Stores the 16 bytes of a uuid whose opening quote is at `at`; false, and nothing stored, when it is not written as agents do. */
export function readUuid(at: usize, to: usize): bool {
  const from = at + 1;
  if (load<u8>(at) !== QUOTE || load<u8>(from, 36) !== QUOTE) return false;
  const dashes = load<u8>(from, 8) === 0x2d && load<u8>(from, 13) === 0x2d && load<u8>(from, 18) === 0x2d;
  if (!dashes || load<u8>(from, 23) !== 0x2d) return false;
  badHex = false;
  const a = v128.load(from);
  const b = v128.load(from, 2);
  const c = v128.load(from, 19);
  const d = v128.load(from, 20);
  const left = i8x16.shuffle(a, b, 0, 1, 2, 3, 4, 5, 6, 7, 9, 10, 11, 12, 14, 15, 30, 31);
  const right = i8x16.shuffle(c, d, 0, 1, 2, 3, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 31);
  const words = i8x16.narrow_i16x8_u(pairs(nibbles(left)), pairs(nibbles(right)));
  if (badHex) return false;
  v128.store(to, words);
  return true;
}

/** The record's uuid: four words, else a name. */
export function putUuid(at: usize): usize {
  if (readUuid(at, word(4))) {
    flags |= UUID_WORDS;
    return at + 38;
  }
  flags |= UUID_TEXT;
  return putName(at, word(4));
}

/** The record that this one follows on: four words from `number` on. */
export function putParent(at: usize, number: i32): void {
  if (load<u8>(at) !== 0x6e) flags |= readUuid(at, word(number)) ? PARENT : PARENT_TEXT;
}

/** `\u0000`: other agents put structured content behind it. */
export function isNul(at: usize): bool {
  return load<u32>(at) === 0x3030755c && load<u16>(at + 4) === 0x3030;
}

/** UTF-16 units of the string that was read last, from its opening quote at `at`. */
export function putUnits(word: i32, at: usize, end: usize): void {
  put(word, <i32>(end - at) - 1 - removed - continuations + fours);
}
