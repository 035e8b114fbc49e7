import type { Cancel, FileSource } from "../ports";

/** Bytes read at once when nothing else is said: few round trips, and two of them are small beside a heap. */
export const CHUNK_BYTES = 4 * 1024 * 1024;
/** The first read is small so that the first rows appear at once; each next one doubles up to the chunk size. */
const FIRST_CHUNK_BYTES = 64 * 1024;
/** Longest line that is taken into memory; V8 holds no string above about 512 Mi units. */
export const MAX_LINE_BYTES = 256 * 1024 * 1024;

export const NEWLINE = 0x0a;

/** Whole lines. `bytes` ends after a newline, except at the end of the file. */
export interface LineBlock {
  readonly kind: "lines";
  readonly bytes: Uint8Array;
  /** Byte offset of the block in the file. */
  readonly start: number;
}

/** A line that is too long to be taken into memory; half-open byte range without its newline. */
export interface HugeLine {
  readonly kind: "huge";
  readonly start: number;
  readonly end: number;
}

export interface ScanOptions {
  readonly chunkBytes?: number;
  /** How far a line is followed over the end of a chunk before it counts as a long one, where chunks are read as rows. */
  readonly tailBytes?: number;
  /** Size from which a file is read by two threads, where there are two. */
  readonly helpedBytes?: number;
  readonly maxLineBytes?: number;
  /** What is added to a file is parsed up to this size; read as rows it would take longer. */
  readonly parsedBytes?: number;
}

/**
 * Cuts a file into blocks of whole lines. At most two chunks, or one longer line, are in memory: what follows the last
 * newline of a chunk is read again with the next one, so nothing is ever joined.
 */
export async function* lineBlocks(
  source: FileSource,
  start: number,
  cancel: Cancel,
  options: ScanOptions = {},
): AsyncGenerator<LineBlock | HugeLine> {
  const full = options.chunkBytes ?? CHUNK_BYTES;
  const maxLine = options.maxLineBytes ?? MAX_LINE_BYTES;
  const total = source.bytes;
  let chunk = Math.min(full, FIRST_CHUNK_BYTES);
  let at = start;
  let ahead: Promise<Uint8Array> | undefined;
  while (at < total && !cancel.isCancellationRequested) {
    const bytes = await (ahead ?? source.read(at, Math.min(at + chunk, total)));
    ahead = undefined;
    // The file shrank while it was read: what is gone cannot be waited for.
    if (bytes.length === 0) return;
    const endsFile = at + bytes.length >= total;
    const cut = endsFile ? bytes.length : bytes.lastIndexOf(NEWLINE) + 1;
    if (cut === 0) {
      const end = await findNewline(source, at + bytes.length, full, cancel);
      if (cancel.isCancellationRequested) return;
      const content = end === -1 ? total : end;
      const next = end === -1 ? total : end + 1;
      if (content - at > maxLine) yield { kind: "huge", start: at, end: content };
      else yield { kind: "lines", bytes: await source.read(at, next), start: at };
      at = next;
      continue;
    }
    const block = bytes.subarray(0, cut);
    const from = at;
    at += cut;
    chunk = Math.min(full, chunk * 2);
    if (at < total) {
      ahead = source.read(at, Math.min(at + chunk, total));
      // A failed read ahead is reported by the await that needs it, not as unhandled while the block is worked on.
      ahead.catch(ignore);
    }
    yield { kind: "lines", bytes: block, start: from };
  }
}

function ignore(): void {}

/** Offset of the first newline at or behind `from`; -1 when there is none. */
export async function findNewline(source: FileSource, from: number, chunk: number, cancel: Cancel): Promise<number> {
  for (let at = from; at < source.bytes && !cancel.isCancellationRequested; ) {
    const bytes = await source.read(at, Math.min(at + chunk, source.bytes));
    if (bytes.length === 0) return -1;
    const found = bytes.indexOf(NEWLINE);
    if (found !== -1) return at + found;
    at += bytes.length;
  }
  return -1;
}

/** Newlines in the half-open range. */
export function countNewlines(bytes: Uint8Array, start: number, end: number): number {
  let count = 0;
  for (let at = bytes.indexOf(NEWLINE, start); at !== -1 && at < end; at = bytes.indexOf(NEWLINE, at + 1)) count++;
  return count;
}
