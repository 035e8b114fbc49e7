import { differs } from "./hash";
import {
  addText,
  addUuid,
  findHashed,
  findText,
  findUuid,
  internText,
  setValue,
  textRoom,
  textValue,
  touchAll,
  touchText,
  touchUuid,
} from "./ids";
import {
  AGENT_PROGRESS,
  ASSISTANT,
  BLOCK_WORDS,
  GROWN,
  HAS_USAGE,
  HEAD_WORDS,
  LINES,
  NEW_CALL,
  OTHER,
  PARENT,
  PARENT_TEXT,
  PLAIN,
  PROMPT,
  RECORD_WORDS,
  SIDECHAIN,
  SILENT,
  SYSTEM,
  UNENDED,
  USER,
  UUID_TEXT,
  UUID_WORDS,
} from "./layout";
import { NEWLINE } from "./letters";
import { copy } from "./row";
import {
  append,
  BRANCHES_END,
  bump,
  CALL_BYTES,
  CALLS,
  element,
  head,
  MAIN,
  NEWEST_SAID,
  OTHER_IDS,
  PAIR_BYTES,
  PAIRS,
  PATH,
  PATH_BYTES,
  PATH_CUT,
  PATH_ROOM,
  putHead,
  RESULTS,
  RING,
  RING_BYTES,
  RING_COUNT,
  RING_ROWS,
  state,
  TALLIES,
  TALLY_BYTES,
  TALLY_PLACES,
  THREAD_BYTES,
  THREADS,
  UUID_COUNT,
} from "./state";
import { sumCall, sumFigure, sumMessage, sumStated } from "./sums";

/** Value of a call's id: number of the newest call with it + 1, and this while a result waits for its call. */
export const EARLY: i32 = 0x40000000;

/** Messages of the path that stay when there are more than twice as many (readers/livePath.ts). */
const PATH_KEPT = 10_000;

/** Longest time that a step of the path keeps. */
const TIME_BYTES = 24;

// Texts with a number that says what they are, so that they do not meet: of each thread ids of calls and keys of requests (the
// reader in JavaScript adds 2 where a text has two bytes per unit), names of tools and models, and ids of agents.
const SPACES = 4;
const IDS = 0;
const REQUESTS = 1;
const NAMES = -4;
const AGENTS = -8;

// Tallies of the ledger.
const COUNTED = 0;
const WITHOUT = 1;
const SAME_MESSAGE = 2;

let names: usize = 0;
let firstLine: i32 = 0;
let offset: f64 = 0;

/**
 * Takes the rows of the half-open range into the state, as far as it can: up to the first one that needs the reader in
 * JavaScript, of which nothing was noted then. Returns where that one is, or `to`. `texts`: where the names of the piece lie;
 * `line`, `start`: of the piece. Writes into each row what it became (see rows/layout.ts).
 */
export function fold(from: usize, to: usize, texts: usize, line: i32, start: f64): usize {
  names = texts;
  firstLine = line;
  offset = start;
  // Once per piece: it is folded from its beginning on, and then from behind each row that the reader read.
  if (from <= touchedFrom || to !== touchedTo) {
    touch(from, to);
    touchedFrom = from;
    touchedTo = to;
  }
  let row = from;
  while (row < to) {
    const bits = load<i32>(row);
    const kind = bits & 0xff;
    if (kind === LINES || kind === UNENDED || (bits & PLAIN) !== 0) return row;
    if (kind === USER || kind === ASSISTANT) {
      if (!foldMessage(row, bits, kind)) return row;
      row += <usize>((HEAD_WORDS + BLOCK_WORDS * (load<i32>(row, 148) + load<i32>(row, 152))) << 2);
      continue;
    }
    if ((bits & AGENT_PROGRESS) !== 0 || (bits & UUID_TEXT) !== 0) return row;
    if (kind === OTHER && (bits & SILENT) === 0) return row;
    if (kind === SYSTEM && (bits & SIDECHAIN) === 0 && head(MAIN) >= 0 && branchesOff(row)) return row;
    if ((bits & UUID_WORDS) !== 0 && !addUuid(v128.load(row, 16))) return row;
    row += <usize>(RECORD_WORDS * 4);
  }
  return row;
}

let touchedFrom: usize = 0;
let touchedTo: usize = 0;

/**
 * Looks ahead at what the rows will look for: ids are all over large tables, and the processor waits for many of their places at
 * once, but for one after the other when each is needed at once. Leaves hashes in word 29 of a row and word 11 of its blocks.
 */
