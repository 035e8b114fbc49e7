import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { build, type Metafile, type Plugin } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { BUNDLES } from "../../../extension/build/bundles.mjs";
import { STARTS } from "../../../extension/build/mergedChunks.mjs";
import { sharedOptions } from "../../../extension/build/options.mjs";

const SHARED = BUNDLES.filter(({ runtime }) => runtime === "shared");

let folder: string;
let outputs: Metafile["outputs"];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "start-"));
  outputs = await built(join(folder, "dist"));
});

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

async function built(outdir: string, ...more: readonly Plugin[]): Promise<Metafile["outputs"]> {
  const options = sharedOptions(SHARED, { outdir, production: true });
  const { metafile } = await build({ ...options, plugins: [...more, ...(options.plugins ?? [])] });
  return metafile?.outputs ?? {};
}

/** What is loaded together with the file of a source. */
function loadedAtOnce(source: string, later = false): readonly Metafile["outputs"][string][] {
  const start = Object.keys(outputs).find((path) => outputs[path]?.entryPoint === source);
  expect(start, source).toBeDefined();
  const paths = new Set([start ?? ""]);
  for (const path of paths)
    for (const { path: imported, kind, external } of outputs[path]?.imports ?? [])
      if ((later || kind === "import-statement") && external !== true) paths.add(imported);
  return [...paths].flatMap((path) => outputs[path] ?? []);
}

describe("what ships", () => {
  it.each(STARTS)("begins with few files: %s", (source) => {
    const files = loadedAtOnce(source);
    expect(files.length).toBeLessThanOrEqual(13);
  });

  it("loads for `inspect` neither what reads configurations nor what simulates, and no module of Node that starts slowly", () => {
    const files = loadedAtOnce("extension/src/cli/program.ts");
    expect(files.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThan(450_000);
    const sources = files.flatMap(({ inputs }) => Object.keys(inputs));
    expect(sources).toContain("extension/src/core/transcript/read.ts");
    expect(
      sources.filter((path) =>
        /core\/(yaml|config\/check|compaction\/simulate|agentTools)|secretRules|simulate\.ts/.test(path),
      ),
    ).toEqual([]);
    const modules = files.flatMap(({ imports }) =>
      imports.filter(({ external, kind }) => external === true && kind === "import-statement"),
    );
    expect(
      modules.map(({ path }) => path).filter((path) => /crypto|child_process|http|net$|zlib|readline/.test(path)),
    ).toEqual([]);
  });

  it.each(SHARED.filter(({ name }) => name !== "host"))(
    "never loads in $name what only the extension finds",
    ({ entry }) => {
      const sources = loadedAtOnce(entry, true).flatMap(({ inputs }) => Object.keys(inputs));
      expect(sources.filter((path) => /vscode-by-require|extension\/src\/client\/(?!agents)/.test(path))).toEqual([]);
    },
  );

  it("has every file that a file names, and no other", () => {
    const names = readdirSync(join(folder, "dist"));
    const named = names.flatMap((name) =>
      [...readFileSync(join(folder, "dist", name), "utf8").matchAll(/(?:from|import\()?"\.\/([\w.-]+\.mjs)"/g)].map(
        ([, file]) => file,
      ),
    );
    expect([...new Set(named)].filter((file) => !names.includes(file ?? ""))).toEqual([]);
    expect(names.sort()).toEqual(
      Object.keys(outputs)
        .map((path) => basename(path))
        .sort(),
    );
  });

  it("names its files by what they hold, the worker's bundle by that of its readers", async () => {
    const changed: Plugin = {
      name: "changed",
      setup: ({ onLoad }) =>
        onLoad({ filter: /readers[\\/]codex\.ts$/ }, ({ path }) => ({
          contents: `${readFileSync(path, "utf8")}\nconsole.debug("another reader");`,
          loader: "ts",
        })),
    };
    const other = join(folder, "other");
    await built(other, changed);
    const worker = readFileSync(join(folder, "dist", "worker.mjs"), "utf8");
    expect(readFileSync(join(other, "worker.mjs"), "utf8")).not.toBe(worker);
    const again = join(folder, "again");
    await built(again);
    expect(readFileSync(join(again, "worker.mjs"), "utf8")).toBe(worker);
  });
});
