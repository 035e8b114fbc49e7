import type { TextSize } from "../model/transcript";

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const ZERO = 0x30;
const LOWER_U = 0x75;

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
  for (let quote = bytes.indexOf(QUOTE); quote !== -1; ) {
    const start = quote + 1;
    const end = closingQuote(bytes, start);
    if (end === -1) return undefined;
    // Long strings are replaced by a text that begins with U+0000; one that is already there must not be taken for it.
    if (bytes[start] === BACKSLASH && startsWithNul(bytes, start)) return undefined;
    if (end - start >= LONG_BYTES) longs.push({ start, end });
    quote = bytes.indexOf(QUOTE, end + 1);
  }
  return longs.length === 0 ? undefined : longs;
}

function closingQuote(bytes: Uint8Array, start: number): number {
  for (let quote = bytes.indexOf(QUOTE, start); quote !== -1; quote = bytes.indexOf(QUOTE, quote + 1)) {
    let slash = quote;
    while (slash > start && bytes[slash - 1] === BACKSLASH) slash--;
    if ((quote - slash) % 2 === 0) return quote;
  }
  return -1;
}

function startsWithNul(bytes: Uint8Array, start: number): boolean {
  if (bytes[start + 1] !== LOWER_U) return false;
  for (let i = start + 2; i < start + 6; i++) if (bytes[i] !== ZERO) return false;
  return true;
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
        (content[at + 4] ?? 0) <= 0x37;
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
 * First and last character of the content of a JSON string, white space aside; an empty text where one of them is not
 * plain ASCII or is written as an escape.
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
  const first = content[from] === BACKSLASH ? "" : plain(content[from]);
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
