import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { repoPath } from "../../corpus";
import { sourceFiles } from "../../sourceTree";

/** Ways in which the config checks name a code. */
const NAMED =
  /\bcode(?: =|:) "([a-z]+(?:-[a-z]+)+)"|\b(?:make|hint)\(\s*"([a-z]+(?:-[a-z]+)+)"|\bfound,\s*"([a-z]+(?:-[a-z]+)+)"/g;

describe("problem codes of configs", () => {
  it("each have a section in the README", () => {
    const readme = readFileSync(repoPath("README.md"), "utf8");
    const codes = new Set(
      sourceFiles("extension/src/core/config").flatMap(({ text }) =>
        [...text.matchAll(NAMED)].map((match) => match[1] ?? match[2] ?? match[3] ?? ""),
      ),
    );
    expect(codes.size).toBeGreaterThan(15);
    expect([...codes].filter((code) => !readme.includes(`\n#### ${code}\n`))).toEqual([]);
  });
});
