import { differs } from "./hash";
import { BACKSLASH, QUOTE } from "./letters";

// The string that was read last: bytes that its escapes take more than what they stand for, the same for its form in compact
// JSON, continuation bytes (10xxxxxx), lead bytes of four-byte characters, and whether there were escapes and bytes above 0x7F.
export let removed: i32 = 0;
export let removedCompact: i32 = 0;
export let continuations: i32 = 0;
export let fours: i32 = 0;
export let escaped: bool = false;
export let high: bool = false;

/**
 * Reads a string from behind its opening quote. Returns the place of its closing quote, or 0 for one that is not sound,
 * is not UTF-8 or holds an escaped surrogate.
 */
export function readString(from: usize): usize {
  removed = 0;
  removedCompact = 0;
  continuations = 0;
  fours = 0;
  escaped = false;
  high = false;
  let at = from;
  // Keys, names and short values end soon.
  while (at < from + 48) {
    const bytes = v128.load(at);
    const special = specials(bytes);
    const above = i8x16.bitmask(bytes);
    if (special === 0 && above === 0) {
      at += 16;
      continue;
    }
    const bit = i32.ctz(special);
    if (special === 0 || load<u8>(at + bit) !== QUOTE || (above & ((1 << bit) - 1)) !== 0) break;
    return at + bit;
  }
  if (known !== 0 && load<u64>(known) === load<u64>(from) && !isOther(known, from, knownBytes)) {
    removed = knownRemoved;
    removedCompact = knownCompact;
    continuations = knownContinuations;
    fours = knownFours;
    escaped = knownEscaped;
    high = knownHigh;
    return from + knownBytes - 1;
  }
  return readLong(at);
}

// A text that may stand in the record a second time, as most results do: its place, its bytes with the closing quote, and what was
// counted in it.
let known: usize = 0;
let knownBytes: i32 = 0;
let knownRemoved: i32 = 0;
let knownCompact: i32 = 0;
let knownContinuations: i32 = 0;
let knownFours: i32 = 0;
let knownEscaped: bool = false;
let knownHigh: bool = false;

export function forgetText(): void {
  known = 0;
}

/** To be called when the string from `from` to its closing quote at `end` was the last one to be read. */
export function keepText(from: usize, end: usize): void {
  known = from;
  knownBytes = <i32>(end + 1 - from);
  knownRemoved = removed;
  knownCompact = removedCompact;
  knownContinuations = continuations;
  knownFours = fours;
  knownEscaped = escaped;
  knownHigh = high;
}

/** Like `differs`, for long ones. Behind the last line there is a line end, which no sound string holds, so nothing behind that counts. */
function isOther(a: usize, b: usize, bytes: i32): bool {
  let at: usize = 0;
  for (const whole = <usize>(bytes & ~63); at < whole; at += 64) {
    const first = v128.or(
      v128.xor(v128.load(a + at), v128.load(b + at)),
      v128.xor(v128.load(a + at, 16), v128.load(b + at, 16)),
    );
    const second = v128.or(
      v128.xor(v128.load(a + at, 32), v128.load(b + at, 32)),
      v128.xor(v128.load(a + at, 48), v128.load(b + at, 48)),
    );
    if (v128.any_true(v128.or(first, second))) return true;
  }
  return differs(a + at, b + at, bytes & 63);
}

/** The place of the quote that closes a key which begins at `from`; 0 when it holds escapes or is not sound. */
export function readKey(from: usize): usize {
  const bytes = v128.load(from);
  const special = specials(bytes);
  const bit = i32.ctz(special);
  if (special !== 0 && load<u8>(from + bit) === QUOTE && (i8x16.bitmask(bytes) & ((1 << bit) - 1)) === 0)
    return from + bit;
  const end = readString(from);
  return escaped ? 0 : end;
}

/** The place behind a string that nobody looks at, from its opening quote, or 0. */
export function skipString(at: usize): usize {
  const bytes = v128.load(at, 1);
  const special = specials(bytes);
  const bit = i32.ctz(special);
  if (special !== 0 && load<u8>(at + bit, 1) === QUOTE && (i8x16.bitmask(bytes) & ((1 << bit) - 1)) === 0)
    return at + bit + 2;
  const end = readString(at + 1);
  return end === 0 ? 0 : end + 1;
}

