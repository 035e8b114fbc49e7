import { MIX } from "./hash";
import { BLOCKS, KEYS } from "./layout";
import { CLOSE_LIST, CLOSE_OBJECT, COLON, COMMA, OPEN_LIST, OPEN_OBJECT, QUOTE } from "./letters";
import { add } from "./row";
import { continuations, escaped, fours, readString, removedCompact } from "./strings";
import { MAX_DEPTH, skipPlainScalar, skipSpace } from "./values";

/** Keys of one object inside a tool call's arguments. */
export const MAX_KEYS = 64;

// Compact JSON of an argument.
export let argBytes: i32 = 0;
export let argContinuations: i32 = 0;
export let argFours: i32 = 0;

/** Adds the compact JSON of a value to the `arg…` sums; the place behind it, or 0. `keys`: free room for hashes of keys. */
export function measureArg(at: usize, depth: i32, keys: usize): usize {
  const byte = <u32>load<u8>(at);
  if (byte === QUOTE) return measureArgString(at);
  if (byte === OPEN_OBJECT) return measureArgObject(at, depth + 1, keys);
  if (byte === OPEN_LIST) return measureArgList(at, depth + 1, keys);
  const end = skipPlainScalar(at);
  argBytes += <i32>(end - at);
  return end;
}

export function measureArgString(at: usize): usize {
  const end = readString(at + 1);
  if (end === 0) return 0;
  argBytes += <i32>(end + 1 - at) - removedCompact;
  argContinuations += continuations;
  argFours += fours;
  return end + 1;
}

export function measureArgObject(from: usize, depth: i32, keys: usize): usize {
  if (depth > MAX_DEPTH) return 0;
  argBytes += 2;
  let at = skipSpace(from + 1);
  if (load<u8>(at) === CLOSE_OBJECT) return at + 1;
  let count: usize = 0;
  while (true) {
    if (load<u8>(at) !== QUOTE) return 0;
    const end = measureArgString(at);
    // A key that is written with escapes may be the same as another one.
    if (end === 0 || escaped || count === MAX_KEYS || keys + count * 8 >= BLOCKS - 8) return 0;
    const hash = hashOf(at + 1, <i32>(end - at) - 2);
    for (let i: usize = 0; i < count; i++) if (load<u64>(keys + i * 8) === hash) return 0;
    store<u64>(keys + count * 8, hash);
    count++;
    at = skipSpace(end);
    if (load<u8>(at) !== COLON) return 0;
    argBytes++;
    at = measureArg(skipSpace(at + 1), depth, keys + count * 8);
    if (at === 0) return 0;
    at = skipSpace(at);
    const byte = <u32>load<u8>(at);
    if (byte === CLOSE_OBJECT) return at + 1;
    if (byte !== COMMA) return 0;
    argBytes++;
    at = skipSpace(at + 1);
  }
}

export function measureArgList(from: usize, depth: i32, keys: usize): usize {
  if (depth > MAX_DEPTH) return 0;
  argBytes += 2;
  let at = skipSpace(from + 1);
  if (load<u8>(at) === CLOSE_LIST) return at + 1;
  while (true) {
    at = measureArg(at, depth, keys);
    if (at === 0) return 0;
    at = skipSpace(at);
    const byte = <u32>load<u8>(at);
    if (byte === CLOSE_LIST) return at + 1;
    if (byte !== COMMA) return 0;
    argBytes++;
    at = skipSpace(at + 1);
  }
}

/** Equal for equal keys. Keys with the same hash cost the record its row, so it need not be strong. */
export function hashOf(at: usize, length: i32): u64 {
  let hash: u64 = <u64>length;
  let left = length;
  let from = at;
  for (; left >= 8; left -= 8) {
    hash = (hash ^ load<u64>(from)) * MIX;
    hash ^= hash >> 29;
    from += 8;
  }
  if (left > 0) hash = (hash ^ (load<u64>(from) & (((<u64>1) << (<u64>(left * 8))) - 1))) * MIX;
  return hash ^ (hash >> 32);
}

/** Adds a tool call's arguments to the message's. */
export function readInput(at: usize): bool {
  const byte = <u32>load<u8>(at);
  // Texts are measured as they stand, not as JSON.
  if (byte === QUOTE) return false;
  return byte === 0x6e || readInputObject(at) !== 0;
}

/** The same for arguments that are there; the place behind them, or 0. */
export function readInputObject(at: usize): usize {
  argBytes = 0;
  argContinuations = 0;
  argFours = 0;
  const end = measureArg(at, 4, KEYS);
  if (end === 0) return 0;
  add(31, argBytes);
  add(32, argContinuations);
  add(33, argFours);
  return end;
}
