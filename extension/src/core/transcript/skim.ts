import type { TextSize } from "../model/transcript";

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const ZERO = 0x30;
const SEVEN = 0x37;
const LOWER_U = 0x75;
const DELETE = 0x7f;

/** Strings of at least this many bytes are left where they are; parsing shorter ones costs less than keeping track of them. */
const LONG_BYTES = 256;

/** Content of a long string of a record: half-open byte range without its quotes. */
export interface LongString {
  readonly start: number;
  readonly end: number;
}

/**
 * Finds the long strings of one JSON record by its quotes alone, in order; undefined when there is none or the record is
 * not sound enough. Uses the platform's byte search, so a body that nobody looks at costs next to nothing. What stands
 * inside the strings is not checked: a stray byte there does not cost the record.
 */
export function findLongStrings(bytes: Uint8Array): readonly LongString[] | undefined {
  const longs: LongString[] = [];
  for (let quote = nextQuote(bytes, 0); quote !== -1; ) {
    const start = quote + 1;
    const end = closingQuote(bytes, start);
    if (end === -1 || !isOrdinary(bytes, start)) return undefined;
    if (end - start >= LONG_BYTES) longs.push({ start, end });
    quote = nextQuote(bytes, end + 1);
  }
  return longs.length === 0 ? undefined : longs;
}

/** Bytes looked at one by one before the platform's search, whose every call costs about as much as this many bytes. */
const NEAR_BYTES = 32;

function nextQuote(bytes: Uint8Array, from: number): number {
  const near = Math.min(from + NEAR_BYTES, bytes.length);
  for (let i = from; i < near; i++) if (bytes[i] === QUOTE) return i;
  return bytes.indexOf(QUOTE, near);
}

function closingQuote(bytes: Uint8Array, start: number): number {
  const near = Math.min(start + NEAR_BYTES, bytes.length);
  let from = start;
  for (; from < near; from++) {
    const byte = bytes[from];
    if (byte === QUOTE) return from;
    // The byte behind a backslash is no closing quote, whatever it is.
    if (byte === BACKSLASH) from++;
  }
  for (let quote = bytes.indexOf(QUOTE, from); quote !== -1; quote = bytes.indexOf(QUOTE, quote + 1)) {
    let slash = quote;
    while (slash > from && bytes[slash - 1] === BACKSLASH) slash--;
    if ((quote - slash) % 2 === 0) return quote;
  }
  return -1;
}

/** Begins the text that stands for a string kept elsewhere; its number follows. DEL needs no escape in JSON. */
export const STAND_IN = "\u007fL";

/**
 * False for a string that begins with DEL, written either way: it must not be taken for a stand-in. And for one that begins
 * with an escaped NUL: it may be JSON behind a prefix (Hermes), which has to be looked into.
 */
function isOrdinary(bytes: Uint8Array, start: number): boolean {
  const first = bytes[start];
  if (first === DELETE) return false;
  if (first !== BACKSLASH || bytes[start + 1] !== LOWER_U) return true;
  const [high, low] = [bytes[start + 4], bytes[start + 5]];
  return !(
    bytes[start + 2] === ZERO &&
    bytes[start + 3] === ZERO &&
    (high === SEVEN || (high === ZERO && low === ZERO))
  );
}

/**
 * Sizes of the text that the content of a JSON string stands for, without making it. `ascii`: no byte is above 0x7F.
 * Undefined when an escape stands for something outside ASCII; then only the text itself tells.
 */
export function measureEscaped(content: Uint8Array, ascii: boolean): TextSize | undefined {
  let bytes = content.length;
  for (let at = content.indexOf(BACKSLASH); at !== -1; ) {
    if (content[at + 1] === LOWER_U) {
      const isAscii =
        content[at + 2] === ZERO &&
        content[at + 3] === ZERO &&
        (content[at + 4] ?? 0) >= ZERO &&
        (content[at + 4] ?? 0) <= SEVEN;
      if (!isAscii) return undefined;
      bytes -= 5;
      at = content.indexOf(BACKSLASH, at + 6);
    } else {
      bytes--;
      at = content.indexOf(BACKSLASH, at + 2);
    }
  }
  if (ascii) return { codePoints: bytes, utf16: bytes, bytes };
  // UTF-8: every byte but a continuation byte (10xxxxxx) begins a code point; a lead byte from 0xF0 makes two UTF-16 units.
  let continuations = 0;
  let fours = 0;
  for (let i = 0; i < content.length; i++) {
    const byte = content[i] ?? 0;
    continuations += (byte & 0xc0) === 0x80 ? 1 : 0;
    fours += byte >= 0xf0 ? 1 : 0;
  }
  const codePoints = bytes - continuations;
  return { codePoints, utf16: codePoints + fours, bytes };
}

const ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  "\\": "\\",
  "/": "/",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
};

/** The text that the content of a JSON string stands for; what is no valid escape stays as it is written. */
export function unescapeJson(content: string): string {
  try {
    return JSON.parse(`"${content}"`) as string;
  } catch {
    // A stray control character or a bad escape: everything else still counts.
    return content.replace(/\\(?:u([0-9a-fA-F]{4})|(["\\/bfnrt]))/g, (_, hex: string | undefined, letter: string) =>
      hex === undefined ? (ESCAPES[letter] ?? letter) : String.fromCharCode(Number.parseInt(hex, 16)),
    );
  }
}

export interface Ends {
  readonly first: string;
  readonly last: string;
}

const SPACE = 0x20;
/** `n`, `r`, `t` behind a backslash. */
const isSpaceEscape = (byte: number | undefined): boolean => byte === 0x6e || byte === 0x72 || byte === 0x74;

/**
 * First and last character of the content of a JSON string, white space aside; an empty text where one of them may be
 * white space too, or is written as an escape, and `é` for any other character outside ASCII.
 */
export function endsOf(content: Uint8Array): Ends {
  let from = 0;
  for (; from < content.length; from++) {
    if (content[from] === SPACE) continue;
    if (content[from] === BACKSLASH && isSpaceEscape(content[from + 1])) from++;
    else break;
  }
  let to = content.length;
  while (to > from) {
    if (content[to - 1] === SPACE) to--;
    else if (isSpaceEscape(content[to - 1]) && isEscaped(content, from, to - 1)) to -= 2;
    else break;
  }
  const unclear = content[to - 6] === BACKSLASH && content[to - 5] === LOWER_U;
  const quoted = content[to - 1] === QUOTE || content[to - 1] === BACKSLASH;
  const escaped = !quoted && isEscaped(content, from, to - 1);
  // An escape at the beginning may stand for anything.
  const begin = content[from] ?? 0;
  const first = begin === BACKSLASH ? "" : begin > 0x7f ? foreign(content, from) : plain(begin);
  if (to > from && (content[to - 1] ?? 0) > 0x7f) return { first, last: foreign(content, leadOf(content, to - 1)) };
  return { first, last: unclear || escaped ? "" : plain(content[to - 1]) };
}

/** An odd run of backslashes stands before the byte. */
function isEscaped(bytes: Uint8Array, start: number, at: number): boolean {
  let slashes = 0;
  for (let i = at - 1; i >= start && bytes[i] === BACKSLASH; i--) slashes++;
  return slashes % 2 === 1;
}

function plain(byte: number | undefined): string {
  return byte === undefined || byte <= SPACE || byte > 0x7e ? "" : String.fromCharCode(byte);
}

/** White space outside ASCII begins with one of these bytes in UTF-8. */
const SPACE_LEADS = new Set([0xc2, 0xe1, 0xe2, 0xe3, 0xef]);

function foreign(bytes: Uint8Array, lead: number): string {
  const byte = bytes[lead] ?? 0;
  return byte >= 0xc2 && !SPACE_LEADS.has(byte) ? "é" : "";
}

/** Offset of the lead byte of the character whose last byte is at `last`. */
function leadOf(bytes: Uint8Array, last: number): number {
  let at = last;
  while (at > 0 && ((bytes[at] ?? 0) & 0xc0) === 0x80) at--;
  return at;
}

/** The last offset up to `limit` at which neither an escape nor a character of the content is cut. */
export function wholeUntil(content: Uint8Array, limit: number): number {
  let end = 0;
  for (let i = 0; i <= limit && i <= content.length; ) {
    end = i;
    const byte = content[i] ?? 0;
    if (byte === BACKSLASH) i += content[i + 1] === LOWER_U ? 6 : 2;
    else i += byte < 0xc0 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
  }
  return end;
}
