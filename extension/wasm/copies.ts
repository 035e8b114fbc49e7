import { ABSENT } from "./layout";
import { CLOSE_OBJECT, COMMA, is, OPEN_LIST, OPEN_OBJECT, QUOTE } from "./letters";
import { DO_COPY, DO_COPY_MEMBER, dropMarks, mark, skipUnwanted } from "./marks";
import { isNul, put, putUnits } from "./row";
import { readString } from "./strings";
import { memberKey, skipSpace, skipValue, valueBehind } from "./values";

export const COPY_TEXT = 1;
export const COPY_OBJECT = 2;
export const COPY_OTHER = 3;

/**
 * The copy of a result beside the message. Word 34 says what it is; 35, 36 and 39 hold UTF-16 units: of the text, or of the
 * members `stdout`, `content` and `result` (-1: no text).
 */
export function readCopy(from: usize): usize {
  const byte = <u32>load<u8>(from);
  beginCopy();
  if (byte === QUOTE) {
    const end = readString(from + 1);
    put(34, COPY_TEXT);
    putUnits(35, from, end);
    return end === 0 || isNul(from + 1) ? 0 : end + 1;
  }
  if (byte !== OPEN_OBJECT) {
    put(34, byte === OPEN_LIST ? COPY_OTHER : 0);
    return skipValue(from, 1);
  }
  mark(DO_COPY, from, from);
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
    if (length === 6) word = is(key, 6, "stdout") ? 35 : is(key, 6, "result") ? 39 : 0;
    else if (length === 7 && is(key, 7, "content")) word = 36;
    if (word === 0) at = skipUnwanted(key, keyEnd, at, 2);
    else {
      const bit = 1 << (word - 35);
      if ((seen & bit) !== 0) return 0;
      seen |= bit;
      if (load<u8>(at) === QUOTE) {
        const value = at;
        at = readCopyMember(at, word);
        mark(DO_COPY_MEMBER | (word << 8), value, at);
      } else if (load<u8>(at) === OPEN_LIST) {
        put(34, COPY_OTHER);
        dropMarks();
        at = skipValue(at, 2);
      } else at = skipUnwanted(key, keyEnd, at, 2);
    }
    if (at === 0) return 0;
    at = skipSpace(at);
    const after = <u32>load<u8>(at);
    if (after === CLOSE_OBJECT) return at + 1;
    if (after !== COMMA) return 0;
    at = skipSpace(at + 1);
  }
}

export function beginCopy(): void {
  put(34, COPY_OBJECT);
  put(35, ABSENT);
  put(36, ABSENT);
  put(39, ABSENT);
}

/** One of its texts; the place behind it, or 0. */
export function readCopyMember(at: usize, word: i32): usize {
  const end = readString(at + 1);
  if (end === 0 || isNul(at + 1)) return 0;
  putUnits(word, at, end);
  return end + 1;
}