/** Bytes that end a run of plain ones: quotes, backslashes and control characters. */
export function specials(bytes: v128): i32 {
  const marks = v128.or(i8x16.eq(bytes, i8x16.splat(0x22)), i8x16.eq(bytes, i8x16.splat(0x5c)));
  return i8x16.bitmask(v128.or(marks, i8x16.lt_u(bytes, i8x16.splat(0x20))));
}

export const EVEN: u64 = 0x55555555 | ((<u64>0x55555555) << 32);

/** 64 bits out of what four comparisons found. */
export function mask(a: v128, b: v128, c: v128, d: v128): u64 {
  const low = <u64>(<u32>i8x16.bitmask(a) | ((<u32>i8x16.bitmask(b)) << 16));
  const upper = <u64>(<u32>i8x16.bitmask(c) | ((<u32>i8x16.bitmask(d)) << 16));
  return low | (upper << 32);
}

/** `readString` from a place inside the string that is not escaped, 64 bytes at a time. What is rare has branches, all else has none. */
export function readLong(from: usize): usize {
  let at = from;
  // 1 when a backslash at the end of the last 64 bytes escapes the first of these.
  let carry: u64 = 0;
  // The last 64 bytes held some above 0x7F.
  let wide = false;
  let escapes = 0;
  while (true) {
    const a = v128.load(at);
    const b = v128.load(at, 16);
    const c = v128.load(at, 32);
    const d = v128.load(at, 48);
    const slash = i8x16.splat(0x5c);
    const quote = i8x16.splat(0x22);
    const slashes = mask(i8x16.eq(a, slash), i8x16.eq(b, slash), i8x16.eq(c, slash), i8x16.eq(d, slash));
    const marks = mask(i8x16.eq(a, quote), i8x16.eq(b, quote), i8x16.eq(c, quote), i8x16.eq(d, quote));
    // Runs of backslashes that begin on an odd place, added to themselves, end where the parity of escapes flips.
    const open = slashes & ~carry;
    const follows = (open << 1) | carry;
    const odd = open & ~EVEN & ~follows;
    const sum = odd + open;
    carry = <u64>(sum < odd);
    const escapees = (EVEN ^ (sum << 1)) & follows;
    const quotes = marks & ~escapees;
    const first = quotes & (0 - quotes);
    // All of them where there is no quote.
    const within = first - 1;
    // As signed numbers, both control characters and bytes above 0x7F are below a space.
    const least = i8x16.min_s(i8x16.min_s(a, b), i8x16.min_s(c, d));
    if (wide || v128.any_true(i8x16.lt_s(least, i8x16.splat(0x20)))) {
      if (!readUnusual(at, within) || !isUtf8(at, within | first)) return 0;
      wide = (mask(v128.load(at), v128.load(at, 16), v128.load(at, 32), v128.load(at, 48)) & within) !== 0;
    }
    const letters = escapees & within;
    escapes += <i32>i64.popcnt(letters);
    // Nearly all that is escaped is a quote, a backslash, a line end or a tab.
    const n = i8x16.splat(0x6e);
    const t = i8x16.splat(0x74);
    const ends = mask(
      v128.or(i8x16.eq(a, n), i8x16.eq(a, t)),
      v128.or(i8x16.eq(b, n), i8x16.eq(b, t)),
      v128.or(i8x16.eq(c, n), i8x16.eq(c, t)),
      v128.or(i8x16.eq(d, n), i8x16.eq(d, t)),
    );
    const others = letters & ~(marks | slashes | ends);
    if (others !== 0 && !unusualEscapes(at, others)) return 0;
    if (quotes !== 0) {
      removed += escapes;
      escaped = escapes !== 0;
      return at + <usize>i64.ctz(quotes);
    }
    at += 64;
  }
}

