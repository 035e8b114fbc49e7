import { CLOSE_LIST, CLOSE_OBJECT, COLON, COMMA, OPEN_LIST, OPEN_OBJECT, QUOTE, RETURN, SPACE, TAB } from "./letters";
import { readKey, skipString } from "./strings";

export const MAX_DEPTH = 60;

export function skipSpace(from: usize): usize {
  let at = from;
  while (true) {
    const byte = <u32>load<u8>(at);
    if (byte > SPACE || (byte !== SPACE && byte !== TAB && byte !== RETURN)) return at;
    at++;
  }
}

/** The closing quote of a member's key, whose opening quote is to be at `at`; 0 where there is none, or it is not plain. */
export function memberKey(at: usize): usize {
  return load<u8>(at) === QUOTE ? readKey(at + 1) : 0;
}

/** Where the value of the member begins whose key ends at `keyEnd`; 0 where no colon follows, and for 0. */
export function valueBehind(keyEnd: usize): usize {
  if (keyEnd === 0) return 0;
  const colon = skipSpace(keyEnd + 1);
  return load<u8>(colon) === COLON ? skipSpace(colon + 1) : 0;
}

/** The place behind a value of any kind, or 0. */
export function skipValue(at: usize, depth: i32): usize {
  const byte = <u32>load<u8>(at);
  if (byte === QUOTE) return skipString(at);
  if (byte === OPEN_OBJECT) return skipObject(at, depth + 1);
  if (byte === OPEN_LIST) return skipList(at, depth + 1);
  return skipScalar(at);
}

export function skipObject(from: usize, depth: i32): usize {
  if (depth > MAX_DEPTH) return 0;
  let at = skipSpace(from + 1);
  if (load<u8>(at) === CLOSE_OBJECT) return at + 1;
  while (true) {
    if (load<u8>(at) !== QUOTE) return 0;
    at = skipString(at);
    if (at === 0) return 0;
    at = skipSpace(at);
    if (load<u8>(at) !== COLON) return 0;
    at = skipValue(skipSpace(at + 1), depth);
    if (at === 0) return 0;
    at = skipSpace(at);
    const byte = <u32>load<u8>(at);
    if (byte === CLOSE_OBJECT) return at + 1;
    if (byte !== COMMA) return 0;
    at = skipSpace(at + 1);
  }
}

export function skipList(from: usize, depth: i32): usize {
  if (depth > MAX_DEPTH) return 0;
  let at = skipSpace(from + 1);
  if (load<u8>(at) === CLOSE_LIST) return at + 1;
  while (true) {
    at = skipValue(at, depth);
    if (at === 0) return 0;
    at = skipSpace(at);
    const byte = <u32>load<u8>(at);
    if (byte === CLOSE_LIST) return at + 1;
    if (byte !== COMMA) return 0;
    at = skipSpace(at + 1);
  }
}

export function isDigit(at: usize): bool {
  return <u32>load<u8>(at) - 0x30 <= 9;
}

export function skipDigits(from: usize): usize {
  let at = from;
  while (isDigit(at)) at++;
  return at;
}

/** A number or one of the three literals. */
export function skipScalar(from: usize): usize {
  const first = load<u32>(from);
  // "true", "null", "alse"
  if (first === 0x65757274 || first === 0x6c6c756e) return from + 4;
  if ((first & 0xff) === 0x66) return load<u32>(from + 1) === 0x65736c61 ? from + 5 : 0;
  let at = from;
  if (load<u8>(at) === 0x2d) at++;
  if (!isDigit(at)) return 0;
  at = load<u8>(at) === 0x30 ? at + 1 : skipDigits(at);
  if (load<u8>(at) === 0x2e) {
    at++;
    if (!isDigit(at)) return 0;
    at = skipDigits(at);
  }
  if ((load<u8>(at) | 0x20) === 0x65) {
    at++;
    const sign = load<u8>(at);
    if (sign === 0x2b || sign === 0x2d) at++;
    if (!isDigit(at)) return 0;
    at = skipDigits(at);
  }
  return at;
}

/** Like `skipScalar`, and the value is written as JavaScript would write it; 0 where that is not plain. */
export function skipPlainScalar(from: usize): usize {
  const end = skipScalar(from);
  if (end === 0) return 0;
  let at = from;
  if (load<u8>(at) === 0x2d) at++;
  if (!isDigit(at)) return end;
  // More digits may be rounded, and small numbers are written with an exponent.
  if (end - at > 15) return 0;
  const whole = skipDigits(at);
  if (whole === end) return at > from && load<u8>(at) === 0x30 ? 0 : end;
  if (load<u8>(whole) !== 0x2e) return 0;
  const fraction = skipDigits(whole + 1);
  return fraction === end && fraction - whole <= 7 && load<u8>(fraction - 1) !== 0x30 ? end : 0;
}
