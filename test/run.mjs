/**
 * `npm test`: every check, two stages at a time. Usage:
 *   npm test [-- --only stage,stage]   or   node test/run.mjs --list
 * What a stage printed is shown when it has ended, what a single one prints at once. A failed stage does not keep the
 * others from running. Ends with `N passed, N failed` and exits with 1 on a failure.
 * A stage without tests of its own (lint, types, build) counts as one.
 */
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
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
 * @property {boolean} [dist] builds or reads dist/: no other such stage runs meanwhile, the first of them builds it
 * @property {boolean} [vsCode] needs the VS Code that is fetched while others run
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

/**
 * In the order in which they begin. Those around dist/ take turns, half of that time waiting for a window of VS Code; so
 * they come first, and the others run beside them.
 * @type {readonly Stage[]}
 */
const STAGES = [
  { name: "build", command: ["extension/build/esbuild.mjs", "--production"], dist: true },
  { name: "lint", command: [biome, "check", "--config-path=extension/build/lint.json", "--error-on-warnings", "."] },
  { name: "types", command: [tsc, "-b"] },
  { ...vitest("package"), dist: true },
  { ...integration("integration", []), dist: true, vsCode: true },
  { ...vitest("workbench"), dist: true, vsCode: true },
  { ...integration("packaged", ["--packaged"]), dist: true, vsCode: true },
  ...["unit", "safety", "webview", "server", "architecture"].map(vitest),
];

/**
 * @param {readonly string[]} command
 * @param {boolean} live shown as it is printed
 * @returns {Promise<{ status: number, output: string }>}
 */
function run(command, live) {
  const colour = process.stdout.isTTY ? { FORCE_COLOR: "1" } : {};
  const child = spawn(process.execPath, command, {
    cwd: root,
    stdio: ["ignore", "pipe", "pipe"],
    detached: process.platform !== "win32",
    // The configuration is a TypeScript module in a package of scripts; vite says so at length.
    env: { VITE_CONFIG_NATIVE_IGNORE_WARNING: "true", ...process.env, ...colour },
  });
  let output = "";
  let ended = false;
  const settle = onEnd(() => {
    if (child.exitCode === null && child.signalCode === null) endGroup(child);
    // Whoever ends the run wants to see what it was at.
    if (!live && !ended) process.stdout.write(output);
  });
  for (const from of [child.stdout, child.stderr]) {
    from.setEncoding("utf8");
    from.on("data", (text) => {
      output += text;
      if (live) process.stdout.write(text);
    });
  }
  return new Promise((done) => {
    child.on("error", (error) => done({ status: 1, output: String(error) }));
    child.on("close", (status) => {
      ended = true;
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

const todo = STAGES.filter((stage) => chosen.includes(stage.name));
// What cannot run beside anything is shown at once.
const live = todo.length === 1 || todo.every((stage) => stage.dist);
const fetching = todo.some((stage) => stage.vsCode) ? run(["test/host/fetchVsCode.mjs"], false) : undefined;
/** @param {string} title */
const line = (title) => console.log(`\n── ${title} ${"─".repeat(Math.max(0, 74 - title.length))}`);
const started = performance.now();
const clock = () => `${((performance.now() - started) / 1000).toFixed(0)} s`;
/** @type {{ name: string, counts: Counts, seconds: number }[]} */
const rows = [];

/** @param {Stage} stage */
async function runStage(stage) {
  const start = performance.now();
  if (live) line(stage.name);
  else console.log(`${stage.name} begins (${clock()})`);
  const { status, output } = await run(stage.command, live);
  const counts = stage.counts
    ? (stage.counts(status, output) ?? { passed: 0, failed: 0, skipped: 0 })
    : { passed: status === 0 ? 1 : 0, failed: 0, skipped: 0 };
  // A stage that ended badly, or ran nothing, has failed whatever it counted.
  if (counts.failed === 0 && (status !== 0 || counts.passed === 0)) counts.failed = 1;
  if (!live) {
    line(`${stage.name} (${clock()})`);
    process.stdout.write(output);
  }
  rows.push({ name: stage.name, counts, seconds: (performance.now() - start) / 1000 });
}

let distInUse = false;
/** Takes one stage after the other, always the first that may begin. */
async function lane() {
  for (;;) {
    const at = todo.findIndex((stage) => !(stage.dist && distInUse));
    const [stage] = at < 0 ? [] : todo.splice(at, 1);
    // What is left needs dist/, which the other lane has; it goes on with that.
    if (stage === undefined) return;
    if (stage.dist) distInUse = true;
    if (stage.vsCode && fetching) {
      const fetched = await fetching;
      if (fetched.status !== 0) console.error(fetched.output);
    }
    await runStage(stage);
    if (stage.dist) distInUse = false;
  }
}
// Most stages keep one processor busy, so that two fill two; with more of them, vitest takes more by itself.
await Promise.all(Array.from({ length: Math.min(2, availableParallelism()) }, lane));

line("summary");
rows.sort((a, b) => names.indexOf(a.name) - names.indexOf(b.name));
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
