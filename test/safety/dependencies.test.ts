import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { judged } from "../../extension/build/audit.mjs";
import { COPIED_PACKAGES } from "../../extension/build/bundles.mjs";
import { notices, packageFolders } from "../../extension/build/notices.mjs";
import { repoPath } from "../corpus";
import { buildProduct, type Product } from "./product";

interface Entry {
  readonly version: string;
  readonly integrity?: string;
  readonly resolved?: string;
  readonly link?: boolean;
  readonly dev?: boolean;
  readonly hasInstallScript?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const manifest = JSON.parse(readFileSync(repoPath("package.json"), "utf8"));
const lock: { readonly lockfileVersion: number; readonly packages: Readonly<Record<string, Entry>> } = JSON.parse(
  readFileSync(repoPath("package-lock.json"), "utf8"),
);
const entries = Object.entries(lock.packages).filter(([path]) => path !== "");
const nameOf = (path: string): string => path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);

/** Packages that would run a script when they are installed, were it not for .npmrc, and why nothing is lost without it. */
const WITH_SCRIPT: Readonly<Record<string, string>> = {
  "@vscode/vsce-sign": "copies the signing program of this platform, which only publishing needs; downloads nothing",
  esbuild: "checks the program that came as a package of its own; it would download one only where that is missing",
  keytar: "downloads or compiles access to the system's keys, which only publishing needs; optional",
};

/** Licences that allow shipping beside a notice. */
const MAY_SHIP = ["0BSD", "Apache-2.0", "BlueOak-1.0.0", "BSD-2-Clause", "BSD-3-Clause", "CC-BY-4.0", "ISC", "MIT"];

/** What is wrong with packages of a lockfile: no hash, or from anywhere but the registry that is set up. */
function faultsOf(packages: readonly (readonly [path: string, entry: Entry])[]): readonly string[] {
  return packages.flatMap(([path, { integrity, resolved, link, dependencies, optionalDependencies }]) => {
    const ranges = Object.entries({ ...dependencies, ...optionalDependencies });
    return [
      ...(/^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity ?? "") ? [] : [`${path} has no hash`]),
      ...(resolved === undefined && link !== true ? [] : [`${path} has an address`]),
      ...ranges
        // A range of versions, or another package of the registry under this name.
        .filter(([, range]) => !/^(npm:(@[\w.-]+\/)?[\w.-]+@)?[\w\s.*^~<>=|+-]*$/.test(range))
        .map(([name, range]) => `${path} takes ${name} from ${range}`),
    ];
  });
}

describe("the lockfile", () => {
  it("has a hash for every package, and takes all from whatever registry is set up: no address, folder or repository", () => {
    expect(lock.lockfileVersion).toBe(3);
    expect(entries.length).toBeGreaterThan(100);
    expect(faultsOf(entries)).toEqual([]);
  });

  it.each<[string, Partial<Entry>, string]>([
    ["no hash", {}, "has no hash"],
    ["a weak hash", { integrity: "sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=" }, "has no hash"],
    ["an address", { resolved: "https://a.example/b.tgz" }, "has an address"],
    ["a folder", { link: true }, "has an address"],
    ["a repository", { dependencies: { b: "git+https://a.example/b.git" } }, "takes b"],
    ["a repository's short name", { dependencies: { b: "owner/b#main" } }, "takes b"],
    ["an archive", { optionalDependencies: { b: "http://a.example/b.tgz" } }, "takes b"],
    ["a path", { dependencies: { b: "file:../b" } }, "takes b"],
  ])("would not pass with %s", (_what, entry, fault) => {
    expect(faultsOf([["node_modules/a", { version: "1.0.0", ...entry }]]).join()).toContain(fault);
  });

  it("knows by name every package with a script of its own, and none of them runs", () => {
    const scripted = entries.filter(([, { hasInstallScript }]) => hasInstallScript === true);
    expect([...new Set(scripted.map(([path]) => nameOf(path)))].sort()).toEqual(Object.keys(WITH_SCRIPT).sort());
    // Whoever uses the extension gets none of them.
    expect(scripted.filter(([, { dev }]) => dev !== true)).toEqual([]);
    expect(readFileSync(repoPath(".npmrc"), "utf8")).toMatch(/^ignore-scripts=true$/m);
    const own = Object.keys(manifest.scripts).filter((name) => /^(pre|post)?(install|prepare|prepublish)/.test(name));
    expect(own).toEqual([]);
  });
});

describe("what ships", () => {
  let product: Product;
  let folders: readonly string[] = [];
  beforeAll(async () => {
    product = await buildProduct();
    const inputs = product.metafiles.flatMap((metafile) => Object.keys(metafile.inputs));
    folders = [...packageFolders(inputs), ...COPIED_PACKAGES.map((name) => `node_modules/${name}`)];
  });
  afterAll(() => product?.remove());

  it("is all in the lockfile, and nothing of it a tool's", () => {
    expect(folders.length).toBeGreaterThan(10);
    expect(folders.filter((folder) => lock.packages[folder] === undefined)).toEqual([]);
    expect(folders.filter((folder) => lock.packages[folder]?.dev === true)).toEqual([]);
    const installed = folders.map((folder) => JSON.parse(readFileSync(repoPath(folder, "package.json"), "utf8")));
    expect(installed.map(({ version }) => version)).toEqual(folders.map((folder) => lock.packages[folder]?.version));
  });

  it("may ship, and comes with the text of its licence", () => {
    const { text, problems } = notices(repoPath(), folders);
    expect(problems).toEqual([]);
    for (const folder of folders) {
      const { name, version, license } = JSON.parse(readFileSync(repoPath(folder, "package.json"), "utf8"));
      expect(MAY_SHIP, `${name}'s licence`).toContain(license);
      const start = text.indexOf(`\n${name} ${version} (`);
      expect(start, `${name} is not in the notices`).toBeGreaterThan(0);
      const end = text.indexOf("-".repeat(78), start);
      const part = text.slice(start, end < 0 ? undefined : end);
      expect(part.length, `${name}'s licence text`).toBeGreaterThan(400);
      if (license === "MIT") expect(part).toMatch(/Copyright[\s\S]*Permission is hereby granted/i);
    }
  });

  it("is reviewed: CONTRIBUTING has a row with its version for each dependency", () => {
    const text = readFileSync(repoPath("CONTRIBUTING.md"), "utf8");
    const rows = new Map([...text.matchAll(/^\| `([^`]+)` ([\d.]+) \|/gm)].map((match) => [match[1], match[2]]));
    expect(Object.fromEntries(rows)).toEqual(manifest.dependencies);
  });
});

describe("npm run audit", () => {
  it("says that nothing was checked when the registry does not answer", () => {
    const answers = ["", "<html>", "{}", '{"message":"405","error":{"summary":""}}', '{"error":{"summary":"offline"}}'];
    for (const answer of answers) {
      const { code, lines } = judged(answer, "Everything");
      expect(code).toBe(2);
      expect(lines.join("\n")).toMatch(/NOT CHECKED/);
    }
  });

  it("tells advisories from none", () => {
    expect(judged('{"vulnerabilities":{}}', "Everything")).toMatchObject({ code: 0 });
    const one = { name: "a", severity: "high", range: "<2", via: [{ title: "It burns" }, "b"] };
    expect(judged(JSON.stringify({ vulnerabilities: { a: one } }), "Everything")).toEqual({
      code: 1,
      lines: ["Everything: a <2: high: It burns"],
    });
  });
});
