import { readInput } from "./args";
import { BLOCK_WORDS, BLOCKS, IS_ERROR, MAX_BLOCKS, MAYBE_NOTICE, WRITTEN } from "./layout";
import { CLOSE_LIST, CLOSE_OBJECT, COMMA, is, OPEN_LIST, OPEN_OBJECT, QUOTE } from "./letters";
import {
  DO_BLOCK,
  DO_BLOCK_END,
  DO_BLOCK_ID,
  DO_BLOCK_NAME,
  DO_INPUT,
  DO_RESULT,
  DO_TEXT,
  dropMarks,
  mark,
  skipUnwanted,
  tellKind,
} from "./marks";
import { maybeNotice } from "./notice";
import { add, base, isNul, nameHash, put, putName, putText, word } from "./row";
import { continuations, escaped, forgetText, fours, keepText, readString, removed } from "./strings";
import { memberKey, skipSpace, skipValue, valueBehind } from "./values";
import { readWritten } from "./written";

export let uses: i32 = 0;
export let results: i32 = 0;

export function forgetBlocks(): void {
  uses = 0;
  results = 0;
  forgetText();
}

/** The only result is the usual notice. */
export function isWritten(): bool {
  return results === 1 && (load<i32>(BLOCKS, 12) & WRITTEN) !== 0;
}

/** One of the results may be a notice, or has several texts, of which one may be a notice for itself. */
export function needsLook(): bool {
  for (let i = 0; i < results; i++) {
    const block = BLOCKS + <usize>(i * BLOCK_WORDS * 4);
    if (load<i32>(block, 16) > 1 || (load<i32>(block, 12) & MAYBE_NOTICE) !== 0) return true;
  }
  return false;
}

export function readBlocks(from: usize): usize {
  let at = skipSpace(from + 1);
  if (load<u8>(at) === CLOSE_LIST) return at + 1;
  let index = 0;
  while (true) {
    if (load<u8>(at) !== OPEN_OBJECT || index >= MAX_BLOCKS) return 0;
    at = readBlock(at, index);
    if (at === 0) return 0;
    index++;
    at = skipSpace(at);
    const byte = <u32>load<u8>(at);
    if (byte === CLOSE_LIST) return at + 1;
    if (byte !== COMMA) return 0;
    at = skipSpace(at + 1);
  }
}

export const TEXT_BLOCK = 1;
export const SILENT_BLOCK = 2;
export const IMAGE_BLOCK = 3;
export const USE_BLOCK = 4;
export const RESULT_BLOCK = 5;

export function blockType(at: usize, length: i32): i32 {
  switch (length) {
    case 4:
      return is(at, 4, "text") ? TEXT_BLOCK : 0;
    case 5:
      return is(at, 5, "image") ? IMAGE_BLOCK : 0;
    case 8:
      return is(at, 8, "tool_use") ? USE_BLOCK : is(at, 8, "thinking") ? SILENT_BLOCK : 0;
    case 11:
      return is(at, 11, "tool_result") ? RESULT_BLOCK : 0;
    case 17:
      return is(at, 17, "redacted_thinking") ? SILENT_BLOCK : 0;
  }
  return 0;
}

/** Where the words of the block at hand lie. */
export let blockAt: usize = 0;

/** The next block begins: there are fewer than `MAX_BLOCKS`. */
export function beginBlock(): void {
  blockAt = BLOCKS + <usize>((uses + results) * BLOCK_WORDS * 4);
  for (let i: usize = 0; i < <usize>BLOCK_WORDS * 4; i += 16) v128.store(blockAt + i, i64x2.splat(0));
}

/** The block is over. `what`: its type, 8 where it tells of an error, and 16 times its index. */
export function endBlock(what: i32): void {
  const type = what & 7;
  if (type === USE_BLOCK) uses++;
  else if (type === IMAGE_BLOCK) add(30, 1);
  else if (type === RESULT_BLOCK) {
    store<i32>(blockAt, what >> 4, 8);
    if ((what & 8) !== 0) store<i32>(blockAt, load<i32>(blockAt, 12) | IS_ERROR, 12);
    results++;
  }
}

/**
 * One content block. Its words lie at `BLOCKS` in the order met, calls and results apart: for a call 0 and 1 its id, 2 and 3
 * its name; for a result 0 and 1 the id, 2 its index among the blocks, 3 flags, 4 parts, 5 to 7 bytes, continuation bytes and
 * four-byte characters, 8 and 9 offset and length of its only text, 10 images. For the usual notice 9
 * is the place of its beginning among the names (`putText`).
 */
