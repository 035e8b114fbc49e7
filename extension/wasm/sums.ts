import { ASSISTANT, BLOCK_WORDS, HEAD_WORDS, MAYBE_NOTICE } from "./layout";
import {
  append,
  CALL_BYTES,
  CALLS,
  element,
  head,
  putHead,
  RESULT_BYTES,
  RESULT_TEXTS,
  THREAD_BYTES,
  THREADS,
  TOUCHED,
} from "./state";

/**
 * Sums over the rows that are folded, so that nobody has to go through them for a summary. They lie in the words of a thread
 * (rows/stateLayout.ts): what came since it was told, and the usage that rows state.
 */

/** Takes in a message's row. */
export function sumMessage(row: usize, kind: i32, number: i32): void {
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
  for (let i = 0; i < results; i++) sumResult(thread, row + <usize>((HEAD_WORDS + i * BLOCK_WORDS) << 2), number);
}

function addSize(to: usize, from: usize): void {
  store<i32>(to, load<i32>(to) + load<i32>(from));
  store<i32>(to, load<i32>(to, 4) + load<i32>(from, 4), 4);
  store<i32>(to, load<i32>(to, 8) + load<i32>(from, 8), 8);
}

/** A result, whose index is known. Notices are summed up by who reads what they say. */
function sumResult(thread: usize, block: usize, number: i32): void {
  const index = load<i32>(block, 32);
  // The reader tells of results too.
  while (head(RESULT_TEXTS + 1) < index) store<i32>(append(RESULT_TEXTS, RESULT_BYTES), 0);
  const text = append(RESULT_TEXTS, RESULT_BYTES);
  if ((load<i32>(block, 12) & MAYBE_NOTICE) !== 0) {
    store<i32>(text, 0);
    return;
  }
  store<i32>(text, number + 1);
  store<i32>(text, load<i32>(block, 20) - load<i32>(block, 24), 4);
  store<i32>(text, load<i32>(block, 28), 8);
  addSize(thread + 48, block + 20);
  store<i32>(thread, load<i32>(thread, 60) + 1, 60);
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
