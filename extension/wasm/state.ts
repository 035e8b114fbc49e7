/**
 * What a session's rows are folded into: one stretch of memory that begins at `state` and grows at its end. All places inside
 * it are told from its beginning, and nothing about it is kept elsewhere, so that its bytes can be put aside and put back.
 * Word numbers here and in extension/src/core/transcript/rows/stateLayout.ts are the same; that file says what they mean.
 */
export const TOP = 1;
export const RESULTS = 2;
export const THREAD_COUNT = 3;
export const MAIN = 4;
export const OTHER_IDS = 5;
export const UUID_SLOTS = 6;
export const UUID_MASK = 7;
export const UUID_COUNT = 8;
export const TEXT_SLOTS = 9;
export const TEXT_MASK = 10;
export const TEXT_COUNT = 11;
export const BRANCHES_END = 12;
export const NEWEST_SAID = 13;
export const RING_COUNT = 14;
export const PATH_ROOM = 15;
// Lists: place, used and room of each, in elements.
export const UUIDS = 16;
export const THREADS = 19;
export const CALLS = 22;
export const PAIRS = 25;
export const PATH = 28;
export const RING = 31;
export const TALLIES = 32;
/** The thread that was summed up last since the sums were told (its number + 1); each leads to the one before it. */
export const TOUCHED = 33;
export const PATH_CUT = 35;
/** Freed stretches by the logarithm of their length. */
export const FREED = 36;
/** A list behind those. */
export const RESULT_TEXTS = 68;
export const HEADER_WORDS = 72;
/** Bytes behind what is used that can be written to and read. */
export const SPARE = 1024;

export const THREAD_BYTES = 160;
export const CALL_BYTES = 80;
export const PAIR_BYTES = 48;
export const PATH_BYTES = 104;
export const RING_BYTES = 64;
export const RESULT_BYTES = 16;
export const RING_ROWS = 1000;
export const TALLY_PLACES = 20;
/** The count in two words, then line, an empty word, start and end of each. */
export const TALLY_BYTES = 8 + TALLY_PLACES * 24;

export let state: usize = 0;

/**
 * The state lies at an address that is a multiple of 16; `fresh`: there is none yet. `records`: how many are expected, about.
 * There is room for them from the beginning, so that nothing is moved while it grows; room that is not used takes no memory.
 */
export function openState(at: usize, fresh: bool, records: i32): void {
  state = at;
  if (!fresh) return;
  reach(at + HEADER_WORDS * 4);
  memory.fill(at, 0, HEADER_WORDS * 4);
  putHead(TOP, HEADER_WORDS * 4);
  putHead(MAIN, -1);
  // A quarter of the slots of UUIDs stays free, half of those of texts; three of four records have one text each.
  const uuids = slotsFor(records + (records >> 1));
  putHead(UUID_SLOTS, <i32>(claimZeros(uuids + 2) - state));
  putHead(UUID_MASK, (1 << uuids) - 1);
  const texts = slotsFor(records + (records >> 1));
  putHead(TEXT_SLOTS, <i32>(claimZeros(texts + 3) - state));
  putHead(TEXT_MASK, (1 << texts) - 1);
  reserve(UUIDS, 16, records);
  reserve(CALLS, CALL_BYTES, records >> 1);
  reserve(PAIRS, PAIR_BYTES, records >> 1);
  reserve(RESULT_TEXTS, RESULT_BYTES, records >> 1);
  putHead(RING, <i32>(claimZeros(16) - state));
  putHead(TALLIES, <i32>(claimZeros(11) - state));
}

/** The least power of two, from 12 on, that is larger. */
function slotsFor(records: i32): i32 {
  return max(32 - i32.clz(records), 12);
}

/** Room in a list for so many elements. */
function reserve(list: i32, bytes: i32, elements: i32): void {
  const power = 32 - i32.clz(elements * bytes);
  if (power <= 12) return;
  putHead(list, <i32>(claim(power) - state));
  putHead(list + 2, (1 << power) / bytes);
}

export function head(word: i32): i32 {
  return load<i32>(state + (word << 2));
}

export function putHead(word: i32, value: i32): void {
  store<i32>(state + (word << 2), value);
}

/** Sees to it that there is memory up to an address. */
export function reach(end: usize): void {
  const missing = <i64>end - ((<i64>memory.size()) << 16);
  if (missing <= 0) return;
  // In steps, because each one tells all threads.
  const pages = <i32>((missing + 0xfffff) >> 16);
  if (memory.grow(pages) < 0 && memory.grow(<i32>((missing + 0xffff) >> 16)) < 0) unreachable();
}

/** So many bytes, rounded up to 16. */
export function bump(bytes: i32): usize {
  const at = state + <usize>(<u32>head(TOP));
  const length = (bytes + 15) & ~15;
  reach(at + length + SPARE);
  putHead(TOP, head(TOP) + length);
  return at;
}

/** A stretch of 2^`power` bytes. */
export function claim(power: i32): usize {
  const first = head(FREED + power);
  if (first === 0) return bump(1 << power);
  const at = state + <usize>first;
  putHead(FREED + power, load<i32>(at));
  return at;
}

export function release(place: i32, power: i32): void {
  store<i32>(state + <usize>place, head(FREED + power));
  putHead(FREED + power, place);
}

/** The same with all bytes zero. */
export function claimZeros(power: i32): usize {
  const at = claim(power);
  memory.fill(at, 0, 1 << power);
  return at;
}

/** The address of a new last element of a list, to be filled; may move the list. */
export function append(list: i32, bytes: i32): usize {
  const count = head(list + 1);
  if (count === head(list + 2)) growList(list, bytes);
  putHead(list + 1, count + 1);
  return element(list, count, bytes);
}

function growList(list: i32, bytes: i32): void {
  const old = head(list);
  const used = head(list + 2) * bytes;
  // The smallest power of two that they fit into: elements are smaller than half a stretch.
  const before = 32 - i32.clz(used - 1);
  const power = old === 0 ? 12 : before + 1;
  const at = claim(power);
  if (old !== 0) {
    memory.copy(at, state + <usize>old, used);
    release(old, before);
  }
  putHead(list, <i32>(at - state));
  putHead(list + 2, (1 << power) / bytes);
}

export function element(list: i32, index: i32, bytes: i32): usize {
  return state + <usize>head(list) + <usize>(index * bytes);
}

/** For the reader in JavaScript: the index of a new last element of a list. */
export function appendTo(list: i32, bytes: i32): i32 {
  const index = head(list + 1);
  memory.fill(append(list, bytes), 0, bytes);
  return index;
}
