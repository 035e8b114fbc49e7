import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build, type Metafile } from "esbuild";
import { BUNDLES } from "../../extension/build/bundles.mjs";
import { sharedOptions, singleOptions } from "../../extension/build/options.mjs";
import { PACKED_ENGINE, packEngine } from "../../extension/build/packedEngine.mjs";
import { repoPath } from "../corpus";

/** The product as it ships, built for one test file: nobody else's build comes in between. */
export interface Product {
  /** Absolute path of a file of dist/. */
  readonly dist: (name: string) => string;
  /** Folder of this product alone, for whatever a test puts beside it. */
  readonly folder: string;
  readonly metafiles: readonly Metafile[];
  /** Text of every file that the bundler made, by name. */
  readonly texts: ReadonlyMap<string, string>;
  readonly remove: () => void;
}

export async function buildProduct(): Promise<Product> {
  const folder = mkdtempSync(join(tmpdir(), "context-budget-safety-"));
  const outdir = join(folder, "dist");
  mkdirSync(outdir);
  const how = { outdir, production: true };
  const shared = BUNDLES.filter(({ runtime }) => runtime === "shared");
  const single = BUNDLES.filter(({ runtime }) => runtime !== "shared");
  const built = await Promise.all([
    build(sharedOptions(shared, how)),
    ...single.map((bundle) => build(singleOptions(bundle, how))),
  ]);
  const metafiles = built.flatMap(({ metafile }) => metafile ?? []);
  const names = metafiles.flatMap(({ outputs }) => Object.keys(outputs).map((path) => path.split("/").at(-1) ?? path));
  writeFileSync(join(folder, "package.json"), readFileSync(repoPath("package.json")));
  const engine = repoPath("node_modules/node-sqlite3-wasm/dist/node-sqlite3-wasm.wasm");
  writeFileSync(join(outdir, PACKED_ENGINE), packEngine(engine, repoPath("node_modules/.cache", PACKED_ENGINE)));
  return {
    dist: (name) => join(outdir, name),
    folder,
    metafiles,
    texts: new Map(names.map((name) => [name, readFileSync(join(outdir, name), "utf8")])),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
