import { ASSISTANT, BLOCK_WORDS, HEAD_WORDS, MAYBE_NOTICE, WRITTEN } from "./layout";
import { copy } from "./row";
import {
  append,
  bump,
  CALL_BYTES,
  CALLS,
  element,
  head,
  putHead,
  RESULT_BYTES,
  RESULT_TEXTS,
  state,
  THREAD_BYTES,
  THREADS,
  TOUCHED,
} from "./state";
import { readStated, stated } from "./written";

/**
 * Sums over the rows that are folded, so that nobody has to go through them for a summary. They lie in the words of a thread
 * (rows/stateLayout.ts): what came since it was told, and the usage that rows state.
 */

/** Takes in a message's row. */
export function sumMessage(row: usize, kind: i32, number: i32, names: usize): void {
  const thread = element(THREADS, number, THREAD_BYTES);
  const messages = load<i32>(thread, 20);
  store<i32>(thread, messages + 1, 20);
  if (messages === 0) {
    store<i32>(thread, head(TOUCHED), 116);
    putHead(TOUCHED, number + 1);
  }
  const results = load<i32>(row, 152);
  if (kind === ASSISTANT) {
    addSize(thread + 36, row + 100);
    addSize(thread + 36, row + 124);
  } else addSize(thread + 24, row + 100);
  for (let i = 0; i < results; i++)
    sumResult(thread, row, row + <usize>((HEAD_WORDS + i * BLOCK_WORDS) << 2), number, names);
}

function addSize(to: usize, from: usize): void {
  store<i32>(to, load<i32>(to) + load<i32>(from));
  store<i32>(to, load<i32>(to, 4) + load<i32>(from, 4), 4);
  store<i32>(to, load<i32>(to, 8) + load<i32>(from, 8), 8);
}

/** A result, whose index is known. Notices other than the usual one are summed up by who reads what they say. */
function sumResult(thread: usize, row: usize, block: usize, number: i32, names: usize): void {
  const index = load<i32>(block, 32);
  // The reader tells of results too.
  while (head(RESULT_TEXTS + 1) < index) store<i32>(append(RESULT_TEXTS, RESULT_BYTES), 0);
  const text = append(RESULT_TEXTS, RESULT_BYTES);
  const bits = load<i32>(block, 12);
  if ((bits & MAYBE_NOTICE) !== 0) {
    store<i32>(text, 0);
    return;
  }
  const codePoints = load<i32>(block, 20) - load<i32>(block, 24);
  const fours = load<i32>(block, 28);
  store<i32>(text, number + 1);
  store<i32>(text, codePoints, 4);
  store<i32>(text, fours, 8);
  store<i32>(text, 0, 12);
  if ((bits & WRITTEN) !== 0) {
    const place = load<i32>(block, 36);
    const from = names + (place >> 11);
    store<i32>(text, keepWritten(row, from, place & 0x7ff), 12);
    addSize(thread + 128, block + 20);
    store<i32>(thread, load<i32>(thread, 140) + 1, 140);
    readStated(from);
    store<f64>(thread, load<f64>(thread, 144) + max(stated - <f64>(codePoints + fours), 0), 144);
    return;
  }
  addSize(thread + 48, block + 20);
  store<i32>(thread, load<i32>(thread, 60) + 1, 60);
}

/** Keeps the beginning of a notice, behind the words 34 to 39 of its row and its length; its place. */
function keepWritten(row: usize, from: usize, length: i32): i32 {
  const at = bump(32 + length);
  v128.store(at, v128.load(row, 136));
  store<i64>(at, load<i64>(row, 152), 16);
  store<i32>(at, length, 24);
  copy(at + 32, from, length);
  return <i32>(at - state);
}

/** A call by its index states usage, or more than before; its number. */
export function sumCall(thread: usize, index: i32): void {
  const newest = load<i32>(thread, 16);
  const number = load<i32>(element(CALLS, index, CALL_BYTES), 4);
  if (newest === 0 || number >= load<i32>(element(CALLS, newest - 1, CALL_BYTES), 4)) store<i32>(thread, index + 1, 16);
}

/** One of the four figures of a call's usage; `before`: negative or NaN where it was not stated. */
export function sumFigure(thread: usize, part: usize, value: i32, before: f64): void {
  const at = thread + (part << 3);
  const known = before >= 0;
  store<f64>(at, load<f64>(at, 64) + <f64>value - (known ? before : 0), 64);
  if (!known) store<i32>(thread + (part << 2), load<i32>(thread + (part << 2), 96) + 1, 96);
}

/** One more call states usage. */
export function sumStated(thread: usize): void {
  store<i32>(thread, load<i32>(thread, 112) + 1, 112);
}
