import { Buffer, isAscii, isUtf8 } from "node:buffer";
import type { Utf8 } from "../core/ports";

/** WHATWG decoding: each maximal broken sequence becomes one U+FFFD. */
/** Making one takes longer than decoding a short text; it keeps nothing between calls. */
const DECODER = new TextDecoder("utf-8", { ignoreBOM: true });

export const nodeUtf8: Utf8 = {
  decode(bytes) {
    const text = DECODER.decode(bytes);
    return { text, valid: isUtf8(bytes) };
  },
  fast: {
    latin1: (bytes, start, end) => asBuffer(bytes).toString("latin1", start, end),
    isAscii,
    isValid: isUtf8,
  },
};

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
