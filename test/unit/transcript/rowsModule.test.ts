import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { compileSkim } from "../../../extension/build/wasm.mjs";
import { repoPath } from "../../corpus";

it("the module that core carries is what extension/wasm compiles to (npm run wasm)", async () => {
  const carried = readFileSync(repoPath("extension/src/core/transcript/rows/skimModule.ts"), "utf8");
  expect(await compileSkim()).toBe(carried);
}, 300_000);
