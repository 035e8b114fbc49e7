import { differs, MIX, mixBytes } from "./hash";
import { KEYS } from "./layout";
import {
  append,
  bump,
  claimZeros,
  element,
  head,
  putHead,
  reach,
  release,
  SPARE,
  state,
  TEXT_COUNT,
  TEXT_MASK,
  TEXT_SLOTS,
  TOP,
  UUID_COUNT,
  UUID_MASK,
  UUID_SLOTS,
  UUIDS,
} from "./state";

/** A UUID's random bits are all over it, but ids that count up differ in the last word only. */
function uuidHash(words: v128): i32 {
  const a = i64x2.extract_lane(words, 0);
  const b = i64x2.extract_lane(words, 1);
  const mixed = (<u64>a ^ (<u64>b * MIX)) * MIX;
  return <i32>(mixed >> 32) ^ <i32>(mixed >> 47);
}

// A slot holds the number of a UUID, which is less than there are slots, and above it what of the hash is not its place: so those
// with another hash need not be looked at, which lie anywhere.

/** The 1-based number of a UUID in the order they came, or 0. */
export function findUuid(words: v128): i32 {
  const slots = state + <usize>head(UUID_SLOTS);
  const mask = head(UUID_MASK);
  const hash = uuidHash(words);
  let slot = hash & mask;
  while (true) {
    const entry = load<i32>(slots + (slot << 2));
    if (entry === 0) return 0;
    if (((entry ^ hash) & ~mask) === 0) {
      const number = entry & mask;
      if (!v128.any_true(v128.xor(v128.load(element(UUIDS, number - 1, 16)), words))) return number;
    }
    slot = (slot + 1) & mask;
  }
}

/** False when it was there before. */
export function addUuid(words: v128): bool {
  const slots = state + <usize>head(UUID_SLOTS);
  const mask = head(UUID_MASK);
  const hash = uuidHash(words);
  let slot = hash & mask;
  while (true) {
    const entry = load<i32>(slots + (slot << 2));
    if (entry === 0) break;
    if (
      ((entry ^ hash) & ~mask) === 0 &&
      !v128.any_true(v128.xor(v128.load(element(UUIDS, (entry & mask) - 1, 16)), words))
    )
      return false;
    slot = (slot + 1) & mask;
  }
  const count = head(UUID_COUNT) + 1;
  store<i32>(slots + (slot << 2), count | (hash & ~mask));
  putHead(UUID_COUNT, count);
  v128.store(append(UUIDS, 16), words);
  if (count > mask - (mask >> 2)) growUuids();
  return true;
}

function growUuids(): void {
  const old = head(UUID_SLOTS);
  const size = head(UUID_MASK) + 1;
  const power = 35 - i32.clz(size) - 1;
  const slots = claimZeros(power);
  const mask = size * 2 - 1;
  const count = head(UUID_COUNT);
  for (let i = 0; i < count; i++) {
    const hash = uuidHash(v128.load(element(UUIDS, i, 16)));
    let slot = hash & mask;
    while (load<i32>(slots + (slot << 2)) !== 0) slot = (slot + 1) & mask;
    store<i32>(slots + (slot << 2), (i + 1) | (hash & ~mask));
  }
  putHead(UUID_SLOTS, <i32>(slots - state));
  putHead(UUID_MASK, mask);
  release(old, power - 1);
}

// Texts: 16 bytes (hash, space, length in bytes, value), then the bytes. The same text in two spaces is two texts.
const TEXT_HEAD = 16;

/** Where a text that may be added is put together: behind all that is used. */
export function textRoom(bytes: i32): usize {
  const at = state + <usize>(<u32>head(TOP)) + TEXT_HEAD;
  reach(at + bytes + SPARE);
  return at;
}

/** The place of a text, or 0. Bytes that follow it in memory may be read. */
export function findText(space: i32, at: usize, length: i32): i32 {
  return findHashed(space, at, length, mixBytes(at, length));
}

function inSpace(mixed: i32, space: i32): i32 {
  return mixed ^ <i32>(<u32>space * <u32>0x9e3779b1);
}

// Addresses that will be needed, at `KEYS`, where nothing else is kept between two pieces.
const MOST_TOUCHED = 0x1000;
let waiting: i32 = 0;

