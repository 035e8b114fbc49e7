/**
 * `npm run fuzz`: what `npm test` does with thousands of damaged inputs, with many more of them; some minutes. Usage:
 *   npm run fuzz [-- --lines N] [-- --seed N]
 * A failure names its seed, which repeats it.
 */
import { spawnSync } from "node:child_process";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "..");
const { values } = parseArgs({
  options: {
    lines: { type: "string", default: "100000" },
    seed: { type: "string", default: String(Date.now() % 1e9) },
  },
});
const env = {
  ...process.env,
  FUZZ_LINES: values.lines,
  FUZZ_SEED: values.seed,
  ROWS_RUNS: "2000",
  ZSTD_RUNS: "300",
  CUT_STEP: "1",
};
const files = ["transcript/fuzz", "transcript/samples", "transcript/rows.property", "node/unzstd"];
console.log(`seed ${values.seed}, ${values.lines} lines`);
const { status } = spawnSync(
  process.execPath,
  [
    "node_modules/vitest/vitest.mjs",
    "run",
    "--config",
    "test/vitest.config.ts",
    ...files.map((file) => `test/unit/${file}`),
  ],
  { cwd: root, env, stdio: "inherit" },
);
process.exitCode = status ?? 1;
