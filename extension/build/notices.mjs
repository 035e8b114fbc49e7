import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Package folders (paths from the root) that own the given bundle inputs.
 * @param {Iterable<string>} inputs paths as esbuild's metafile names them
 */
export function packageFolders(inputs) {
  /** @type {Set<string>} */
  const folders = new Set();
  for (const input of inputs) {
    const match = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input);
    if (match?.[1]) folders.add(match[1]);
  }
  return [...folders].sort();
}

/**
 * The text of the third-party notices.
 * @param {string} root absolute path of the repository
 * @param {readonly string[]} folders package folders, relative to the root
 * @returns {{ text: string, problems: string[] }} problems name packages that state no licence at all
 */
export function notices(root, folders) {
  /** @type {Map<string, string>} */
  const parts = new Map();
  /** @type {string[]} */
  const problems = [];
  for (const folder of folders) {
    const manifest = JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"));
    const title = `${manifest.name} ${manifest.version}`;
    const texts = readdirSync(join(root, folder))
      .filter((name) => /^(licen[cs]e|notice|copying|thirdpartynotices)([.-].*)?$/i.test(name))
      .sort()
      .map((name) =>
        readFileSync(join(root, folder, name), "utf8")
          .replaceAll("\r\n", "\n")
          .trim(),
      );
    if (!manifest.license && texts.length === 0) {
      problems.push(`${folder}: states no licence; a package without one cannot be shipped`);
      continue;
    }
    const author = typeof manifest.author === "string" ? manifest.author : manifest.author?.name;
    const body =
      texts.length > 0 ? texts.join("\n\n") : `Licence as stated in its manifest. Author: ${author ?? "not stated"}.`;
    parts.set(title, `${title} (${manifest.license ?? "see below"})\n${manifest.homepage ?? ""}\n\n${body}`);
  }
  const line = `\n\n${"-".repeat(78)}\n\n`;
  const head = "Context Budget Inspector contains code and fonts of the following packages.";
  return { text: `${[head, ...[...parts.keys()].sort().map((title) => parts.get(title))].join(line)}\n`, problems };
}
