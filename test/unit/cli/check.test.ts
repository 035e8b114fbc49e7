import { describe, expect, it } from "vitest";
import { OutputFailed } from "../../../extension/src/cli/io";
import { run } from "../../../extension/src/cli/main";
import type { FileAccess } from "../../../extension/src/core/ports";
import { type FakeFile, type FakeIo, FakeOut, fakeIo, memoryFiles } from "./fakeIo";
import { validated } from "./schema";

const key = (value: string): string => `tools:\n  tool_result_persist_threshold_chars: ${value}\n`;

async function check(files: Readonly<Record<string, FakeFile>>, ...argv: readonly string[]) {
  const io = fakeIo(files);
  const code = await run(["check", ...argv], io);
  return { code, out: io.stdout.text, err: io.stderr.text };
}

describe("check --json", () => {
  it.each([
    [
      "20000",
      0,
      { verdict: "accepted", threshold: 20_000, reason: null, value: { text: "20000", type: "int", repr: "20000" } },
    ],
    [
      "'1e4'",
      1,
      {
        verdict: "rejected",
        threshold: null,
        reason: "non-whole-string",
        value: { text: "'1e4'", type: "str", repr: "'1e4'" },
      },
    ],
    ["1e4", 1, { verdict: "rejected", reason: "non-whole-string", value: { text: "1e4", type: "str", repr: "'1e4'" } }],
    ["20000.0", 1, { verdict: "rejected", reason: "float", value: { type: "float", repr: "20000.0" } }],
    ["true", 1, { verdict: "rejected", reason: "boolean", value: { type: "bool", repr: "True" } }],
    ["0", 0, { verdict: "unset", reason: "zero", value: { type: "int", repr: "0" } }],
    ["null", 0, { verdict: "unset", reason: "none", value: { type: "NoneType", repr: "None" } }],
    ["020000", 0, { verdict: "accepted", threshold: 8_192, value: { text: "020000", repr: "8192" } }],
    ["90071992547409931", 0, { verdict: "accepted", threshold: "90071992547409931" }],
    ["9007199254740991", 0, { verdict: "accepted", threshold: 9_007_199_254_740_991 }],
  ])("%s exits with %i", async (value, code, expected) => {
    const run = await check({ "/work/c.yaml": key(value) }, "c.yaml", "--json");
    expect(validated(run.out, "checkReports")).toMatchObject([{ file: "c.yaml", loader: "ruamel", ...expected }]);
    expect(run.code).toBe(code);
  });

  it("gives one element per file in order, and one bad file never hides the others", async () => {
    const files = {
      "/work/a.yaml": key("20000"),
      "/work/broken.yaml": "tools: [1,\n",
      "/work/bytes.yaml": new Uint8Array([0x74, 0xff, 0xfe, 0x0a]),
      "/work/secret.yaml": { fails: "EACCES" },
      "/work/z.json": '{"tools":{"tool_result_persist_threshold_chars":"0500"}}',
    };
    const names = ["a.yaml", "nosuch.yaml", "broken.yaml", "bytes.yaml", ".", "secret.yaml", "z.json"];
    const { code, out } = await check(files, ...names, "--json");
    const reports = validated(out, "checkReports");
    expect(reports.map((report) => report.file)).toEqual(names);
    for (const report of reports.slice(1, 6)) {
      expect(report).toMatchObject({ value: null, verdict: "absent", threshold: null });
      expect(report.problems.some((problem) => problem.severity === "error")).toBe(true);
    }
    expect(reports[6]).toMatchObject({ verdict: "accepted", threshold: 500 });
    expect(code).toBe(2);
  });

  it("exits with 1, not 2, for files that were read but cannot be loaded", async () => {
    expect((await check({ "/work/b.yaml": "tools: [1,\n" }, "b.yaml")).code).toBe(1);
    expect((await check({ "/work/b.yaml": new Uint8Array([0xff]) }, "b.yaml")).code).toBe(1);
  });

  it("names the place of a problem by line, column and offset", async () => {
    const { out } = await check(
      { "/work/c.yaml": `# 🦭\r\n${key("yes").replaceAll("\n", "\r\n")}` },
      "c.yaml",
      "--json",
    );
    const [report] = validated(out, "checkReports");
    expect(report?.problems[0]?.range).toEqual({
      start: { line: 3, column: 40, offset: 53 },
      end: { line: 3, column: 43, offset: 56 },
    });
  });

  it("reads by the loader asked for", async () => {
    const files = { "/work/c.yaml": key("1.0e4") };
    const old = validated((await check(files, "c.yaml", "--json", "--loader", "pyyaml")).out, "checkReports");
    const next = validated((await check(files, "c.yaml", "--json")).out, "checkReports");
    expect([old[0]?.value?.type, next[0]?.value?.type]).toEqual(["str", "float"]);
    expect(old[0]?.loader).toBe("pyyaml");
  });

  it("does not read a file that is far too large for a config", async () => {
    const files: FileAccess = {
      ...memoryFiles({}),
      open: async (path) => ({
        path,
        bytes: 3e9,
        read: () => Promise.reject(new Error("must not be read")),
      }),
    };
    const io = fakeIo({}, { files });
    expect(await run(["check", "huge.yaml", "--json"], io)).toBe(2);
    expect(validated(io.stdout.text, "checkReports")[0]?.problems[0]).toMatchObject({ code: "too-large" });
  });
});

