/**
 * Builds dist/. Usage: node extension/build/esbuild.mjs [--production] [--watch] [--allow-missing]
 *   --production     minified, no source maps, size budgets enforced, files in dist/ that the build did not make removed
 *   --watch          rebuilds on change until interrupted
 *   --allow-missing  an entry point that does not exist yet is reported and left out instead of failing
 * Exits with 1 on any error. Types are checked separately (npm run types), because esbuild drops them.
 */
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, posix, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import * as esbuild from "esbuild";
import { BUNDLES, COPIED_PACKAGES, fileOf, NOTICES, PACKAGED_README } from "./bundles.mjs";
import { ICON_CSS, ICON_FONT, ICON_STYLES, iconFont } from "./iconFont.mjs";
import { notices, packageFolders } from "./notices.mjs";
import { sharedOptions, singleOptions } from "./options.mjs";
import { PACKED_ENGINE, packEngine } from "./packedEngine.mjs";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
const dist = join(root, "dist");

/** @param {number} bytes */
const kb = (bytes) => `${(bytes / 1000).toFixed(1)} KB`.padStart(10);

/**
 * One run of the bundler: all bundles that share chunks, or a single one.
 * @typedef {{ bundles: readonly import("./bundles.mjs").Bundle[], options: esbuild.BuildOptions }} Job
 * @typedef {{ bundles: readonly import("./bundles.mjs").Bundle[], metafile: esbuild.Metafile }} Built
 */

/**
 * @param {readonly import("./bundles.mjs").Bundle[]} bundles
 * @param {boolean} production
 * @returns {readonly Job[]}
 */
function jobsOf(bundles, production) {
  const how = { outdir: dist, production };
  const shared = bundles.filter(({ runtime }) => runtime === "shared");
  const single = bundles.filter(({ runtime }) => runtime !== "shared");
  return [
    ...(shared.length > 0 ? [{ bundles: shared, options: sharedOptions(shared, how) }] : []),
    ...single.map((bundle) => ({ bundles: [bundle], options: singleOptions(bundle, how) })),
  ];
}

/**
 * Bytes of a bundle's file and of all chunks that it can reach.
 * @param {esbuild.Metafile} metafile
 * @param {string} entry path of the file as the metafile names it
 */
function bytesReached(metafile, entry) {
  const seen = new Set([entry]);
  // Files that the loop finds are visited by it as well.
  for (const path of seen)
    for (const { path: imported, external } of metafile.outputs[path]?.imports ?? [])
      if (external !== true) seen.add(imported);
  return [...seen].reduce((sum, path) => sum + (metafile.outputs[path]?.bytes ?? 0), 0);
}

/**
 * Everything after the bundles: copies, notices, executable bits, sizes, what earlier builds left.
 * @param {readonly Built[]} built
 * @param {{ production: boolean, all: boolean }} how all: everything was built, so that any other file in dist/ is a leftover
 * @returns {Promise<string[]>} problems
 */
