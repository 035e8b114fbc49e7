/**
 * Makes the .vsix. Usage: node extension/build/package.mjs [--out FILE]   (default: <name>-<version>.vsix in the root)
 * Everything that ships is in dist/ or allow-listed in .vscodeignore; no dependency folder is packaged.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { createVSIX } from "@vscode/vsce";
import { PACKAGED_README } from "./bundles.mjs";
import { squeezed } from "./squeeze.mjs";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");

/**
 * Packages; vsce makes a production build first (script `vscode:prepublish`).
 * @param {string} [out] path of the package, default in node_modules/.cache
 * @returns {Promise<string>} absolute path of the package
 */
export async function createPackage(out) {
  const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const packagePath = resolve(root, out ?? `node_modules/.cache/${manifest.name}-${manifest.version}.vsix`);
  mkdirSync(dirname(packagePath), { recursive: true });
  // There is no public repository to rewrite the README's relative links to, and its pictures do not ship.
  await createVSIX({
    cwd: root,
    packagePath,
    dependencies: false,
    allowMissingRepository: true,
    rewriteRelativeLinks: false,
    readmePath: `dist/${PACKAGED_README}`,
  });
  writeFileSync(packagePath, await squeezed(readFileSync(packagePath), join(root, "node_modules/.cache/deflate")));
  return packagePath;
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { values } = parseArgs({ options: { out: { type: "string" } } });
  const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  console.log(await createPackage(values.out ?? `${manifest.name}-${manifest.version}.vsix`));
}
