import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { repoPath } from "../../corpus";
import { sourceFiles } from "../../sourceTree";

/** Ways in which readers, databases, simulations and the command line name a problem's code. */
const NAMED =
  /\bcode: "([a-z]+(?:-[a-z]+)+)"|\b(?:tally|say|failure)\(\s*"([a-z]+(?:-[a-z]+)+)"|\bproblem\([a-z.]+, "([a-z]+(?:-[a-z]+)+)"/g;
const FOLDERS = ["core/transcript", "core/compaction", "node", "cli"];

it("every problem code of a transcript, a database and the command line has a section in the README", () => {
  const readme = readFileSync(repoPath("README.md"), "utf8");
  const files = FOLDERS.flatMap((folder) => sourceFiles(`extension/src/${folder}`));
  const codes = new Set(
    files.flatMap(({ text }) => [...text.matchAll(NAMED)].map((match) => match[1] ?? match[2] ?? match[3] ?? "")),
  );
  expect([...codes]).toEqual(expect.arrayContaining(["glued-records", "empty-file", "database-busy", "choose-thread"]));
  expect([...codes].filter((code) => !readme.includes(`\n#### ${code}\n`))).toEqual([]);
});
