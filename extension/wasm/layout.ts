// The same numbers as in extension/src/core/transcript/rows/layout.ts, which says what they mean.
export const LINES = 0;
export const USER = 1;
export const ASSISTANT = 2;
export const SYSTEM = 3;
export const OTHER = 4;
export const UNENDED = 5;
export const SIDECHAIN = 1 << 8;
export const NO_PROMPT = 1 << 9;
export const HAS_USAGE = 1 << 11;
export const UUID_WORDS = 1 << 12;
export const UUID_TEXT = 1 << 13;
export const AGENT_PROGRESS = 1 << 14;
export const PLAIN = 1 << 15;
export const PROMPT = 1 << 16;
export const SILENT = 1 << 17;
export const PARENT = 1 << 18;
export const PARENT_TEXT = 1 << 19;
export const NEW_CALL = 1 << 20;
export const GROWN = 1 << 21;
export const LOOK = 1 << 22;
export const IS_ERROR = 1;
export const MAYBE_NOTICE = 2;
export const WRITTEN = 4;
export const MAX_BLOCKS = 64;
export const ABSENT = -1;

// Room of this instance in the memory that several share: hashes of keys, then the blocks of a message. The static data of the
// compiler lies below `0x4000` and is the same for all.
export let KEYS: usize = 0x4000;
export let BLOCKS: usize = 0x8000;
/** Where the rows with `LOOK` are in a piece, in words from the first; what comes after the most of them is only counted. */
export let LOOKS: usize = 0xc000;
export const MOST_LOOKS: usize = 0xfff;
/** Shapes of records (marks.ts). */
export let SHAPES: usize = 0x10000;

/** Another place for it, of 112 KB. */
export function moveScratch(at: usize): void {
  KEYS = at;
  BLOCKS = at + 0x4000;
  LOOKS = at + 0x8000;
  SHAPES = at + 0xc000;
}

/** Words of the row of a record that is no message. */
export const RECORD_WORDS = 14;
/** Words of a message's row that come before its blocks. */
export const HEAD_WORDS = 48;
export const BLOCK_WORDS = 12;
