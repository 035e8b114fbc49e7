/**
 * Runs the integration tests inside VS Code. Usage:
 *   node test/integration/run.mjs [--vscode floor|current|VERSION] [--desktop] [--packaged] [--grep TEXT] [--verbose]
 *     --vscode    default: floor, then current
 *     --desktop   on a desktop VS Code that @vscode/test-electron downloads, instead of the server from npm
 *     --packaged  makes the package, installs it and runs test/integration/packaged/ on the installed extension;
 *                 otherwise test/integration/*.test.ts runs on the extension in this folder (build first)
 *     --grep      only tests whose full title contains this text
 * Prints each test and ends with `N passed, N failed`; exits with 1 on a failure or when no test was found.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { downloadAndUnzipVSCode, runTests, runVSCodeCommand } from "@vscode/test-electron";
import * as esbuild from "esbuild";
import { createPackage } from "../../extension/build/package.mjs";
import { prepareSample } from "../fixtures/prepareSample.mjs";
import { endAll, onEnd } from "../host/cleanup.mjs";
import { fetchVsCode } from "../host/fetchVsCode.mjs";
import { serverArguments } from "../host/server.mjs";
import { CURRENT, FLOOR } from "../host/versions.mjs";
import { QUIET } from "../host/workbench.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const root = resolve(here, "../..");

/**
 * Bundles all test files of a folder into one module that exports `run`. It lies below node_modules, so that `mocha`
 * resolves from it.
 * @param {string} folder
 */
async function bundleTests(folder) {
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith(".test.ts")) : [];
  if (names.length === 0) throw new Error(`${folder}: no *.test.ts found`);
  mkdirSync(join(root, "node_modules/.cache"), { recursive: true });
  const out = mkdtempSync(join(root, "node_modules/.cache/integration-"));
  onEnd(() => rmSync(out, { recursive: true, force: true }));
  const files = names
    .sort()
    .map((name) => `[${JSON.stringify(name)}, () => import(${JSON.stringify(join(folder, name))})]`);
  const outfile = join(out, "suite.js");
  await esbuild.build({
    stdin: {
      contents: `import { runSuite } from ${JSON.stringify(join(here, "runner.ts"))};\nexport const run = () => runSuite([${files.join(", ")}]);`,
      resolveDir: root,
      loader: "ts",
    },
    outfile,
    bundle: true,
    platform: "node",
    format: "cjs",
    target: "node20",
    external: ["vscode", "mocha"],
    sourcemap: "inline",
    logLevel: "warning",
  });
  return outfile;
}

/**
 * Installs a package into the folders that the run then uses.
 * @param {{ vsix: string, version: string, desktop: boolean, userData: string, extensions: string }} options
 */
async function installPackage({ vsix, version, desktop, userData, extensions }) {
  if (desktop) {
    await runVSCodeCommand(
      [`--install-extension=${vsix}`, `--user-data-dir=${userData}`, `--extensions-dir=${extensions}`],
      { version },
    );
    return;
  }
  const code = await fetchVsCode(version);
  const run = spawnSync(code.node, [...serverArguments(code, userData), "--install-extension", vsix], {
    encoding: "utf8",
  });
  if (run.status !== 0 || !/successfully installed/.test(run.stdout)) {
    throw new Error(`installing ${vsix} ended with ${run.status}:\n${run.stdout}${run.stderr}`);
  }
}

/**
 * One run in one VS Code.
 * @param {{ version: string, desktop: boolean, vsix: string | undefined, tests: string, grep: string | undefined, verbose: boolean }} options
 * @returns {Promise<{ passed: number, failed: number, skipped: number }>}
 */