export function readBlock(from: usize, index: i32): usize {
  if (uses + results >= MAX_BLOCKS) return 0;
  beginBlock();
  mark(DO_BLOCK, from, from);
  const block = blockAt;
  let type = 0;
  let seen = 0;
  let idWord = false;
  let isError = false;
  let textAt: usize = 0;
  let textTo: usize = 0;
  let textRemoved = 0;
  let textContinuations = 0;
  let textFours = 0;
  let inputAt: usize = 0;
  let hasContent = false;
  let at = skipSpace(from + 1);
  if (load<u8>(at) === CLOSE_OBJECT) return 0;
  while (true) {
    const key = at + 1;
    const keyEnd = memberKey(at);
    at = valueBehind(keyEnd);
    if (at === 0) return 0;
    const length = <i32>(keyEnd - key);
    let bit = 0;
    let done = false;
    switch (length) {
      case 2:
        if (is(key, 2, "id")) {
          bit = 1;
          done = true;
          const value = at;
          at = putName(at, block);
          store<i32>(block, nameHash(block), 44);
          mark(DO_BLOCK_ID, value, at);
        }
        break;
      case 4:
        if (is(key, 4, "type")) {
          bit = 2;
          done = true;
          if (load<u8>(at) !== QUOTE) return 0;
          const value = at + 1;
          at = readString(value);
          if (at === 0 || escaped) return 0;
          type = blockType(value, <i32>(at - value));
          tellKind(value, <i32>(at - value));
          if (type === 0) return 0;
          at++;
        } else if (is(key, 4, "text")) {
          bit = 4;
          done = true;
          if (load<u8>(at) !== QUOTE) return 0;
          textAt = at;
          textTo = readString(at + 1);
          if (textTo === 0) return 0;
          textRemoved = removed;
          textContinuations = continuations;
          textFours = fours;
          at = textTo + 1;
          if (type === TEXT_BLOCK) mark(DO_TEXT, textAt, at);
          else dropMarks();
        } else if (is(key, 4, "name")) {
          bit = 8;
          done = true;
          const value = at;
          at = putName(at, block + 8);
          mark(DO_BLOCK_NAME, value, at);
        }
        break;
      case 5:
        if (is(key, 5, "input")) {
          bit = 16;
          done = true;
          inputAt = at;
          at = skipValue(at, 4);
          if (type === USE_BLOCK && load<u8>(inputAt) === OPEN_OBJECT) mark(DO_INPUT, inputAt, at);
          else dropMarks();
        }
        break;
      case 7:
        if (is(key, 7, "content")) {
          bit = 32;
          done = true;
          hasContent = true;
          const value = at;
          at = readResultContent(at, block);
          if (load<u8>(value) === QUOTE) mark(DO_RESULT, value, at);
          else dropMarks();
        }
        break;
      case 8:
        if (is(key, 8, "is_error")) {
          bit = 64;
          isError = load<u8>(at) === 0x74;
        }
        break;
      case 10:
        // Several images in one part.
        if (is(key, 10, "image_urls")) return 0;
        break;
      case 11:
        if (is(key, 11, "tool_use_id")) {
          bit = 1;
          idWord = true;
          done = true;
          const value = at;
          at = putName(at, block);
          store<i32>(block, nameHash(block), 44);
          mark(DO_BLOCK_ID, value, at);
        }
        break;
    }
    if (at === 0 || (seen & bit) !== 0) return 0;
    seen |= bit;
    if (!done) {
      at = skipUnwanted(key, keyEnd, at, 4);
      if (at === 0) return 0;
    }
    at = skipSpace(at);
    const byte = <u32>load<u8>(at);
    if (byte === CLOSE_OBJECT) break;
    if (byte !== COMMA) return 0;
    at = skipSpace(at + 1);
  }
  switch (type) {
    case TEXT_BLOCK:
      if (textAt === 0) return 0;
      addPart(textAt, textTo, textRemoved, textContinuations, textFours);
      break;
    case SILENT_BLOCK:
      break;
    case IMAGE_BLOCK:
      break;
    case USE_BLOCK:
      // An id and a name; the keys of a result would mean something else.
      if ((seen & 9) !== 9 || idWord || results > 0) return 0;
      if (inputAt !== 0 && !readInput(inputAt)) return 0;
      break;
    case RESULT_BLOCK:
      if ((seen & 1) === 0 || !idWord || !hasContent || uses > 0) return 0;
      break;
    default:
      return 0;
  }
  const what = type | (isError ? 8 : 0) | (index << 4);
  endBlock(what);
  mark(DO_BLOCK_END | (what << 8), at, at);
  return at + 1;
}

/** The string from its opening quote at `at` becomes a part of the message's text. `less`, `inner`, `wide`: what was `removed`,
 * `continuations` and `fours` when it was read. */
