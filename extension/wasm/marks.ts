import { hashOf } from "./args";
import { differs } from "./hash";
import { SHAPES } from "./layout";
import { CLOSE_LIST, CLOSE_OBJECT, OPEN_LIST, OPEN_OBJECT } from "./letters";
import { skipValue } from "./values";

/**
 * Shapes of records. While a record is read key by key, `mark` notes what was done with which value; all between two values is
 * the same in the next record of that shape. Shapes are kept as a tree whose nodes are such a stretch and what is done behind
 * it, so that two that begin alike share it. shapes.ts reads records by it.
 *
 * That is sound because the reader that goes key by key depends on nothing but the bytes: where the stretches are the same byte
 * by byte and each value is taken by the same function, it would come to the same row.
 */

// What is done with a value, in the low 8 bits; above them a number that goes with it.
/** Nothing: shapes part here. */
export const DO_NOTHING = 0;
export const DO_UUID = 1;
export const DO_PARENT = 2;
/** Number: of the word. */
export const DO_NAME = 3;
/** Behind the type `progress`, the only one of `OTHER` that is kept. */
export const DO_PROGRESS = 4;
export const DO_DATA = 5;
export const DO_MESSAGE_ID = 6;
/** Number: of the word. */
export const DO_COUNT = 7;
export const DO_USAGE = 8;
export const DO_CONTENT = 9;
export const DO_BLOCK = 10;
export const DO_BLOCK_ID = 11;
export const DO_BLOCK_NAME = 12;
export const DO_INPUT = 13;
export const DO_TEXT = 14;
export const DO_RESULT = 15;
/** Number: type of the block, 8 for an error, 16 times its index. */
export const DO_BLOCK_END = 16;
export const DO_COPY = 17;
/** Number: of the word. */
export const DO_COPY_MEMBER = 18;
export const DO_COPY_TEXT = 19;
/** A value that nobody looks at, and that is not the same each time. Number: how deep it lies, and 256 times its first letter (`letterOf`). */
export const DO_SKIP = 20;
/** Behind the record. */
export const DO_END = 21;

// A node: its first child, the next one of its parent, length of its stretch, what is done, at the end kind and flags of the record, where
// in the stretch the value begins; then the stretch. It goes on to the first letter of the value, by which kinds of values differ.
const CHILD: usize = 0;
const NEXT: usize = 4;
const LENGTH: usize = 8;
const WHAT: usize = 12;
const KIND: usize = 16;
const FLAGS: usize = 20;
const STEP: usize = 24;
const NODE_HEAD: usize = 32;

// From `SHAPES` on: bytes used, how often it was begun anew; the root; marks; values of keys; nodes.
const ROOT: usize = 16;
const MARKS: usize = 0x40;
const MOST_MARKS = 64;
const VALUES: usize = 0x440;
const NODES: usize = 0xc40;
const END: usize = 0xff00;
/** Stretches that are longer are not kept. */
const LONGEST = 1024;
/** Values that are longer are never taken for the same each time. */
const LONGEST_VALUE = 160;
/** A file whose records are of so many shapes that they fill the room as often is read key by key. */
const MOST_TIMES = 8;

let marks: i32 = -1;

/** Before anything is read. */
export function forgetShapes(): void {
  memory.fill(SHAPES, 0, NODES);
  store<i32>(SHAPES, <i32>NODES);
}

export function beginMarks(): void {
  marks = load<i32>(SHAPES, 4) < MOST_TIMES ? 0 : -1;
  context = 0;
}

/** The shape of the record at hand cannot be kept. */
export function dropMarks(): void {
  marks = -1;
}

/** Of what kind the record or block at hand is: the same key may have another value in each. */
let context: u64 = 0;

export function tellKind(at: usize, length: i32): void {
  if (marks >= 0) context = hashOf(at, length);
}

/** The value from `at` to `end` was taken; where they are the same, something was done there. */
export function mark(what: i32, at: usize, end: usize): void {
  if (marks < 0) return;
  if (marks === MOST_MARKS) {
    marks = -1;
    return;
  }
  const entry = SHAPES + MARKS + <usize>(marks << 4);
  store<i32>(entry, what);
  store<usize>(entry, at, 4);
  store<usize>(entry, end, 8);
  marks++;
}

/** The place behind a value that nobody looks at, or 0. Its key lies in the half-open range. */
export function skipUnwanted(key: usize, keyEnd: usize, at: usize, depth: i32): usize {
  const end = skipValue(at, depth);
  if (marks < 0 || end === 0) return end;
  const byte = <u32>load<u8>(at);
  if (byte === OPEN_OBJECT || byte === OPEN_LIST) {
    const inner = <u32>load<u8>(at, 1);
    if (inner !== CLOSE_OBJECT && inner !== CLOSE_LIST) mark(DO_SKIP | ((depth | (byte << 8)) << 8), at, end);
    return end;
  }
  // What is true, false or nothing says which shape a record has.
  if (byte > 0x60) return end;
  const length = <i32>(end - at);
  if (length > LONGEST_VALUE || differsEachTime(hashOf(key, <i32>(keyEnd - key)) ^ context, hashOf(at, length)))
    mark(DO_SKIP | ((depth | (letterOf(byte) << 8)) << 8), at, end);
  return end;
}

