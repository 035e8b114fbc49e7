import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { expect, it } from "vitest";
import { sharedOptions } from "../../../extension/build/options.mjs";

it("the rules as they ship open no file and no socket, and are small", async () => {
  const outdir = await mkdtemp(join(tmpdir(), "rules-"));
  try {
    const rules = {
      name: "rules",
      entry: "extension/src/node/secretRules.ts",
      runtime: "shared",
      budgetKb: 70,
    } as const;
    const { metafile } = await build({ ...sharedOptions([rules], { outdir, production: true }), write: true });
    const outputs = Object.values(metafile?.outputs ?? {});
    const imported = outputs.flatMap(({ imports }) => imports.filter(({ external }) => external === true));
    expect([...new Set(imported.map(({ path }) => path))]).toEqual(["node:path"]);
    const text = readFileSync(join(outdir, "rules.mjs"), "utf8");
    expect(text).toContain("secretlint-rule-github");
    expect(text.length).toBeLessThan(rules.budgetKb * 1000);
  } finally {
    await rm(outdir, { recursive: true });
  }
});
