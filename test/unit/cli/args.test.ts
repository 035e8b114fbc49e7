import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { readArgs } from "../../../extension/src/cli/args";
import { help } from "../../../extension/src/cli/help";
import { FORMATS } from "../../../extension/src/cli/options";
import { PRESETS } from "../../../extension/src/core/compaction/policy";
import { POLICY_FIELDS } from "../../../extension/src/core/compaction/policyFields";
import { DATABASES } from "../../../extension/src/core/transcript/database/readDatabase";
import { readMoment } from "../../../extension/src/core/util/moment";
import { repoPath } from "../../corpus";

describe("command line", () => {
  it("reads check with its options", () => {
    expect(readArgs(["check", "a.yaml", "--loader", "pyyaml", "b.yaml", "--context-length=200000", "--json"])).toEqual({
      ok: true,
      value: {
        name: "check",
        paths: ["a.yaml", "b.yaml"],
        loader: "pyyaml",
        contextLength: 200_000,
        around: true,
        json: true,
      },
    });
  });

  it("reads mcp with its folders", () => {
    expect(readArgs(["mcp", "--root", "a", "--root=/b"])).toEqual({
      ok: true,
      value: { name: "mcp", roots: ["a", "/b"] },
    });
  });

  it("reads inspect with its options", () => {
    expect(readArgs(["inspect", "t.jsonl", "--format", "claude-code", "--summary"])).toEqual({
      ok: true,
      value: { name: "inspect", paths: ["t.jsonl"], format: "claude-code", summary: true, json: false },
    });
  });

  it("reads policies of simulate in the order given", () => {
    const argv =
      "simulate t --micro 3 --persist 20000 --preset opencode-prune --prune 9,4,1 --micro 5,600 --persist auto";
    const command = readArgs([...argv.split(" "), "--context-length", "64000"]);
    if (!command.ok || command.value.name !== "simulate") throw new Error("not read as simulate");
    expect(command.value.policies.map(({ policy, preset }) => [policy.kind, preset?.id])).toEqual([
      ["micro", undefined],
      ["persist", undefined],
      ["window", "opencode-prune"],
      ["prune", undefined],
      ["micro", undefined],
      ["persist", undefined],
    ]);
    expect(command.value.policies.map(({ policy }) => policy)).toMatchObject([
      { keepRecent: 3, tokenBudget: null },
      { threshold: 20_000, contextTokens: 64_000 },
      {},
      { threshold: 9, head: 4, tail: 1 },
      { keepRecent: 5, tokenBudget: 600 },
      { threshold: null, contextTokens: 64_000 },
    ]);
  });

  it("reads policies with parameters, what stands around them, and thresholds as the agent would", () => {
    const command = readArgs([
      ...["simulate", "t", "--policy", "hermes-persist:threshold= +20000 ,turn-budget=no", "--window", "64000"],
      ...["--policy", "micro:keep_recent=2,placeholder=a\\,b", "--preset", "tinyagents"],
      ...["--thresholds", "8000,+20000,8000", "--cache", "openai:blockTokens=64,ttlMs=none"],
      ...["--prices", "read=0.1,write=1.25", "--base-tokens", "12", "--markdown"],
    ]);
    if (!command.ok || command.value.name !== "simulate") throw new Error("not read as simulate");
    const { policies, ...rest } = command.value;
    expect(policies.map(({ policy, preset }) => [preset?.id, policy])).toMatchObject([
      ["hermes-persist", { kind: "persist", threshold: 20_000, turnBudget: false, contextTokens: 64_000 }],
      [undefined, { kind: "micro", keepRecent: 2, placeholder: "a,b", tokenBudget: null }],
      ["tinyagents", { kind: "micro", keepRecent: 5 }],
    ]);
    expect(rest).toMatchObject({
      thresholds: [8_000, 20_000],
      cache: { id: "openai", blockTokens: 64, minPrefixTokens: 1_024, ttlMs: null },
      prices: { write: 1.25, read: 0.1 },
      baseTokens: 12,
      contextLength: 64_000,
      output: "markdown",
    });
  });

  it("reads ab over logs; files after the options are further logs, bounds take in what they name", () => {
    const argv = "ab --log a.log b.log --log c.log --db s.db --since 2026-09-07 --until 2026-09-07 --utc-offset 120";
    expect(readArgs(argv.split(" "))).toEqual({
      ok: true,
      value: {
        name: "ab",
        source: { kind: "log", logs: ["a.log", "c.log", "b.log"], database: "s.db" },
        since: Date.UTC(2026, 8, 6, 22),
        until: Date.UTC(2026, 8, 7, 21, 59, 59, 999),
        utcOffset: 120,
        thresholds: [8_000, 12_000, 20_000, 30_000, 50_000, 100_000],
        baseline: undefined,
        contextLength: undefined,
        output: "text",
      },
    });
  });

  it.each([
    ["2026-09-07T14:30", false, Date.UTC(2026, 8, 7, 12, 30)],
    ["2026-09-07T14:30", true, Date.UTC(2026, 8, 7, 12, 30, 59, 999)],
    ["2026-09-07 14:30:05", true, Date.UTC(2026, 8, 7, 12, 30, 5, 999)],
    ["2026-09-07T14:30:05.25Z", true, Date.UTC(2026, 8, 7, 14, 30, 5, 250)],
    ["2026-09-07T14:30:05-05:30", false, Date.UTC(2026, 8, 7, 20, 0, 5)],
    ["2026-09-07T25:00", false, undefined],
    ["2026-9-7", false, undefined],
    ["yesterday", false, undefined],
  ])("the moment %s (end: %s)", (text, isEnd, expected) => {
    expect(readMoment(text, isEnd, 120)).toBe(expected);
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
    [[], "check, inspect, simulate, ab or mcp"],
    [["chek", "a"], "'chek' is no command"],
    [["check"], "at least one FILE"],
    [["inspect"], "PATH"],
    [["check", "a", "--loader", "toml"], "'toml'"],
    [["check", "a", "--context-length", "128k"], "'128k'"],
    [["check", "a", "--context-length", "0"], "'0'"],
    [["check", "a", "--summary"], "--summary belongs to inspect"],
    [["inspect", "a", "--loader", "pyyaml"], "--loader belongs to check"],
    [["inspect", "a", "--format", "word"], "openmausbot-thread"],
    [["check", "a", "--loader"], "--loader"],
    [["check", "a", "--nonsense"], "--nonsense"],
    [["check", "a", "--json=yes"], "--json"],
    [["mcp", "sessions"], "--root"],
    [["mcp", "--root", ""], "--root needs a folder"],
    [["mcp", "--json"], "--json belongs to"],
    [["inspect", "a", "--root", "b"], "--root belongs to mcp"],
    [["simulate", "t"], "needs a policy"],
    [["simulate", "--curve"], "PATH"],
    [["simulate", "t", "--persist", "1e4"], "--persist is a threshold"],
    [["simulate", "t", "--persist", "0"], "'0'"],
    [["simulate", "t", "--persist", "99999999999999999999"], "--persist"],
    [["simulate", "t", "--prune", "8192,4096"], "THRESHOLD,HEAD,TAIL"],
    [["simulate", "t", "--prune", "8192,,1"], "THRESHOLD,HEAD,TAIL"],
    [["simulate", "t", "--micro", "5,1,2"], "5,60000"],
    [["simulate", "t", "--micro", "x"], "'x'"],
    [["simulate", "t", "--preset", "mine"], "opencode-prune"],
    [["simulate", "t", "--policy", "mine:keep=1"], "no policy 'mine'; there are the presets hermes-persist,"],
    [["simulate", "t", "--policy", "mine"], "and the kinds persist, prune, micro,"],
    [["simulate", "t", "--policy", "micro:keep=1"], "micro has no parameter 'keep'; it has keepRecent, tokenBudget"],
    [["simulate", "t", "--policy", "micro:keepRecent"], "keepRecent needs a value"],
    [["simulate", "t", "--policy", "micro:keepRecent=1,keep_recent=2"], "keepRecent is given twice"],
    [
      ["simulate", "t", "--policy", "persist:threshold=20_000"],
      "threshold is a whole number from 1 to 1,000,000,000,000, or none",
    ],
    [["simulate", "t", "--policy", "persist:threshold=1e4"], "not '1e4'"],
    [["simulate", "t", "--policy", "clear:atLeastMode=maybe"], "one of skip, stop"],
    [["simulate", "t", "--policy", "window:notice=999999999"], "notice is a whole number from 0 to 2,000"],
    [["simulate", "t", "--curve", "--cache", "mine"], "plain, anthropic-5m"],
    [["simulate", "t", "--curve", "--cache", "openai:size=1"], "has no 'size'; it has blockTokens"],
    [["simulate", "t", "--curve", "--cache", "openai:blockTokens=0"], "not '0'"],
    [["simulate", "t", "--curve", "--prices", "write=1.25"], "write=1.25,read=0.1"],
    [["simulate", "t", "--curve", "--prices", "write=1,read=x"], "write=1.25,read=0.1"],
    [["simulate", "t", "--curve", "--base-tokens", "many"], "'many'"],
    [["simulate", "t", "--curve", "--window", "1k"], "--window is a whole number"],
    [["simulate", "t", "--curve", "--window", "1", "--context-length", "1"], "the same"],
    [["simulate", "t", "--curve", "--csv", "--json"], "--json and --csv exclude each other"],
    [["simulate", "t", "--thresholds", "8000,1e4"], "--thresholds are characters"],
    [["simulate", "t", "--thresholds", "8000,"], "--thresholds are characters"],
    [["inspect", "t", "--csv"], "--csv belongs to simulate and ab"],
    [["inspect", "t", "--thread", "a"], "--thread belongs to simulate and ab, not to inspect"],
    [["ab"], "TRANSCRIPT, or --log"],
    [["ab", "t", "u"], "'u' is one too many"],
    [["ab", "t", "--db", "state.db"], "--db goes with --log"],
    [["ab", "--log", "l", "--thread", "x"], "go with a TRANSCRIPT"],
    [["ab", "t", "--thresholds", "8000,x"], "'8000,x'"],
    [["ab", "t", "--thresholds", "0"], "--thresholds"],
    [["ab", "t", "--baseline", "-"], "--baseline"],
    [["ab", "--log", "l", "--since", "2026-02-30"], "'2026-02-30'"],
    [["ab", "--log", "l", "--since", "2026-02-03", "--until", "2026-02-02"], "swap"],
    [["ab", "--log", "l", "--utc-offset", "CET"], "'CET'"],
    [["simulate", "t", "--persist", "1000000000001"], "numbers up to 1,000,000,000,000"],
    [["simulate", "t", "--prune", "0,0,0"], "a threshold from 1"],
    [["simulate", "t", "--prune", "8192,1e308,1"], "THRESHOLD,HEAD,TAIL"],
    [["simulate", "t", "--micro", "5,999999999999999"], "5,60000"],
    [["simulate", "t", "--micro", "NaN"], "'NaN'"],
    [["simulate", "t", "--policy", "__proto__"], "no policy '__proto__'"],
    [["simulate", "t", "--policy", "constructor:keepRecent=1"], "no policy 'constructor'"],
    [["simulate", "t", "--policy", "micro:__proto__=1"], "no parameter '__proto__'"],
    [["simulate", "t", "--policy", "micro:toString=1"], "no parameter 'toString'"],
    [["simulate", "t", "--policy", `micro:placeholder=${"x".repeat(2_001)}`], "at most 2,000 UTF-16 units"],
    [["simulate", "t", "--policy", "persist:overrides=a=1e308"], "a list of TOOL=CHARS"],
    [
      ["simulate", "t", "--policy", "persist:overrides=a=999999999999999"],
      "at most 200 tools, each with a whole number",
    ],
    [["simulate", "t", "--preset", "__proto__"], "--preset '__proto__' is unknown"],
    [["simulate", "t", "--curve", "--cache", "__proto__"], "--cache '__proto__' is unknown"],
    [["simulate", "t", "--curve", "--cache", "openai:constructor=1"], "has no 'constructor'"],
    [["simulate", "t", "--curve", "--base-tokens", "999999999999999"], "--base-tokens is a whole number"],
    ...[
      "",
      "NaN",
      "-1",
      "1e308",
      "Infinity",
      "0x1",
      "1_0",
      " 1",
      "1,5",
      "9999999",
      "1.1234567",
      "{}",
      "[]",
      "null",
    ].map((price): [string[], string] => [
      ["simulate", "t", "--curve", "--prices", `write=${price},read=0.1`],
      "such as write=1.25,read=0.1, not",
    ]),
    [["simulate", "t", "--curve", "--prices", "write=1,write=2,read=1"], "not 'write=1,write=2,read=1'"],
    [["simulate", "t", "--curve", "--prices", "write=1,read=1,__proto__=1"], "'write=1,read=1,__proto__=1'"],
    [["simulate", "t", "--curve", "--prices", "constructor=1,read=1"], "'constructor=1,read=1'"],
    [["simulate", "t", "--curve", "--prices", "\u001b[2Jwrite=1"], "not '\\u{1b}[2Jwrite=1'"],
    [["simulate", "t", "--curve", "--prices", "9".repeat(100_000)], "… (+"],
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
    const listed: readonly unknown[] = schema.definitions.format.enum;
    expect(listed.filter((name) => name !== null).sort()).toEqual([...FORMATS, ...Object.keys(DATABASES)].sort());
  });

  it("names every option and format in the help", () => {
    const options =
      "--loader --context-length --json --format --summary --thread --persist --prune --micro --preset --curve --policy --cache --prices --window --base-tokens --csv --markdown";
    const studied = "--log --db --since --until --utc-offset --thresholds --baseline --root exit";
    const presets = PRESETS.map(({ id }) => id);
    for (const word of [...options.split(" "), ...studied.split(" "), ...FORMATS, ...presets]) {
      expect(help("all")).toContain(word);
    }
    expect(FORMATS.length).toBeGreaterThan(6);
    expect(help("check")).not.toContain("--summary    ");
    for (const kind of Object.keys(POLICY_FIELDS)) expect(help("simulate")).toContain(`    ${kind} `);
    for (const line of help("all").split("\n")) expect(line.length).toBeLessThanOrEqual(96);
  });
});
