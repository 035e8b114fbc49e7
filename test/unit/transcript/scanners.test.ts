import { describe, expect, it } from "vitest";
import * as row from "../../../extension/src/core/transcript/rows/layout";
import { Skimmer, skimMemory } from "../../../extension/src/core/transcript/rows/skimmer";
import { nodeUtf8 } from "../../../extension/src/node/utf8";
import { nodeWasm } from "../../../extension/src/node/wasm";

/** The scanners look at 16 and 64 bytes at a time. */
const ALIGNMENTS = Array.from({ length: 64 }, (_, i) => i);
const LENGTHS = [...Array.from({ length: 83 }, (_, i) => i), 111, 112, 113, 127, 128, 129, 191, 192, 193];

function memoryOf(piece: number) {
  const memory = skimMemory(nodeWasm, nodeUtf8, { piece, tail: 1024 }, 1, 1);
  const [room] = memory?.rooms ?? [];
  const { fast } = nodeUtf8;
  if (memory === undefined || room === undefined || fast === undefined) throw new Error("no skimmer here");
  return { memory, skimmer: new Skimmer(memory.wasm, room, nodeUtf8, fast) };
}

/** Bytes, continuation bytes and four-byte characters of the text that the content of a JSON string stands for, byte by byte. */
function plainSizes(content: Buffer): readonly number[] {
  const bytes = Buffer.from(JSON.parse(`"${content.toString()}"`) as string);
  let [continuations, fours] = [0, 0];
  for (const byte of bytes) {
    if ((byte & 0xc0) === 0x80) continuations++;
    if (byte >= 0xf0) fours++;
  }
  return [bytes.length, continuations, fours];
}

/** Rows of one piece that is all of the file. */
function rowsOf(data: Buffer) {
  const { skimmer } = memoryOf(data.length);
  const fill = (into: Uint8Array, start: number): number => {
    const part = data.subarray(start, start + into.length);
    into.set(part);
    return part.length;
  };
  const file = { fill, take: () => data, close: () => {} };
  const filling = skimmer.skim(file, { from: 0, to: data.length, first: true }, data.length, 0);
  if (filling === undefined) throw new Error("nothing was skimmed");
  return skimmer.piece(filling).rows;
}

const lineOf = (shift: number, content: string): string =>
  `{"type":"user","message":{"filler":"${"f".repeat(shift)}","content":"${content}"}}\n`;

describe("texts are measured as byte by byte", () => {
  const specials = ["", '\\"', "\\\\", "\\n", "\\u001b", "\\u00e9", "é", "潮", "🌊", "\\\\\\\\\\\\", "é\\n", "🌊é"];

  it.each(specials)("with %j at any place of any length, wherever in memory it begins", (special) => {
    for (const length of LENGTHS) {
      const lines = ALIGNMENTS.map((shift) => {
        // The special one moves through the text along with its alignment.
        const at = length === 0 ? 0 : (shift * 7) % (length + 1);
        return { shift, content: `${"a".repeat(at)}${special}${"b".repeat(length - at)}` };
      });
      const rows = rowsOf(Buffer.from(lines.map(({ shift, content }) => lineOf(shift, content)).join("")));
      let at = 0;
      for (const { shift, content } of lines) {
        const what = `${length} ${shift}`;
        expect((rows[at] ?? 0) & row.KIND, what).toBe(row.USER);
        expect([...rows.subarray(at + 25, at + 28)], what).toEqual(plainSizes(Buffer.from(content)));
        at += row.rowWords(rows, at);
      }
      expect(at).toBe(rows.length);
    }
  });

  it("and what is no sound string is left to the reader, at any place", () => {
    for (const bad of ["\u0001", "\\x", "\\u12g", "\\ud800", "\\u00g0"]) {
      for (const length of LENGTHS) {
        const lines = ALIGNMENTS.map((shift) => {
          const at = length === 0 ? 0 : (shift * 7) % (length + 1);
          return lineOf(shift, `${"a".repeat(at)}${bad}${"b".repeat(length - at)}`);
        });
        const rows = rowsOf(Buffer.from(lines.join("")));
        // One range of lines for all of them.
        expect((rows[0] ?? 0) & row.KIND, `${bad} ${length}`).toBe(row.LINES);
        expect(rows.length, `${bad} ${length}`).toBe(row.LINES_WORDS);
      }
    }
  });
});

it("newlines are found as byte by byte, from any place to any other", () => {
  const { memory } = memoryOf(4096);
  const at = memory.rooms[0]?.own ?? 0;
  const start = at + 0xc000;
  const bytes = new Uint8Array(memory.wasm.memory);
  for (const from of ALIGNMENTS) {
    for (const length of LENGTHS) {
      for (const place of [0, 1, length >> 1, length - 1, length, length + 1]) {
        bytes.fill(0x0b, start, start + 400);
        if (place >= 0) bytes[start + from + place] = 0x0a;
        const found = memory.wasm.call("newlineIn", start + from, start + from + length) - start - from;
        expect(found).toBe(place >= 0 && place < length ? place : length);
      }
    }
  }
});
