import { Decompress } from "fzstd";
import type { Unpacked } from "../core/ports";

/** Windows up to this many bytes are unpacked: what levels up to 19 need, twice over (RFC 8878 asks for 8 MiB at least). */
export const MAX_WINDOW_BYTES = 16 * 1024 * 1024;
/** The decoder moves its whole window for every block; so many bytes take a few seconds, and a whole file at level 19 a quarter of them. */
const MAX_MOVED_BYTES = 64 * 1024 * 1024 * 1024;

const MAGIC = 0xfd2fb528;
/** Frames of other people's data, which are passed over: 16 magic numbers from here on. */
const SKIPPED = 0x184d2a50;

class Full extends Error {}

/** Unpacks Zstandard, with all frames that stand one after another. See `Unpacker`. */
export function unzstd(bytes: Uint8Array, maxBytes: number): Unpacked {
  const demand = demandOf(bytes);
  if (demand.window > MAX_WINDOW_BYTES || demand.moved > MAX_MOVED_BYTES)
    return { bytes: new Uint8Array(0), state: "window" };
  const parts: Uint8Array[] = [];
  let left = maxBytes;
  const decoder = new Decompress((part) => {
    // The decoder uses its memory again.
    parts.push(part.slice(0, left));
    if (part.length > left) throw new Full();
    left -= part.length;
  });
  let state: Unpacked["state"] = "whole";
  try {
    decoder.push(bytes, true);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    // The decoder meets bad input in many ways, by errors of its own and by those of the lists that it reads.
    state = error instanceof Full ? "capped" : "damaged";
  }
  return { bytes: Buffer.concat(parts), state };
}

interface Demand {
  /** Bytes that the greediest frame wants to have before it. */
  readonly window: number;
  /** Bytes that are moved for all blocks together. */
  readonly moved: number;
}

/** What unpacking will take (RFC 8878, 3.1.1). What is damaged ends the walk; the decoder meets it again. */
function demandOf(bytes: Uint8Array): Demand {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let window = 0;
  let moved = 0;
  for (let at = 0; at + 8 <= bytes.length; ) {
    const magic = view.getUint32(at, true);
    if (magic >>> 4 === SKIPPED >>> 4) {
      at += 8 + view.getUint32(at + 4, true);
      continue;
    }
    const frame = magic === MAGIC ? frameAt(view, at + 4) : undefined;
    if (frame === undefined) break;
    window = Math.max(window, frame.window);
    moved += frame.window * frame.blocks;
    at = frame.end;
  }
  return { window, moved };
}

/** A frame's window in bytes, its blocks, and the offset behind it. */
function frameAt(
  view: DataView,
  at: number,
): { readonly window: number; readonly blocks: number; readonly end: number } | undefined {
  const descriptor = view.getUint8(at);
  const isSingle = (descriptor & 0x20) !== 0;
  const dictionaryBytes = [0, 1, 2, 4][descriptor & 3] ?? 0;
  const sizeBytes = [isSingle ? 1 : 0, 2, 4, 8][descriptor >>> 6] ?? 0;
  const sizeAt = at + 1 + (isSingle ? 0 : 1) + dictionaryBytes;
  let block = sizeAt + sizeBytes;
  if (block + 3 > view.byteLength) return undefined;
  const window = isSingle ? contentBytes(view, sizeAt, sizeBytes) : windowBytes(view.getUint8(at + 1));
  let blocks = 0;
  for (let last = false; !last && block + 3 <= view.byteLength; blocks++) {
    const head = view.getUint16(block, true) | (view.getUint8(block + 2) << 16);
    last = (head & 1) === 1;
    // A block of one repeated byte holds that byte alone.
    block += 3 + (((head >>> 1) & 3) === 1 ? 1 : head >>> 3);
  }
  return { window, blocks, end: block + ((descriptor & 4) === 0 ? 0 : 4) };
}

function windowBytes(descriptor: number): number {
  const base = 2 ** (10 + (descriptor >>> 3));
  return base + (base / 8) * (descriptor & 7);
}

function contentBytes(view: DataView, at: number, bytes: number): number {
  if (bytes === 1) return view.getUint8(at);
  if (bytes === 2) return view.getUint16(at, true) + 256;
  if (bytes === 4) return view.getUint32(at, true);
  return Number(view.getBigUint64(at, true));
}