/** Notes where looking for a text will begin; its `mixBytes`. */
export function touchText(space: i32, at: usize, length: i32): i32 {
  const mixed = mixBytes(at, length);
  touchLater(state + <usize>head(TEXT_SLOTS) + ((inSpace(mixed, space) & head(TEXT_MASK)) << 3));
  return mixed;
}

/** The same for a UUID. */
export function touchUuid(words: v128): void {
  touchLater(state + <usize>head(UUID_SLOTS) + ((uuidHash(words) & head(UUID_MASK)) << 2));
}

function touchLater(at: usize): void {
  store<usize>(KEYS + <usize>(waiting << 2), at);
  if (++waiting === MOST_TOUCHED) touchAll();
}

/** Brings what was noted into the processor's cache, with nothing between the loads, so that it waits for many at once. */
export function touchAll(): void {
  let all = touched;
  for (let i = 0; i < waiting; i++) all ^= load<i32>(load<usize>(KEYS + <usize>(i << 2)));
  touched = all;
  waiting = 0;
}

/** Keeps the loads above from being left out. */
export let touched: i32 = 0;

/** `findText` where `mixBytes` of the text is known. */
export function findHashed(space: i32, at: usize, length: i32, mixed: i32): i32 {
  const hash = inSpace(mixed, space);
  const slots = state + <usize>head(TEXT_SLOTS);
  const mask = head(TEXT_MASK);
  let slot = hash & mask;
  while (true) {
    const entry = slots + (slot << 3);
    const place = load<i32>(entry, 4);
    if (place === 0) return 0;
    if (load<i32>(entry) === hash) {
      const known = state + <usize>place;
      if (load<i32>(known, 4) === space && load<i32>(known, 8) === length && !differs(known + TEXT_HEAD, at, length))
        return place;
    }
    slot = (slot + 1) & mask;
  }
}

/** Adds a text that is not there, with a value of 0; its place. */
export function addText(space: i32, at: usize, length: i32): i32 {
  const hash = inSpace(mixBytes(at, length), space);
  const room = textRoom(length);
  if (at !== room) memory.copy(room, at, length);
  const place = <i32>(bump(TEXT_HEAD + length) - state);
  const entry = state + <usize>place;
  store<i32>(entry, hash);
  store<i32>(entry, space, 4);
  store<i32>(entry, length, 8);
  store<i32>(entry, 0, 12);
  const count = head(TEXT_COUNT) + 1;
  putHead(TEXT_COUNT, count);
  putSlot(state + <usize>head(TEXT_SLOTS), head(TEXT_MASK), hash, place);
  if (count * 2 > head(TEXT_MASK)) growTexts();
  return place;
}

function putSlot(slots: usize, mask: i32, hash: i32, place: i32): void {
  let slot = hash & mask;
  while (load<i32>(slots + (slot << 3), 4) !== 0) slot = (slot + 1) & mask;
  store<i32>(slots + (slot << 3), hash);
  store<i32>(slots + (slot << 3), place, 4);
}

function growTexts(): void {
  const old = head(TEXT_SLOTS);
  const size = head(TEXT_MASK) + 1;
  const power = 36 - i32.clz(size) - 1;
  const slots = claimZeros(power);
  const mask = size * 2 - 1;
  for (let i = 0; i < size; i++) {
    const entry = state + <usize>old + (i << 3);
    const place = load<i32>(entry, 4);
    if (place !== 0) putSlot(slots, mask, load<i32>(entry), place);
  }
  putHead(TEXT_SLOTS, <i32>(slots - state));
  putHead(TEXT_MASK, mask);
  release(old, power - 1);
}

export function textValue(text: i32): i32 {
  return load<i32>(state + <usize>text, 12);
}

export function setValue(text: i32, value: i32): void {
  store<i32>(state + <usize>text, value, 12);
}

/** Like `findText` and `addText` in one. */
export function internText(space: i32, at: usize, length: i32): i32 {
  const found = findText(space, at, length);
  return found === 0 ? addText(space, at, length) : found;
}

// For the reader in JavaScript.

function wordsOf(a: i32, b: i32, c: i32, d: i32): v128 {
  return i32x4.replace_lane(i32x4.replace_lane(i32x4.replace_lane(i32x4.splat(a), 1, b), 2, c), 3, d);
}

export function putUuidWords(a: i32, b: i32, c: i32, d: i32): bool {
  return addUuid(wordsOf(a, b, c, d));
}

export function findUuidWords(a: i32, b: i32, c: i32, d: i32): i32 {
  return findUuid(wordsOf(a, b, c, d));
}
