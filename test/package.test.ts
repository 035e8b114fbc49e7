import { readdirSync, readFileSync, statSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { PACKAGE_BUDGET_KB } from "../extension/build/bundles.mjs";
import { createPackage } from "../extension/build/package.mjs";
import { repoPath } from "./corpus";
import { sourceFiles } from "./sourceTree";

/** What ships, besides the folders below; vsce renames the papers. */
const FILES = [
  "[Content_Types].xml",
  "extension.vsixmanifest",
  "extension/LICENSE.txt",
  "extension/changelog.md",
  "extension/dist/NOTICES.txt",
  "extension/dist/cli.mjs",
  "extension/dist/codicon.css",
  "extension/dist/codicon.ttf",
  "extension/dist/extension.js",
  "extension/dist/host.mjs",
  "extension/dist/node-sqlite3-wasm.wasm.br",
  "extension/dist/server.mjs",
  "extension/dist/webview.js",
  "extension/dist/worker.mjs",
  "extension/package.json",
  "extension/package.nls.json",
  "extension/readme.md",
];
/** What several ES modules share. */
const CHUNK = /^extension\/dist\/chunk-[A-Z0-9]{8}\.mjs$/;
/** Folders that ship whole, and the kinds of file that may lie there. */
const FOLDERS: Readonly<Record<string, RegExp>> = {
  schemas: /^[a-z][a-z-]*\.schema\.json$/,
  "extension/media": /\.(svg|png|md)$/,
  "extension/l10n": /\.json$/,
};

describe("the package", () => {
  let vsix = "";
  let names: readonly string[] = [];

  beforeAll(async () => {
    vsix = await createPackage();
    names = zipNames(readFileSync(vsix));
  }, 300_000);

  it("holds exactly what ships: no sources, no tests, no maps, no dependencies", () => {
    const shipped = Object.entries(FOLDERS).flatMap(([folder, kind]) =>
      filesBelow(folder)
        .filter((path) => !path.startsWith("extension/media/screenshots/"))
        .map((path) => {
          expect(path.split("/").at(-1), `${path} does not belong into a folder that ships`).toMatch(kind);
          return `extension/${path}`;
        }),
    );
    const chunks = names.filter((name) => CHUNK.test(name));
    expect(chunks).toHaveLength(new Set(chunksImported()).size);
    expect([...names].sort()).toEqual([...FILES, ...shipped, ...chunks].sort());
  });

  it("stays within its budget", () => {
    expect(statSync(vsix).size).toBeLessThanOrEqual(PACKAGE_BUDGET_KB * 1000);
  });

  it("contains every file that the manifest names", () => {
    const manifest = readFileSync(repoPath("package.json"), "utf8");
    const named = [...manifest.matchAll(/"(?:\.\/)?((?:dist|schemas|extension)\/[^"]+\.(?:m?js|json|svg|png|md))"/g)];
    const absent = named
      .map((match) => `extension/${match[1]}`)
      .filter((path) => !names.includes(path) && !path.includes("/build/"));
    expect(named.length).toBeGreaterThan(0);
    expect(absent).toEqual([]);
  });

  it("names the licence of everything that it contains", () => {
    const text = readFileSync(repoPath("dist/NOTICES.txt"), "utf8");
    const sources = [...sourceFiles("extension/src"), ...sourceFiles("webview/src")];
    const imported = sources.flatMap((file) => file.imports.filter((each) => !each.clause.startsWith("type ")));
    const names = new Set(["@vscode/codicons", ...imported.flatMap((each) => each.package ?? [])]);
    const shipped = [...names].filter((name) => name !== "vscode" && !name.startsWith("node:"));
    expect(shipped.length).toBeGreaterThan(3);
    expect(shipped.filter((name) => !text.includes(`\n${name} `))).toEqual([]);
  });
});

/** Chunks that a file in dist/ imports, by name, more than once each. */
function chunksImported(): readonly string[] {
  return readdirSync(repoPath("dist"))
    .filter((name) => name.endsWith(".mjs"))
    .flatMap((name) => [...readFileSync(repoPath("dist", name), "utf8").matchAll(/"\.\/(chunk-[A-Z0-9]{8}\.mjs)"/g)])
    .map((match) => String(match[1]));
}

/** Files below a folder of the repository, as paths from its root with `/`; empty when there is no such folder. */
function filesBelow(folder: string): string[] {
  const root = repoPath(folder);
  if (!statSync(root, { throwIfNoEntry: false })) return [];
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => `${folder}${entry.parentPath.slice(root.length).replaceAll("\\", "/")}/${entry.name}`);
}

/** File names in a ZIP archive, from its central directory (PKWARE APPNOTE 4.3.12 and 4.3.16). */
function zipNames(bytes: Buffer): string[] {
  const end = bytes.lastIndexOf(Buffer.from("PK\x05\x06", "latin1"));
  expect(end).toBeGreaterThan(0);
  const names: string[] = [];
  let at = bytes.readUInt32LE(end + 16);
  for (let left = bytes.readUInt16LE(end + 10); left > 0; left -= 1) {
    const [name, extra, comment] = [28, 30, 32].map((offset) => bytes.readUInt16LE(at + offset)) as [
      number,
      number,
      number,
    ];
    names.push(bytes.toString("utf8", at + 46, at + 46 + name));
    at += 46 + name + extra + comment;
  }
  return names;
}
