/**
 * Two hours of an agent's work in ten minutes: files are appended to, torn, cut, rotated, removed and made again while the product
 * shows, searches and simulates them; servers are killed, windows reloaded. Usage:
 *   npm run soak [-- --minutes N] [--seed S] [--only process|workbench]
 *     --minutes  default 10; three fifths of it in one process, the rest in a real VS Code
 *     --seed     repeats the steps of another run
 * Ends with 1 when a result is lost, something is left over, or memory or handles grow.
 */
import { spawn } from "node:child_process";
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import * as esbuild from "esbuild";
import { BUNDLES } from "../extension/build/bundles.mjs";
import { ICON_CSS, ICON_FONT, ICON_STYLES, iconFont } from "../extension/build/iconFont.mjs";
import { sharedOptions, singleOptions } from "../extension/build/options.mjs";
import { PACKED_ENGINE, packEngine } from "../extension/build/packedEngine.mjs";
import { endAll, onEnd } from "./host/cleanup.mjs";
import { soakWorkbench } from "./soak/workbench.mjs";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "..");
const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "10" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
    only: { type: "string" },
  },
});
const minutes = Number(values.minutes);
if (!(minutes > 0)) throw new Error(`--minutes ${values.minutes}: not a number of minutes`);
const parts = values.only?.split(",") ?? ["process", "workbench"];

const folder = mkdtempSync(join(tmpdir(), "context-budget-soak-"));
onEnd(() => rmSync(folder, { recursive: true, force: true }));

/** The product as it ships, and the soak's own program beside it: it finds the reading threads where the extension does. */
async function buildInto(/** @type {string} */ outdir) {
  mkdirSync(outdir, { recursive: true });
  const how = { outdir, production: true };
  const shared = BUNDLES.filter(({ runtime }) => runtime === "shared");
  const options = sharedOptions(shared, how);
  await esbuild.build(options);
  for (const bundle of BUNDLES.filter(({ runtime }) => runtime !== "shared"))
    await esbuild.build(singleOptions(bundle, how));
  await esbuild.build({
    entryPoints: [join(root, "test/soak/main.ts")],
    outfile: join(outdir, "soak.mjs"),
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    banner: options.banner ?? {},
    plugins: options.plugins?.filter(({ name }) => name !== "names-where-used") ?? [],
    mainFields: ["module", "main"],
    alias: options.alias ?? {},
    logLevel: "warning",
  });
  const engine = join(root, "node_modules/node-sqlite3-wasm/dist/node-sqlite3-wasm.wasm");
  writeFileSync(join(outdir, PACKED_ENGINE), packEngine(engine, join(root, "node_modules/.cache", PACKED_ENGINE)));
  writeFileSync(join(outdir, ICON_FONT), await iconFont(root));
  writeFileSync(join(outdir, ICON_CSS), ICON_STYLES);
  const product = dirname(outdir);
  for (const name of ["package.json", "package.nls.json", "README.md"])
    copyFileSync(join(root, name), join(product, name));
  for (const name of ["schemas", "extension/media"]) cpSync(join(root, name), join(product, name), { recursive: true });
}

/** @param {readonly string[]} args @param {NodeJS.ProcessEnv} env @returns {Promise<number>} */
function run(args, env) {
  const child = spawn(process.execPath, args, { cwd: root, stdio: "inherit", env: { ...process.env, ...env } });
  const settle = onEnd(() => {
    if (child.exitCode === null && child.signalCode === null) child.kill("SIGKILL");
  });
  return new Promise((done) => {
    child.on("error", () => done(1));
    child.on("close", (status) => {
      void settle();
      done(status ?? 1);
    });
  });
}

console.log(`seed ${values.seed}, ${minutes} minutes`);
let failed = 0;
const outdir = join(folder, "product", "dist");
await buildInto(outdir);
if (parts.includes("process")) {
  const work = join(folder, "work");
  mkdirSync(join(work, "temporary"), { recursive: true });
  const share = parts.length > 1 ? 0.6 : 1;
  const args = ["--expose-gc", join(outdir, "soak.mjs")];
  const options = ["--minutes", String(minutes * share), "--seed", values.seed, "--folder", work];
  // Private copies of databases go where they can be counted.
  const temporary = join(work, "temporary");
  if ((await run([...args, ...options], { TMPDIR: temporary, TEMP: temporary, TMP: temporary })) !== 0) failed += 1;
}
if (parts.includes("workbench")) {
  const wrong = await soakWorkbench({
    minutes: minutes * (parts.length > 1 ? 0.4 : 1),
    seed: Number(values.seed),
    folder: join(folder, "workbench"),
    product: dirname(outdir),
  });
  for (const what of wrong) console.log(`WRONG: ${what}`);
  if (wrong.length > 0) failed += 1;
}
await endAll();
process.exitCode = failed === 0 ? 0 : 1;
