import { forgetBlocks, isWritten, needsLook, readBlocks, readTextContent, results, uses } from "./blocks";
import { COPY_OTHER, readCopy } from "./copies";
import {
  ABSENT,
  AGENT_PROGRESS,
  ASSISTANT,
  HAS_USAGE,
  LINES,
  LOOK,
  NO_PROMPT,
  OTHER,
  PLAIN,
  PROMPT,
  SIDECHAIN,
  SILENT,
  SYSTEM,
  USER,
} from "./layout";
import { BACKSLASH, CLOSE_OBJECT, COMMA, is, OPEN_LIST, OPEN_OBJECT, QUOTE } from "./letters";
import {
  beginMarks,
  DO_CONTENT,
  DO_COPY_TEXT,
  DO_COUNT,
  DO_DATA,
  DO_MESSAGE_ID,
  DO_NAME,
  DO_NOTHING,
  DO_PARENT,
  DO_PROGRESS,
  DO_USAGE,
  DO_UUID,
  dropMarks,
  keepShape,
  mark,
  skipUnwanted,
  tellKind,
} from "./marks";
import { behindSpace, isControl, isOddCharacter, mayBe } from "./notice";
import { base, flags, nameHash, nameOf, put, putCount, putName, putParent, putUuid, setFlags, word } from "./row";
import { readShape } from "./shapes";
import { escaped, readKey, readString } from "./strings";
import { memberKey, skipSpace, skipValue, valueBehind } from "./values";

/** One record from its opening brace; the place behind its closing brace, or 0. Fills in the row but its first four words. */
export function readRecord(from: usize): usize {
  forgetBlocks();
  dropMarks();
  const known = readShape(from);
  if (known !== 0) return known;
  beginMarks();
  let kind = LINES;
  let seen = 0;
  let mayCompact = false;
  let hasMessage = false;
  let parent: usize = 0;
  let at = skipSpace(from + 1);
  if (load<u8>(at) === CLOSE_OBJECT) return 0;
  while (true) {
    const key = at + 1;
    const keyEnd = memberKey(at);
    at = valueBehind(keyEnd);
    if (at === 0) return 0;
    const length = <i32>(keyEnd - key);
    let bit = 0;
    switch (length) {
      case 4:
        if (load<u8>(at) === OPEN_OBJECT && is(key, 4, "data")) {
          bit = 1024;
          const data = at;
          at = readData(at);
          mark(DO_DATA, data, at);
        } else if (is(key, 4, "type")) {
          bit = 1;
          if (load<u8>(at) !== QUOTE) return 0;
          mark(DO_NOTHING, at, at);
          const value = at + 1;
          const end = readKey(value);
          if (end === 0) return 0;
          const size = <i32>(end - value);
          tellKind(value, size);
          if (is(value, size, "assistant")) kind = ASSISTANT;
          else if (is(value, size, "user")) kind = USER;
          else if (is(value, size, "system")) kind = SYSTEM;
          else {
            kind = OTHER;
            if (putName(at, word(8)) === 0) return 0;
            if (is(value, size, "progress")) mark(DO_PROGRESS, end + 1, end + 1);
            else dropMarks();
          }
          at = end + 1;
        } else if (is(key, 4, "uuid")) {
          bit = 2;
          const id = at;
          at = putUuid(at);
          mark(DO_UUID, id, at);
        }
        break;
      case 6:
        if (is(key, 6, "isMeta")) {
          bit = 4;
          if (load<u8>(at) === 0x74) setFlags(NO_PROMPT);
        }
        break;
      case 7:
        if (is(key, 7, "message")) {
          bit = 8;
          if (load<u8>(at) === OPEN_OBJECT) {
            hasMessage = true;
            at = readMessage(at);
          }
        } else if (is(key, 7, "agentId")) {
          bit = 16;
          at = putMarked(at, 10);
        } else if (is(key, 7, "subtype")) {
          bit = 32;
          mayCompact = true;
          if (load<u8>(at) !== QUOTE) at = skipValue(at, 1);
          else {
            const end = readString(at + 1);
            const size = <i32>(end - at) - 1;
            // Compactions, local commands, and any that may be one of them.
            mayCompact = escaped || size === 16 || size === 21 || is(at + 1, size, "local_command");
            at = end === 0 ? 0 : end + 1;
          }
        }
        break;
      case 9:
        if (is(key, 9, "timestamp")) {
          bit = 64;
          at = putMarked(at, 12);
        } else if (is(key, 9, "requestId")) {
          bit = 128;
          at = putMarked(at, 14);
        }
        break;
      case 10:
        if (is(key, 10, "parentUuid")) {
          bit = 4096;
          parent = at;
        }
        break;
      case 11:
        if (is(key, 11, "isSidechain")) {
          bit = 256;
          if (load<u8>(at) === 0x74) setFlags(SIDECHAIN);
        }
        break;
      case 13:
        if (is(key, 13, "toolUseResult")) {
          bit = 2048;
          const copy = at;
          at = readCopy(at);
          if (load<u8>(copy) === QUOTE) mark(DO_COPY_TEXT, copy, at);
          else if (load<u8>(copy) !== OPEN_OBJECT) dropMarks();
        }
        break;
      case 16:
        if (is(key, 16, "isCompactSummary")) {
          bit = 512;
          if (load<u8>(at) === 0x74) setFlags(NO_PROMPT);
        }
        break;
    }
    if (at === 0 || (seen & bit) !== 0) return 0;
    seen |= bit;
    const idle = bit === 0 || bit === 4 || bit === 256 || bit === 512;
    // Keys that were only looked at, and those that nobody wants.
    if (bit === 4096) {
      at = skipValue(at, 1);
      if (load<u8>(parent) === QUOTE) mark(DO_PARENT, parent, at);
      else if (load<u8>(parent) !== 0x6e) dropMarks();
    } else if (idle || (bit === 8 && !hasMessage)) at = skipUnwanted(key, keyEnd, at, 1);
    if (at === 0) return 0;
    at = skipSpace(at);
    const byte = <u32>load<u8>(at);
    if (byte === CLOSE_OBJECT) break;
    if (byte !== COMMA) return 0;
    at = skipSpace(at + 1);
  }
  if (kind === LINES || (kind <= ASSISTANT && !hasMessage) || (kind === SYSTEM && mayCompact)) return 0;
  const states = flags & (SIDECHAIN | NO_PROMPT);
  if (!finishRecord(kind, parent)) return 0;
  keepShape(from, at + 1, kind, states);
  return at + 1;
}

