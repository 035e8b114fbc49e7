import { readdirSync, readFileSync, statSync } from "node:fs";
import { crc32, inflateRawSync } from "node:zlib";
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
  "extension/dist/skim.js",
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
  let files: ReadonlyMap<string, Buffer> = new Map();
  let names: readonly string[] = [];

  beforeAll(async () => {
    vsix = await createPackage();
    files = zipFiles(readFileSync(vsix));
    names = [...files.keys()];
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

  it("holds the files as they were built", () => {
    const built = [...files].filter(([name]) => name.startsWith("extension/dist/"));
    expect(built.length).toBeGreaterThan(10);
    for (const [name, content] of built)
      expect(content.equals(readFileSync(repoPath(name.slice("extension/".length)))), name).toBe(true);
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

/** Files of a ZIP archive by name, unpacked (PKWARE APPNOTE 4.3.7, 4.3.12 and 4.3.16). Checksums are checked. */
function zipFiles(bytes: Buffer): ReadonlyMap<string, Buffer> {
  const end = bytes.lastIndexOf(Buffer.from("PK\x05\x06", "latin1"));
  expect(end).toBeGreaterThan(0);
  const files = new Map<string, Buffer>();
  let at = bytes.readUInt32LE(end + 16);
  for (let left = bytes.readUInt16LE(end + 10); left > 0; left -= 1) {
    const short = (offset: number): number => bytes.readUInt16LE(at + offset);
    const long = (offset: number): number => bytes.readUInt32LE(at + offset);
    const name = bytes.toString("utf8", at + 46, at + 46 + short(28));
    const start = long(42);
    expect(bytes.toString("utf8", start + 30, start + 30 + bytes.readUInt16LE(start + 26))).toBe(name);
    const from = start + 30 + bytes.readUInt16LE(start + 26) + bytes.readUInt16LE(start + 28);
    const packed = bytes.subarray(from, from + long(20));
    const content = short(10) === 0 ? packed : inflateRawSync(packed);
    expect([name, content.length, crc32(content)]).toEqual([name, long(24), long(16)]);
    files.set(name, content);
    at += 46 + short(28) + short(30) + short(32);
  }
  return files;
}
