/**
 * `npm test`: every check, one stage after the other. Usage:
 *   npm test [-- --only stage,stage]   or   node test/run.mjs --list
 * A failed stage does not keep the later ones from running. Ends with `N passed, N failed` and exits with 1 on a failure.
 * A stage without tests of its own (lint, types, build) counts as one.
 */
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { endAll, onEnd } from "./host/cleanup.mjs";
import { endGroup } from "./host/server.mjs";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "..");
const scratch = mkdtempSync(join(tmpdir(), "context-budget-run-"));
onEnd(() => rmSync(scratch, { recursive: true, force: true }));

/** @typedef {{ passed: number, failed: number, skipped: number }} Counts */

/**
 * @typedef {object} Stage
 * @property {string} name
 * @property {readonly string[]} command arguments for Node, from the root
 * @property {(status: number, output: string) => Counts | undefined} [counts] undefined: nothing could be counted
 */

const biome = join("node_modules", "@biomejs", "biome", "bin", "biome");
const tsc = join("node_modules", "typescript", "bin", "tsc");

/** @param {string} name @returns {Stage} */
function vitest(name) {
  const file = join(scratch, `${name}.json`);
  const command = ["node_modules/vitest/vitest.mjs", "run", "--config", "test/vitest.config.ts", "--project", name];
  return {
    name,
    command: [...command, "--reporter=default", "--reporter=json", `--outputFile.json=${file}`],
    counts: () => {
      if (!existsSync(file)) return undefined;
      const report = JSON.parse(readFileSync(file, "utf8"));
      return {
        passed: report.numPassedTests,
        failed: report.numFailedTests,
        skipped: report.numPendingTests + report.numTodoTests,
      };
    },
  };
}

/** @param {string} name @param {readonly string[]} options @returns {Stage} */
function integration(name, options) {
  return {
    name,
    command: ["test/integration/run.mjs", ...options],
    counts: (_status, output) => {
      const line = [...output.matchAll(/^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?$/gm)].at(-1);
      return line && { passed: Number(line[1]), failed: Number(line[2]), skipped: Number(line[3] ?? 0) };
    },
  };
}

/** @type {readonly Stage[]} */
const STAGES = [
  { name: "lint", command: [biome, "check", "--config-path=extension/build/lint.json", "--error-on-warnings", "."] },
  { name: "types", command: [tsc, "-b"] },
  { name: "build", command: ["extension/build/esbuild.mjs", "--production"] },
  ...["unit", "server", "webview", "architecture", "safety", "workbench", "package"].map(vitest),
  integration("integration", []),
  integration("packaged", ["--packaged"]),
];
/** Stages that need VS Code; it is fetched while the ones before them run. */
const NEED_VSCODE = ["workbench", "integration", "packaged"];

/**
 * @param {readonly string[]} command @param {boolean} quiet
 * @returns {Promise<{ status: number, output: string }>}
 */
function run(command, quiet = false) {
  const colour = process.stdout.isTTY ? { FORCE_COLOR: "1" } : {};
  const child = spawn(process.execPath, command, {
    cwd: root,
    stdio: ["ignore", "pipe", "pipe"],
    detached: process.platform !== "win32",
    // The configuration is a TypeScript module in a package of scripts; vite says so at length.
    env: { VITE_CONFIG_NATIVE_IGNORE_WARNING: "true", ...process.env, ...colour },
  });
  const settle = onEnd(() => {
    if (child.exitCode === null && child.signalCode === null) endGroup(child);
  });
  let output = "";
  for (const [from, to] of /** @type {const} */ ([
    [child.stdout, process.stdout],
    [child.stderr, process.stderr],
  ])) {
    from.setEncoding("utf8");
    from.on("data", (text) => {
      output += text;
      if (!quiet) to.write(text);
    });
  }
  return new Promise((done) => {
    child.on("error", (error) => done({ status: 1, output: String(error) }));
    child.on("close", (status) => {
      void settle();
      done({ status: status ?? 1, output });
    });
  });
}

const { values } = parseArgs({ options: { only: { type: "string" }, list: { type: "boolean", default: false } } });
const names = STAGES.map((stage) => stage.name);
if (values.list) {
  console.log(names.join("\n"));
  process.exit(0);
}
const chosen = values.only?.split(",").map((name) => name.trim()) ?? names;
const unknown = chosen.filter((name) => !names.includes(name));
if (unknown.length > 0) {
  console.error(`--only: no stage ${unknown.join(", ")}; there are ${names.join(", ")}`);
  process.exit(2);
}

const fetching = chosen.some((name) => NEED_VSCODE.includes(name))
  ? run(["test/host/fetchVsCode.mjs"], true)
  : undefined;
/** @type {{ name: string, counts: Counts, seconds: number }[]} */
const rows = [];
for (const stage of STAGES) {
  if (!chosen.includes(stage.name)) continue;
  console.log(`\n── ${stage.name} ${"─".repeat(Math.max(0, 74 - stage.name.length))}`);
  const start = performance.now();
  if (NEED_VSCODE.includes(stage.name) && fetching) {
    const fetched = await fetching;
    if (fetched.status !== 0) console.error(fetched.output);
  }
  const { status, output } = await run(stage.command);
  const counts = stage.counts
    ? (stage.counts(status, output) ?? { passed: 0, failed: 0, skipped: 0 })
    : { passed: status === 0 ? 1 : 0, failed: 0, skipped: 0 };
  // A stage that ended badly, or ran nothing, has failed whatever it counted.
  if (counts.failed === 0 && (status !== 0 || counts.passed === 0)) counts.failed = 1;
  rows.push({ name: stage.name, counts, seconds: (performance.now() - start) / 1000 });
}

console.log(`\n── summary ${"─".repeat(67)}`);
const total = { passed: 0, failed: 0, skipped: 0 };
for (const { name, counts, seconds } of rows) {
  total.passed += counts.passed;
  total.failed += counts.failed;
  total.skipped += counts.skipped;
  const extra = `${counts.failed > 0 ? `, ${counts.failed} FAILED` : ""}${counts.skipped > 0 ? `, ${counts.skipped} skipped` : ""}`;
  console.log(`  ${name.padEnd(14)}${seconds.toFixed(1).padStart(7)} s  ${counts.passed} passed${extra}`);
}
await endAll();
if (total.skipped > 0) console.log(`\n${total.skipped} skipped`);
// Whoever counts reads the last line.
console.log(`\n${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed > 0 ? 1 : 0;