function touch(from: usize, to: usize): void {
  const space = head(MAIN) * SPACES;
  let row = from;
  while (row < to) {
    const bits = load<i32>(row);
    const kind = bits & 0xff;
    if (kind === LINES || kind === UNENDED) {
      row += 16;
      continue;
    }
    if ((bits & UUID_WORDS) !== 0) touchUuid(v128.load(row, 16));
    if (kind !== USER && kind !== ASSISTANT) {
      row += <usize>(RECORD_WORDS * 4);
      continue;
    }
    if (kind === ASSISTANT) {
      const length = load<i32>(row, 68) + 1 + load<i32>(row, 60);
      store<i32>(row, touchText(space + REQUESTS, requestKey(row), length), 116);
    }
    const end = row + <usize>((HEAD_WORDS + BLOCK_WORDS * (load<i32>(row, 148) + load<i32>(row, 152))) << 2);
    for (let block = row + HEAD_WORDS * 4; block < end; block += BLOCK_WORDS * 4)
      store<i32>(block, touchText(space + IDS, names + load<i32>(block), load<i32>(block, 4)), 44);
    row = end;
  }
  touchAll();
}

function foldMessage(row: usize, bits: i32, kind: i32): bool {
  if ((bits & UUID_TEXT) !== 0) return false;
  const number = (bits & SIDECHAIN) === 0 ? head(MAIN) : agentThread(row);
  if (number < 0) return false;
  const thread = element(THREADS, number, THREAD_BYTES);
  const uses = load<i32>(row, 148);
  const results = load<i32>(row, 152);
  const blocks = row + HEAD_WORDS * 4;
  const main = number === head(MAIN);
  if (kind === USER && results === 0 && main && branchesOff(row)) return false;
  if (main && (load<i32>(row, 52) > TIME_BYTES || !roomInPath())) return false;
  let known = 0;
  let keyLength = 0;
  if (kind === ASSISTANT) {
    if (!isModel(thread, row)) return false;
    keyLength = load<i32>(row, 68) + 1 + load<i32>(row, 60);
    const request = findHashed(number * SPACES + REQUESTS, requestKey(row), keyLength, load<i32>(row, 116));
    if (request !== 0) {
      known = textValue(request);
      if (statesUsage(row, bits)) {
        const call = element(CALLS, known - 1, CALL_BYTES);
        // What the reader told of a call only it tells anew.
        if (load<i32>(call, 16) !== 0 || !isPlainUsage(call)) return false;
      }
    }
    for (let i = 0; i < uses; i++) {
      const block = blocks + <usize>(i * BLOCK_WORDS * 4);
      const text = findHashed(
        number * SPACES + IDS,
        names + load<i32>(block),
        load<i32>(block, 4),
        load<i32>(block, 44),
      );
      if (text !== 0 && (textValue(text) & EARLY) !== 0) return false;
    }
  }
  let answered = 0;
  for (; answered < results; answered++) {
    const block = blocks + <usize>(answered * BLOCK_WORDS * 4);
    const text = findHashed(number * SPACES + IDS, names + load<i32>(block), load<i32>(block, 4), load<i32>(block, 44));
    // A result that waits for its call has answered none.
    let pair = text === 0 ? 0 : textValue(text);
    if ((pair & EARLY) !== 0) pair = 0;
    while (pair !== 0) {
      const entry = element(PAIRS, pair - 1, PAIR_BYTES);
      if (load<i32>(entry, 24) === 0) break;
      pair = load<i32>(entry, 20);
    }
    if (pair === 0) break;
    store<i32>(element(PAIRS, pair - 1, PAIR_BYTES), 1, 24);
    store<i32>(block, pair - 1, 44);
  }
  const isNew = answered === results && ((bits & UUID_WORDS) === 0 || addUuid(v128.load(row, 16)));
  if (!isNew) {
    for (let i = 0; i < answered; i++) {
      const pair = load<i32>(blocks + <usize>(i * BLOCK_WORDS * 4), 44);
      store<i32>(element(PAIRS, pair, PAIR_BYTES), 0, 24);
    }
    return false;
  }
  store<i32>(row, number, 164);
  if (kind === ASSISTANT) {
    known = foldCall(row, bits, number, known, keyLength);
    const call = load<i32>(element(CALLS, known, CALL_BYTES), 4);
    store<i32>(row, call, 112);
    for (let i = 0; i < uses; i++) addPair(row, blocks + <usize>(i * BLOCK_WORDS * 4), number, call);
  } else if ((bits & PROMPT) !== 0) store<i32>(thread, load<i32>(thread) + 1);
  store<i32>(row, load<i32>(thread), 168);
  const message = load<i32>(thread, 8);
  store<i32>(thread, message + 1, 8);
  store<i32>(row, message, 172);
  const first = head(RESULTS);
  for (let i = 0; i < results; i++) addResult(row, blocks + <usize>(i * BLOCK_WORDS * 4), number, load<i32>(thread));
  sumMessage(row, kind, number, names);
  if (main) addStep(row, kind, first, results);
  return true;
}

