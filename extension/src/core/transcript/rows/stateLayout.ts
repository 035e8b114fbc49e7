/**
 * Where things lie in the state that rows are folded into (extension/wasm/state.ts, fold.ts). Places are byte offsets from its
 * beginning. Word numbers, each of 32 bits:
 *
 * Header: as below; a list takes three words: place, elements used, room.
 * Thread: 0 turn (0: none) · 1 calls · 2 messages · 3 text of the model that its rows need not tell, or 0 · what rows added since it was
 * told: 4 newest call with usage (index + 1; 0: none), 5 messages, bytes, continuation bytes and four-byte characters of 6 to 8 text of users,
 * 9 to 11 text and arguments of the model, 12 to 14 results that are no notices, 15 how many those are · usage that rows state, all the while:
 * 16 to 23 four sums as 64-bit numbers, 24 to 27 calls with each of them, 28 calls with any · 29 the thread before it (see `touched`) · since it was
 * told: 32 to 34 notices of the usual form, 35 how many those are, 36 characters that they state beyond their own (64-bit).
 * Call of the model: 0 thread · 1 number · 2 turn · 3 text of the model, or 0 · 4 the reader told its usage · 5, 6 place and length of its time (-1: none, -2: a text) · 7 line
 * of its record · then as 64-bit numbers: 4 start · 5 end · 6 to 9 input, cache read, cache write, output (NaN: not stated).
 * Tool call (pair): 0 thread · 1 text of its id, or 0 · 2 text of the tool, or 0 · 3 number of the model call (0: none) · 4 turn · 5
 * an earlier one with its id (index + 1) · 6 answered · 7 line, start and end as before.
 * Path (messages of the main thread since a compaction): 0 order · 1 index · 2 role (0 user, 1 assistant, 2 tool, 3: kept by the reader,
 * number in word 1) · 3 turn · 4 first result · 5 results · 6 images · 7 line, start and end as before · 12 to 14 bytes, continuation
 * bytes and four-byte characters of its text · 15 to 17 of its arguments · 18 length of its time · 19 to 24 the time.
 * Ring of the newest results: 0 kind (1: of a row, 2: kept by the reader) · 1 index · 2 thread · 3 pair · 4 turn · 5 flags of the
 * block · 6 its index · 7 line, start and end as before · 12 to 14 size as above · 15 images.
 * Result that a row told, unless it is another notice than the usual one: 0 thread + 1 (else 0) · 1 code points · 2 four-byte
 * characters · 3 place of the notice, or 0: words 34 to 39 of its row, then the length of its beginning, a word, and that.
 * Tally: 0 count · then for the first ones 6 words each: 1 line, start and end.
 * Text: 0 hash · 1 space · 2 length in bytes · 3 value · then the bytes. Spaces: below.
 */
export const HEAD = {
  top: 1,
  results: 2,
  threads: 3,
  main: 4,
  otherIds: 5,
  uuids: 8,
  branchesEnd: 12,
  newestSaid: 13,
  ringCount: 14,
  pathRoom: 15,
  touched: 33,
  pathCut: 35,
} as const;

export const LIST = { threads: 19, calls: 22, pairs: 25, path: 28, ring: 31, tallies: 32, resultTexts: 68 } as const;

/** Bytes of an element of each list. */
export const BYTES = { thread: 160, call: 80, pair: 48, path: 104, ring: 64, tally: 488, resultText: 16 } as const;

export const RING_ROWS = 1000;
export const TALLIES = ["counted", "without", "same-message"] as const;

/** Value of the text of a call's id while a result waits for that call. */
export const EARLY = 0x40000000;

export const TEXT_HEAD = 16;

/** Texts of the same bytes are different ones in different spaces. Those of a thread begin at 4 times its number. */
export const SPACE = { ids: 0, requests: 1, names: -4, agents: -8 } as const;
/** Is added where a text takes two bytes per UTF-16 unit, because a unit is above U+007F. */
export const WIDE = 2;
