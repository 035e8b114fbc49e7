import type { PersistedInfo, RecordPlace, ResultState, TextSize, Usage } from "../../model/transcript";
import { recogniseWritten } from "../../results/claudeCode";
import { NO_TEXT } from "../inputs";

/**
 * What the skimmer (extension/wasm) tells about a piece of a Claude Code session: a row of 32-bit words per record.
 *
 * All rows: 0 kind (low 8 bits) and flags · 1, 2 half-open byte range of the record from the first line of the piece on · 3 its
 * line, from 0. A range of lines (`LINES`) has nothing more, nor has a line whose end was not seen (`UNENDED`). Records go on
 * with 4 to 7: the uuid as four words, or offset and length of its text · 8, 9 the type, for `OTHER` · 10 to 13 the parent, for
 * `SYSTEM`; their rows end here. Messages go on with offset and length of 10 agentId · 12 timestamp · 14 requestId · 16
 * message.id · 18 message.model (a length of 0: not stated) · 20 to 23 usage: input, cache read, cache write, output (-1: not
 * stated) · 24 parts of the text, 25 to 27 their bytes, continuation bytes and four-byte characters, 28, 29 byte range (offset,
 * length) of the first part · 30 images · 31 to 33 arguments of tool calls like 25 to 27 · 34 what the record's `toolUseResult`
 * is, 35, 36, 39 the UTF-16 units of its texts (`COPY_…`) · 37 calls, 38 results; the message holds only one of both · 44 to 47
 * the parent, for users' messages without results. From 48 on 12 words for each: a call has 0 id, 2 name; a result 0 id, 2
 * index of its block, 3 flags, 4 parts, 5 to 7 like 25 to 27, 8, 9 byte range of the last part, 10 images.
 *
 * A row that was folded into the state (stateLayout.ts) says in 28 the number of its call, in 40 its index there · 41 number of the thread · 42 turn
 * (0: none) · 43 index of the message · in 20 to 23 the largest usage so far; a result in 8 its index, in 11 the index of its pair.
 *
 * Offsets of texts count characters of the names that come with the rows.
 */
export const LINES = 0;
export const USER = 1;
export const ASSISTANT = 2;
export const SYSTEM = 3;
export const OTHER = 4;
export const UNENDED = 5;

export const KIND = 0xff;
export const SIDECHAIN = 1 << 8;
/** The record says itself that no person wrote it. */
export const NO_PROMPT = 1 << 9;
export const HAS_USAGE = 1 << 11;
export const UUID_WORDS = 1 << 12;
export const UUID_TEXT = 1 << 13;
export const AGENT_PROGRESS = 1 << 14;
/** Set by `Skimmer`: the record needs the reader that understands all, after all. */
export const PLAIN = 1 << 15;
/** A person's prompt. */
export const PROMPT = 1 << 16;
/** The record holds nothing of the conversation, by its type. */
export const SILENT = 1 << 17;
/** The record's parent is told, as four words · it may be stated, but not as a UUID. */
export const PARENT = 1 << 18;
export const PARENT_TEXT = 1 << 19;
/** Set when the row is folded: its request is a new call · one whose usage grew. */
export const NEW_CALL = 1 << 20;
export const GROWN = 1 << 21;
/** Something is left to `Skimmer`: types of records, beginnings of prompts, and notices. */
export const LOOK = 1 << 22;

export const IS_ERROR = 1;
export const MAYBE_NOTICE = 2;
/** The result is the usual notice; word 9 says where its beginning stands among the names. */
export const WRITTEN = 4;

/** `toolUseResult` is a text (word 35) · an object with the texts `stdout` (35), `content` (36), `result` (39) · not plain. */
export const COPY_TEXT = 1;
export const COPY_OBJECT = 2;
export const COPY_OTHER = 3;

export const LINES_WORDS = 4;
export const RECORD_WORDS = 14;
export const HEAD_WORDS = 48;
export const BLOCK_WORDS = 12;

/** Words of the row that begins at `at`. */
export function rowWords(rows: Int32Array, at: number): number {
  const kind = (rows[at] ?? 0) & KIND;
  if (kind === USER || kind === ASSISTANT) {
    return HEAD_WORDS + BLOCK_WORDS * ((rows[at + 37] ?? 0) + (rows[at + 38] ?? 0));
  }
  return kind === LINES || kind === UNENDED ? LINES_WORDS : RECORD_WORDS;
}

/** The record that a row tells of; `line`: on which its piece begins. */
export function placeOf({ rows, start }: Pick<Skimmed, "rows" | "start">, at: number, line: number): RecordPlace {
  return { line: line + (rows[at + 3] ?? 0), start: start + (rows[at + 1] ?? 0), end: start + (rows[at + 2] ?? 0) };
}

