/**
 * `npm run bench [-- --quick] [-- --only compaction|whatif|keystroke|transcript|rows|reopen|scale|tree] [-- --scale]`: builds what it measures the way a release is built, runs
 * the measurements and exits with 1 when a goal is missed.
 */
import { mkdirSync, rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";
import { BUNDLES } from "../../extension/build/bundles.mjs";
import { sharedOptions, singleOptions } from "../../extension/build/options.mjs";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
const bundles = join(root, "node_modules/.cache/bench");
// Chunks of earlier builds have other names.
rmSync(bundles, { recursive: true, force: true });
mkdirSync(bundles, { recursive: true });

const shared = BUNDLES.filter(({ runtime }) => runtime === "shared");
await build(sharedOptions(shared, { outdir: bundles, production: true }));
for (const bundle of BUNDLES.filter(({ name }) => name === "skim"))
  await build(singleOptions(bundle, { outdir: bundles, production: true }));
await build({
  absWorkingDir: root,
  entryPoints: {
    bench: "test/bench/main.ts",
    indexOnce: "test/bench/indexOnce.ts",
    readInThread: "test/bench/readInThread.ts",
  },
  outdir: bundles,
  outExtension: { ".js": ".cjs" },
  bundle: true,
  platform: "node",
  format: "cjs",
  target: "node20",
  mainFields: ["module", "main"],
  logLevel: "warning",
});

const { bench } = await import(pathToFileURL(join(bundles, "bench.cjs")).href);
process.exitCode = await bench(process.argv.slice(2), { root, bundles });
