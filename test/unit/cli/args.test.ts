import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { FORMATS, readArgs } from "../../../extension/src/cli/args";
import { help } from "../../../extension/src/cli/help";
import { DATABASES } from "../../../extension/src/core/transcript/database/readDatabase";
import { repoPath } from "../../corpus";

describe("command line", () => {
  it("reads check with its options", () => {
    expect(readArgs(["check", "a.yaml", "--loader", "pyyaml", "b.yaml", "--context-length=200000", "--json"])).toEqual({
      ok: true,
      value: { name: "check", paths: ["a.yaml", "b.yaml"], loader: "pyyaml", contextLength: 200_000, json: true },
    });
  });

  it("reads inspect with its options", () => {
    expect(readArgs(["inspect", "t.jsonl", "--format", "claude-code", "--summary"])).toEqual({
      ok: true,
      value: { name: "inspect", path: "t.jsonl", format: "claude-code", summary: true, json: false },
    });
  });

  it("takes what follows -- as paths", () => {
    expect(readArgs(["check", "--", "--json"])).toMatchObject({ ok: true, value: { paths: ["--json"], json: false } });
  });

  it.each([
    [["--help"], { name: "help", about: "all" }],
    [["check", "-h"], { name: "help", about: "check" }],
    [["help", "inspect"], { name: "help", about: "inspect" }],
    [["-V"], { name: "version" }],
  ])("%j asks for help or the version", (argv, value) => {
    expect(readArgs(argv)).toEqual({ ok: true, value });
  });

  it.each([
    [[], "check or inspect"],
    [["chek", "a"], "'chek' is no command"],
    [["check"], "at least one FILE"],
    [["inspect"], "PATH"],
    [["inspect", "a", "b"], "'b' is one too many"],
    [["check", "a", "--loader", "toml"], "'toml'"],
    [["check", "a", "--context-length", "128k"], "'128k'"],
    [["check", "a", "--context-length", "0"], "'0'"],
    [["check", "a", "--summary"], "--summary belongs to inspect"],
    [["inspect", "a", "--loader", "pyyaml"], "--loader belongs to check"],
    [["inspect", "a", "--format", "word"], "openmausbot-thread"],
    [["check", "a", "--loader"], "--loader"],
    [["check", "a", "--nonsense"], "--nonsense"],
    [["check", "a", "--json=yes"], "--json"],
  ])("%j is a usage error that says what to change", (argv, part) => {
    const command = readArgs(argv);
    expect(command.ok).toBe(false);
    if (!command.ok) {
      expect(command.error).toContain(part);
      expect(command.error).not.toContain("\n");
    }
  });

  it("knows the formats that the report's schema lists", () => {
    const schema = JSON.parse(readFileSync(repoPath("schemas/report.schema.json"), "utf8"));
    const listed: readonly unknown[] = schema.definitions.inspectReport.properties.format.enum;
    expect(listed.filter((name) => name !== null).sort()).toEqual([...FORMATS, ...Object.keys(DATABASES)].sort());
  });

  it("names every option and format in the help", () => {
    for (const word of ["--loader", "--context-length", "--json", "--format", "--summary", "exit", ...FORMATS]) {
      expect(help("all")).toContain(word);
    }
    expect(FORMATS.length).toBeGreaterThan(6);
    expect(help("check")).not.toContain("--summary    ");
    for (const line of help("all").split("\n")) expect(line.length).toBeLessThanOrEqual(96);
  });
});