/** Puts a name into two words of the row. */
function putMarked(at: usize, number: i32): usize {
  const end = putName(at, word(number));
  mark(DO_NAME | (number << 8), at, end);
  return end;
}

/** What follows from all of a record's values. `parent`: its place, or 0. */
export function finishRecord(kind: i32, parent: usize): bool {
  if (kind <= ASSISTANT) {
    // A call needs its model, id and time; a sidechain is known by its agent.
    if (kind === ASSISTANT && (load<i32>(word(17)) === 0 || load<i32>(word(19)) === 0 || load<i32>(word(13)) === 0))
      return false;
    if ((flags & SIDECHAIN) !== 0 && load<i32>(word(11)) === 0) return false;
    put(37, uses);
    put(38, results);
  }
  // Only these may follow on an older record than the newest.
  if (parent !== 0 && (kind === SYSTEM || (kind === USER && results === 0)))
    putParent(parent, kind === SYSTEM ? 10 : 44);
  if (kind === OTHER) {
    if (load<i32>(word(9)) === 8 && is(nameOf(word(8)), 8, "progress")) setFlags(SILENT);
    else setFlags(LOOK);
  } else if (kind === USER && results === 0 && (flags & NO_PROMPT) === 0) lookForPrompt();
  if (results > 0 && needsLook()) setFlags(LOOK);
  // What stands beside it says more than a row.
  if (isWritten() && load<i32>(word(34)) === COPY_OTHER) setFlags(PLAIN);
  put(0, kind | flags);
  return true;
}

/** A message of a user without results: a person's prompt, or one whose beginning has to be looked at. */
function lookForPrompt(): void {
  if (load<i32>(word(24)) === 0) {
    if (load<i32>(word(30)) > 0) setFlags(PROMPT);
    return;
  }
  const at = base + load<i32>(word(28));
  setFlags(isPlainStart(at, at + load<i32>(word(29))) ? PROMPT : LOOK);
}

/** The text begins, white space aside, and with none of those that a program writes itself (core/transcript/readers/claudePrompt.ts). */
function isPlainStart(from: usize, end: usize): bool {
  const at = behindSpace(from, end);
  if (at >= end) return false;
  const first = <u32>load<u8>(at);
  if (first > 0x7e) return !isOddCharacter(at);
  if (first === BACKSLASH) return load<u8>(at, 1) === QUOTE || load<u8>(at, 1) === BACKSLASH || isControl(at);
  if (first === OPEN_LIST) return !mayBe(at, "[Request interru");
  if (first === 0x43) return !mayBe(at, "Caveat:");
  if (first !== 0x3c) return first > 0x20;
  if (mayBe(at, "<command-name>") || mayBe(at, "<command-message") || mayBe(at, "<local-command-s")) return false;
  if (mayBe(at, "<local-command-c") || mayBe(at, "<task-notificati")) return false;
  return !mayBe(at, "<bash-input>") && !mayBe(at, "<bash-stdout>");
}

