import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { COPIED_PACKAGES } from "../extension/build/bundles.mjs";
import { AGENT_TOOLS } from "../extension/src/core/agentTools/agentTool";
import { repoPath } from "./corpus";
import { FLOOR } from "./host/versions.mjs";
import { importsOf, type SourceFile, sourceFiles, withoutComments } from "./sourceTree";

/** Longest source file, in lines. */
const MAX_LINES = 500;

interface Box {
  readonly folder: string;
  /** Boxes it may import. A new arrow needs a line here and a reference in the box's tsconfig. */
  readonly boxes: readonly string[];
  /** npm packages it may import, as `name` or, below one folder only, `name in folder`. */
  readonly packages: readonly string[];
  readonly node: boolean;
}

const BOXES: Readonly<Record<string, Box>> = {
  core: {
    folder: "extension/src/core",
    boxes: [],
    packages: ["yaml in extension/src/core/yaml", "jsonc-parser"],
    node: false,
  },
  protocol: { folder: "extension/src/protocol", boxes: ["core"], packages: [], node: false },
  service: {
    folder: "extension/src/service",
    boxes: ["core"],
    packages: ["vscode-languageserver-types", "vscode-languageserver-textdocument"],
    node: false,
  },
  node: {
    folder: "extension/src/node",
    boxes: ["core", "protocol"],
    packages: ["node-sqlite3-wasm", "fzstd", "@secretlint/secretlint-rule-preset-recommend", "@secretlint/types"],
    node: true,
  },
  server: {
    folder: "extension/src/server",
    boxes: ["core", "protocol", "service", "node"],
    packages: ["vscode-languageserver", "vscode-languageserver-textdocument", "minimatch"],
    node: true,
  },
  client: {
    folder: "extension/src/client",
    boxes: ["core", "protocol", "node"],
    packages: ["vscode", "vscode-languageclient"],
    node: true,
  },
  cli: {
    folder: "extension/src/cli",
    boxes: ["core", "service", "node"],
    packages: ["@modelcontextprotocol/sdk in extension/src/cli"],
    node: true,
  },
  webview: {
    folder: "webview/src",
    boxes: ["core", "protocol"],
    packages: [
      "lit",
      "@tanstack/lit-virtual in webview/src/components",
      "uplot in webview/src/whatIf",
      "@vscode/webview-ui-toolkit in webview/src/components",
    ],
    node: false,
  },
};

const FILES = new Map(Object.entries(BOXES).map(([name, box]) => [name, sourceFiles(box.folder)]));
const ALL = [...FILES.values()].flat();
const manifest = JSON.parse(readFileSync(repoPath("package.json"), "utf8"));
const manifestText = readFileSync(repoPath("package.json"), "utf8");

const inFolder = (path: string, folder: string) => path === folder || path.startsWith(`${folder}/`);
const boxOf = (path: string) => Object.keys(BOXES).find((name) => inFolder(path, BOXES[name]?.folder ?? "")) ?? path;
const clientText = (FILES.get("client") ?? []).map((file) => withoutComments(file.text)).join("\n");
const unique = (values: Iterable<string>) => [...new Set(values)].sort();

