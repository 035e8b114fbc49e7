import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { wantsHelper } from "../../../extension/src/cli/earlyHelper";
import { HELPED_FOLD_BYTES } from "../../../extension/src/core/transcript/rows/helped";

describe("a helping thread is started early", () => {
  let folder = "";
  let large = "";
  let small = "";

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "early-"));
    large = join(folder, "large.jsonl");
    small = join(folder, "small.jsonl");
    for (const file of [large, small, join(folder, "state.db")]) writeFileSync(file, "");
    // Takes no room on the disk.
    truncateSync(large, HELPED_FOLD_BYTES);
    truncateSync(join(folder, "state.db"), HELPED_FOLD_BYTES);
    truncateSync(small, HELPED_FOLD_BYTES - 1);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it("for the summary of one large file of records", () => {
    expect(wantsHelper(["inspect", large, "--summary", "--json"])).toBe(true);
    expect(wantsHelper(["inspect", "--summary", large])).toBe(true);
  });

  it("for nothing else, whatever the command line is", () => {
    const others = [
      [],
      ["check", large, "--summary"],
      ["inspect", large],
      ["inspect", "--summary"],
      ["inspect", small, "--summary"],
      ["inspect", large, small, "--summary"],
      ["inspect", join(folder, "state.db"), "--summary"],
      ["inspect", join(folder, "none.jsonl"), "--summary"],
      ["inspect", `${folder}/\0.jsonl`, "--summary"],
      ["inspect", folder, "--summary"],
    ];
    for (const argv of others) expect(wantsHelper(argv), argv.join(" ")).toBe(false);
  });
});

describe("a thread that was started early", () => {
  it.each([
    ["", 0],
    ["throw new Error('a bug');", 1],
    ["Promise.reject(new Error('a bug'));", 1],
    ["setImmediate(() => process.exit(3));", 3],
  ])("keeps no process alive that never asks it: %j", async (rest, code) => {
    const folder = mkdtempSync(join(tmpdir(), "early-"));
    try {
      const [start, thread] = [join(folder, "start.cjs"), join(folder, "thread.cjs")];
      // Waits for its request for ever, as the real one does.
      writeFileSync(thread, "require('node:worker_threads').parentPort.on('message', () => {});");
      const contents = `import { startEarly } from "./earlyThread"; startEarly(${JSON.stringify(thread)}); ${rest}`;
      const stdin = { contents, resolveDir: join(import.meta.dirname, "../../../extension/src/node") };
      await build({ stdin, bundle: true, platform: "node", format: "cjs", outfile: start, logLevel: "silent" });
      expect(spawnSync(process.execPath, [start], { timeout: 30_000 }).status).toBe(code);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