describe("check for people", () => {
  it("says what the agent makes of each file", async () => {
    const { code, out } = await check(
      {
        "/work/a.yaml": `model:\n  context_length: 65536\n${key("1e4")}`,
        "/work/b.yaml": key("20000"),
        "/work/c.yaml": "display: {}\n",
      },
      "a.yaml",
      "b.yaml",
      "c.yaml",
      "nosuch.yaml",
      "--context-length",
      "32768",
    );
    expect(code).toBe(2);
    // What a problem says is tested where it is written.
    expect(out.replace(/(error|warning): Hermes .*(?= \[)/g, "$1: …")).toMatchInlineSnapshot(`
      "a.yaml:4:40: error: … [threshold-non-whole-string]
      a.yaml: rejected: non-whole-string (ruamel reads str '1e4')
        persists above 39,321 chars per result, 78,643 per turn; context window 65,536 tokens
      b.yaml: accepted (ruamel reads int 20000)
        persists above 20,000 chars per result, 39,321 per turn; context window 32,768 tokens
      c.yaml: the key is absent
        persists above 19,660 chars per result, 39,321 per turn; context window 32,768 tokens
      nosuch.yaml: error: The file does not exist. Check the spelling. [unreadable]
      4 files, 2 errors, 0 warnings
      "
    `);
  });

  it("shows terminal escapes instead of obeying them", async () => {
    const { out } = await check({ "/work/e.yaml": key('"\\e[2J\\e]0;owned\\a"') }, "e.yaml");
    expect(out).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
    const named = await check({ "/work/\u001b[31m.yaml": key("true") }, "\u001b[31m.yaml");
    expect(named.out).not.toContain("\u001b");
  });

  it("colours on a terminal only", async () => {
    const io = fakeIo({ "/work/c.yaml": key("true") }, { stdout: new FakeOut({ isTTY: true }) });
    await run(["check", "c.yaml"], io);
    expect(io.stdout.text).toContain("\u001b[31merror\u001b[0m");
  });
});

describe("the command line as a whole", () => {
  it.each([[[]], [["check"]], [["frobnicate", "x"]], [["check", "a", "--nope"]]])(
    "%j is a usage error",
    async (argv) => {
      const io = fakeIo();
      expect(await run(argv, io)).toBe(2);
      expect(io.stdout.text).toBe("");
      expect(io.stderr.text).toMatch(/^context-budget: .+\nTry: context-budget --help\n$/);
    },
  );

  it("prints help and version", async () => {
    const io = fakeIo();
    expect(await run(["--version"], io)).toBe(0);
    expect(await run(["check", "--help"], io)).toBe(0);
    expect(io.stdout.text).toMatch(/^9\.9\.9\ncontext-budget: /);
  });

  it("says so when its output cannot be written", async () => {
    const full = Object.assign(new FakeOut(), { write: () => Promise.reject(new OutputFailed("ENOSPC")) });
    const io = fakeIo({ "/work/a.yaml": key("1") }, { stdout: full });
    expect(await run(["check", "a.yaml"], io)).toBe(2);
    expect(io.stderr.text).toBe("context-budget: the output cannot be written (ENOSPC)\n");
    expect(await run(["check", "a.yaml"], fakeIo({}, { stdout: full, stderr: full }))).toBe(2);
  });

  it("ends quietly when the reader closes the pipe, and keeps the code so far", async () => {
    const files = { "/work/a.yaml": key("true"), "/work/b.yaml": key("1") };
    const io = fakeIo(files, { stdout: new FakeOut({ closesAfter: 1 }) });
    expect(await run(["check", "a.yaml", "b.yaml"], io)).toBe(1);
    const closed = fakeIo(files, { stdout: new FakeOut({ closesAfter: 0 }), stderr: new FakeOut({ closesAfter: 0 }) });
    expect(await run(["check"], closed)).toBe(2);
  });
});

describe("check with what lies around the file", () => {
  const around = (
    files: Readonly<Record<string, string>>,
    env: Readonly<Record<string, string>> = {},
  ): Partial<FakeIo> => ({
    surroundings: {
      env,
      envName: "the environment",
      local: { stamp: (path) => files[path], read: (path) => files[path], list: () => [] },
    },
  });
  const text = `${key(`"\${T}"`)}compression:\n  protect_last_n: \${HERMES_SECRET}\nmodel:\n  api_key: \${API_KEY}\n`;

  async function look(argv: readonly string[], changes: Partial<FakeIo>, content = text) {
    const io = fakeIo({ "/work/home/config.yaml": content }, changes);
    const code = await run(["check", "home/config.yaml", ...argv], io);
    return { code, out: io.stdout.text };
  }

  it("expands from the .env beside the file, then from the environment, and says which; secrets stay hidden", async () => {
    const files = { "/work/home/.env": "export T='25000'\r\n" };
    const env = { T: "1", HERMES_SECRET: "hunter2-and-more", API_KEY: "sk-abc" };
    const { code, out } = await look(["--json"], around(files, env));
    const [report] = validated(out, "checkReports");
    expect(report).toMatchObject({ verdict: "accepted", threshold: 25_000, value: { repr: `'\${T}'` } });
    expect(report?.variables).toEqual([
      {
        key: "tools.tool_result_persist_threshold_chars",
        written: `\${T}`,
        kind: "variable",
        value: "25000",
        source: "the .env beside this file",
      },
      {
        key: "compression.protect_last_n",
        written: `\${HERMES_SECRET}`,
        kind: "variable",
        value: "••••••",
        source: "the environment",
      },
    ]);
    expect(report?.around).toEqual({
      envFile: { path: "/work/home/.env", read: true },
      managedFile: { path: "/etc/hermes/config.yaml", read: false },
    });
    // `int()` of a text that is no number keeps the agent from starting.
    expect(code).toBe(1);
    expect(out).not.toContain("hunter2");
    const words = (await look([], around(files, env))).out;
    expect(words).toContain(
      `  \${T} in tools.tool_result_persist_threshold_chars is 25000, from the .env beside this file\n`,
    );
    expect(words).not.toContain("hunter2");
  });

  it("tells what is not set, at any key", async () => {
    const { out } = await look(["--json"], around({}));
    const [report] = validated(out, "checkReports");
    expect(report?.problems.map(({ code, severity }) => [code, severity])).toEqual([
      ["variable-unset", "warning"],
      ["variable-unset", "warning"],
      ["variable-unset", "hint"],
    ]);
    expect(report?.problems[2]?.message).toContain("API_KEY is not set in the environment known here");
    expect(report?.variables.map(({ value, source }) => [value, source])).toEqual([
      [null, null],
      [null, null],
    ]);
  });

  it("lets the managed layer win, wherever it is kept", async () => {
    const managed = { "/srv/m": "folder", "/srv/m/config.yaml": "compression: {protect_last_n: 7}\n" };
    const { out } = await look(["--json"], around(managed, { HERMES_MANAGED_DIR: "/srv/m/", T: "9000" }));
    const [report] = validated(out, "checkReports");
    expect(report?.problems.map(({ code }) => code)).toContain("managed-override");
    expect(report?.around?.managedFile).toEqual({ path: "/srv/m/config.yaml", read: true });
  });

  it("looks at nothing else when told so", async () => {
    const { out } = await look(["--json", "--no-environment"], around({ "/work/home/.env": "T=25000" }, { T: "1" }));
    const [report] = validated(out, "checkReports");
    expect(report).toMatchObject({ around: null, verdict: "rejected" });
    expect(report?.variables.every(({ value }) => value === null)).toBe(true);
    expect(report?.problems.map(({ code }) => code)).not.toContain("variable-unset");
  });
});