export function addPart(at: usize, end: usize, less: i32, inner: i32, wide: i32): void {
  const length = <i32>(end - at) - 1;
  if (load<i32>(word(24)) === 0) {
    put(28, <i32>(at + 1 - base));
    put(29, length);
  }
  add(24, 1);
  add(25, length - less);
  add(26, inner);
  add(27, wide);
}

export function readTextContent(at: usize): usize {
  const end = readString(at + 1);
  if (end === 0 || isNul(at + 1)) return 0;
  if (end > at + 1) addPart(at, end, removed, continuations, fours);
  return end + 1;
}

/** A result's content: a text, or a list of texts, images and references to tools. */
export function readResultContent(from: usize, block: usize): usize {
  const byte = <u32>load<u8>(from);
  if (byte === QUOTE) {
    const end = readString(from + 1);
    if (end === 0 || isNul(from + 1)) return 0;
    keepText(from + 1, end);
    if (end > from + 1) addResultPart(block, from, end, removed, continuations, fours);
    return end + 1;
  }
  if (byte !== OPEN_LIST) return 0;
  let at = skipSpace(from + 1);
  if (load<u8>(at) === CLOSE_LIST) return at + 1;
  while (true) {
    if (load<u8>(at) !== OPEN_OBJECT) return 0;
    at = readResultPart(at, block);
    if (at === 0) return 0;
    at = skipSpace(at);
    const after = <u32>load<u8>(at);
    if (after === CLOSE_LIST) return at + 1;
    if (after !== COMMA) return 0;
    at = skipSpace(at + 1);
  }
}

export function readResultPart(from: usize, block: usize): usize {
  let type = 0;
  let seen = 0;
  let textAt: usize = 0;
  let textTo: usize = 0;
  let textRemoved = 0;
  let textContinuations = 0;
  let textFours = 0;
  let at = skipSpace(from + 1);
  if (load<u8>(at) === CLOSE_OBJECT) return 0;
  while (true) {
    const key = at + 1;
    const keyEnd = memberKey(at);
    at = valueBehind(keyEnd);
    if (at === 0) return 0;
    const length = <i32>(keyEnd - key);
    if (length === 4 && is(key, 4, "type")) {
      if (load<u8>(at) !== QUOTE || (seen & 1) !== 0) return 0;
      seen |= 1;
      const value = at + 1;
      at = readString(value);
      if (at === 0 || escaped) return 0;
      const size = <i32>(at - value);
      type = is(value, size, "tool_reference") ? SILENT_BLOCK : blockType(value, size);
      if (type === 0 || type > IMAGE_BLOCK) return 0;
      at++;
    } else if (length === 4 && is(key, 4, "text")) {
      if (load<u8>(at) !== QUOTE || (seen & 2) !== 0) return 0;
      seen |= 2;
      textAt = at;
      textTo = readString(at + 1);
      if (textTo === 0) return 0;
      textRemoved = removed;
      textContinuations = continuations;
      textFours = fours;
      at = textTo + 1;
    } else {
      if (length === 10 && is(key, 10, "image_urls")) return 0;
      at = skipValue(at, 6);
      if (at === 0) return 0;
    }
    at = skipSpace(at);
    const byte = <u32>load<u8>(at);
    if (byte === CLOSE_OBJECT) break;
    if (byte !== COMMA) return 0;
    at = skipSpace(at + 1);
  }
  if (type === TEXT_BLOCK) {
    if (textAt === 0) return 0;
    addResultPart(block, textAt, textTo, textRemoved, textContinuations, textFours);
  } else if (type === IMAGE_BLOCK) store<i32>(block, load<i32>(block, 40) + 1, 40);
  else if (type !== SILENT_BLOCK) return 0;
  return at + 1;
}

/** The same for a result's text. */
export function addResultPart(block: usize, at: usize, end: usize, less: i32, inner: i32, wide: i32): void {
  const length = <i32>(end - at) - 1;
  store<i32>(block, load<i32>(block, 16) + 1, 16);
  store<i32>(block, load<i32>(block, 20) + length - less, 20);
  store<i32>(block, load<i32>(block, 24) + inner, 24);
  store<i32>(block, load<i32>(block, 28) + wide, 28);
  store<i32>(block, <i32>(at + 1 - base), 32);
  store<i32>(block, length, 36);
  const head = readWritten(at + 1, end);
  const place = head === 0 ? -1 : putText(at + 1, head - at - 1);
  if (place >= 0) {
    store<i32>(block, place, 36);
    store<i32>(block, load<i32>(block, 12) | WRITTEN, 12);
  } else if (maybeNotice(at + 1, end)) store<i32>(block, load<i32>(block, 12) | MAYBE_NOTICE, 12);
}
