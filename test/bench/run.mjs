/**
 * `npm run bench [-- --quick] [-- --only compaction|keystroke|transcript|scale] [-- --scale]`: builds what it measures the way a release is built, runs
 * the measurements and exits with 1 when a goal is missed.
 */
import { mkdirSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
const bundles = join(root, "node_modules/.cache/bench");
mkdirSync(bundles, { recursive: true });

/** @type {import("esbuild").BuildOptions} */
const common = {
  absWorkingDir: root,
  bundle: true,
  platform: "node",
  target: "node20",
  mainFields: ["module", "main"],
  logLevel: "warning",
};
await build({
  ...common,
  format: "cjs",
  minify: true,
  entryPoints: {
    server: "extension/src/server/main.ts",
    cli: "extension/src/cli/bin.ts",
    worker: "extension/src/node/indexWorker.ts",
  },
  outdir: bundles,
});
await build({ ...common, format: "cjs", entryPoints: ["test/bench/main.ts"], outfile: join(bundles, "bench.cjs") });

const { bench } = await import(pathToFileURL(join(bundles, "bench.cjs")).href);
process.exitCode = await bench(process.argv.slice(2), { root, bundles });
