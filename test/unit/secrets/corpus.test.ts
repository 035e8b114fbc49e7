import { readdirSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";
import { describe, expect, it } from "vitest";
import { secretFinder } from "../../../extension/src/node/secrets";
import { corpusPath, hasCorpus } from "../../corpus";

/** What is found in the corpus, by folder: all of it is invented, and stands in the oracle for exactly this. Nothing else looks like a secret. */
const FOUND = ["openmausbot aws 1", "openmausbot database-connection-string 1", "openmausbot github 2"];

function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

describe.skipIf(!hasCorpus)("the corpus", () => {
  it("has no false hits", { timeout: 120_000 }, async () => {
    const finder = secretFinder();
    const root = corpusPath();
    const counts = new Map<string, number>();
    const files = filesBelow(root);
    expect(files.length).toBeGreaterThan(100);
    for (const file of files) {
      const [folder = ""] = file.slice(root.length + 1).split(sep);
      for (const { rule } of await finder.find(readFileSync(file, "utf8"))) {
        const key = `${folder} ${rule}`;
        counts.set(key, (counts.get(key) ?? 0) + 1);
      }
    }
    expect([...counts].map(([key, count]) => `${key} ${count}`).sort()).toEqual(FOUND);
  });
});
