import type { PersistedInfo, ResultState } from "../../model/transcript";

/**
 * What the skimmer (extension/wasm) tells about a piece of a Claude Code session: a row of 32-bit words per record.
 *
 * All rows: 0 kind (low 8 bits) and flags · 1, 2 half-open byte range of the record from the first line of the piece on · 3 its
 * line, from 0. A range of lines (`LINES`) has nothing more, nor has a line whose end was not seen (`UNENDED`). Records go on
 * with 4 to 7: the uuid as four words, or offset and length of its text · 8, 9 the type, for `OTHER`; their rows end here.
 * Messages go on with offset and length of 10 agentId · 12 timestamp · 14 requestId · 16 message.id · 18 message.model (a
 * length of 0: not stated) · 20 to 23 usage: input, cache read, cache write, output (-1: not stated) · 24 parts of the text,
 * 25 to 27 their bytes, continuation bytes and four-byte characters, 28, 29 byte range (offset, length) of the first part · 30
 * images · 31 to 33 arguments of tool calls like 25 to 27 · 34 what the record's `toolUseResult` is, 35, 36, 39 the UTF-16 units
 * of its texts (`COPY_…`) · 37 calls, 38 results; the message holds only one of both · 40 a hash of message.id. From 44 on
 * 12 words for each: a call has 0 id, 2 name; a result 0 id, 2 index of its block, 3 flags, 4 parts, 5 to 7 like 25 to 27, 8, 9
 * byte range of the last part, 10 images; 11 is a hash of the id.
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
/** There are bytes above 0x7F; whether they are UTF-8 is not known. */
export const HIGH = 1 << 10;
export const HAS_USAGE = 1 << 11;
export const UUID_WORDS = 1 << 12;
export const UUID_TEXT = 1 << 13;
export const AGENT_PROGRESS = 1 << 14;
/** Set by `Skimmer`: the record needs the reader that understands all, after all. */
export const PLAIN = 1 << 15;
/** Set by `Skimmer`: a person's prompt. */
export const PROMPT = 1 << 16;

export const IS_ERROR = 1;
export const MAYBE_NOTICE = 2;

/** `toolUseResult` is a text (word 35) · an object with the texts `stdout` (35), `content` (36), `result` (39) · not plain. */
export const COPY_TEXT = 1;
export const COPY_OBJECT = 2;
export const COPY_OTHER = 3;

export const LINES_WORDS = 4;
export const RECORD_WORDS = 10;
export const HEAD_WORDS = 44;
export const BLOCK_WORDS = 12;

/** Words of the row that begins at `at`. */
export function rowWords(rows: Int32Array, at: number): number {
  const kind = (rows[at] ?? 0) & KIND;
  if (kind === USER || kind === ASSISTANT) {
    return HEAD_WORDS + BLOCK_WORDS * ((rows[at + 37] ?? 0) + (rows[at + 38] ?? 0));
  }
  return kind === LINES || kind === UNENDED ? LINES_WORDS : RECORD_WORDS;
}

/** What a result says about text that lies elsewhere. */
export interface Notice {
  readonly state: ResultState;
  readonly persisted: PersistedInfo | undefined;
}

export interface PieceSizes {
  /** Most bytes of a piece. */
  readonly piece: number;
  /** Bytes over which its last line is followed behind it. */
  readonly tail: number;
}

/** The rows of one piece. */
export interface Skimmed {
  readonly rows: Int32Array;
  /** Names and ids, one behind the other. */
  readonly names: string;
  /** Results that are notices, by the index of their first word. */
  readonly notices: ReadonlyMap<number, Notice>;
  /** Offset in the file of the first line that begins in the piece. */
  readonly start: number;
  /** Lines that begin in the piece. */
  readonly lines: number;
}

/** All pieces are made here, so that they have one shape for the engine, whichever thread they come from. */
export function pieceOf(
  rows: Int32Array,
  { names, notices, start, lines }: Pick<Skimmed, "names" | "notices" | "start" | "lines">,
): Skimmed {
  return { rows, names, notices, start, lines };
}
