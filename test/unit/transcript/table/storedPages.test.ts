import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readPages, writtenPages } from "../../../../extension/src/core/transcript/table/storedPages";

const written = (bytes: Uint8Array): Uint8Array => {
  const copyTo = (into: Uint8Array, from: number): number => {
    const part = bytes.subarray(from, from + into.length);
    into.set(part);
    return part.length;
  };
  const pieces: Uint8Array[] = [];
  for (const piece of writtenPages({ length: bytes.length, copyTo })) {
    expect(piece.length % 16).toBe(0);
    pieces.push(piece.slice());
  }
  return new Uint8Array(Buffer.concat(pieces));
};

describe("bytes without the pages that are zeros", () => {
  it("are read back as they were, whatever stands behind them", () => {
    const mark = fc.tuple(
      fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      fc.constantFrom(1, 0x80, 0xff),
    );
    fc.assert(
      fc.property(fc.nat(40_000), fc.array(mark, { maxLength: 12 }), fc.nat(50), (sixteens, marks, more) => {
        const bytes = new Uint8Array(sixteens * 16);
        for (const [at, byte] of marks) if (bytes.length > 0) bytes[Math.floor(at * bytes.length)] = byte;
        const stored = written(bytes);
        const read = readPages(new Uint8Array(Buffer.concat([stored, new Uint8Array(more).fill(7)])));
        expect(read?.end).toBe(stored.length);
        expect(Buffer.compare(read?.bytes ?? new Uint8Array(1), bytes)).toBe(0);
        // Each mark keeps a page at most.
        expect(stored.length).toBeLessThanOrEqual(16 + bytes.length / 4096 + 16 + marks.length * 4096);
      }),
      { seed: 20261130, numRuns: 100 },
    );
  });

  it("are nothing where they are cut off", () => {
    const stored = written(new Uint8Array(10_000 * 16).fill(3));
    for (const length of [0, 8, 15, 16, 40, stored.length - 1])
      expect(readPages(stored.slice(0, length))).toBeUndefined();
    expect(readPages(stored)?.bytes.length).toBe(160_000);
  });
});
