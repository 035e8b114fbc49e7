import type { TextSize } from "../model/transcript";
import type { FastBytes, Utf8 } from "../ports";
import { measureText } from "../util/textSize";
import {
  type Ends,
  endsOf,
  findLongStrings,
  type LongString,
  measureEscaped,
  STAND_IN,
  unescapeJson,
  wholeUntil,
} from "./skim";

export type JsonObject = { readonly [key: string]: unknown };

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value under a key that the record itself holds; keys such as `__proto__` find nothing. */
export function own(value: unknown, key: string | number): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, key)
    ? (value as { readonly [key: string | number]: unknown })[key]
    : undefined;
}

/** A text, or a number as text; empty for everything else. Objects are not asked: a key `toString` of theirs is data. */
export function scalarText(value: unknown): string {
  return typeof value === "string" ? value : typeof value === "number" ? String(value) : "";
}

/**
 * How the strings of a parsed record relate to the text they stand for.
 * plain: pure ASCII, every size equals `length` · exact: real UTF-16 text · bytes: one unit per UTF-8 byte.
 */
export type StringKind = "plain" | "exact" | "bytes";

export type Parsed =
  | { readonly ok: true; readonly value: unknown; readonly texts: Texts; readonly validUtf8: boolean }
  | { readonly ok: false; readonly reason: string; readonly validUtf8: boolean };

/** Escapes of an ASCII character leave byte strings unambiguous; any other one does not. */
const WIDE_ESCAPE = /\\u(?!00[0-7])/;
/** Below this size a record is parsed as it is. */
const SKIM_BYTES = 1024;
const STAND_IN_CODE = STAND_IN.charCodeAt(0);

/**
 * Parses the bytes of one JSON value. This is the only place that decides how. Long strings are left in place, so bodies
 * that nobody looks at are never made. What remains is parsed one unit per byte, which is exact as long as no `\u` escape
 * puts a real code unit among the byte units. Without the platform's fast views the record is decoded and parsed whole.
 * Either way the strings of the value may not be real text: `texts` gives their sizes and texts.
 */
export function parseRecord(bytes: Uint8Array, utf8: Utf8): Parsed {
  const fast = utf8.fast;
  if (fast !== undefined) {
    const ascii = fast.isAscii(bytes);
    if (ascii || fast.isValid(bytes)) {
      const longs = bytes.length >= SKIM_BYTES ? findLongStrings(bytes) : undefined;
      const text = longs === undefined ? fast.latin1(bytes, 0, bytes.length) : withStandIns(bytes, longs, fast);
      const wide = text.includes("\\u") && WIDE_ESCAPE.test(text);
      const left = longs === undefined ? undefined : { bytes, longs, fast };
      if (!wide) return parseText(text, new Texts(ascii ? "plain" : "bytes", utf8, left), true);
      if (ascii && longs === undefined) return parseText(text, new Texts("exact", utf8), true);
    }
  }
  const { text, valid } = utf8.decode(bytes);
  return parseText(text, new Texts("exact", utf8), valid);
}

function withStandIns(bytes: Uint8Array, longs: readonly LongString[], fast: FastBytes): string {
  let text = "";
  let kept = 0;
  for (let i = 0; i < longs.length; i++) {
    const long = longs[i];
    if (long === undefined) break;
    text += fast.latin1(bytes, kept, long.start) + STAND_IN + i;
    kept = long.end;
  }
  return text + fast.latin1(bytes, kept, bytes.length);
}

function parseText(text: string, texts: Texts, validUtf8: boolean): Parsed {
  try {
    return { ok: true, value: JSON.parse(text) as unknown, texts, validUtf8 };
  } catch (error) {
    // SyntaxError for bad JSON; RangeError when the value is nested deeper than the engine bears.
    return { ok: false, reason: reasonOf(error), validUtf8 };
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof RangeError) return "it is nested too deeply";
  const message = error instanceof Error ? error.message : "";
  return /^Unexpected end|^Unterminated/.test(message) ? "it ends in the middle of a value" : "it is not JSON";
}

interface LeftInPlace {
  readonly bytes: Uint8Array;
  readonly longs: readonly LongString[];
  readonly fast: FastBytes;
}

/** A string kept outside the record's value: bytes of the record, or real text that was made from it. */
type Kept = { readonly content: Uint8Array; readonly fast: FastBytes } | { readonly text: string };

/** Text and sizes of the strings of one parsed record. Valid while the record is worked on. */
export class Texts {
  private made: string[] | undefined;

  constructor(
    readonly kind: StringKind,
    private readonly utf8: Utf8,
    private readonly left?: LeftInPlace,
  ) {}