/** Control characters and bytes above 0x7F among those `within` the string; false when there is one of the former. */
function readUnusual(at: usize, within: u64): bool {
  const a = v128.load(at);
  const b = v128.load(at, 16);
  const c = v128.load(at, 32);
  const d = v128.load(at, 48);
  const above = mask(a, b, c, d) & within;
  const space = i8x16.splat(0x20);
  const below = mask(i8x16.lt_s(a, space), i8x16.lt_s(b, space), i8x16.lt_s(c, space), i8x16.lt_s(d, space)) & within;
  if (below !== above) return false;
  if (above === 0) return true;
  high = true;
  const first = i8x16.splat(-64);
  const more = mask(i8x16.lt_s(a, first), i8x16.lt_s(b, first), i8x16.lt_s(c, first), i8x16.lt_s(d, first));
  continuations += <i32>i64.popcnt(more & within);
  const four = i8x16.splat(-16);
  const leads = mask(i8x16.ge_u(a, four), i8x16.ge_u(b, four), i8x16.ge_u(c, four), i8x16.ge_u(d, four));
  fours += <i32>i64.popcnt(leads & within);
  return true;
}

/**
 * False when one of 64 bytes that are `looked` at is not what UTF-8 has there after the three before it (the method of three
 * lookups by Keiser and Lemire, "Validating UTF-8 in less than one instruction per byte").
 */
function isUtf8(at: usize, looked: u64): bool {
  const wrong = mask(wrongBytes(at), wrongBytes(at + 16), wrongBytes(at + 32), wrongBytes(at + 48));
  return (wrong & looked) === 0;
}

/** Bytes that are wrong in their place are above 0x7F. */
function wrongBytes(at: usize): v128 {
  const bytes = v128.load(at);
  const before = v128.load(at - 1);
  const low = i8x16.splat(0x0f);
  const first = i8x16.swizzle(
    i8x16(2, 2, 2, 2, 2, 2, 2, 2, -128, -128, -128, -128, 0x21, 0x01, 0x15, 0x49),
    i8x16.shr_u(before, 4),
  );
  const second = i8x16.swizzle(
    i8x16(-25, -93, -125, -125, -117, -53, -53, -53, -53, -53, -53, -53, -53, -37, -53, -53),
    v128.and(before, low),
  );
  const third = i8x16.swizzle(i8x16(1, 1, 1, 1, 1, 1, 1, 1, -26, -82, -70, -70, 1, 1, 1, 1), i8x16.shr_u(bytes, 4));
  const special = v128.and(v128.and(first, second), third);
  // Third bytes of three and more, fourth bytes of four.
  const far = v128.or(
    i8x16.sub_sat_u(v128.load(at - 2), i8x16.splat(0x60)),
    i8x16.sub_sat_u(v128.load(at - 3), i8x16.splat(0x70)),
  );
  const wrong = v128.xor(v128.and(far, i8x16.splat(-128)), special);
  return i8x16.ne(wrong, i8x16.splat(0));
}

/** The letters behind a backslash that need a look. All were counted as one byte less already; false for one that is not sound. */
export function unusualEscapes(from: usize, places: u64): bool {
  for (let left = places; left !== 0; left &= left - 1) {
    const at = from + <usize>i64.ctz(left);
    const letter = <u32>load<u8>(at);
    // t, r, b, f
    if (letter === 0x74 || letter === 0x72 || letter === 0x62 || letter === 0x66) continue;
    if (letter === 0x2f) removedCompact++;
    else if (letter !== 0x75 || !unicodeEscape(at + 1)) return false;
  }
  return true;
}

/** Counts the escape whose four digits begin at `at`; false for bad digits and for surrogates. */
export function unicodeEscape(at: usize): bool {
  let code: u32 = 0;
  for (let i: usize = 0; i < 4; i++) {
    const byte = <u32>load<u8>(at + i);
    let digit = byte - 0x30;
    if (digit > 9) {
      digit = (byte | 0x20) - 0x61;
      if (digit > 5) return false;
      digit += 10;
    }
    code = (code << 4) | digit;
  }
  if (code < 0x80) {
    removed += 4;
    if (code < 0x20) removedCompact += (code >= 8 && code <= 10) || code === 12 || code === 13 ? 4 : 0;
    else removedCompact += code === QUOTE || code === BACKSLASH ? 4 : 5;
    return true;
  }
  if (code >= 0xd800 && code < 0xe000) return false;
  // UTF-8 of it: two or three bytes, all but the first of them continuation bytes.
  const bytes = code < 0x800 ? 2 : 3;
  removed += 5 - bytes;
  removedCompact += 6 - bytes;
  continuations += bytes - 1;
  return true;
}
