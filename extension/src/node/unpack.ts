import type { Unpacked, Unpacker } from "../core/ports";
import { opening } from "./openFile";

/** Unpacks in small pieces, so that a bomb never takes more than what is asked for. */
export const nodeUnpacker: Unpacker = {
  gunzip,
  // Few files are packed so; the decoder is loaded when one is met.
  unzstd: async (bytes, maxBytes) => (await opening(() => import("./unzstd"))).unzstd(bytes, maxBytes),
};

async function gunzip(bytes: Uint8Array, maxBytes: number): Promise<Unpacked> {
  // No file is opened for it, and few transcripts are packed.
  const { createGunzip } = await import("node:zlib");
  return new Promise((resolve) => {
    const stream = createGunzip();
    const parts: Uint8Array[] = [];
    let length = 0;
    const end = (state: Unpacked["state"]): void => {
      stream.removeAllListeners();
      // Destroying may report the abort as an error; it is already told as a state.
      stream.on("error", () => {});
      stream.destroy();
      resolve({ bytes: Buffer.concat(parts), state });
    };
    stream.on("data", (part: Uint8Array) => {
      const left = maxBytes - length;
      parts.push(part.length > left ? part.subarray(0, left) : part);
      length += Math.min(part.length, left);
      if (part.length > left) end("capped");
    });
    stream.on("end", () => {
      end("whole");
    });
    stream.on("error", () => {
      end("damaged");
    });
    stream.end(bytes);
  });
}
