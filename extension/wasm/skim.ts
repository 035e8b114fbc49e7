/**
 * Reads the records of a Claude Code session without making anything of them: one strict pass over the bytes of a piece of
 * the file that notes where the wanted fields lie and how long the texts are. AssemblyScript, compiled into
 * `extension/src/core/transcript/skim/module.ts` (`npm run wasm`); a test compares the two.
 *
 * A record is told as a row of 32-bit words only when it is plain: sound JSON in the usual shape with every wanted field in
 * the type that agents write. Anything else is told as a range of lines (`LINES`) for the reader that understands all.
 * Row layouts are those of `extension/src/core/transcript/skim/rows.ts`.
 */

const LINES = 0;
const USER = 1;
const ASSISTANT = 2;
const SYSTEM = 3;
const OTHER = 4;
const UNENDED = 5;

const SIDECHAIN = 1 << 8;
const NO_PROMPT = 1 << 9;
const HIGH = 1 << 10;
const HAS_USAGE = 1 << 11;
const UUID_WORDS = 1 << 12;
const UUID_TEXT = 1 << 13;
const AGENT_PROGRESS = 1 << 14;

const IS_ERROR = 1;
const MAYBE_NOTICE = 2;

const MAX_DEPTH = 60;
const MAX_BLOCKS = 64;
/** Keys of one object inside a tool call's arguments. */
const MAX_KEYS = 64;
const ABSENT = -1;
/** Longest string that is handed on as a name or id. */
const MAX_NAME = 256;

// Where things lie in this module's memory; the static data of the compiler comes first.
const KEYS: usize = 0x4000;
const BLOCKS: usize = 0x8000;

const QUOTE: u32 = 0x22;
const BACKSLASH: u32 = 0x5c;
const COMMA: u32 = 0x2c;
const COLON: u32 = 0x3a;
const OPEN_OBJECT: u32 = 0x7b;
const CLOSE_OBJECT: u32 = 0x7d;
const OPEN_LIST: u32 = 0x5b;
const CLOSE_LIST: u32 = 0x5d;
const NEWLINE: u32 = 0x0a;
const RETURN: u32 = 0x0d;
const SPACE: u32 = 0x20;
const TAB: u32 = 0x09;

// The string that was read last: bytes that its escapes take more than what they stand for, the same for its form in compact
// JSON, continuation bytes (10xxxxxx), lead bytes of four-byte characters, and whether there were escapes and bytes above 0x7F.
let removed: i32 = 0;
let removedCompact: i32 = 0;
let continuations: i32 = 0;
let fours: i32 = 0;
let escaped: bool = false;
let high: bool = false;

/** The record holds bytes above 0x7F; whether they are UTF-8 is for the caller to see. */
let recordHigh: bool = false;

// Compact JSON of an argument.
let argBytes: i32 = 0;
let argContinuations: i32 = 0;
let argFours: i32 = 0;

/**
 * Reads a string from behind its opening quote. Returns the place of its closing quote, or 0 for one that is not sound or
 * holds an escaped surrogate.
 */
function readString(from: usize): usize {
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
  return readLong(at);
}

/** The place of the quote that closes a key which begins at `from`; 0 when it holds escapes or is not sound. */
function readKey(from: usize): usize {
  const bytes = v128.load(from);
  const special = specials(bytes);
  const bit = i32.ctz(special);
  if (special !== 0 && load<u8>(from + bit) === QUOTE && (i8x16.bitmask(bytes) & ((1 << bit) - 1)) === 0)
    return from + bit;
  const end = readString(from);
  return escaped ? 0 : end;
}

/** The place behind a string that nobody looks at, from its opening quote, or 0. */
function skipString(at: usize): usize {
  const bytes = v128.load(at, 1);
  const special = specials(bytes);
  const bit = i32.ctz(special);
  if (special !== 0 && load<u8>(at + bit, 1) === QUOTE && (i8x16.bitmask(bytes) & ((1 << bit) - 1)) === 0)
    return at + bit + 2;
  const end = readString(at + 1);
  return end === 0 ? 0 : end + 1;
}

/** Bytes that end a run of plain ones: quotes, backslashes and control characters. */
function specials(bytes: v128): i32 {
  const marks = v128.or(i8x16.eq(bytes, i8x16.splat(0x22)), i8x16.eq(bytes, i8x16.splat(0x5c)));
  return i8x16.bitmask(v128.or(marks, i8x16.lt_u(bytes, i8x16.splat(0x20))));
}

const EVEN: u64 = 0x55555555 | ((<u64>0x55555555) << 32);

/** 64 bits out of what four comparisons found. */
function mask(a: v128, b: v128, c: v128, d: v128): u64 {
  const low = <u64>(<u32>i8x16.bitmask(a) | ((<u32>i8x16.bitmask(b)) << 16));
  const upper = <u64>(<u32>i8x16.bitmask(c) | ((<u32>i8x16.bitmask(d)) << 16));
  return low | (upper << 32);
}

/** 0 for the letters that may stand behind a backslash, `u` and `/` aside: `"`, `\`, `b`, `f`, `n`, `r`, `t`. */
function foreignLetters(bytes: v128): v128 {
  // One bit per upper half of a letter: 2, 5, 6, 7; the lower halves that go with them are looked up.
  const lower = i8x16.swizzle(
    i8x16(0, 0, 13, 0, 8, 0, 4, 0, 0, 0, 0, 0, 2, 0, 4, 0),
    v128.and(bytes, i8x16.splat(0x0f)),
  );
  const upper = i8x16.swizzle(i8x16(0, 0, 1, 0, 0, 2, 4, 8, 0, 0, 0, 0, 0, 0, 0, 0), i8x16.shr_u(bytes, 4));
  return i8x16.eq(v128.and(lower, upper), i8x16.splat(0));
}

