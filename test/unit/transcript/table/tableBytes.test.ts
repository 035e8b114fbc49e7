import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { tableOf, tableParts } from "../../../../extension/src/core/transcript/table/tableBytes";
import { TranscriptTable } from "../../../../extension/src/core/transcript/table/transcriptTable";
import { checksum, packedPieces, unpacked } from "../../../../extension/src/core/util/packed";
import { SAMPLES } from "../samples";
import { events, memorySource } from "../support";

function packed(table: TranscriptTable): Uint8Array {
  return new Uint8Array(Buffer.concat(packedPieces(tableParts(table))));
}

describe("a table as bytes", () => {
  it.each(SAMPLES)("%s: gives the same facts again, and can be added to", async (_, format, content) => {
    const told = await events(memorySource(content), { format });
    const cut = Math.floor(told.length / 2);
    const whole = new TranscriptTable();
    whole.add(told);
    const table = new TranscriptTable();
    table.add(told.slice(0, cut));
    const parts = unpacked(packed(table));
    const again = parts && tableOf(parts);
    expect(again?.toIndex()).toEqual(table.toIndex());
    again?.add(told.slice(cut));
    expect(again?.toIndex()).toEqual(whole.toIndex());
  });

  it("an empty one too", () => {
    const parts = unpacked(packed(new TranscriptTable()));
    expect(parts && tableOf(parts)?.toIndex()).toEqual(new TranscriptTable().toIndex());
  });

  it("bytes that are cut are noticed", async () => {
    const table = new TranscriptTable();
    table.add(await events(memorySource(SAMPLES[0]?.[2] ?? "")));
    const bytes = packed(table);
    for (let length = 0; length < bytes.length; length += 13) {
      expect(unpacked(bytes.slice(0, Math.min(length, bytes.length - 16)))).toBeUndefined();
    }
  });
});

describe("checksum", () => {
  it("is the same over pieces", () => {
    const bytes = Uint8Array.from({ length: 1_003 }, (_, i) => i * 7);
    const pieces = [bytes.slice(0, 16), bytes.slice(16, 512), bytes.slice(512)];
    expect(checksum(pieces)).toBe(checksum([bytes]));
  });

  it("changes with every byte, and with the length", () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 1, maxLength: 70 }),
        fc.nat(),
        fc.integer({ min: 1, max: 255 }),
        (bytes, at, by) => {
          const before = checksum([bytes.slice()]);
          const other = bytes.slice();
          other[at % bytes.length] = (other[at % bytes.length] ?? 0) ^ by;
          expect(checksum([other])).not.toBe(before);
          expect(checksum([Uint8Array.from([...bytes, 0])])).not.toBe(before);
          expect(checksum([bytes.slice()])).toBe(before);
        },
      ),
      { seed: 3, numRuns: 2_000 },
    );
  });
});