  private kept(text: string): Kept | undefined {
    if (this.kind === "exact" || text.charCodeAt(0) !== STAND_IN_CODE || !text.startsWith(STAND_IN)) return undefined;
    const number = Number(text.slice(STAND_IN.length));
    const long = this.left?.longs[number];
    if (long !== undefined && this.left !== undefined) {
      return { content: this.left.bytes.subarray(long.start, long.end), fast: this.left.fast };
    }
    const made = this.made?.[number - (this.left?.longs.length ?? 0)];
    return made === undefined ? undefined : { text: made };
  }

  measure(text: string): TextSize {
    if (this.kind === "exact") return measureText(text);
    const kept = this.kept(text);
    if (kept !== undefined) {
      if ("text" in kept) return measureText(kept.text);
      const { content, fast } = kept;
      const size = measureEscaped(content, this.kind === "plain" || fast.isAscii(content));
      return size ?? measureText(this.textOf(content));
    }
    const bytes = text.length;
    if (this.kind === "plain") return { codePoints: bytes, utf16: bytes, bytes };
    let continuations = 0;
    let fours = 0;
    for (let i = 0; i < bytes; i++) {
      const byte = text.charCodeAt(i);
      continuations += (byte & 0xc0) === 0x80 ? 1 : 0;
      fours += byte >= 0xf0 ? 1 : 0;
    }
    const codePoints = bytes - continuations;
    return { codePoints, utf16: codePoints + fours, bytes };
  }

  /** Size of several strings joined. Measured as one text where a surrogate pair may straddle two of them. */
  measureAll(parts: readonly string[]): TextSize {
    if (parts.length === 1) return this.measure(parts[0] ?? "");
    if (parts.length === 0) return measureText("");
    return measureText(parts.map((part) => this.decode(part)).join(""));
  }

  /** The real text of a string of this record. */
  decode(text: string): string {
    if (this.kind === "exact") return text;
    const kept = this.kept(text);
    if (kept !== undefined) return "text" in kept ? kept.text : this.textOf(kept.content);
    if (this.kind === "plain" || isAsciiText(text)) return text;
    const bytes = new Uint8Array(text.length);
    for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
    return this.utf8.decode(bytes).text;
  }

  /** At least the first `length` UTF-16 units of a text, or all of a shorter one, without making a long one whole. */
  head(text: string, length: number): string {
    const kept = this.kept(text);
    // Six bytes (a `\u` escape) per unit are enough.
    if (kept === undefined || "text" in kept || kept.content.length <= length * 6) return this.decode(text);
    return this.textOf(kept.content.subarray(0, wholeUntil(kept.content, length * 6)));
  }

  /** First and last character of a text, as `endsOf` says. */
  ends(text: string): Ends {
    const kept = this.kept(text);
    if (kept !== undefined && "content" in kept) return endsOf(kept.content);
    const whole = kept === undefined ? text : kept.text;
    return { first: visible(whole.charCodeAt(0)), last: visible(whole.charCodeAt(whole.length - 1)) };
  }

  /** JSON without white space of a part of the record, as a string of this record; empty for a value nested too deeply. */
  compact(value: unknown): string {
    const json = compactJson(value);
    // Without stand-ins inside, the JSON is a string of the same kind as those it was made of.
    if (this.kind === "exact" || this.left === undefined || !json.includes(`"${STAND_IN}`)) return json;
    this.made ??= [];
    this.made.push(compactJson(realTexts(value, (text) => this.decode(text), 0)));
    return `${STAND_IN}${this.left.longs.length + this.made.length - 1}`;
  }

  /** A short string for display or pairing; undefined for anything else. */
  name(value: unknown): string | undefined {
    if (typeof value === "string") return value === "" ? undefined : this.decode(value);
    return typeof value === "number" ? String(value) : undefined;
  }

  /** For values that were parsed out of a decoded text of this record. */
  decoded(): Texts {
    return new Texts("exact", this.utf8);
  }

  private textOf(content: Uint8Array): string {
    return unescapeJson(this.utf8.decode(content).text);
  }
}

/** A printable ASCII character; empty for anything else, white space included. */
function visible(code: number): string {
  return code > 0x20 && code < 0x7f ? String.fromCharCode(code) : "";
}

function compactJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? "";
  } catch (error) {
    if (error instanceof RangeError) return "";
    throw error;
  }
}

/** Deeper values are dropped; nothing that agents write is nested like that. */
const REAL_DEPTH = 500;

function realTexts(value: unknown, decode: (text: string) => string, depth: number): unknown {
  if (typeof value === "string") return decode(value);
  if (typeof value !== "object" || value === null) return value;
  if (depth > REAL_DEPTH) return null;
  if (Array.isArray(value)) return value.map((item) => realTexts(item, decode, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [decode(key), realTexts(item, decode, depth + 1)]),
  );
}

function isAsciiText(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 0x7f) return false;
  return true;
}
