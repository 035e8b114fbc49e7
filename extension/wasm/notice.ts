import { BACKSLASH, CLOSE_LIST, differing, is, OPEN_LIST, QUOTE, SPACE } from "./letters";

/** "[Old tool result content cleared]" */
const SHORTEST = 33;

/**
 * False when a text is certainly no notice by its two ends: those that are known (core/results) begin with one of five
 * texts or end with a bracket, white space aside, and hold one of three more. True where that needs a closer look.
 */
export function maybeNotice(from: usize, end: usize): bool {
  if (end < from + SHORTEST) return false;
  const at = behindSpace(from, end);
  if (at >= end || mayBegin(at, end)) return true;
  let to = end;
  while (to > at) {
    if (load<u8>(to - 1) === SPACE) to--;
    else if (isSpaceLetter(<u32>load<u8>(to - 1)) && isEscaped(at, to - 1)) to -= 2;
    else break;
  }
  // Less than an escape is left.
  if (to < at + 6) return true;
  const last = <u32>load<u8>(to - 1);
  if (last === QUOTE || last === BACKSLASH) return false;
  if (last > 0x7e) return isOddCharacter(leadOf(to - 1));
  if (last < 0x21 || isEscaped(at, to - 1)) return true;
  if (last === CLOSE_LIST) return maySpeakOfRest(at, to);
  return load<u8>(to - 6) === BACKSLASH && load<u8>(to - 5) === 0x75 && !isControl(to - 6);
}

/** The place behind the white space that a text begins with, as it is usually written. */
export function behindSpace(from: usize, end: usize): usize {
  let at = from;
  while (at < end) {
    const byte = <u32>load<u8>(at);
    if (byte === SPACE) at++;
    else if (byte === BACKSLASH && isSpaceLetter(<u32>load<u8>(at, 1))) at += 2;
    else break;
  }
  return at;
}

/**
 * False when none of the notices that end with a bracket stands in a text that does; all of them begin with one that is followed
 * by one of three words.
 */
function maySpeakOfRest(from: usize, to: usize): bool {
  for (let at = from; at < to; at += 16) {
    const bytes = v128.load(at);
    const opens = i8x16.eq(bytes, i8x16.splat(0x5b));
    // A bracket may be written as \u005b.
    const escapes = v128.and(i8x16.eq(bytes, i8x16.splat(0x5c)), i8x16.eq(v128.load(at, 1), i8x16.splat(0x75)));
    for (let left = i8x16.bitmask(v128.or(opens, escapes)); left !== 0; left &= left - 1) {
      const place = at + i32.ctz(left);
      if (load<u8>(place) === BACKSLASH) {
        if (load<u8>(place, 4) === 0x35) return true;
        continue;
      }
      const first = <u32>load<u8>(place, 1);
      if (first !== 0x4c && first !== 0x4f && first !== 0x41 && first !== BACKSLASH) continue;
      if (is(place, 12, "[Large tool ") || is(place, 12, "[OpenMausBot") || is(place, 12, "[Astra trimm")) return true;
      for (let i: usize = 1; i < 12; i++) if (load<u8>(place + i) === BACKSLASH) return true;
    }
  }
  return false;
}

/** False when what is written at `at`, which is not white space, begins none of the notices. */
export function mayBegin(at: usize, end: usize): bool {
  const first = <u32>load<u8>(at);
  if (first === BACKSLASH) {
    const letter = <u32>load<u8>(at, 1);
    return letter !== QUOTE && letter !== BACKSLASH && !isControl(at);
  }
  if (first > 0x7e) return isOddCharacter(at);
  if (first < 0x21) return true;
  if (first !== 0x3c && first !== 0x45 && first !== OPEN_LIST) return false;
  if (end < at + 12) return true;
  return (
    mayBe(at, "<persisted-o") ||
    mayBe(at, "<untrusted_t") ||
    mayBe(at, "Error: resul") ||
    mayBe(at, "[Old tool re") ||
    mayBe(at, "[Astra trimm")
  );
}

/** What is written at `at` are these letters, at most 16, or the first that differs is written as an escape. */
export function mayBe(at: usize, name: string): bool {
  const others = differing(at, changetype<usize>(name), name.length);
  return others === 0 || load<u8>(at + i32.ctz(others)) === BACKSLASH;
}

/** The escape `\u…` at `at` is a control character that is no white space: terminals' colours begin with one. */
export function isControl(at: usize): bool {
  if (load<u32>(at) !== 0x3030755c) return false;
  const high = load<u8>(at, 4);
  return high === 0x31 || (high === 0x30 && load<u8>(at, 5) < 0x39);
}

/** True when the character that begins at `at`, outside ASCII, may be white space. */
export function isOddCharacter(at: usize): bool {
  const lead = <u32>load<u8>(at);
  return lead < 0xc3 || lead === 0xe1 || lead === 0xe2 || lead === 0xe3 || lead === 0xef;
}

/** The place of the lead byte of the character whose last byte is at `last`. */
export function leadOf(last: usize): usize {
  let at = last;
  while ((load<u8>(at) & 0xc0) === 0x80) at--;
  return at;
}

/** An odd run of backslashes stands before the byte at `at`, not before `from`. */
export function isEscaped(from: usize, at: usize): bool {
  let run = at;
  while (run > from && load<u8>(run - 1) === BACKSLASH) run--;
  return ((at - run) & 1) === 1;
}

/** `n`, `r`, `t`. */
export function isSpaceLetter(letter: u32): bool {
  return letter === 0x6e || letter === 0x72 || letter === 0x74;
}
