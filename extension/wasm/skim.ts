import { results, uses } from "./blocks";
import {
  ASSISTANT,
  BLOCK_WORDS,
  BLOCKS,
  HEAD_WORDS,
  LINES,
  LOOK,
  LOOKS,
  MAX_BLOCKS,
  MOST_LOOKS,
  moveScratch,
  RECORD_WORDS,
  UNENDED,
} from "./layout";
import { NEWLINE, OPEN_OBJECT, RETURN, SPACE } from "./letters";
import { forgetShapes } from "./marks";
import { readRecord } from "./record";
import { beginPiece, beginRow, copy, put, row, takeBack, text } from "./row";

/**
 * Reads the records of a Claude Code session without making anything of them: one strict pass over the bytes of a piece of
 * the file that notes where the wanted fields lie and how long the texts are. AssemblyScript, compiled into
 * `extension/src/core/transcript/rows/skimModule.ts` (`npm run wasm`); a test compares the two.
 *
 * A record is told as a row of 32-bit words only when it is plain: sound JSON in the usual shape with every wanted field in
 * the type that agents write. Anything else is told as a range of lines (`LINES`) for the reader that understands all.
 * Row layouts are those of `extension/src/core/transcript/rows/layout.ts`.
 */

/** The next newline at or behind `from`, or `end`; there is a newline at `end`. */
export function findNewline(from: usize): usize {
  let at = from;
  while (true) {
    const found = i8x16.bitmask(i8x16.eq(v128.load(at), i8x16.splat(0x0a)));
    if (found !== 0) return at + i32.ctz(found);
    at += 16;
  }
}

export { fold } from "./fold";
export { addText, findText, findUuidWords, putUuidWords, textRoom } from "./ids";
export { appendTo, openState } from "./state";

/** Where a newline stands in the half-open range, or its end; what is behind it may be read. */
export function newlineIn(from: usize, to: usize): usize {
  let at = from;
  while (at < to) {
    const found = i8x16.bitmask(i8x16.eq(v128.load(at), i8x16.splat(0x0a)));
    if (found !== 0) {
      at += i32.ctz(found);
      return at < to ? at : to;
    }
    at += 16;
  }
  return to;
}

let lines: i32 = 0;

/** The place of this instance: 112 KB. */
export function openScratch(at: usize): void {
  moveScratch(at);
  forgetShapes();
}

/**
 * Skims the lines that begin in the half-open range from `from` to `limit`. The bytes reach to `end`, behind which there is
 * room for 128 more. `whole`: the file ends at `end`. Returns the number of words written from `out` on; when the room from
 * there to `outEnd` is used up, the rest is told as one range of lines. Leaves in the first three words at `BLOCKS` how many lines
 * were begun, how many bytes of names were copied from `textOut` on, and how many rows have `LOOK` (their places: `LOOKS`).
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
  beginPiece(from, textOut, textOutEnd);
  lines = 0;
  const behind = load<u64>(end);
  store<u8>(end, NEWLINE);
  let next = out;
  let looks: usize = 0;
  // A range of lines that is still growing.
  let range: usize = 0;
  let at = from;
  while (at < limit) {
    const line = lines;
    lines++;
    const isFull = next + (HEAD_WORDS + MAX_BLOCKS * BLOCK_WORDS) * 4 + 16 > outEnd;
    if (!isFull && load<u8>(at) === OPEN_OBJECT) {
      beginRow(next);
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
          if ((load<i32>(row) & LOOK) !== 0) {
            if (looks < MOST_LOOKS) store<i32>(LOOKS + (looks << 2), <i32>((next - out) >> 2));
            looks++;
          }
          next += rowBytes(load<i32>(row) & 0xff);
          range = 0;
          at = stop + 1;
          continue;
        }
      }
      takeBack(mark);
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
  store<i32>(BLOCKS, <i32>looks, 8);
  return <i32>((next - out) >> 2);
}

/** Brings the words of a row together; its length in bytes. */
export function rowBytes(kind: i32): usize {
  if (kind > ASSISTANT) return RECORD_WORDS * 4;
  const blocks = <usize>(uses + results) * BLOCK_WORDS * 4;
  copy(row + HEAD_WORDS * 4, BLOCKS, blocks);
  return <usize>(HEAD_WORDS * 4) + blocks;
}