async function finish(built, { production, all }) {
  /** @type {string[]} */
  const problems = [];
  writeFileSync(join(dist, ICON_FONT), await iconFont(root));
  writeFileSync(join(dist, ICON_CSS), ICON_STYLES);
  const engine = join(root, "node_modules/node-sqlite3-wasm/dist/node-sqlite3-wasm.wasm");
  writeFileSync(join(dist, PACKED_ENGINE), packEngine(engine, join(root, "node_modules/.cache", PACKED_ENGINE)));
  const folders = new Set(COPIED_PACKAGES.map((name) => `node_modules/${name}`));
  for (const { metafile } of built)
    for (const folder of packageFolders(Object.keys(metafile.inputs))) folders.add(folder);
  const notice = notices(root, [...folders]);
  problems.push(...notice.problems);
  writeFileSync(join(dist, NOTICES), notice.text);
  for (const { bundles, metafile } of built) {
    for (const bundle of bundles) {
      const file = fileOf(bundle);
      if (bundle.executable) chmodSync(join(dist, file), 0o755);
      const bytes = bytesReached(metafile, `dist/${file}`);
      const over = production && bytes > bundle.budgetKb * 1000;
      console.log(
        `  dist/${file.padEnd(14)}${kb(bytes)}${production ? `  of ${kb(bundle.budgetKb * 1000)}` : ""}${bundle.runtime === "shared" ? "  with its chunks" : ""}`,
      );
      if (over)
        problems.push(
          `dist/${file} is ${kb(bytes).trim()}, over its budget of ${bundle.budgetKb} KB (extension/build/bundles.mjs)`,
        );
    }
  }
  if (production) {
    const readme = readFileSync(join(root, "README.md"), "utf8");
    writeFileSync(join(dist, PACKAGED_README), readme.replace(/^!\[[^\]\n]*\]\([^)\n]*\)\n\n/gm, ""));
  }
  const outputs = built.flatMap(({ metafile }) => Object.keys(metafile.outputs).map((path) => posix.basename(path)));
  const copies = [ICON_FONT, ICON_CSS, PACKED_ENGINE, NOTICES, ...(production ? [PACKAGED_README] : [])];
  const ours = new Set([...outputs, ...copies]);
  const sharesChunks = outputs.some(isChunk);
  for (const name of readdirSync(dist))
    if (!ours.has(name) && (all || (sharesChunks && isChunk(name)))) rmSync(join(dist, name), { recursive: true });
  return problems;
}

/** @param {string} name */
const isChunk = (name) => name.startsWith("chunk-");

/** @param {{ production: boolean, watch: boolean, allowMissing: boolean }} options */
async function build({ production, watch, allowMissing }) {
  const missing = BUNDLES.filter((bundle) => !existsSync(join(root, bundle.entry)));
  for (const bundle of missing)
    console.error(`${bundle.entry}: does not exist, so dist/${fileOf(bundle)} is not built`);
  if (missing.length > 0 && !allowMissing) return 1;
  mkdirSync(dist, { recursive: true });
  const jobs = jobsOf(
    BUNDLES.filter((bundle) => !missing.includes(bundle)),
    production,
  );
  /** @param {Job} job */
  const namesOf = ({ bundles }) => bundles.map(fileOf).join(", ");
  if (watch) {
    for (const { bundles, options } of jobs) {
      const report = {
        name: "report",
        /** @param {import("esbuild").PluginBuild} plugin */
        setup(plugin) {
          plugin.onEnd(async (result) => {
            // The two lines that VS Code's watch-task matchers look for.
            const errors = result.errors.length > 0 ? ` (${result.errors.length} errors)` : "";
            console.log(`[watch] build finished: ${namesOf({ bundles, options })}${errors}`);
            if (result.metafile && result.errors.length === 0)
              await finish([{ bundles, metafile: result.metafile }], { production: false, all: false });
          });
        },
      };
      const context = await esbuild.context({ ...options, plugins: [...(options.plugins ?? []), report] });
      await context.watch();
    }
    return undefined;
  }
  const results = await Promise.allSettled(
    jobs.map(async ({ bundles, options }) => ({
      bundles,
      metafile: /** @type {esbuild.Metafile} */ ((await esbuild.build(options)).metafile),
    })),
  );
  const built = results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
  const problems = await finish(built, { production, all: built.length === jobs.length });
  for (const [index, result] of results.entries()) {
    const job = jobs[index];
    if (result.status === "rejected" && job !== undefined)
      problems.push(`dist/: ${namesOf(job)} not built: ${String(result.reason?.message ?? result.reason)}`);
  }
  for (const problem of problems) console.error(problem);
  return problems.length > 0 ? 1 : 0;
}

const { values } = parseArgs({
  options: { production: { type: "boolean" }, watch: { type: "boolean" }, "allow-missing": { type: "boolean" } },
});
process.exitCode = await build({
  production: values.production ?? false,
  watch: values.watch ?? false,
  allowMissing: values["allow-missing"] ?? false,
});