/** The letter that a value of a kind begins with; the same for all numbers. What is done with a value may depend on its kind. */
export function letterOf(byte: u32): u32 {
  return byte === 0x2d || byte - 0x30 <= 9 ? 0x30 : byte;
}

/**
 * True for a key that had another value before; once the room was used up, also for one that is new. A key that finds no place takes
 * that of another one, which only costs time.
 */
function differsEachTime(key: u64, value: u64): bool {
  let entry = SHAPES + VALUES + <usize>((key & 127) << 4);
  for (let i: u64 = 1; i < 8 && load<u64>(entry) !== 0 && load<u64>(entry) !== key; i++)
    entry = SHAPES + VALUES + <usize>(((key + i) & 127) << 4);
  if (load<u64>(entry) !== key) {
    store<u64>(entry, key);
    store<u64>(entry, value | 1, 8);
    return load<i32>(SHAPES, 4) > 0;
  }
  const before = load<u64>(entry, 8);
  if (before === (value | 1)) return false;
  // 0: of many values.
  store<u64>(entry, 0, 8);
  return true;
}

/** Keeps the shape of the record in the half-open range that was read. */
export function keepShape(from: usize, end: usize, kind: i32, flags: i32): void {
  if (marks < 0) return;
  mark(DO_END, end, end);
  let parent = SHAPES + ROOT;
  let at = from;
  for (let i = 0; i < marks; i++) {
    const entry = SHAPES + MARKS + <usize>(i << 4);
    const what = load<i32>(entry);
    const value = load<usize>(entry, 4);
    const step = <i32>(value - at);
    const length = what === DO_END || letterOf(<u32>load<u8>(value)) === 0x30 ? step : step + 1;
    let node: usize = load<u32>(parent, CHILD);
    while (
      node !== 0 &&
      (load<i32>(node, WHAT) !== what || load<i32>(node, LENGTH) !== length || differs(node + NODE_HEAD, at, length))
    )
      node = load<u32>(node, NEXT);
    if (node === 0) {
      node = addNode(parent, what, at, length);
      if (node === 0) return;
      store<i32>(node, step, STEP);
    }
    at = load<usize>(entry, 8);
    parent = node;
  }
  store<i32>(parent, kind, KIND);
  store<i32>(parent, flags, FLAGS);
}

function addNode(parent: usize, what: i32, at: usize, length: i32): usize {
  if (length > LONGEST) return 0;
  const used = <usize>load<i32>(SHAPES);
  const bytes = NODE_HEAD + <usize>((length + 15) & ~15);
  if (used + bytes > END) {
    const times = load<i32>(SHAPES, 4);
    memory.fill(SHAPES + ROOT, 0, NODE_HEAD);
    store<i32>(SHAPES, <i32>NODES);
    store<i32>(SHAPES, times + 1, 4);
    return 0;
  }
  store<i32>(SHAPES, <i32>(used + bytes));
  const node = SHAPES + used;
  store<u32>(node, 0, CHILD);
  store<u32>(node, load<u32>(parent, CHILD), NEXT);
  store<i32>(node, length, LENGTH);
  store<i32>(node, what, WHAT);
  memory.copy(node + NODE_HEAD, at, length);
  store<u32>(parent, <u32>node, CHILD);
  return node;
}

/** What follows at `at` behind what is known until `parent`, which becomes the first that is looked for there; 0 where nothing does. */
export function nextNode(parent: usize, at: usize): usize {
  let before: usize = 0;
  let node: usize = load<u32>(parent, CHILD);
  while (node !== 0 && differs(node + NODE_HEAD, at, load<i32>(node, LENGTH))) {
    before = node;
    node = load<u32>(node, NEXT);
  }
  if (before !== 0 && node !== 0) {
    store<u32>(before, load<u32>(node, NEXT), NEXT);
    store<u32>(node, load<u32>(parent, CHILD), NEXT);
    store<u32>(parent, <u32>node, CHILD);
  }
  return node;
}

export function rootNode(): usize {
  return SHAPES + ROOT;
}

export function stepOf(node: usize): usize {
  return <usize>load<i32>(node, STEP);
}

export function whatOf(node: usize): i32 {
  return load<i32>(node, WHAT);
}

export function kindOf(node: usize): i32 {
  return load<i32>(node, KIND);
}

export function flagsOf(node: usize): i32 {
  return load<i32>(node, FLAGS);
}
