/**
 * Makes one file of the chunks that the same programs load at their start. esbuild cuts a chunk for every combination of entry
 * points, those of `import()` included: the command line began with 57 of them, and finding, reading and linking them took
 * a quarter of its start.
 */
import { createHash } from "node:crypto";
import { readFileSync, rmSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { build } from "esbuild";

/** @typedef {import("esbuild").Metafile["outputs"]} Outputs */

/** What programs begin with, and what threads load at once. */
export const STARTS = [
  "extension/src/cli/bin.ts",
  "extension/src/cli/program.ts",
  "extension/src/node/indexWorker.ts",
  "extension/src/node/serveTable.ts",
  "extension/src/node/tableReadings.ts",
  "extension/src/server/main.ts",
  "extension/src/client/activate.ts",
];

/**
 * @param {string | undefined} path of an output as the metafile names it
 * @param {Outputs} outputs
 * @param {boolean} [later] whether what it may load later counts too
 * @returns {Set<string>} the output and all that it loads with itself
 */
function loadedWith(path, outputs, later = false) {
  const seen = new Set(path === undefined ? [] : [path]);
  // Files that the loop finds are visited by it as well.
  for (const each of seen)
    for (const { path: imported, kind, external } of outputs[each]?.imports ?? [])
      if (external !== true && (later || kind === "import-statement")) seen.add(imported);
  return seen;
}

/** Chunks below this size, bytes, that several programs load are one file for all where they need no other ones. */
const TINY = 4_000;

/**
 * Chunks by the programs that load them. None of a group can need itself by way of another file: what lies between two of them is
 * loaded by the same programs, or tiny. What no start loads stays apart, and so does what one bundle can reach and another one cannot, which
 * might load it later: only the extension finds `vscode`.
 * @param {Outputs} outputs
 * @param {readonly string[]} entries source files of the bundles
 * @param {readonly string[]} programs
 * @returns {Map<string, readonly string[]>} name of the file to be → paths of its chunks
 */
function groupsOf(outputs, entries, programs) {
  /** @param {string} source */
  const outputOf = (source) => Object.keys(outputs).find((path) => outputs[path]?.entryPoint === source);
  /** @type {Map<string, string[]>} */
  const loaders = new Map();
  for (const program of programs)
    for (const path of loadedWith(outputOf(program), outputs))
      if (outputs[path]?.entryPoint === undefined) loaders.set(path, [...(loaders.get(path) ?? []), program]);
  /** @param {string} path */
  const isTiny = (path) => (outputs[path]?.bytes ?? 0) < TINY && (loaders.get(path) ?? []).length > 1;
  const tiny = new Set([...loaders.keys()].filter((path) => [...loadedWith(path, outputs)].every(isTiny)));
  /** @type {Map<string, string>} */
  const bundles = new Map();
  for (const entry of entries)
    for (const path of loadedWith(outputOf(entry), outputs, true))
      bundles.set(path, `${bundles.get(path) ?? ""} ${entry}`);
  /** @type {Map<string, string[]>} */
  const together = new Map();
  for (const [path, by] of loaders) {
    const key = tiny.has(path) ? "all" : `${by.join()} ${bundles.get(path)}`;
    together.set(key, [...(together.get(key) ?? []), path].sort());
  }
  const named = [...together.values()].map((paths) => {
    // Chunks are named by what they hold, and what is made of them has to be, too: a worker's bundle tells by these names which
    // readers are in it (`storeRequest`).
    const hash = createHash("sha256")
      .update(paths.map((path) => basename(path)).join())
      .digest("hex");
    return /** @type {const} */ ([`chunk-${hash.slice(0, 8).toUpperCase()}.mjs`, paths]);
  });
  return new Map(named.filter(([, paths]) => paths.length > 1));
}

/**
 * What files outside of its group import of a chunk, by the one form in which a minified file does it.
 * @param {string} folder
 * @param {readonly string[]} names of files
 * @param {Map<string, { readonly group: string }>} merged
 * @returns {Map<string, Set<string>>} name of the chunk → names that it exports
 */
function importedNames(folder, names, merged) {
  /** @type {Map<string, Set<string>>} */
  const imported = new Map();
  for (const name of names)
    for (const [, list = "", from = ""] of readFileSync(join(folder, name), "utf8").matchAll(
      /\bimport\{([^{}"]*)\}from"\.\/([^"/]+)";/g,
    )) {
      if (merged.get(name)?.group === merged.get(from)?.group) continue;
      const all = imported.get(from) ?? new Set();
      for (const one of list.split(",")) all.add(one.split(" as ")[0] ?? "");
      imported.set(from, all);
    }
  return imported;
}

/**
 * Bundles what was built once more, every file by itself, and groups of chunks as one. For minified ES modules without source maps.
 * @param {string} root
 * @param {readonly string[]} programs source files that programs and threads begin with, or that they load at once
 * @returns {import("esbuild").Plugin}
 */
export const mergedChunks = (root, programs = STARTS) => ({
  name: "merged-chunks",
  setup({ initialOptions, onEnd }) {
    onEnd(async ({ metafile, errors }) => {
      if (metafile === undefined || errors.length > 0) return;
      const { outputs } = metafile;
      const groups = groupsOf(outputs, Object.values(initialOptions.entryPoints ?? {}).map(String), programs);
      /** @type {Map<string, { readonly group: string, readonly suffix: string }>} */
      const merged = new Map();
      for (const [group, paths] of groups)
        for (const [at, path] of paths.entries()) merged.set(basename(path), { group, suffix: `$${at.toString(36)}` });
      const [some] = Object.keys(outputs);
      if (some === undefined || merged.size === 0) return;
      const folder = resolve(root, dirname(some));
      const kept = Object.keys(outputs).filter((path) => !merged.has(basename(path)));
      const outside = importedNames(
        folder,
        Object.keys(outputs).map((path) => basename(path)),
        merged,
      );
      /** @param {string} name of a chunk @param {(name: string, suffix: string) => string} each */
      const names = (name, each) =>
        [...(outside.get(name) ?? [])].map((one) => each(one, merged.get(name)?.suffix ?? "")).join();
      const { metafile: after } = await build({
        absWorkingDir: root,
        entryPoints: [...kept.map((path) => basename(path)), ...groups.keys()].map((name) => ({
          in: groups.has(name) ? `group:${name}` : join(folder, name),
          out: name.replace(/\.mjs$/, ""),
        })),
        outdir: folder,
        allowOverwrite: true,
        bundle: true,
        logLevel: "warning",
        legalComments: "none",
        minify: true,
        platform: "node",
        target: initialOptions.target ?? [],
        format: "esm",
        outExtension: { ".js": ".mjs" },
        metafile: true,
        plugins: [
          {
            name: "groups",
            setup(plugin) {
              plugin.onResolve({ filter: /^group:/ }, ({ path }) => ({ path: path.slice(6), namespace: "group" }));
              plugin.onLoad({ filter: /.*/, namespace: "group" }, ({ path: group }) => ({
                contents: (groups.get(group) ?? [])
                  .map((path) => basename(path))
                  .map(
                    (chunk) =>
                      `export{${names(chunk, (name, suffix) => `${name} as ${name}${suffix}`)}}from"./${chunk}";`,
                  )
                  .join(""),
                resolveDir: folder,
              }));
              plugin.onResolve({ filter: /^\.\// }, ({ path, importer, namespace }) => {
                const name = basename(path);
                const place = merged.get(name);
                if (place === undefined) return { path, external: true };
                const inside = namespace === "group" ? importer : merged.get(basename(importer))?.group;
                return place.group === inside && namespace !== "stand-in"
                  ? { path: join(folder, name) }
                  : { path: name, namespace: "stand-in" };
              });
              plugin.onLoad({ filter: /.*/, namespace: "stand-in" }, ({ path }) => ({
                contents: `export{${names(path, (name, suffix) => `${name}${suffix} as ${name}`)}}from"group/${merged.get(path)?.group}";`,
              }));
              plugin.onResolve({ filter: /^group\// }, ({ path }) => ({ path: `./${basename(path)}`, external: true }));
            },
          },
        ],
      });
      for (const name of merged.keys()) rmSync(join(folder, name));
      metafile.outputs = Object.fromEntries(
        Object.entries(after.outputs).map(([path, output]) => [path, withSources(output, outputs, path)]),
      );
    });
  },
});

/**
 * An output of the second run as if there had been one: with the source files, and without files of itself.
 * @param {Outputs[string]} output
 * @param {Outputs} outputs of the first run
 * @param {string} path of the output
 * @returns {Outputs[string]}
 */
function withSources(output, outputs, path) {
  const folder = dirname(path);
  /** @type {Outputs[string]["inputs"]} */
  const inputs = {};
  for (const chunk of Object.keys(output.inputs)) Object.assign(inputs, outputs[chunk]?.inputs);
  const imports = output.imports.map(({ path: imported, kind, external }) =>
    imported.startsWith("./")
      ? { path: `${folder}/${basename(imported)}`, kind }
      : { path: imported, kind, ...(external === true ? { external } : {}) },
  );
  const { entryPoint } = outputs[path] ?? {};
  return {
    bytes: output.bytes,
    exports: output.exports,
    inputs,
    imports,
    ...(entryPoint === undefined ? {} : { entryPoint }),
  };
}
