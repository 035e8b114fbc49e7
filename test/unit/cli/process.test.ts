import { spawn, spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, it } from "vitest";
import { BUNDLES } from "../../../extension/build/bundles.mjs";
import { sharedOptions } from "../../../extension/build/options.mjs";
import { repoPath } from "../../corpus";
import { validated } from "./schema";

let folder = "";
let cli = "";

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "cbi-cli-"));
  cli = join(folder, "dist", "cli.mjs");
  copyFileSync(repoPath("package.json"), join(folder, "package.json"));
  const shared = BUNDLES.filter(({ runtime }) => runtime === "shared");
  await build(sharedOptions(shared, { outdir: join(folder, "dist"), production: true }));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const sampleFile = (...parts: readonly string[]): string => repoPath("test/fixtures/sample-workspace", ...parts);
const cliRun = (...argv: readonly string[]) =>
  spawnSync(process.execPath, [cli, ...argv], { encoding: "utf8", cwd: folder });

it("is a program of its own: version, exit codes, both streams", () => {
  const { version } = JSON.parse(readFileSync(repoPath("package.json"), "utf8"));
  expect(cliRun("--version")).toMatchObject({ status: 0, stdout: `${version}\n`, stderr: "" });
  expect(cliRun()).toMatchObject({ status: 2, stdout: "" });
  const checked = cliRun("check", sampleFile(".hermes/config.yaml"), "--json");
  expect(checked.status).toBe(1);
  expect(validated(checked.stdout, "checkReports")).toHaveLength(1);
  const inspected = cliRun("inspect", sampleFile("openmausbot/harbour-desk.json"), "--json");
  expect(inspected.status).toBe(0);
  expect(validated(inspected.stdout, "inspectReport").totals.states.handle).toBe(3);
});

it("ends quietly when its reader goes away in the middle", async () => {
  // Large enough to fill any pipe many times over.
  const long = join(folder, "long.json");
  const content = "x".repeat(3_000);
  const messages = Array.from({ length: 3_000 }, (_, n) => ({
    role: "tool",
    tool_call_id: `call_${n}_${content.slice(0, 60)}`,
    content: "x",
  }));
  writeFileSync(long, JSON.stringify({ messages: [{ role: "user", content: "hi" }, ...messages] }));
  const child = spawn(process.execPath, [cli, "inspect", long, "--json"], { stdio: ["ignore", "pipe", "pipe"] });
  const complaints: Buffer[] = [];
  child.stderr.on("data", (data: Buffer) => complaints.push(data));
  await new Promise<void>((resolve) => child.stdout.once("data", () => resolve()));
  child.stdout.destroy();
  const code = await new Promise((resolve) => child.once("close", resolve));
  expect(Buffer.concat(complaints).toString()).toBe("");
  expect(code).toBe(0);
});

const hasFullDisk = existsSync("/dev/full");
if (!hasFullDisk) console.warn("the full-disk test is skipped: this system has no /dev/full");

it.runIf(hasFullDisk)("says so when the disk is full", () => {
  const full = spawnSync("/bin/sh", ["-c", `"$0" "$1" --help > /dev/full`, process.execPath, cli], {
    encoding: "utf8",
  });
  expect(full).toMatchObject({ status: 2, stderr: "context-budget: the output cannot be written (ENOSPC)\n" });
});
