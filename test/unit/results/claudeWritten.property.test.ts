import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { recogniseWritten, WRITTEN_HEAD, WRITTEN_TAIL } from "../../../extension/src/core/results/claudeCode";
import { recognise } from "../../../extension/src/core/results/recognise";
import { unescapeJson } from "../../../extension/src/core/transcript/skim";

const RUNS = { seed: 20260131, numRuns: 2000 };

function written(content: string) {
  return recogniseWritten(content.slice(0, WRITTEN_HEAD), content.slice(-WRITTEN_TAIL), unescapeJson(content).length);
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
        if (content.length <= WRITTEN_HEAD + WRITTEN_TAIL) return;
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
