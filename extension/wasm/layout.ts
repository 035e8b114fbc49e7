// The same numbers as in extension/src/core/transcript/rows/layout.ts, which says what they mean.
export const LINES = 0;
export const USER = 1;
export const ASSISTANT = 2;
export const SYSTEM = 3;
export const OTHER = 4;
export const UNENDED = 5;
export const SIDECHAIN = 1 << 8;
export const NO_PROMPT = 1 << 9;
export const HIGH = 1 << 10;
export const HAS_USAGE = 1 << 11;
export const UUID_WORDS = 1 << 12;
export const UUID_TEXT = 1 << 13;
export const AGENT_PROGRESS = 1 << 14;
export const IS_ERROR = 1;
export const MAYBE_NOTICE = 2;
export const MAX_BLOCKS = 64;
export const ABSENT = -1;

// Where things lie in this module's memory; the static data of the compiler comes first.
export const KEYS: usize = 0x4000;
export const BLOCKS: usize = 0x8000;

/** Words of a row that come before its blocks. */
export const HEAD_WORDS = 44;
export const BLOCK_WORDS = 12;