/** The `data` of a progress record: only whether it is a sub-agent's. */
export function readData(from: usize): usize {
  let at = skipSpace(from + 1);
  if (load<u8>(at) === CLOSE_OBJECT) return at + 1;
  while (true) {
    const key = at + 1;
    const keyEnd = memberKey(at);
    at = valueBehind(keyEnd);
    if (at === 0) return 0;
    const value = at;
    at = skipValue(at, 2);
    if (at === 0) return 0;
    if (is(key, <i32>(keyEnd - key), "type")) {
      // An escape may hide the name.
      const size = <i32>(at - value) - 2;
      for (let i = value; i < at; i++) if (load<u8>(i) === BACKSLASH) return 0;
      if (is(value + 1, size, "agent_progress")) setFlags(AGENT_PROGRESS);
    }
    at = skipSpace(at);
    const byte = <u32>load<u8>(at);
    if (byte === CLOSE_OBJECT) return at + 1;
    if (byte !== COMMA) return 0;
    at = skipSpace(at + 1);
  }
}

/** The record's `message`. */
export function readMessage(from: usize): usize {
  let seen = 0;
  let at = skipSpace(from + 1);
  if (load<u8>(at) === CLOSE_OBJECT) return 0;
  while (true) {
    const key = at + 1;
    const keyEnd = memberKey(at);
    at = valueBehind(keyEnd);
    if (at === 0) return 0;
    const length = <i32>(keyEnd - key);
    let bit = 0;
    if (length === 2 && is(key, 2, "id")) {
      bit = 1;
      const id = at;
      at = putName(at, word(16));
      put(40, nameHash(word(16)));
      mark(DO_MESSAGE_ID, id, at);
    } else if (length === 5) {
      if (is(key, 5, "model")) {
        bit = 2;
        at = putMarked(at, 18);
      } else if (is(key, 5, "usage")) {
        bit = 4;
        at = readUsage(at);
      }
    } else if (length === 7 && is(key, 7, "content")) {
      bit = 8;
      if (load<u8>(at) === QUOTE) {
        const content = at;
        at = readTextContent(at);
        mark(DO_CONTENT, content, at);
      } else {
        mark(DO_NOTHING, at, at);
        at = load<u8>(at) === OPEN_LIST ? readBlocks(at) : 0;
      }
    }
    if (at === 0 || (seen & bit) !== 0) return 0;
    seen |= bit;
    if (bit === 0) {
      at = skipUnwanted(key, keyEnd, at, 2);
      if (at === 0) return 0;
    }
    at = skipSpace(at);
    const byte = <u32>load<u8>(at);
    if (byte === CLOSE_OBJECT) break;
    if (byte !== COMMA) return 0;
    at = skipSpace(at + 1);
  }
  return (seen & 8) !== 0 ? at + 1 : 0;
}

/** Words 20 to 23: input, cache read, cache write, output. */
export function readUsage(from: usize): usize {
  if (load<u8>(from) !== OPEN_OBJECT) return 0;
  setFlags(HAS_USAGE);
  for (let i = 20; i < 24; i++) put(i, ABSENT);
  mark(DO_USAGE, from, from);
  let seen = 0;
  let at = skipSpace(from + 1);
  if (load<u8>(at) === CLOSE_OBJECT) return at + 1;
  while (true) {
    const key = at + 1;
    const keyEnd = memberKey(at);
    at = valueBehind(keyEnd);
    if (at === 0) return 0;
    const length = <i32>(keyEnd - key);
    let word = 0;
    if (length === 12 && is(key, 12, "input_tokens")) word = 20;
    else if (length === 23 && is(key, 23, "cache_read_input_tokens")) word = 21;
    else if (length === 27 && is(key, 27, "cache_creation_input_tokens")) word = 22;
    else if (length === 13 && is(key, 13, "output_tokens")) word = 23;
    if (word === 0) at = skipUnwanted(key, keyEnd, at, 3);
    else {
      if ((seen & (1 << word)) !== 0) return 0;
      seen |= 1 << word;
      const value = at;
      at = putCount(at, word);
      mark(DO_COUNT | (word << 8), value, at);
    }
    if (at === 0) return 0;
    at = skipSpace(at);
    const byte = <u32>load<u8>(at);
    if (byte === CLOSE_OBJECT) return at + 1;
    if (byte !== COMMA) return 0;
    at = skipSpace(at + 1);
  }
}