describe("the import table", () => {
  it("reads every form of import", () => {
    const text = `import a from "x/y";\nimport {\n  b,\n} from "../c";\nimport "node:fs";\nexport * from "@s/p/q";\n// import "no";\nconst d = import("node:os");`;
    expect(importsOf("f/g/h.ts", text).map((each) => each.package ?? each.target)).toEqual([
      "x",
      "f/c",
      "node:fs",
      "@s/p",
      "node:os",
    ]);
  });

  it.each(Object.keys(BOXES))("%s imports only what its row allows", (name) => {
    const box = BOXES[name] as Box;
    const files = FILES.get(name) ?? [];
    expect(files.length, `no sources in ${box.folder}`).toBeGreaterThan(0);
    const wrong = files.flatMap((file) =>
      file.imports
        .filter((each) => {
          if (each.target !== undefined) return boxOf(each.target) !== name && !box.boxes.includes(boxOf(each.target));
          if (each.package?.startsWith("node:")) return !box.node;
          return !box.packages.some((row) => {
            const [allowed, folder] = row.split(" in ");
            return allowed === each.package && (folder === undefined || inFolder(file.path, folder));
          });
        })
        .map((each) => `${file.path} imports ${each.specifier}`),
    );
    expect(wrong).toEqual([]);
  });

  it.each(Object.keys(BOXES))("the compiler knows the same arrows for %s", (name) => {
    const box = BOXES[name] as Box;
    const config = JSON.parse(readFileSync(repoPath(box.folder, "tsconfig.json"), "utf8"));
    const references = (config.references as { path: string }[]).map(({ path }) =>
      boxOf(new URL(path, `file:///${box.folder}/`).pathname.slice(1)),
    );
    expect(references.sort()).toEqual([...box.boxes].sort());
  });

  it("protocol takes only domain types from core", () => {
    const wrong = (FILES.get("protocol") ?? []).flatMap((file) =>
      file.imports
        .filter(
          (each) => each.target && boxOf(each.target) === "core" && !inFolder(each.target, "extension/src/core/model"),
        )
        .map((each) => `${file.path} imports ${each.specifier}`),
    );
    expect(wrong).toEqual([]);
  });

  it("imports no package that package.json does not name", () => {
    const known = new Set([...Object.keys(manifest.dependencies), ...Object.keys(manifest.devDependencies), "vscode"]);
    const everything = [
      ...ALL,
      ...sourceFiles("test"),
      ...sourceFiles("extension/build"),
      ...sourceFiles("webview/dev"),
    ];
    const phantom = everything.flatMap((file) =>
      file.imports.flatMap((each) =>
        each.package && !each.package.startsWith("node:") && !known.has(each.package)
          ? [`${file.path} imports ${each.specifier}`]
          : [],
      ),
    );
    expect(phantom).toEqual([]);
  });

  it("reaches into no package's inner folders", () => {
    const deep = ALL.flatMap((file) =>
      file.imports
        .filter((each) => /\/(lib|out|src)\//.test(each.specifier) && each.package)
        .map((each) => `${file.path} imports ${each.specifier}`),
    );
    expect(deep).toEqual([]);
  });

  it("imports each toolkit control, the toolkit and the virtual list in one place", () => {
    const importers = new Map<string, string[]>();
    for (const file of FILES.get("webview") ?? []) {
      for (const each of file.imports) {
        if (each.package === "@tanstack/lit-virtual")
          importers.set(each.package, [...(importers.get(each.package) ?? []), file.path]);
        if (each.package !== "@vscode/webview-ui-toolkit") continue;
        for (const name of each.clause.match(/\b(?:vsCode|VSCode|provide)\w+/g) ?? [])
          importers.set(name, [...(importers.get(name) ?? []), file.path]);
      }
    }
    expect(importers.size).toBeGreaterThan(0);
    expect([...importers].filter(([, paths]) => unique(paths).length > 1)).toEqual([]);
  });
});

describe("core", () => {
  it.each(["core", "protocol", "service"])("%s compiles without a runtime's types", (name) => {
    const config = JSON.parse(readFileSync(repoPath(BOXES[name]?.folder ?? "", "tsconfig.json"), "utf8"));
    const base = JSON.parse(readFileSync(repoPath("extension/build/tsconfig.base.json"), "utf8"));
    const options = { ...base.compilerOptions, ...config.compilerOptions };
    expect(options.types).toEqual([]);
    expect(options.lib).toEqual(["ES2023"]);
  });

  it("reads no clock, chance, console or global", () => {
    const impure =
      /\bDate\.now\b|\bnew Date\(\)|\bDate\(\)|\bMath\.random\b|\bconsole\.|\bglobalThis\b|\bprocess\.\w|\bperformance\.|\bsetTimeout\b|\bIntl\.DateTimeFormat\(\)/;
    const wrong = (FILES.get("core") ?? []).flatMap((file) => {
      const match = impure.exec(withoutComments(file.text));
      return match ? [`${file.path}: ${match[0]}`] : [];
    });
    expect(wrong).toEqual([]);
  });
});

describe("files", () => {
  const kept: readonly SourceFile[] = [...ALL, ...sourceFiles("test"), ...sourceFiles("extension/build")];

  it(`have at most ${MAX_LINES} lines`, () => {
    expect(kept.filter((file) => file.lines > MAX_LINES).map((file) => `${file.path}: ${file.lines} lines`)).toEqual(
      [],
    );
  });

  it("are named in camelCase", () => {
    const names = kept
      .map((file) => file.path)
      .filter((path) => !/(^|\/)[a-z][A-Za-z0-9]*(\.[a-z]+)*\.(ts|mjs)$/.test(path));
    expect(names).toEqual([]);
  });

  it("name no machine's paths", () => {
    const machine = /(?<![\w.~/])\/(?:work\/(?:main|shared)|root)\b/;
    expect(kept.filter((file) => machine.test(file.text)).map((file) => file.path)).toEqual([]);
  });
});

describe("the manifest", () => {
  it("uses every text of package.nls.json and no other", () => {
    const texts = JSON.parse(readFileSync(repoPath("package.nls.json"), "utf8"));
    const used = [...manifestText.matchAll(/"%([\w.-]+)%"/g)].map((match) => match[1] ?? "");
    expect(unique(used)).toEqual(Object.keys(texts).sort());
  });

  it("contributes the commands that its menus and its table of commands name", () => {
    const contributed = manifest.contributes.commands.map((each: { command: string }) => each.command);
    const menus = Object.values(manifest.contributes.menus as Record<string, { command?: string }[]>).flat();
    const keys = (manifest.contributes.keybindings ?? []) as { command: string }[];
    const named = unique([...menus, ...keys].flatMap((each) => each.command ?? []));
    expect(named.filter((command) => !contributed.includes(command))).toEqual([]);
    // activate.ts holds the one table of commands; that they are registered is checked in a running VS Code.
    const table = readFileSync(repoPath("extension/src/client/activate.ts"), "utf8");
    expect(contributed.filter((command: string) => !new RegExp(`\\b${command.split(".")[1]}\\b`).test(table))).toEqual(
      [],
    );
  });

  it("contributes the tools for agents as core has them, and README lists them by both names", () => {
    const tools = manifest.contributes.languageModelTools as readonly Readonly<Record<string, unknown>>[];
    expect(
      tools.map(({ name, modelDescription, inputSchema }) => ({ name, description: modelDescription, inputSchema })),
    ).toEqual(AGENT_TOOLS.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })));
    for (const tool of tools) {
      expect(tool).toMatchObject({ canBeReferencedInPrompt: true, when: "config.contextBudget.agentTools.enabled" });
      // A name that VS Code and every model take.
      expect(tool["name"]).toMatch(/^[\w-]{1,64}$/);
      expect(tool["toolReferenceName"]).toMatch(/^[\w-]+$/);
    }
    const readme = readFileSync(repoPath("README.md"), "utf8");
    const rows = [...readme.matchAll(/^\| `(contextBudget_\w+)` \| `#(\w+)` \|/gm)].map(([, ...names]) => names);
    expect(rows).toEqual(tools.map(({ name, toolReferenceName }) => [name, toolReferenceName]));
  });

  it("tests only context keys that the client sets, and the other way round", () => {
    const keys = (text: string) => unique([...text.matchAll(/\bcontextBudget:[a-z]\w*/g)].map((match) => match[0]));
    expect(keys(clientText)).toEqual(keys(manifestText));
  });

  it("has a README row with the default for each setting, and a reader in the client", () => {
    const readme = readFileSync(repoPath("README.md"), "utf8");
    const rows = new Map(
      [...readme.matchAll(/^\| `(contextBudget\.[\w.]+)` \| `([^`]*)` \|/gm)].map((match) => [match[1], match[2]]),
    );
    const settings = Object.entries(
      manifest.contributes.configuration.properties as Record<string, { default: unknown }>,
    );
    expect(Object.fromEntries(rows)).toEqual(
      Object.fromEntries(settings.map(([name, { default: value }]) => [name, JSON.stringify(value)])),
    );
    const unread = settings
      .map(([name]) => name)
      .filter((name) => !new RegExp(`["'\`.](?:\\w+\\.)*${name.split(".").at(-1)}["'\`]`).test(clientText));
    expect(unread).toEqual([]);
  });

  it("has no setting that a remote window does not see, and none of a machine that counts where nobody trusts", () => {
    const { configuration } = manifest.contributes;
    const settings = Object.entries(configuration.properties as Record<string, { scope?: string }>);
    // VS Code takes those of a machine from that machine alone: right for its paths, wrong for what a user wants everywhere.
    const ofMachine = settings.filter(([, { scope }]) => scope?.startsWith("machine"));
    expect(ofMachine).toEqual(settings.filter(([name]) => /\.homes$/.test(name)));
    expect(ofMachine.map(([, { scope }]) => scope)).toEqual(ofMachine.map(() => "machine-overridable"));
    expect(manifest.capabilities.untrustedWorkspaces.restrictedConfigurations).toEqual(ofMachine.map(([name]) => name));
  });

  it("pins every dependency to one version", () => {
    const all = { ...manifest.dependencies, ...manifest.devDependencies } as Record<string, string>;
    expect(Object.entries(all).filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([]);
  });

  it("keeps apart what ships inside the bundles, and what only makes and tests them", () => {
    const shipped = ALL.flatMap((file) =>
      file.imports.filter((each) => !each.clause.startsWith("type ")).flatMap((each) => each.package ?? []),
    ).filter((name) => name !== "vscode" && !name.startsWith("node:"));
    expect(Object.keys(manifest.dependencies).sort()).toEqual(unique([...shipped, ...COPIED_PACKAGES]));
  });

  it("has one floor: the engine, the types and the tested version", () => {
    const minor = (version: string) => version.replace(/^\^/, "").split(".").slice(0, 2).join(".");
    expect(manifest.engines.vscode).toMatch(/^\^\d+\.\d+\.\d+$/);
    expect(minor(manifest.engines.vscode)).toBe(minor(FLOOR));
    expect(minor(manifest.devDependencies["@types/vscode"])).toBe(minor(FLOOR));
  });

  it("is matched by a lockfile that names no host", () => {
    const lock = readFileSync(repoPath("package-lock.json"), "utf8");
    const { dependencies, devDependencies } = JSON.parse(lock).packages[""];
    expect({ dependencies, devDependencies }).toEqual({
      dependencies: manifest.dependencies,
      devDependencies: manifest.devDependencies,
    });
    expect(lock).not.toMatch(/"resolved"/);
  });

  it("starts with a command that lists every option it takes, and starts nothing for that", () => {
    const program = repoPath("test/host/start.mjs");
    const taken = [...readFileSync(program, "utf8").matchAll(/^ {6}"?([\w-]+)"?: \{ type: /gm)].map(([, name]) => name);
    expect(taken).toContain("folder");
    const { status, stdout, stderr } = spawnSync(process.execPath, [program, "--help"], { encoding: "utf8" });
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect([...stdout.matchAll(/^ {2}--([\w-]+)/gm)].map(([, name]) => name).sort()).toEqual(taken.sort());
  });

  it("ships by an allow-list", () => {
    const lines = readFileSync(repoPath(".vscodeignore"), "utf8").trim().split("\n");
    expect(lines[0]).toBe("**");
    expect(lines.slice(1).filter((line) => !line.startsWith("!"))).toEqual([]);
  });

  it("has its version in the changelog", () => {
    const changelog = readFileSync(repoPath("CHANGELOG.md"), "utf8");
    expect(changelog).toMatch(new RegExp(`^## \\[?(${manifest.version.replaceAll(".", "\\.")}|Unreleased)\\b`, "m"));
  });
});