/** `readString` from a place inside the string that is not escaped, 64 bytes at a time. */
function readLong(from: usize): usize {
  let at = from;
  // 1 when a backslash at the end of the last 64 bytes escapes the first of these.
  let carry: u64 = 0;
  while (true) {
    const a = v128.load(at);
    const b = v128.load(at, 16);
    const c = v128.load(at, 32);
    const d = v128.load(at, 48);
    const slash = i8x16.splat(0x5c);
    const quote = i8x16.splat(0x22);
    const slashes = mask(i8x16.eq(a, slash), i8x16.eq(b, slash), i8x16.eq(c, slash), i8x16.eq(d, slash));
    let quotes = mask(i8x16.eq(a, quote), i8x16.eq(b, quote), i8x16.eq(c, quote), i8x16.eq(d, quote));
    let letters: u64 = 0;
    if ((slashes | carry) !== 0) {
      // Runs of backslashes that begin on an odd place, added to themselves, end where the parity of escapes flips.
      const open = slashes & ~carry;
      const follows = (open << 1) | carry;
      const odd = open & ~EVEN & ~follows;
      const sum = odd + open;
      carry = sum < odd ? 1 : 0;
      letters = (EVEN ^ (sum << 1)) & follows;
      quotes &= ~letters;
    }
    const within = quotes === 0 ? ~(<u64>0) : (quotes & (0 - quotes)) - 1;
    const space = i8x16.splat(0x20);
    const controls = v128.or(
      v128.or(i8x16.lt_u(a, space), i8x16.lt_u(b, space)),
      v128.or(i8x16.lt_u(c, space), i8x16.lt_u(d, space)),
    );
    if (v128.any_true(controls)) {
      const all = mask(i8x16.lt_u(a, space), i8x16.lt_u(b, space), i8x16.lt_u(c, space), i8x16.lt_u(d, space));
      if ((all & within) !== 0) return 0;
    }
    letters &= within;
    if (letters !== 0) {
      escaped = true;
      removed += <i32>i64.popcnt(letters);
      const foreign = mask(foreignLetters(a), foreignLetters(b), foreignLetters(c), foreignLetters(d));
      if ((letters & foreign) !== 0 && !unusualEscapes(at, letters & foreign)) return 0;
    }
    if (i8x16.bitmask(v128.or(v128.or(a, b), v128.or(c, d))) !== 0) {
      if ((mask(a, b, c, d) & within) !== 0) {
        high = true;
        const first = i8x16.splat(-64);
        const more = mask(i8x16.lt_s(a, first), i8x16.lt_s(b, first), i8x16.lt_s(c, first), i8x16.lt_s(d, first));
        continuations += <i32>i64.popcnt(more & within);
        const four = i8x16.splat(-16);
        const leads = mask(i8x16.ge_u(a, four), i8x16.ge_u(b, four), i8x16.ge_u(c, four), i8x16.ge_u(d, four));
        fours += <i32>i64.popcnt(leads & within);
      }
    }
    if (quotes !== 0) {
      if (high) recordHigh = true;
      return at + <usize>i64.ctz(quotes);
    }
    at += 64;
  }
}

/** The escapes that need a look: `\u` and `\/`. The letter was counted as one byte less already. */
function unusualEscapes(from: usize, places: u64): bool {
  for (let left = places; left !== 0; left &= left - 1) {
    const at = from + <usize>i64.ctz(left);
    const letter = <u32>load<u8>(at);
    if (letter === 0x2f) removedCompact++;
    else if (letter !== 0x75 || !unicodeEscape(at + 1)) return false;
  }
  return true;
}