/** The record follows on an older one than the newest, in a way that may take something out of context. */
function branchesOff(row: usize): bool {
  const bits = load<i32>(row);
  if ((bits & PARENT_TEXT) !== 0) return true;
  if ((bits & PARENT) === 0 || head(OTHER_IDS) > 0) return false;
  const number = findUuid(v128.load(row + ((bits & 0xff) === SYSTEM ? 40 : 176)));
  return number !== 0 && (number < head(NEWEST_SAID) || number < head(BRANCHES_END));
}

/** Number of the thread of an agent that was met before, or -1. */
function agentThread(row: usize): i32 {
  const text = findText(AGENTS, names + load<i32>(row, 40), load<i32>(row, 44));
  return text === 0 ? -1 : textValue(text) - 1;
}

/** The row's model is the one that the thread has, so that there is nothing to tell about it. */
function isModel(thread: usize, row: usize): bool {
  const text = load<i32>(thread, 12);
  if (text === 0) return false;
  const known = state + <usize>text;
  const length = load<i32>(row, 76);
  return load<i32>(known, 8) === length && !differs(known + 16, names + load<i32>(row, 72), length);
}

/** Puts together the key of the row's request: message id, a line end, request id. */
function requestKey(row: usize): usize {
  const id = load<i32>(row, 68);
  const request = load<i32>(row, 60);
  const at = textRoom(id + request + 1);
  copy(at, names + load<i32>(row, 64), id);
  store<u8>(at + id, NEWLINE);
  copy(at + id + 1, names + load<i32>(row, 56), request);
  return at;
}

function statesUsage(row: usize, bits: i32): bool {
  if ((bits & HAS_USAGE) === 0) return false;
  return load<i32>(row, 80) >= 0 || load<i32>(row, 84) >= 0 || load<i32>(row, 88) >= 0 || load<i32>(row, 92) >= 0;
}

/** The call states usage, in numbers that fit into a row. */
function isPlainUsage(call: usize): bool {
  let stated = false;
  for (let i: usize = 48; i < 80; i += 8) {
    const value = load<f64>(call + i);
    // Counts are not negative; NaN is not stated.
    if (!(value >= 0)) continue;
    stated = true;
    if (value > 2147483647 || floor(value) !== value) return false;
  }
  return stated;
}

/** Notes the row's request; its index among the calls. `known`: that and 1, or 0. */
function foldCall(row: usize, bits: i32, thread: i32, known: i32, keyLength: i32): i32 {
  const stated = statesUsage(row, bits);
  if (known === 0) {
    const text = addText(thread * SPACES + REQUESTS, requestKey(row), keyLength);
    const length = load<i32>(row, 52);
    const at = bump(length);
    copy(at, names + load<i32>(row, 48), length);
    const index = head(CALLS + 1);
    const call = append(CALLS, CALL_BYTES);
    setValue(text, index + 1);
    const owner = element(THREADS, thread, THREAD_BYTES);
    const number = load<i32>(owner, 4) + 1;
    store<i32>(owner, number, 4);
    store<i32>(call, thread);
    store<i32>(call, number, 4);
    store<i32>(call, load<i32>(owner), 8);
    store<i32>(call, load<i32>(owner, 12), 12);
    store<i32>(call, 0, 16);
    store<i32>(call, <i32>(at - state), 20);
    store<i32>(call, length, 24);
    putPlace(row, call, 28);
    for (let i: usize = 0; i < 4; i++) {
      const value = stated ? load<i32>(row + (i << 2), 80) : -1;
      store<f64>(call + (i << 3), value < 0 ? NaN : <f64>value, 48);
      if (value >= 0) sumFigure(owner, i, value, -1);
    }
    if (stated) {
      sumStated(owner);
      sumCall(owner, index);
    }
    tally(row, stated ? COUNTED : WITHOUT);
    store<i32>(row, bits | NEW_CALL);
    store<i32>(row, index, 160);
    return index;
  }
  store<i32>(row, known - 1, 160);
  if (!stated) return known - 1;
  tally(row, SAME_MESSAGE);
  const call = element(CALLS, known - 1, CALL_BYTES);
  const owner = element(THREADS, thread, THREAD_BYTES);
  for (let i: usize = 0; i < 4; i++) {
    const value = load<i32>(row + (i << 2), 80);
    const before = load<f64>(call + (i << 3), 48);
    // Also true where nothing was stated before.
    if (value >= 0 && !(before >= <f64>value)) {
      sumFigure(owner, i, value, before);
      store<f64>(call + (i << 3), <f64>value, 48);
      store<i32>(row, load<i32>(row) | GROWN);
    } else store<i32>(row + (i << 2), before >= 0 ? <i32>before : -1, 80);
  }
  if ((load<i32>(row) & GROWN) !== 0) sumCall(owner, known - 1);
  return known - 1;
}

