/** How each kind of bundle is made; the build, the tests of bundles and the bench share it. */
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { mergedChunks } from "./mergedChunks.mjs";
import { packedEngine } from "./packedEngine.mjs";
import { rulesOnly } from "./rulesOnly.mjs";
import { withoutNetwork } from "./withoutNetwork.mjs";
import { withoutValidator } from "./withoutValidator.mjs";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");

/**
 * What CommonJS packages inside an ES module, and our own code that looks for files beside itself, expect to be there. The
 * alias is one that no minifier arrives at.
 */
const COMMON_JS_NAMES =
  'import{createRequire as contextBudgetRequire}from"node:module";' +
  "const require=contextBudgetRequire(import.meta.url),__dirname=import.meta.dirname;";

/** Takes these names out of the files that do not use them, which are most chunks. Not from files with a source map, whose lines stay. */
const namesWhereUsed = {
  name: "names-where-used",
  /** @param {import("esbuild").PluginBuild} build */
  setup(build) {
    build.onEnd(({ metafile }) => {
      for (const [path, { bytes }] of Object.entries(metafile?.outputs ?? {})) {
        const file = join(root, path);
        const code = path.endsWith(".mjs") && bytes > 0 ? readFileSync(file, "utf8") : "";
        const bare = code.replace(`${COMMON_JS_NAMES}\n`, "");
        if (bare !== code && !/\brequire\b|__dirname/.test(bare)) writeFileSync(file, bare);
      }
    });
  },
};

/** The file that VS Code loads imports the rest of the extension at run time instead of taking it in. */
const hostApart = {
  name: "host-apart",
  /** @param {import("esbuild").PluginBuild} build */
  setup(build) {
    build.onResolve({ filter: /\/activate$/ }, ({ kind }) =>
      kind === "dynamic-import" ? { path: "./host.mjs", external: true } : undefined,
    );
  },
};

/**
 * VS Code gives `vscode` to whoever requires it. Its hook for `import` is young, so an ES module of ours requires it too.
 */
const vscodeByRequire = {
  name: "vscode-by-require",
  /** @param {import("esbuild").PluginBuild} build */
  setup(build) {
    build.onResolve({ filter: /^vscode$/ }, ({ kind }) =>
      kind === "require-call" ? { path: "vscode", external: true } : { path: "vscode", namespace: "vscode-by-require" },
    );
    build.onLoad({ filter: /.*/, namespace: "vscode-by-require" }, () => ({
      contents: 'module.exports = require("vscode");',
      resolveDir: root,
    }));
  },
};

/** @param {boolean} production @returns {import("esbuild").BuildOptions} */
function common(production) {
  return {
    absWorkingDir: root,
    bundle: true,
    // `yaml` offers Node its CommonJS build, which is taken whole; of the other one only what is used comes along.
    alias: { yaml: join(root, "node_modules/yaml/browser/index.js") },
    define: { "process.env.NODE_ENV": production ? '"production"' : '"development"' },
    minify: production,
    sourcemap: production ? false : "linked",
    legalComments: "none",
    metafile: true,
    logLevel: "warning",
    color: process.stdout.isTTY,
  };
}

/** @type {import("esbuild").BuildOptions} */
const NODE = {
  platform: "node",
  // Node 20 is the floor's extension host.
  target: "node20",
  // Packages that also ship a UMD build (jsonc-parser) break at run time when Node's default order picks it.
  mainFields: ["module", "main"],
};

/**
 * ES modules for Node that share chunks: what two of them need is in the package once, and chunks carry a hash in
 * their names. Every `import()` cuts what it reaches into more and smaller chunks, which compress badly.
 * @param {readonly import("./bundles.mjs").Bundle[]} bundles
 * @param {{ outdir: string, production: boolean }} how
 * @returns {import("esbuild").BuildOptions}
 */
export function sharedOptions(bundles, { outdir, production }) {
  return {
    ...common(production),
    ...NODE,
    entryPoints: Object.fromEntries(bundles.map(({ name, entry }) => [name, entry])),
    outdir,
    format: "esm",
    splitting: true,
    outExtension: { ".js": ".mjs" },
    chunkNames: "chunk-[hash]",
    banner: { js: COMMON_JS_NAMES },
    plugins: [
      packedEngine,
      withoutNetwork,
      withoutValidator,
      rulesOnly,
      vscodeByRequire,
      ...(production ? [namesWhereUsed, mergedChunks(root)] : []),
    ],
  };
}

/**
 * One file with everything in it.
 * @param {import("./bundles.mjs").Bundle} bundle
 * @param {{ outdir: string, production: boolean }} how
 * @returns {import("esbuild").BuildOptions}
 */
export function singleOptions(bundle, { outdir, production }) {
  const page = bundle.runtime === "page";
  return {
    ...common(production),
    entryPoints: [bundle.entry],
    outfile: join(outdir, `${bundle.name}.js`),
    // Chromium 132 is the floor's page.
    ...(page ? { platform: "browser", format: "iife", target: "chrome132" } : { ...NODE, format: "cjs" }),
    external: page ? [] : ["vscode"],
    plugins: page ? [] : [hostApart],
  };
}
