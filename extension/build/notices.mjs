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
 * The MIT licence for a package that names it and brings no file. Ours is the same licence, but for whose it is.
 * @param {string} root
 * @param {string} author as the package's manifest names them
 */
function mitText(root, author) {
  const own = readFileSync(join(root, "LICENSE"), "utf8");
  const text = own.replace(/^Copyright \(c\) .*$/m, `Copyright (c) ${author}`);
  if (!text.startsWith("MIT License") || text === own)
    throw new Error("LICENSE is no MIT licence with a copyright line");
  return text.trim();
}

/**
 * The text of the third-party notices.
 * @param {string} root absolute path of the repository
 * @param {readonly string[]} folders package folders, relative to the root
 * @returns {{ text: string, problems: string[] }} problems name packages that cannot be shipped as they are
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
    if (texts.length === 0 && manifest.license === "MIT" && author) texts.push(mitText(root, author));
    if (texts.length === 0) {
      problems.push(`${folder}: brings no text of its licence (${manifest.license}), which a notice has to contain`);
      continue;
    }
    const body = texts.join("\n\n");
    parts.set(title, `${title} (${manifest.license ?? "see below"})\n${manifest.homepage ?? ""}\n\n${body}`);
  }
  const line = `\n\n${"-".repeat(78)}\n\n`;
  const head = "Context Budget Inspector contains code and fonts of the following packages.";
  return { text: `${[head, ...[...parts.keys()].sort().map((title) => parts.get(title))].join(line)}\n`, problems };
}