/** Line (one word), start and end (two words each, 4 behind) of a row's record. `at`: 28, so that all are aligned. */
function putPlace(row: usize, to: usize, at: usize): void {
  store<i32>(to + at, firstLine + load<i32>(row, 12));
  store<f64>(to + at + 4, offset + <f64>load<i32>(row, 4));
  store<f64>(to + at + 12, offset + <f64>load<i32>(row, 8));
}

function tally(row: usize, which: i32): void {
  const at = state + <usize>head(TALLIES) + <usize>(which * TALLY_BYTES);
  const count = load<i32>(at);
  store<i32>(at, count + 1);
  if (count < TALLY_PLACES) putPlace(row, at + 8 + <usize>(count * 24) - 28 + 4, 28);
}

/** A tool call of the row. */
function addPair(row: usize, block: usize, thread: i32, call: i32): void {
  const text = internText(thread * SPACES + IDS, names + load<i32>(block), load<i32>(block, 4));
  const tool = internText(NAMES, names + load<i32>(block, 8), load<i32>(block, 12));
  const index = head(PAIRS + 1);
  const pair = append(PAIRS, PAIR_BYTES);
  store<i32>(pair, thread);
  store<i32>(pair, text, 4);
  store<i32>(pair, tool, 8);
  store<i32>(pair, call, 12);
  store<i32>(pair, load<i32>(element(THREADS, thread, THREAD_BYTES)), 16);
  store<i32>(pair, textValue(text), 20);
  store<i32>(pair, 0, 24);
  putPlace(row, pair, 28);
  setValue(text, index + 1);
}

/** A result of the row. Word 11 of its block: the call that it answers. */
function addResult(row: usize, block: usize, thread: i32, turn: i32): void {
  const index = head(RESULTS);
  putHead(RESULTS, index + 1);
  store<i32>(block, index, 32);
  const count = head(RING_COUNT);
  putHead(RING_COUNT, count + 1);
  const kept = state + <usize>head(RING) + <usize>((<u32>count % RING_ROWS) * RING_BYTES);
  store<i32>(kept, 1);
  store<i32>(kept, index, 4);
  store<i32>(kept, thread, 8);
  store<i32>(kept, load<i32>(block, 44), 12);
  store<i32>(kept, turn, 16);
  store<i32>(kept, load<i32>(block, 12), 20);
  store<i32>(kept, load<i32>(block, 8), 24);
  putPlace(row, kept, 28);
  v128.store(kept, v128.load(block, 20), 48);
  store<i32>(kept, load<i32>(block, 40), 60);
}

/** False when the reader in JavaScript, which keeps the older part of the path, has to drop some of it. */
function roomInPath(): bool {
  const count = head(PATH + 1);
  if (count < head(PATH_ROOM)) return true;
  if (count < 2 * PATH_KEPT) return false;
  const kept = PATH_KEPT - 1;
  memory.copy(element(PATH, 0, PATH_BYTES), element(PATH, count - kept, PATH_BYTES), kept * PATH_BYTES);
  putHead(PATH + 1, kept);
  putHead(PATH_CUT, 1);
  return true;
}

/** A message of the main thread. */
function addStep(row: usize, kind: i32, first: i32, results: i32): void {
  const step = append(PATH, PATH_BYTES);
  const order = head(UUID_COUNT) + head(OTHER_IDS);
  const only = kind === USER && results > 0 && load<i32>(row, 100) === 0 && load<i32>(row, 120) === 0;
  store<i32>(step, order);
  store<i32>(step, load<i32>(row, 172), 4);
  store<i32>(step, kind === ASSISTANT ? 1 : only ? 2 : 0, 8);
  store<i32>(step, load<i32>(row, 168), 12);
  store<i32>(step, first, 16);
  store<i32>(step, results, 20);
  store<i32>(step, load<i32>(row, 120), 24);
  putPlace(row, step, 28);
  // Bytes, continuation bytes, four-byte characters of the text and of the arguments.
  for (let word: usize = 0; word < 12; word += 4) {
    store<i32>(step + word, load<i32>(row + word, 100), 48);
    store<i32>(step + word, load<i32>(row + word, 124), 60);
  }
  const length = load<i32>(row, 52);
  store<i32>(step, length, 72);
  const time = names + load<i32>(row, 48);
  for (let i: usize = 0; i < <usize>TIME_BYTES; i += 8) store<i64>(step + i, load<i64>(time + i), 76);
  if (!only) {
    putHead(NEWEST_SAID, order);
    return;
  }
  for (let i = 0; i < results; i++) {
    const block = row + <usize>((HEAD_WORDS + i * BLOCK_WORDS) << 2);
    for (let word: usize = 0; word < 12; word += 4)
      store<i32>(step + word, load<i32>(step + word, 48) + load<i32>(block + word, 20), 48);
    store<i32>(step, load<i32>(step, 24) + load<i32>(block, 40), 24);
  }
}
