import { BACKSLASH, is, QUOTE, SPACE } from "./letters";
import { isDigit } from "./values";

/** How far the beginning of a block is followed, bytes. */
const HEAD = 1024;
/** `\n...\n</persisted-output>` as it is written. */
const TAIL = 26;

/** The size that the block read last states: characters. */
export let stated: f64 = 0;
/** Its unit rounds. */
export let rounded: bool = false;

/**
 * The place behind the beginning of the usual notice (`recogniseWritten` in core/results/claudeCode.ts): the line above its preview
 * included. 0 when the content from `from` to `end` is none, or is written otherwise than agents do.
 */
export function readWritten(from: usize, end: usize): usize {
  if (end < from + HEAD + TAIL || load<u8>(from) !== 0x3c) return 0;
  if (!is(from, 31, "<persisted-output>\\nOutput too ") || !is(from + 31, 7, "large (")) return 0;
  if (load<u8>(end - TAIL - 1) === BACKSLASH || !is(end - TAIL, TAIL, "\\n...\\n</persisted-output>")) return 0;
  let at = readSize(from + 38);
  if (at === 0 || !is(at, 25, "). Full output saved to: ")) return 0;
  const limit = from + HEAD;
  at = plainEnd(at + 25, limit);
  if (!isLineEnd(at)) return 0;
  while (at < limit && isLineEnd(at)) at += 2;
  if (!is(at, 15, "Preview (first ")) return 0;
  at = plainEnd(at + 15, limit);
  return at + 2 <= limit && isLineEnd(at) ? at + 2 : 0;
}

/** The size of a block whose beginning is at `from`. */
export function readStated(from: usize): void {
  readSize(from + 38);
}

function isLineEnd(at: usize): bool {
  return load<u8>(at) === BACKSLASH && load<u8>(at, 1) === 0x6e;
}

/** Where printable ASCII without quotes and backslashes ends. */
function plainEnd(from: usize, limit: usize): usize {
  let at = from;
  for (; at < limit; at++) {
    const byte = <u32>load<u8>(at);
    if (byte < SPACE || byte > 0x7e || byte === QUOTE || byte === BACKSLASH) break;
  }
  return at;
}

/** `83.7KB`, `512 bytes`; the place behind it, or 0. */
function readSize(from: usize): usize {
  let at = from;
  let value: f64 = 0;
  for (; isDigit(at); at++) value = value * 10 + <f64>(load<u8>(at) - 0x30);
  if (at === from || at > from + 12) return 0;
  let scale: f64 = 1;
  if (load<u8>(at) === 0x2e) {
    const point = ++at;
    for (; isDigit(at); at++) {
      value = value * 10 + <f64>(load<u8>(at) - 0x30);
      scale *= 10;
    }
    if (at === point || at > point + 3) return 0;
  }
  if (load<u8>(at) === SPACE) at++;
  let factor: f64 = 0;
  let length = 2;
  if (is(at, 2, "KB")) factor = 1024;
  else if (is(at, 2, "MB")) factor = 1024 * 1024;
  else if (is(at, 2, "GB")) factor = 1024 * 1024 * 1024;
  else if (is(at, 2, "B)")) {
    factor = 1;
    length = 1;
  } else if (is(at, 6, "bytes)")) {
    factor = 1;
    length = 5;
  }
  if (factor === 0) return 0;
  // At most 15 digits, so that the quotient is the number that they write.
  stated = floor((value / scale) * factor + 0.5);
  rounded = factor > 1;
  return at + length;
}
