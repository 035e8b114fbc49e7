/**
 * Builds dist/. Usage: node extension/build/esbuild.mjs [--production] [--watch] [--allow-missing]
 *   --production     minified, no source maps, size budgets enforced, files in dist/ that the build did not make removed
 *   --watch          rebuilds on change until interrupted
 *   --allow-missing  an entry point that does not exist yet is reported and left out instead of failing
 * Exits with 1 on any error. Types are checked separately (npm run types), because esbuild drops them.
 */
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import * as esbuild from "esbuild";
import { BUNDLES, COPIED_PACKAGES, NOTICES, PACKAGED_README } from "./bundles.mjs";
import { ICON_CSS, ICON_FONT, ICON_STYLES, iconFont } from "./iconFont.mjs";
import { notices, packageFolders } from "./notices.mjs";
import { PACKED_ENGINE, packEngine, packedEngine } from "./packedEngine.mjs";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
const dist = join(root, "dist");

/**
 * @param {import("./bundles.mjs").Bundle} bundle
 * @param {boolean} production
 * @returns {import("esbuild").BuildOptions}
 */
function optionsFor(bundle, production) {
  const node = bundle.runtime === "node";
  const hasShebang = readFileSync(join(root, bundle.entry), "utf8").startsWith("#!");
  return {
    absWorkingDir: root,
    entryPoints: [bundle.entry],
    outfile: join(dist, `${bundle.name}.js`),
    bundle: true,
    platform: node ? "node" : "browser",
    format: node ? "cjs" : "iife",
    // Node 20 is the floor's extension host; Chromium 132 is the floor's page.
    target: node ? "node20" : "chrome132",
    // Packages that also ship a UMD build (jsonc-parser) break at run time when Node's default order picks it.
    ...(node ? { mainFields: ["module", "main"] } : {}),
    // `yaml` offers Node its CommonJS build, which is taken whole; of the other one only what is used comes along.
    alias: { yaml: join(root, "node_modules/yaml/browser/index.js") },
    external: bundle.name === "extension" ? ["vscode"] : [],
    plugins: [packedEngine],
    define: { "process.env.NODE_ENV": production ? '"production"' : '"development"' },
    banner: bundle.executable && !hasShebang ? { js: "#!/usr/bin/env node" } : {},
    minify: production,
    sourcemap: production ? false : "linked",
    legalComments: "none",
    metafile: true,
    logLevel: "warning",
    color: process.stdout.isTTY,
  };
}

/** @param {number} bytes */
const kb = (bytes) => `${(bytes / 1000).toFixed(1)} KB`.padStart(10);

/**
 * Everything after the bundles: copies, notices, executable bits, sizes.
 * @param {readonly { bundle: import("./bundles.mjs").Bundle, metafile: import("esbuild").Metafile }[]} built
 * @param {boolean} production
 * @returns {Promise<string[]>} problems
 */
async function finish(built, production) {
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
  for (const { bundle } of built) {
    const file = join(dist, `${bundle.name}.js`);
    if (bundle.executable) chmodSync(file, 0o755);
    const bytes = statSync(file).size;
    const over = production && bytes > bundle.budgetKb * 1000;
    console.log(
      `  dist/${`${bundle.name}.js`.padEnd(14)}${kb(bytes)}${production ? `  of ${kb(bundle.budgetKb * 1000)}` : ""}`,
    );
    if (over)
      problems.push(
        `dist/${bundle.name}.js is ${kb(bytes).trim()}, over its budget of ${bundle.budgetKb} KB (extension/build/bundles.mjs)`,
      );
  }
  if (production) {
    const readme = readFileSync(join(root, "README.md"), "utf8");
    writeFileSync(join(dist, PACKAGED_README), readme.replace(/^!\[[^\]\n]*\]\([^)\n]*\)\n\n/gm, ""));
    const ours = new Set([
      ...built.map(({ bundle }) => `${bundle.name}.js`),
      ICON_FONT,
      ICON_CSS,
      PACKED_ENGINE,
      NOTICES,
      PACKAGED_README,
    ]);
    for (const name of readdirSync(dist)) if (!ours.has(name)) rmSync(join(dist, name), { recursive: true });
  }
  return problems;
}

/** @param {{ production: boolean, watch: boolean, allowMissing: boolean }} options */
async function build({ production, watch, allowMissing }) {
  const missing = BUNDLES.filter((bundle) => !existsSync(join(root, bundle.entry)));
  for (const bundle of missing)
    console.error(`${bundle.entry}: does not exist, so dist/${bundle.name}.js is not built`);
  if (missing.length > 0 && !allowMissing) return 1;
  mkdirSync(dist, { recursive: true });
  const bundles = BUNDLES.filter((bundle) => !missing.includes(bundle));
  if (watch) {
    for (const bundle of bundles) {
      const report = {
        name: "report",
        /** @param {import("esbuild").PluginBuild} plugin */
        setup(plugin) {
          plugin.onEnd(async (result) => {
            // The two lines that VS Code's watch-task matchers look for.
            console.log(
              `[watch] build finished: ${bundle.name}${result.errors.length > 0 ? ` (${result.errors.length} errors)` : ""}`,
            );
            if (result.metafile && result.errors.length === 0)
              await finish([{ bundle, metafile: result.metafile }], false);
          });
        },
      };
      const context = await esbuild.context({ ...optionsFor(bundle, production), plugins: [packedEngine, report] });
      await context.watch();
    }
    return undefined;
  }
  const results = await Promise.allSettled(
    bundles.map(async (bundle) => ({
      bundle,
      metafile: /** @type {esbuild.Metafile} */ ((await esbuild.build(optionsFor(bundle, production))).metafile),
    })),
  );
  const built = results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
  const problems = await finish(built, production);
  for (const [index, result] of results.entries()) {
    if (result.status === "rejected")
      problems.push(
        `dist/${bundles[index]?.name}.js was not built: ${String(result.reason?.message ?? result.reason)}`,
      );
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