/** Counts the escape whose four digits begin at `at`; false for bad digits and for surrogates. */
function unicodeEscape(at: usize): bool {
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

function skipSpace(from: usize): usize {
  let at = from;
  while (true) {
    const byte = <u32>load<u8>(at);
    if (byte > SPACE || (byte !== SPACE && byte !== TAB && byte !== RETURN)) return at;
    at++;
  }
}

/** The place behind a value of any kind, or 0. */
function skipValue(at: usize, depth: i32): usize {
  const byte = <u32>load<u8>(at);
  if (byte === QUOTE) return skipString(at);
  if (byte === OPEN_OBJECT) return skipObject(at, depth + 1);
  if (byte === OPEN_LIST) return skipList(at, depth + 1);
  return skipScalar(at);
}

function skipObject(from: usize, depth: i32): usize {
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

function skipList(from: usize, depth: i32): usize {
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

function isDigit(at: usize): bool {
  return <u32>load<u8>(at) - 0x30 <= 9;
}

function skipDigits(from: usize): usize {
  let at = from;
  while (isDigit(at)) at++;
  return at;
}

/** A number or one of the three literals. */
function skipScalar(from: usize): usize {
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
function skipPlainScalar(from: usize): usize {
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

/** Adds the compact JSON of a value to the `arg…` sums; the place behind it, or 0. `keys`: free room for hashes of keys. */
function measureArg(at: usize, depth: i32, keys: usize): usize {
  const byte = <u32>load<u8>(at);
  if (byte === QUOTE) return measureArgString(at);
  if (byte === OPEN_OBJECT) return measureArgObject(at, depth + 1, keys);
  if (byte === OPEN_LIST) return measureArgList(at, depth + 1, keys);
  const end = skipPlainScalar(at);
  argBytes += <i32>(end - at);
  return end;
}

function measureArgString(at: usize): usize {
  const end = readString(at + 1);
  if (end === 0) return 0;
  argBytes += <i32>(end + 1 - at) - removedCompact;
  argContinuations += continuations;
  argFours += fours;
  return end + 1;
}

function measureArgObject(from: usize, depth: i32, keys: usize): usize {
  if (depth > MAX_DEPTH) return 0;
  argBytes += 2;
  let at = skipSpace(from + 1);
  if (load<u8>(at) === CLOSE_OBJECT) return at + 1;
  let count: usize = 0;
  while (true) {
    if (load<u8>(at) !== QUOTE) return 0;
    const end = measureArgString(at);
    // A key that is written with escapes may be the same as another one.
    if (end === 0 || escaped || count === MAX_KEYS || keys + count * 8 >= BLOCKS - 8) return 0;
    const hash = hashOf(at + 1, <i32>(end - at) - 2);
    for (let i: usize = 0; i < count; i++) if (load<u64>(keys + i * 8) === hash) return 0;
    store<u64>(keys + count * 8, hash);
    count++;
    at = skipSpace(end);
    if (load<u8>(at) !== COLON) return 0;
    argBytes++;
    at = measureArg(skipSpace(at + 1), depth, keys + count * 8);
    if (at === 0) return 0;
    at = skipSpace(at);
    const byte = <u32>load<u8>(at);
    if (byte === CLOSE_OBJECT) return at + 1;
    if (byte !== COMMA) return 0;
    argBytes++;
    at = skipSpace(at + 1);
  }
}

function measureArgList(from: usize, depth: i32, keys: usize): usize {
  if (depth > MAX_DEPTH) return 0;
  argBytes += 2;
  let at = skipSpace(from + 1);
  if (load<u8>(at) === CLOSE_LIST) return at + 1;
  while (true) {
    at = measureArg(at, depth, keys);
    if (at === 0) return 0;
    at = skipSpace(at);
    const byte = <u32>load<u8>(at);
    if (byte === CLOSE_LIST) return at + 1;
    if (byte !== COMMA) return 0;
    argBytes++;
    at = skipSpace(at + 1);
  }
}

/** An odd number with its bits all over the word. */
const MIX: u64 = 0x7f4a7c15 | ((<u64>0x9e3779b9) << 32);

/** Equal for equal keys. Keys with the same hash cost the record its row, so it need not be strong. */
function hashOf(at: usize, length: i32): u64 {
  let hash: u64 = <u64>length;
  let left = length;
  let from = at;
  for (; left >= 8; left -= 8) {
    hash = (hash ^ load<u64>(from)) * MIX;
    hash ^= hash >> 29;
    from += 8;
  }
  if (left > 0) hash = (hash ^ (load<u64>(from) & (((<u64>1) << (<u64>(left * 8))) - 1))) * MIX;
  return hash ^ (hash >> 32);
}

/** True when the bytes are the letters of `name`, which has at most 32. */
function is(at: usize, length: i32, name: string): bool {
  if (length !== name.length) return false;
  const letters = changetype<usize>(name);
  if (length <= 16) return differing(at, letters, length) === 0;
  return differing(at, letters, 16) === 0 && differing(at + length - 16, letters + 2 * (length - 16), 16) === 0;
}

function differing(at: usize, letters: usize, length: i32): i32 {
  const name = i8x16.narrow_i16x8_u(v128.load(letters), v128.load(letters, 16));
  return ~i8x16.bitmask(i8x16.eq(v128.load(at), name)) & ((1 << length) - 1);
}

// What is handed on. `row` is the row at hand; `text` is where the next name or id is copied to.
let row: usize = 0;
let text: usize = 0;
let textStart: usize = 0;
let textEnd: usize = 0;
let base: usize = 0;

function put(word: i32, value: i32): void {
  store<i32>(row + (word << 2), value);
}

/**
 * Copies a name or id that stands at `at` (its opening quote) to the texts and notes offset and length in two words of the
 * row. The place behind it, or 0 when it is not a plain ASCII string without escapes; an empty one is not plain either.
 */
function putName(at: usize, word: i32): usize {
  if (load<u8>(at) !== QUOTE) return 0;
  const end = readString(at + 1);
  if (end === 0 || escaped || high) return 0;
  const length = <i32>(end - at) - 1;
  if (length === 0 || length > MAX_NAME || text + length + 16 > textEnd) return 0;
  copy(text, at + 1, length);
  put(word, <i32>(text - textStart));
  put(word + 1, length);
  text += length;
  return end + 1;
}

/** Copies in steps of 16 bytes; up to 15 more than asked for are written. The memory's own copy is a call that costs more. */
function copy(to: usize, from: usize, length: usize): void {
  for (let i: usize = 0; i < length; i += 16) v128.store(to + i, v128.load(from + i));
}

/** A hash of a name that was put, like `hashOf` in rows/nameTable.ts. */
function nameHash(word: i32): i32 {
  const length = load<i32>(row + ((word + 1) << 2));
  let at = textStart + load<i32>(row + (word << 2));
  let hash: u32 = length;
  let left = length;
  for (; left >= 4; left -= 4) {
    hash = (hash ^ load<u32>(at)) * 0x9e3779b1;
    hash ^= hash >> 15;
    at += 4;
  }
  if (left > 0) {
    hash = (hash ^ (load<u32>(at) & ((1 << (left << 3)) - 1))) * 0x9e3779b1;
    hash ^= hash >> 15;
  }
  return hash;
}

/** A whole number below a billion, in one word of the row. */
function putCount(at: usize, word: i32): usize {
  const end = skipDigits(at);
  const length = end - at;
  if (length === 0 || length > 9 || (length > 1 && load<u8>(at) === 0x30)) return 0;
  const after = load<u8>(end);
  if (after === 0x2e || (after | 0x20) === 0x65) return 0;
  let value = 0;
  for (let i = at; i < end; i++) value = value * 10 + <i32>load<u8>(i) - 0x30;
  put(word, value);
  return end;
}

/** The 16 values of hexadecimal digits in lower case; `bad` is set for anything else. */
let badHex: bool = false;
function nibbles(letters: v128): v128 {
  const digits = i8x16.sub(letters, i8x16.splat(0x30));
  const isDigits = i8x16.le_u(digits, i8x16.splat(9));
  const lower = i8x16.sub(letters, i8x16.splat(0x61));
  const isLower = i8x16.le_u(lower, i8x16.splat(5));
  if (i8x16.bitmask(v128.or(isDigits, isLower)) !== 0xffff) badHex = true;
  return v128.bitselect(digits, i8x16.add(lower, i8x16.splat(10)), isDigits);
}

function pairs(values: v128): v128 {
  const highs = i16x8.shl(v128.and(values, i16x8.splat(0x00ff)), 4);
  return v128.or(highs, i16x8.shr_u(values, 8));
}

/** The record's uuid: four words where it is written as agents write it, else a name. */
function putUuid(at: usize): usize {
  const from = at + 1;
  if (load<u8>(at) === QUOTE && load<u8>(from, 36) === QUOTE) {
    const dashes = load<u8>(from, 8) === 0x2d && load<u8>(from, 13) === 0x2d && load<u8>(from, 18) === 0x2d;
    if (dashes && load<u8>(from, 23) === 0x2d) {
      badHex = false;
      const left = i8x16.shuffle(
        v128.load(from),
        v128.load(from, 2),
        0,
        1,
        2,
        3,
        4,
        5,
        6,
        7,
        9,
        10,
        11,
        12,
        14,
        15,
        30,
        31,
      );
      const right = i8x16.shuffle(
        v128.load(from, 19),
        v128.load(from, 20),
        0,
        1,
        2,
        3,
        5,
        6,
        7,
        8,
        9,
        10,
        11,
        12,
        13,
        14,
        15,
        31,
      );
      const words = i8x16.narrow_i16x8_u(pairs(nibbles(left)), pairs(nibbles(right)));
      if (!badHex) {
        v128.store(row, words, 16);
        flags |= UUID_WORDS;
        return from + 37;
      }
    }
  }
  flags |= UUID_TEXT;
  return putName(at, 4);
}

let flags: i32 = 0;

/** Words of a row that come before its blocks. */
const HEAD_WORDS = 44;
const BLOCK_WORDS = 12;

/** One record from its opening brace; the place behind its closing brace, or 0. Fills in the row but its first four words. */
function readRecord(from: usize): usize {
  flags = 0;
  recordHigh = false;
  uses = 0;
  results = 0;
  let kind = LINES;
  let seen = 0;
  let systemHasSubtype = false;
  let hasMessage = false;
  for (let i: usize = 16; i < <usize>HEAD_WORDS * 4; i += 16) v128.store(row + i, i64x2.splat(0));
  let at = skipSpace(from + 1);
  if (load<u8>(at) === CLOSE_OBJECT) return 0;
  while (true) {
    if (load<u8>(at) !== QUOTE) return 0;
    const key = at + 1;
    const keyEnd = readKey(key);
    if (keyEnd === 0) return 0;
    const length = <i32>(keyEnd - key);
    at = skipSpace(keyEnd + 1);
    if (load<u8>(at) !== COLON) return 0;
    at = skipSpace(at + 1);
    let bit = 0;
    switch (length) {
      case 4:
        if (load<u8>(at) === OPEN_OBJECT && is(key, 4, "data")) {
          bit = 1024;
          at = readData(at);
        } else if (is(key, 4, "type")) {
          bit = 1;
          if (load<u8>(at) !== QUOTE) return 0;
          const value = at + 1;
          const end = readKey(value);
          if (end === 0) return 0;
          const size = <i32>(end - value);
          if (is(value, size, "assistant")) kind = ASSISTANT;
          else if (is(value, size, "user")) kind = USER;
          else if (is(value, size, "system")) kind = SYSTEM;
          else {
            kind = OTHER;
            if (putName(at, 8) === 0) return 0;
          }
          at = end + 1;
        } else if (is(key, 4, "uuid")) {
          bit = 2;
          at = putUuid(at);
        }
        break;
      case 6:
        if (is(key, 6, "isMeta")) {
          bit = 4;
          if (load<u8>(at) === 0x74) flags |= NO_PROMPT;
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
          at = putName(at, 10);
        } else if (is(key, 7, "subtype")) {
          bit = 32;
          systemHasSubtype = true;
          const value = at;
          escaped = false;
          at = skipValue(at, 1);
          if (at !== 0) {
            const size = <i32>(at - value) - 2;
            // The two that are compactions, and any that may be one of them.
            if (load<u8>(value) !== QUOTE || escaped || size === 16 || size === 21) flags |= 1;
          }
        }
        break;
      case 9:
        if (is(key, 9, "timestamp")) {
          bit = 64;
          at = putName(at, 12);
        } else if (is(key, 9, "requestId")) {
          bit = 128;
          at = putName(at, 14);
        }
        break;
      case 11:
        if (is(key, 11, "isSidechain")) {
          bit = 256;
          if (load<u8>(at) === 0x74) flags |= SIDECHAIN;
        }
        break;
      case 13:
        if (is(key, 13, "toolUseResult")) {
          bit = 2048;
          at = readCopy(at);
        }
        break;
      case 16:
        if (is(key, 16, "isCompactSummary")) {
          bit = 512;
          if (load<u8>(at) === 0x74) flags |= NO_PROMPT;
        }
        break;
    }
    if (at === 0 || (seen & bit) !== 0) return 0;
    seen |= bit;
    // Keys that were only looked at, and those that nobody wants.
    if (bit === 0 || bit === 4 || bit === 256 || bit === 512 || (bit === 8 && !hasMessage)) {
      at = skipValue(at, 1);
      if (at === 0) return 0;
    }
    at = skipSpace(at);
    const byte = <u32>load<u8>(at);
    if (byte === CLOSE_OBJECT) break;
    if (byte !== COMMA) return 0;
    at = skipSpace(at + 1);
  }
  if (kind === LINES) return 0;
  if (kind <= ASSISTANT) {
    if (!hasMessage) return 0;
    // A call needs its model, id and time; a sidechain is known by its agent.
    if (
      kind === ASSISTANT &&
      (load<i32>(row + 17 * 4) === 0 || load<i32>(row + 19 * 4) === 0 || load<i32>(row + 13 * 4) === 0)
    )
      return 0;
    if ((flags & SIDECHAIN) !== 0 && load<i32>(row + 11 * 4) === 0) return 0;
    put(37, uses);
    put(38, results);
  }
  if (kind === SYSTEM && systemHasSubtype && (flags & 1) !== 0) return 0;
  flags &= ~1;
  if (recordHigh) flags |= HIGH;
  put(0, kind | flags);
  return at + 1;
}

const COPY_TEXT = 1;
const COPY_OBJECT = 2;
const COPY_OTHER = 3;

/**
 * The copy of a result beside the message. Word 34 says what it is; 35, 36 and 39 hold UTF-16 units: of the text, or of the
 * members `stdout`, `content` and `result` (-1: no text).
 */
function readCopy(from: usize): usize {
  const byte = <u32>load<u8>(from);
  put(35, ABSENT);
  put(36, ABSENT);
  put(39, ABSENT);
  if (byte === QUOTE) {
    const end = readString(from + 1);
    put(34, COPY_TEXT);
    putUnits(35, from, end);
    return end === 0 || isNul(from + 1) ? 0 : end + 1;
  }
  if (byte !== OPEN_OBJECT) {
    if (byte === OPEN_LIST) put(34, COPY_OTHER);
    return skipValue(from, 1);
  }
  put(34, COPY_OBJECT);
  let seen = 0;
  let at = skipSpace(from + 1);
  if (load<u8>(at) === CLOSE_OBJECT) return at + 1;
  while (true) {
    if (load<u8>(at) !== QUOTE) return 0;
    const key = at + 1;
    const keyEnd = readKey(key);
    if (keyEnd === 0) return 0;
    const length = <i32>(keyEnd - key);
    at = skipSpace(keyEnd + 1);
    if (load<u8>(at) !== COLON) return 0;
    at = skipSpace(at + 1);
    let word = 0;
    if (length === 6) word = is(key, 6, "stdout") ? 35 : is(key, 6, "result") ? 39 : 0;
    else if (length === 7 && is(key, 7, "content")) word = 36;
    if (word === 0) at = skipValue(at, 2);
    else {
      const bit = 1 << (word - 35);
      if ((seen & bit) !== 0) return 0;
      seen |= bit;
      if (load<u8>(at) === QUOTE) {
        const end = readString(at + 1);
        if (end === 0 || isNul(at + 1)) return 0;
        putUnits(word, at, end);
        at = end + 1;
      } else {
        if (load<u8>(at) === OPEN_LIST) put(34, COPY_OTHER);
        at = skipValue(at, 2);
      }
    }
    if (at === 0) return 0;
    at = skipSpace(at);
    const after = <u32>load<u8>(at);
    if (after === CLOSE_OBJECT) return at + 1;
    if (after !== COMMA) return 0;
    at = skipSpace(at + 1);
  }
}

/** UTF-16 units of the string that was read last, from its opening quote at `at`. */
function putUnits(word: i32, at: usize, end: usize): void {
  put(word, <i32>(end - at) - 1 - removed - continuations + fours);
}

/** The `data` of a progress record: only whether it is a sub-agent's. */
function readData(from: usize): usize {
  let at = skipSpace(from + 1);
  if (load<u8>(at) === CLOSE_OBJECT) return at + 1;
  while (true) {
    if (load<u8>(at) !== QUOTE) return 0;
    const key = at + 1;
    const keyEnd = readKey(key);
    if (keyEnd === 0) return 0;
    at = skipSpace(keyEnd + 1);
    if (load<u8>(at) !== COLON) return 0;
    at = skipSpace(at + 1);
    const value = at;
    at = skipValue(at, 2);
    if (at === 0) return 0;
    if (is(key, <i32>(keyEnd - key), "type")) {
      // An escape may hide the name.
      const size = <i32>(at - value) - 2;
      for (let i = value; i < at; i++) if (load<u8>(i) === BACKSLASH) return 0;
      if (is(value + 1, size, "agent_progress")) flags |= AGENT_PROGRESS;
    }
    at = skipSpace(at);
    const byte = <u32>load<u8>(at);
    if (byte === CLOSE_OBJECT) return at + 1;
    if (byte !== COMMA) return 0;
    at = skipSpace(at + 1);
  }
}

/** The record's `message`. */
function readMessage(from: usize): usize {
  let seen = 0;
  let at = skipSpace(from + 1);
  if (load<u8>(at) === CLOSE_OBJECT) return 0;
  while (true) {
    if (load<u8>(at) !== QUOTE) return 0;
    const key = at + 1;
    const keyEnd = readKey(key);
    if (keyEnd === 0) return 0;
    const length = <i32>(keyEnd - key);
    at = skipSpace(keyEnd + 1);
    if (load<u8>(at) !== COLON) return 0;
    at = skipSpace(at + 1);
    let bit = 0;
    if (length === 2 && is(key, 2, "id")) {
      bit = 1;
      at = putName(at, 16);
      put(40, nameHash(16));
    } else if (length === 5) {
      if (is(key, 5, "model")) {
        bit = 2;
        at = putName(at, 18);
      } else if (is(key, 5, "usage")) {
        bit = 4;
        at = readUsage(at);
      }
    } else if (length === 7 && is(key, 7, "content")) {
      bit = 8;
      at = load<u8>(at) === QUOTE ? readTextContent(at) : load<u8>(at) === OPEN_LIST ? readBlocks(at) : 0;
    }
    if (at === 0 || (seen & bit) !== 0) return 0;
    seen |= bit;
    if (bit === 0) {
      at = skipValue(at, 2);
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
function readUsage(from: usize): usize {
  if (load<u8>(from) !== OPEN_OBJECT) return 0;
  flags |= HAS_USAGE;
  for (let i = 20; i < 24; i++) put(i, ABSENT);
  let seen = 0;
  let at = skipSpace(from + 1);
  if (load<u8>(at) === CLOSE_OBJECT) return at + 1;
  while (true) {
    if (load<u8>(at) !== QUOTE) return 0;
    const key = at + 1;
    const keyEnd = readKey(key);
    if (keyEnd === 0) return 0;
    const length = <i32>(keyEnd - key);
    at = skipSpace(keyEnd + 1);
    if (load<u8>(at) !== COLON) return 0;
    at = skipSpace(at + 1);
    let word = 0;
    if (length === 12 && is(key, 12, "input_tokens")) word = 20;
    else if (length === 23 && is(key, 23, "cache_read_input_tokens")) word = 21;
    else if (length === 27 && is(key, 27, "cache_creation_input_tokens")) word = 22;
    else if (length === 13 && is(key, 13, "output_tokens")) word = 23;
    if (word === 0) at = skipValue(at, 3);
    else {
      if ((seen & (1 << word)) !== 0) return 0;
      seen |= 1 << word;
      at = putCount(at, word);
    }
    if (at === 0) return 0;
    at = skipSpace(at);
    const byte = <u32>load<u8>(at);
    if (byte === CLOSE_OBJECT) return at + 1;
    if (byte !== COMMA) return 0;
    at = skipSpace(at + 1);
  }
}

// Words of a message: 24 parts, 25 to 27 their bytes, continuation bytes and four-byte characters, 28 and 29 offset and length
// of the first part, 30 images, 31 to 33 the arguments like the parts, 37 uses, 38 results.
function add(word: i32, value: i32): void {
  const at = row + (word << 2);
  store<i32>(at, load<i32>(at) + value);
}

/** The string that was read last, from its opening quote at `at`, becomes a part of the message's text. */
function addPart(at: usize, end: usize): void {
  const length = <i32>(end - at) - 1;
  if (load<i32>(row + 24 * 4) === 0) {
    put(28, <i32>(at + 1 - base));
    put(29, length);
  }
  add(24, 1);
  add(25, length - removed);
  add(26, continuations);
  add(27, fours);
}

function readTextContent(at: usize): usize {
  const end = readString(at + 1);
  if (end === 0 || isNul(at + 1)) return 0;
  if (end > at + 1) addPart(at, end);
  return end + 1;
}

/** `\u0000`: other agents put structured content behind it. */
function isNul(at: usize): bool {
  return load<u32>(at) === 0x3030755c && load<u16>(at + 4) === 0x3030;
}

let uses: i32 = 0;
let results: i32 = 0;

function readBlocks(from: usize): usize {
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

const TEXT_BLOCK = 1;
const SILENT_BLOCK = 2;
const IMAGE_BLOCK = 3;
const USE_BLOCK = 4;
const RESULT_BLOCK = 5;

function blockType(at: usize, length: i32): i32 {
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

/**
 * One content block. Its words lie at `BLOCKS` in the order met, calls and results apart: for a call 0 and 1 its id, 2 and 3
 * its name; for a result 0 and 1 the id, 2 its index among the blocks, 3 flags, 4 parts, 5 to 7 bytes, continuation bytes and
 * four-byte characters, 8 and 9 offset and length of its only text, 10 images.
 */
function readBlock(from: usize, index: i32): usize {
  const count = uses + results;
  if (count >= MAX_BLOCKS) return 0;
  const outer = row;
  const block = BLOCKS + <usize>(count * BLOCK_WORDS * 4);
  for (let i: usize = 0; i < <usize>BLOCK_WORDS * 4; i += 16) v128.store(block + i, i64x2.splat(0));
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
    if (load<u8>(at) !== QUOTE) return 0;
    const key = at + 1;
    const keyEnd = readKey(key);
    if (keyEnd === 0) return 0;
    const length = <i32>(keyEnd - key);
    at = skipSpace(keyEnd + 1);
    if (load<u8>(at) !== COLON) return 0;
    at = skipSpace(at + 1);
    let bit = 0;
    let done = false;
    switch (length) {
      case 2:
        if (is(key, 2, "id")) {
          bit = 1;
          done = true;
          row = block;
          at = putName(at, 0);
          put(11, nameHash(0));
          row = outer;
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
        } else if (is(key, 4, "name")) {
          bit = 8;
          done = true;
          row = block;
          at = putName(at, 2);
          row = outer;
        }
        break;
      case 5:
        if (is(key, 5, "input")) {
          bit = 16;
          inputAt = at;
        }
        break;
      case 7:
        if (is(key, 7, "content")) {
          bit = 32;
          done = true;
          hasContent = true;
          at = readResultContent(at, block);
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
          row = block;
          at = putName(at, 0);
          put(11, nameHash(0));
          row = outer;
        }
        break;
    }
    if (at === 0 || (seen & bit) !== 0) return 0;
    seen |= bit;
    if (!done) {
      at = skipValue(at, 4);
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
      removed = textRemoved;
      continuations = textContinuations;
      fours = textFours;
      addPart(textAt, textTo);
      break;
    case SILENT_BLOCK:
      break;
    case IMAGE_BLOCK:
      add(30, 1);
      break;
    case USE_BLOCK:
      // An id and a name; the keys of a result would mean something else.
      if ((seen & 9) !== 9 || idWord || results > 0) return 0;
      if (inputAt !== 0 && !readInput(inputAt)) return 0;
      uses++;
      break;
    case RESULT_BLOCK:
      if ((seen & 1) === 0 || !idWord || !hasContent || uses > 0) return 0;
      store<i32>(block, index, 8);
      if (isError) store<i32>(block, load<i32>(block, 12) | IS_ERROR, 12);
      results++;
      break;
    default:
      return 0;
  }
  return at + 1;
}

/** Adds a tool call's arguments to the message's. */
function readInput(at: usize): bool {
  const byte = <u32>load<u8>(at);
  // Texts are measured as they stand, not as JSON.
  if (byte === QUOTE) return false;
  if (byte === 0x6e) return true;
  argBytes = 0;
  argContinuations = 0;
  argFours = 0;
  if (measureArg(at, 4, KEYS) === 0) return false;
  add(31, argBytes);
  add(32, argContinuations);
  add(33, argFours);
  return true;
}

/** A result's content: a text, or a list of texts, images and references to tools. */
function readResultContent(from: usize, block: usize): usize {
  const byte = <u32>load<u8>(from);
  if (byte === QUOTE) {
    const end = readString(from + 1);
    if (end === 0 || isNul(from + 1)) return 0;
    if (end > from + 1) addResultPart(block, from, end);
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

function readResultPart(from: usize, block: usize): usize {
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
    if (load<u8>(at) !== QUOTE) return 0;
    const key = at + 1;
    const keyEnd = readKey(key);
    if (keyEnd === 0) return 0;
    const length = <i32>(keyEnd - key);
    at = skipSpace(keyEnd + 1);
    if (load<u8>(at) !== COLON) return 0;
    at = skipSpace(at + 1);
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
    removed = textRemoved;
    continuations = textContinuations;
    fours = textFours;
    addResultPart(block, textAt, textTo);
  } else if (type === IMAGE_BLOCK) store<i32>(block, load<i32>(block, 40) + 1, 40);
  else if (type !== SILENT_BLOCK) return 0;
  return at + 1;
}

/** The string that was read last becomes a part of a result's text. */
function addResultPart(block: usize, at: usize, end: usize): void {
  const length = <i32>(end - at) - 1;
  store<i32>(block, load<i32>(block, 16) + 1, 16);
  store<i32>(block, load<i32>(block, 20) + length - removed, 20);
  store<i32>(block, load<i32>(block, 24) + continuations, 24);
  store<i32>(block, load<i32>(block, 28) + fours, 28);
  store<i32>(block, <i32>(at + 1 - base), 32);
  store<i32>(block, length, 36);
  if (maybeNotice(at + 1, end)) store<i32>(block, load<i32>(block, 12) | MAYBE_NOTICE, 12);
}

/**
 * False when a text is certainly no notice by its two ends: those that are known (core/results) begin with one of five
 * texts or end with a bracket, white space aside. True where that needs a closer look.
 */
function maybeNotice(from: usize, end: usize): bool {
  let at = from;
  while (at < end) {
    const byte = <u32>load<u8>(at);
    if (byte === SPACE) at++;
    else if (byte === BACKSLASH && isSpaceLetter(<u32>load<u8>(at, 1))) at += 2;
    else break;
  }
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
  if (last === CLOSE_LIST || last < 0x21 || isEscaped(at, to - 1)) return true;
  return load<u8>(to - 6) === BACKSLASH && load<u8>(to - 5) === 0x75;
}

/** False when what is written at `at`, which is not white space, begins none of the notices. */
function mayBegin(at: usize, end: usize): bool {
  const first = <u32>load<u8>(at);
  if (first === BACKSLASH) {
    const letter = <u32>load<u8>(at, 1);
    return letter !== QUOTE && letter !== BACKSLASH;
  }
  if (first > 0x7e) return isOddCharacter(at);
  if (first < 0x21) return true;
  if (first !== 0x3c && first !== 0x45 && first !== OPEN_LIST) return false;
  if (end < at + 12) return true;
  for (let i: usize = 0; i < 12; i++) if (load<u8>(at + i) === BACKSLASH) return true;
  return (
    is(at, 12, "<persisted-o") ||
    is(at, 12, "<untrusted_t") ||
    is(at, 12, "Error: resul") ||
    is(at, 12, "[Old tool re") ||
    is(at, 12, "[Astra trimm")
  );
}

/** True when the character that begins at `at`, outside ASCII, may be white space. */
function isOddCharacter(at: usize): bool {
  const lead = <u32>load<u8>(at);
  return lead < 0xc3 || lead === 0xe1 || lead === 0xe2 || lead === 0xe3 || lead === 0xef;
}

/** The place of the lead byte of the character whose last byte is at `last`. */
function leadOf(last: usize): usize {
  let at = last;
  while ((load<u8>(at) & 0xc0) === 0x80) at--;
  return at;
}

/** An odd run of backslashes stands before the byte at `at`, not before `from`. */
function isEscaped(from: usize, at: usize): bool {
  let run = at;
  while (run > from && load<u8>(run - 1) === BACKSLASH) run--;
  return ((at - run) & 1) === 1;
}

/** `n`, `r`, `t`. */
function isSpaceLetter(letter: u32): bool {
  return letter === 0x6e || letter === 0x72 || letter === 0x74;
}

/** The next newline at or behind `from`, or `end`; there is a newline at `end`. */
function findNewline(from: usize): usize {
  let at = from;
  while (true) {
    const found = i8x16.bitmask(i8x16.eq(v128.load(at), i8x16.splat(0x0a)));
    if (found !== 0) return at + i32.ctz(found);
    at += 16;
  }
}

let lines: i32 = 0;

/**
 * Skims the lines that begin in the half-open range from `from` to `limit`. The bytes reach to `end`, behind which there is
 * room for 128 more. `whole`: the file ends at `end`. Returns the number of words written from `out` on; when the room from
 * there to `outEnd` is used up, the rest is told as one range of lines. Leaves in the first two words at `BLOCKS` how many lines
 * were begun, and how many bytes of names were copied from `textOut` on.
 */
export function skim(
  from: usize,
  limit: usize,
  end: usize,
  whole: bool,
  out: usize,
  outEnd: usize,
  textOut: usize,
  textOutEnd: usize,
): i32 {
  base = from;
  text = textOut;
  textStart = textOut;
  textEnd = textOutEnd;
  lines = 0;
  const behind = load<u64>(end);
  store<u8>(end, NEWLINE);
  let next = out;
  // A range of lines that is still growing.
  let range: usize = 0;
  let at = from;
  while (at < limit) {
    const line = lines;
    lines++;
    const isFull = next + (HEAD_WORDS + MAX_BLOCKS * BLOCK_WORDS) * 4 + 16 > outEnd;
    if (!isFull && load<u8>(at) === OPEN_OBJECT) {
      row = next;
      const mark = text;
      let stop = readRecord(at);
      if (stop !== 0) {
        const recordEnd = stop;
        let byte = <u32>load<u8>(stop);
        while (byte === RETURN || byte === SPACE) {
          stop++;
          byte = <u32>load<u8>(stop);
        }
        // At the end of the bytes the line may go on.
        if (byte === NEWLINE && (stop < end || (stop === end && whole))) {
          put(1, <i32>(at - from));
          put(2, <i32>(recordEnd - from));
          put(3, line);
          next += rowBytes(load<i32>(row) & 0xff);
          range = 0;
          at = stop + 1;
          continue;
        }
      }
      text = mark;
    }
    const newline = findNewline(at);
    if (newline >= end && !whole) {
      store<i32>(next, UNENDED);
      store<i32>(next, <i32>(at - from), 4);
      store<i32>(next, <i32>(end - from), 8);
      store<i32>(next, line, 12);
      next += 16;
      break;
    }
    const stop = newline >= end ? end : newline + 1;
    if (range === 0) {
      range = next;
      store<i32>(next, LINES);
      store<i32>(next, <i32>(at - from), 4);
      store<i32>(next, line, 12);
      next += 16;
    }
    store<i32>(range, <i32>(stop - from), 8);
    at = newline + 1;
  }
  store<u64>(end, behind);
  store<i32>(BLOCKS, lines);
  store<i32>(BLOCKS, <i32>(text - textOut), 4);
  return <i32>((next - out) >> 2);
}

/** Brings the words of a row together; its length in bytes. */
function rowBytes(kind: i32): usize {
  if (kind > ASSISTANT) return 10 * 4;
  const blocks = <usize>(uses + results) * BLOCK_WORDS * 4;
  copy(row + HEAD_WORDS * 4, BLOCKS, blocks);
  return <usize>(HEAD_WORDS * 4) + blocks;
}