/** The name whose offset and length stand at `at`. */
export function nameAt(names: string, rows: Int32Array, at: number): string {
  const from = rows[at] ?? 0;
  return names.slice(from, from + (rows[at + 1] ?? 0));
}

/** The sizes whose three words begin at `at`. */
export function sizeAt(rows: Int32Array, at: number): TextSize {
  return sizeOf(rows[at] ?? 0, rows[at + 1] ?? 0, rows[at + 2] ?? 0);
}

/** The message at `at` holds nothing but results. */
export function isOnlyResults(rows: Int32Array, at: number): boolean {
  return (rows[at + 38] ?? 0) > 0 && rows[at + 25] === 0 && rows[at + 30] === 0;
}

/** The usage that the row at `at` states. */
export function usageAt(rows: Int32Array, at: number): Usage | undefined {
  if (((rows[at] ?? 0) & HAS_USAGE) === 0) return undefined;
  const count = (word: number): number | undefined => {
    const value = rows[at + word] ?? -1;
    return value < 0 ? undefined : value;
  };
  const usage = { input: count(20), cacheRead: count(21), cacheWrite: count(22), output: count(23) };
  return usage.input === undefined &&
    usage.cacheRead === undefined &&
    usage.cacheWrite === undefined &&
    usage.output === undefined
    ? undefined
    : usage;
}

/** Sizes of a text from what a row says: bytes, and how many of them continue a character and begin one of four bytes. */
export function sizeOf(bytes: number, continuations: number, fours: number): TextSize {
  if (bytes === 0) return NO_TEXT;
  const codePoints = bytes - continuations;
  return { codePoints, utf16: codePoints + fours, bytes };
}

/** What a result says about text that lies elsewhere. */
export interface Notice {
  readonly state: ResultState;
  readonly persisted: PersistedInfo | undefined;
  /** Number of the first word of its record's row. */
  readonly row: number;
}

/** The result of a block is a notice. */
export type Recognised = Pick<Notice, "state" | "persisted">;

/** What is recognised in the beginning of a notice (`WRITTEN`) whose text has that size. */
export function writtenNotice(head: string, { utf16 }: Pick<TextSize, "utf16">): Recognised {
  const found = recogniseWritten(head, utf16);
  if (found === undefined) throw new Error(`the skimmer takes this for a notice: ${head}`);
  return found;
}

/** Undefined where the result of the block at `block` is no notice. */
export function noticeAt(piece: Pick<Skimmed, "rows" | "names" | "notices">, block: number): Recognised | undefined {
  const { rows, notices } = piece;
  if (((rows[block + 3] ?? 0) & WRITTEN) === 0) return notices.size === 0 ? undefined : notices.get(block);
  const place = rows[block + 9] ?? 0;
  return writtenNotice(piece.names.slice(place >>> 11, (place >>> 11) + (place & 0x7ff)), sizeAt(rows, block + 5));
}

/** Path of a result's content, by the index of its block; a row has no more than 64. */
export const PATHS: readonly (readonly (string | number)[])[] = Array.from({ length: 64 }, (_, index) => [
  "message",
  "content",
  index,
  "content",
]);

export interface PieceSizes {
  /** Most bytes of a piece. */
  readonly piece: number;
  /** Bytes over which its last line is followed behind it. */
  readonly tail: number;
}

/** Where a thread works in the shared memory. */
export interface SkimRoom {
  readonly sizes: PieceSizes;
  /** What `Wasm.join` takes. */
  readonly shared: unknown;
  /** Address of the thread's own part: room for the module, then the bytes of a piece. */
  readonly own: number;
  /** Address of the first slot; each has room for the rows of a piece, then for its names. */
  readonly slots: number;
}

/** Room for a piece's rows and names; what goes beyond is told as ranges of lines. */
export const SLOT_ROWS = 2 * 1024 * 1024;
export const SLOT_NAMES = 512 * 1024;
export const SLOT_BYTES = SLOT_ROWS + SLOT_NAMES;

/** What was put into a slot. */
export interface SlotFilling {
  readonly slot: number;
  /** Words of all rows. */
  readonly words: number;
  /** Bytes of names and ids. */
  readonly nameBytes: number;
  /** Offset in the file of the first line that begins in the piece. */
  readonly start: number;
  /** Lines that begin in the piece. */
  readonly lines: number;
  /** Results that are notices, by the number of their first word, in that order. */
  readonly notices: ReadonlyMap<number, Notice>;
}

/** The rows of one piece. They are there until their slot is used again. */
export interface Skimmed extends SlotFilling {
  readonly rows: Int32Array;
  /** Addresses. */
  readonly rowsAt: number;
  readonly namesAt: number;
  /** Names and ids, one behind the other. */
  readonly names: string;
}
