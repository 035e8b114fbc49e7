/** Bytes of a page; what is divided into pages has a multiple of 16. */
const PAGE = 4096;
/** Pages that are looked at or handed on at once. */
const PIECE_PAGES = 64;

/** Bytes of a known length that can be copied part by part. */
interface Stretch {
  readonly length: number;
  /** Puts the bytes from `from` on into `into`, as far as they go; how many those are. */
  copyTo(into: Uint8Array, from: number): number;
}

/**
 * Bytes of which some pages are nothing but zeros, in a form without those: their length, which pages there are (a byte each, so that the
 * rest begins at a multiple of 16), and the pages. A piece is there until the next one is asked for.
 */
export function* writtenPages(stretch: Stretch): Generator<Uint8Array> {
  const { length } = stretch;
  const there = new Uint8Array(marksOf(length));
  const room = new Uint8Array(PIECE_PAGES * PAGE);
  for (let at = 0; at < length; at += room.length) {
    const bytes = stretch.copyTo(room, at);
    for (let from = 0; from < bytes; from += PAGE) {
      if (!isZero(room.subarray(from, Math.min(from + PAGE, bytes)))) there[(at + from) / PAGE] = 1;
    }
  }
  const head = new Uint8Array(16);
  new DataView(head.buffer).setFloat64(0, length, true);
  yield head;
  if (there.length > 0) yield there;
  let used = 0;
  for (let number = 0; number * PAGE < length; number++) {
    if (there[number] !== 1) continue;
    if (used + PAGE > room.length) {
      yield room.subarray(0, used);
      used = 0;
    }
    used += stretch.copyTo(room.subarray(used, used + PAGE), number * PAGE);
  }
  if (used > 0) yield room.subarray(0, used);
}

/** What `writtenPages` gave, and the offset behind it; undefined when it is not whole. */
export function readPages(written: Uint8Array): { readonly bytes: Uint8Array; readonly end: number } | undefined {
  if (written.length < 16) return undefined;
  const length = new DataView(written.buffer, written.byteOffset, 16).getFloat64(0, true);
  if (!Number.isSafeInteger(length) || length < 0) return undefined;
  let at = 16 + marksOf(length);
  if (at > written.length) return undefined;
  const there = written.subarray(16, at);
  const bytes = new Uint8Array(length);
  for (let from = 0; from < length; from += PAGE) {
    if (there[from / PAGE] !== 1) continue;
    const page = written.subarray(at, at + Math.min(PAGE, length - from));
    if (page.length < Math.min(PAGE, length - from)) return undefined;
    bytes.set(page, from);
    at += page.length;
  }
  return { bytes, end: at };
}

function marksOf(length: number): number {
  return Math.ceil(length / PAGE / 16) * 16;
}

function isZero(bytes: Uint8Array): boolean {
  const words = new Float64Array(bytes.buffer, bytes.byteOffset, bytes.length / 8);
  // The bits of a negative zero are not all zero.
  for (let i = 0; i < words.length; i++) if (!Object.is(words[i], 0)) return false;
  return true;
}