async function runOnce({ version, desktop, vsix, tests, grep, verbose }) {
  const work = mkdtempSync(join(tmpdir(), "context-budget-test-"));
  const discard = onEnd(() => rmSync(work, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }));
  try {
    const userData = join(work, "user");
    const extensions = join(userData, "extensions");
    const home = join(work, "home");
    for (const folder of [join(userData, "data"), join(userData, "User"), extensions, home])
      mkdirSync(folder, { recursive: true });
    writeFileSync(join(userData, "User/settings.json"), JSON.stringify(QUIET));
    const workspace = prepareSample(join(work, "sample"));
    const results = join(work, "results.json");
    let extensionDevelopmentPath = root;
    if (vsix) {
      await installPackage({ vsix, version, desktop, userData, extensions });
      // VS Code runs tests only beside an extension under development: this one is empty.
      extensionDevelopmentPath = join(work, "empty-extension");
      mkdirSync(extensionDevelopmentPath);
      const manifest = { name: "empty", publisher: "test", version: "0.0.1", engines: { vscode: "^1.100.0" } };
      writeFileSync(join(extensionDevelopmentPath, "package.json"), JSON.stringify(manifest));
    }
    const launcher = join(root, "test/host", process.platform === "win32" ? "launcher.cmd" : "launcher.mjs");
    const vscodeExecutablePath = desktop ? await downloadAndUnzipVSCode(version) : launcher;
    // Fetched here, with this user's own settings for npm; the run below has a home folder of its own.
    if (!desktop) await fetchVsCode(version);
    try {
      await runTests({
        vscodeExecutablePath,
        extensionDevelopmentPath,
        extensionTestsPath: tests,
        launchArgs: [workspace, `--user-data-dir=${userData}`, `--extensions-dir=${extensions}`],
        extensionTestsEnv: {
          CONTEXT_BUDGET_VSCODE: version,
          CONTEXT_BUDGET_RESULTS: results,
          CONTEXT_BUDGET_REPOSITORY: root,
          CONTEXT_BUDGET_VERBOSE: verbose ? "1" : "0",
          ...(grep ? { CONTEXT_BUDGET_GREP: grep } : {}),
          HOME: home,
          USERPROFILE: home,
          HERMES_HOME: "",
        },
      });
    } catch (error) {
      console.error(error instanceof Error ? error.message : error);
      if (!existsSync(results)) return { passed: 0, failed: 1, skipped: 0 };
      const counts = JSON.parse(readFileSync(results, "utf8"));
      return { ...counts, failed: Math.max(1, counts.failed) };
    }
    if (!existsSync(results)) {
      console.error("the run ended well but left no results");
      return { passed: 0, failed: 1, skipped: 0 };
    }
    return JSON.parse(readFileSync(results, "utf8"));
  } finally {
    await discard();
  }
}

const { values } = parseArgs({
  options: {
    vscode: { type: "string" },
    desktop: { type: "boolean", default: false },
    packaged: { type: "boolean", default: false },
    grep: { type: "string" },
    verbose: { type: "boolean", default: false },
  },
});
const named = { floor: FLOOR, current: CURRENT };
const versions = values.vscode
  ? [named[/** @type {keyof typeof named} */ (values.vscode)] ?? values.vscode]
  : [FLOOR, CURRENT];
const total = { passed: 0, failed: 0, skipped: 0 };
try {
  const vsix = values.packaged ? await createPackage() : undefined;
  const tests = await bundleTests(values.packaged ? join(here, "packaged") : here);
  for (const version of versions) {
    console.log(
      `\n${values.packaged ? "Packaged extension" : "Extension"} in ${values.desktop ? "desktop " : ""}VS Code ${version}`,
    );
    const counts = await runOnce({
      version,
      desktop: values.desktop,
      vsix,
      tests,
      grep: values.grep,
      verbose: values.verbose,
    });
    for (const key of /** @type {const} */ (["passed", "failed", "skipped"])) total[key] += counts[key];
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  total.failed += 1;
}
await endAll();
console.log(`\n${total.passed} passed, ${total.failed} failed${total.skipped > 0 ? `, ${total.skipped} skipped` : ""}`);
process.exitCode = total.failed > 0 || total.passed === 0 ? 1 : 0;
