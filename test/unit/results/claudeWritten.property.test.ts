import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { recognise } from "../../../extension/src/core/results/recognise";
import * as row from "../../../extension/src/core/transcript/rows/layout";
import { Skimmer, skimMemory } from "../../../extension/src/core/transcript/rows/skimmer";
import { unescapeJson } from "../../../extension/src/core/transcript/skim";
import { nodeUtf8 } from "../../../extension/src/node/utf8";
import { nodeWasm } from "../../../extension/src/node/wasm";

const RUNS = { seed: 20260131, numRuns: 2000 };

/** Through the skimmer, which finds such blocks; undefined where it leaves one to its text. */
function written(content: string) {
  const line = Buffer.from(
    `{"type":"user","message":{"role":"user","content":[{"tool_use_id":"t","type":"tool_result","content":"${content}"}]}}\n`,
  );
  const piece = { piece: line.length, tail: 0 };
  const memory = skimMemory(nodeWasm, nodeUtf8, piece, 1, 1);
  const [room] = memory?.rooms ?? [];
  const { fast } = nodeUtf8;
  if (memory === undefined || room === undefined || fast === undefined) throw new Error("no skimmer here");
  const skimmer = new Skimmer(memory.wasm, room, nodeUtf8, fast);
  const fill = (into: Uint8Array, start: number): number => {
    const part = line.subarray(start, start + into.length);
    into.set(part);
    return part.length;
  };
  const file = { fill, take: () => line, close: () => {} };
  const filling = skimmer.skim(file, { from: 0, to: line.length, first: true }, line.length, 0);
  if (filling === undefined) throw new Error("the line was not skimmed");
  const skimmed = skimmer.piece(filling);
  expect((skimmed.rows[0] ?? 0) & row.KIND).toBe(row.USER);
  const block = row.HEAD_WORDS;
  if (((skimmed.rows[block + 3] ?? 0) & row.WRITTEN) === 0) return undefined;
  return row.noticeAt(skimmed, block);
}

/** The content of a JSON string, as an agent writes it. */
const contentOf = (text: string): string => JSON.stringify(text).slice(1, -1);

const piece = fc.constantFrom(
  "plain words ",
  "\n",
  '"',
  "\\",
  "\\n",
  "...",
  "\n...",
  "é",
  "🌊",
  "\u001b[0m",
  "x".repeat(1500),
);
const preview = fc.array(piece, { maxLength: 8 }).map((parts) => parts.join(""));
const size = fc.constantFrom(
  "83.7KB",
  "64KB",
  "1.2MB",
  "512 bytes",
  "10 B",
  "1.2345KB",
  "9 horses",
  "KB",
  " 3KB ",
  "0KB",
);
const path = fc.constantFrom(
  "/p/tool-results/toolu_1.txt",
  "/p/with space ",
  "",
  "/p/é.txt",
  "C:\\p\\a.txt",
  `/p/${"d".repeat(1100)}`,
);
/** Mostly what agents write. */
const mostly = (usual: string, others: fc.Arbitrary<string>) =>
  fc.oneof({ weight: 5, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: others });
const block = fc
  .record({
    size: mostly("83.7KB", size),
    path: mostly("/p/tool-results/toolu_1.txt", path),
    gap: mostly("\n\n", fc.constantFrom("\n\n", "\n", "\n\n\n", " \n")),
    label: mostly(
      "Preview (first 2KB):\n",
      fc.constantFrom("Preview (first 2KB):\n", "Preview (first 2KB):", "Preview:\n", "Preview (first é):\n"),
    ),
    preview,
    end: mostly("\n...\n", fc.constantFrom("\n...\n", "...\n", "\n", "", "\\\n...\n", "\\n...\\n", "\n...\\n")),
    close: mostly(
      "</persisted-output>",
      fc.constantFrom("</persisted-output>", "</persisted-output>\n", "</persisted-output"),
    ),
  })
  .map(
    (part) =>
      `<persisted-output>\nOutput too large (${part.size}). Full output saved to: ${part.path}${part.gap}${part.label}${part.preview}${part.end}${part.close}`,
  );

describe("a block that is recognised as it is written", () => {
  it("is what its text is recognised as", () => {
    let found = 0;
    fc.assert(
      fc.property(block, (text) => {
        const content = contentOf(text);
        const ours = written(content);
        if (ours === undefined) return;
        found++;
        expect(ours).toStrictEqual(recognise(text, { agent: "claude-code", tool: undefined }));
      }),
      RUNS,
    );
    expect(found).toBeGreaterThan(200);
  });

  it("is left to its text where another escape may stand for a part of it", () => {
    const usual = contentOf(
      `<persisted-output>\nOutput too large (83.7KB). Full output saved to: /p/a.txt\n\nPreview (first 2KB):\n${"word ".repeat(400)}\n...\n</persisted-output>`,
    );
    expect(written(usual)).toStrictEqual(recognise(unescapeJson(usual), { agent: "claude-code", tool: undefined }));
    for (const [plain, other] of [
      ["\\n...", "\\u000a..."],
      ["/p/a.txt", "\\/p\\/a.txt"],
      ["</persisted", "<\\/persisted"],
      ["Output too", "\\u004futput too"],
    ] as const) {
      expect(usual).toContain(plain);
      expect(written(usual.replace(plain, other)), other).toBeUndefined();
    }
  });
});
