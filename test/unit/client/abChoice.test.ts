import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { BUNDLES } from "../../../extension/build/bundles.mjs";
import { sharedOptions } from "../../../extension/build/options.mjs";
import { readArgs } from "../../../extension/src/cli/args";
import { CancelSource } from "../../../extension/src/client/lifetime";
import {
  type AbChoice,
  abArguments,
  abCommandLine,
  baselineProblem,
  candidatesProblem,
  momentProblem,
  offsetProblem,
} from "../../../extension/src/client/views/abChoice";
import { cliInWorker } from "../../../extension/src/node/cliInWorker";
import { corpusPath, hasCorpus } from "../../corpus";

const CHOICE: AbChoice = {
  source: { kind: "log", logs: ["/h/logs/agent.log", "/h/it's/agent.log.1"], database: "/h/state.db" },
  baseline: " 50000 ",
  candidates: "8000, 20000;30000",
  since: "2026-09-07",
  until: "",
  utcOffset: "-300",
};

describe("a comparison chosen in the editor", () => {
  it("is what the command line reads", () => {
    expect(readArgs(abArguments(CHOICE))).toMatchObject({
      ok: true,
      value: {
        name: "ab",
        source: { kind: "log", logs: ["/h/logs/agent.log", "/h/it's/agent.log.1"], database: "/h/state.db" },
        baseline: 50_000,
        thresholds: [8_000, 20_000, 30_000],
        utcOffset: -300,
        since: Date.parse("2026-09-07T05:00:00Z"),
        until: null,
      },
    });
    const plain: AbChoice = { ...CHOICE, source: { kind: "transcript", path: "/t.json" }, baseline: "" };
    expect(readArgs(abArguments(plain))).toMatchObject({
      ok: true,
      value: { source: { kind: "transcript", path: "/t.json" }, baseline: undefined },
    });
  });

  it("is written as a shell reads it", () => {
    const read = execFileSync("sh", ["-c", `printf '%s\\0' ${abCommandLine(CHOICE)}`], { encoding: "utf8" });
    expect(read.split("\0").slice(1, -1)).toEqual(abArguments(CHOICE));
  });

  it("says what is wrong with an answer", () => {
    for (const good of ["", " ", "100000", " 9000 "]) expect(baselineProblem(good)).toBeUndefined();
    for (const bad of ["1e5", "-1", "0", "20k", "20_000"]) expect(baselineProblem(bad)).toBeDefined();
    for (const good of ["8000", "8000, 12000"]) expect(candidatesProblem(good)).toBeUndefined();
    for (const bad of ["", "8000, x", "1 ".repeat(41)]) expect(candidatesProblem(bad)).toBeDefined();
    for (const good of ["", "2026-09-07", "2026-09-07T10:00Z"]) expect(momentProblem(good, false)).toBeUndefined();
    for (const bad of ["yesterday", "2026-02-30"]) expect(momentProblem(bad, true)).toBeDefined();
    expect(momentProblem("2026-09-06", true, "2026-09-07")).toMatch(/before/);
    expect(momentProblem("2026-09-07", true, "2026-09-07")).toBeUndefined();
    for (const good of ["0", "120", "-300", "+60"]) expect(offsetProblem(good)).toBeUndefined();
    for (const bad of ["", "900", "1.5", "UTC"]) expect(offsetProblem(bad)).toBeDefined();
  });
});

describe("the command line in a thread", () => {
  const folder = mkdtempSync(join(tmpdir(), "cli-"));
  const cliFile = join(folder, "cli.mjs");
  beforeAll(async () => {
    const cli = BUNDLES.filter(({ name }) => name === "cli");
    await build(sharedOptions(cli, { outdir: folder, production: false }));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it("prints as in a pipe, and says how it ended", async () => {
    const run = await cliInWorker(cliFile, ["ab", "--log=/absent/agent.log"], new CancelSource());
    expect(run).toMatchObject({ code: 2, out: expect.stringContaining("/absent/agent.log") });
    const usage = await cliInWorker(cliFile, ["ab"], new CancelSource());
    expect(usage).toMatchObject({ code: 2, err: expect.stringContaining("context-budget: ab needs") });
  });

  it.skipIf(!hasCorpus)("compares thresholds on Hermes logs and leaves nothing behind", async () => {
    const home = corpusPath("hermes/home");
    const logs = ["agent.log", "agent.log.1"].map((name) => join(home, "logs", name));
    const source = { kind: "log", logs, database: undefined } as const;
    const argv = abArguments({ ...CHOICE, source, since: "", baseline: "", utcOffset: "0" });
    const before = process.env["TMPDIR"];
    const scratch = mkdtempSync(join(folder, "tmp-"));
    process.env["TMPDIR"] = scratch;
    try {
      const run = await cliInWorker(cliFile, argv, new CancelSource());
      expect(run).toMatchObject({ code: 0, err: "" });
      expect(run?.out).toContain("122 calls in 26 turn segments");
      const cancel = new CancelSource();
      const stopped = cliInWorker(cliFile, argv, cancel);
      cancel.cancel();
      expect(await stopped).toBeUndefined();
      expect(readdirSync(scratch)).toEqual([]);
    } finally {
      if (before === undefined) delete process.env["TMPDIR"];
      else process.env["TMPDIR"] = before;
    }
  });
});
