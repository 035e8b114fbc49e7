import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { run } from "../../../extension/src/cli/main";
import { err, ok } from "../../../extension/src/core/model/problem";
import { NEVER_CANCELLED } from "../../../extension/src/core/ports";
import { nodeDigest } from "../../../extension/src/node/digest";
import { nodeFiles } from "../../../extension/src/node/files";
import { openDatabase } from "../../../extension/src/node/sqlite";
import { nodeUnpacker } from "../../../extension/src/node/unpack";
import { nodeUtf8 } from "../../../extension/src/node/utf8";
import { corpusPath, hasCorpus } from "../../corpus";
import type { FakeIo } from "./fakeIo";
import { type FakeFile, fakeIo } from "./fakeIo";
import { validated } from "./schema";

async function simulate(files: Readonly<Record<string, FakeFile>>, ...argv: readonly string[]) {
  const io = fakeIo(files);
  const code = await run(["simulate", ...argv], io);
  return { code, out: io.stdout.text, err: io.stderr.text };
}

async function simulateReal(...argv: readonly string[]) {
  const io: FakeIo = fakeIo(
    {},
    {
      files: nodeFiles,
      utf8: nodeUtf8,
      unpacker: nodeUnpacker,
      openDatabase: async (path) => {
        const opened = await openDatabase(path, {}, NEVER_CANCELLED);
        if (!opened.ok) return err(opened.error);
        if (opened.value === undefined) throw new Error("cancelled");
        return ok(opened.value);
      },
    },
  );
  const code = await run(["simulate", ...argv], io);
  return { code, out: io.stdout.text };
}

const ask = (id: string, name: string): unknown => ({
  role: "assistant",
  content: "",
  tool_calls: [{ id, type: "function", function: { name, arguments: "{}" } }],
});
const answer = (id: string, content: string): unknown => ({ role: "tool", tool_call_id: id, content });
const chat = JSON.stringify({
  model: "m-1",
  messages: [
    { role: "user", content: "u".repeat(400) },
    ask("c1", "fetch"),
    answer("c1", "a".repeat(9_000)),
    ask("c2", "read_file"),
    answer("c2", "b".repeat(12_000)),
    ask("c3", "fetch"),
    answer("c3", "short"),
    { role: "assistant", content: "done" },
  ],
});
const files = { "/work/t.json": chat };

/** Rows of a CSV as RFC 4180 has it, comments and empty lines left out. */
function csvRows(text: string): readonly (readonly string[])[] {
  const rows: string[][] = [];
  for (const line of text.split("\r\n")) {
    if (line === "" || line.startsWith("#")) continue;
    rows.push([...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map((cell) => cell[1] ?? cell[2] ?? ""));
  }
  return rows;
}

async function report(...argv: readonly string[]) {
  const { code, out } = await simulate(files, "t.json", ...argv, "--json");
  expect(code).toBe(0);
  const { simulation } = validated(out, "simulateReport");
  if (simulation === null) throw new Error("nothing was simulated");
  return simulation;
}

describe("simulate --json", () => {
  it("keeps a ledger that adds up to the totals, and to what the replaced result saves", async () => {
    const { totals, ledger, affected, measured, thread, policies } = await report("--persist", "8000");
    expect(thread).toMatchObject({ calls: 4, results: 3 });
    expect(measured).toEqual({ calls: 0, input: 0, cacheRead: 0 });
    const [only] = affected;
    // Requests 2, 3 and 4 hold it; nothing was cached of it in the first of them.
    expect(affected).toHaveLength(1);
    expect(only).toMatchObject({
      tool: "fetch",
      callId: "c1",
      action: "persisted",
      call: 2,
      before: 9_000,
      exact: true,
    });
    const gain = 9_000 - (only?.after ?? 0);
    expect(only?.after).toBeGreaterThan(1_500);
    expect(only?.saved).toBe(3 * gain);
    expect(totals.saved.input).toBe((3 * gain) / 4);
    // Caches hold whole tokens, so each of the two cached requests may be off by less than one.
    expect(Math.abs(totals.saved.cached - (2 * gain) / 4)).toBeLessThan(2);
    expect(totals.saved.cached + totals.saved.uncached).toBe(totals.saved.input);
    for (const side of ["before", "after"] as const) {
      const sum = (key: "total" | "cached" | "uncached") => ledger.reduce((all, row) => all + row[side][key], 0);
      expect(sum("total")).toBeCloseTo(totals[side].input, 6);
      expect(sum("cached")).toBeCloseTo(totals[side].cached, 6);
      expect(sum("uncached")).toBeCloseTo(totals[side].uncached, 6);
      expect(Math.max(...ledger.map((row) => row[side].total))).toBe(totals[side].peak);
    }
    expect(ledger.map((row) => row.call)).toEqual([1, 2, 3, 4]);
    expect(policies[0]?.kept).toEqual({ pinned: 1, "below-threshold": 1 });
  });

  it("names the file by its hash", async () => {
    const { out } = await simulate(files, "t.json", "--curve", "--json");
    expect(validated(out, "simulateReport").sha256).toBe(nodeDigest.sha256Hex(chat));
  });

  it("applies policies in the order given and says what each parameter was", async () => {
    const [first, second] = (await report("--micro", "1", "--persist", "8000")).policies;
    expect([first?.parameters.kind, second?.parameters.kind]).toEqual(["micro", "persist"]);
    const late = await report("--micro", "1", "--persist", "8000");
    const early = await report("--persist", "8000", "--micro", "1");
    expect(late.policies.map(({ parameters }) => parameters.kind)).toEqual(["micro", "persist"]);
    expect(early.policies.map(({ parameters }) => parameters.kind)).toEqual(["persist", "micro"]);
    expect(late.totals.breaks.length).toBeGreaterThan(0);
  });

  it("names source and approximation of a preset, and the window", async () => {
    const { policies, assumed, totals } = await report("--preset", "gemini-mask", "--context-length", "4000");
    expect(policies[0]).toMatchObject({ preset: "gemini-mask", replaced: 0, idle: { "nothing-eligible": 4 } });
    expect(policies[0]?.approximation).toContain("200 characters");
    expect(assumed.windowTokens).toBe(4_000);
    expect(totals.before.overWindow).toBe(2);
  });

  it("gives the whole threshold curve, each point what a run at that threshold saves", async () => {
    const { curve } = await report("--curve");
    expect(curve?.steps).toEqual([5, 9_000]);
    for (const threshold of [1, 4, 5, 8_000, 8_999, 9_000, 20_000]) {
      const at = curve?.steps.findIndex((step) => step > threshold) ?? -1;
      const { affected } = await report("--persist", String(threshold));
      const run = affected.reduce((sum, one) => sum + one.saved, 0);
      expect(at < 0 ? curve?.always.saved : curve?.saved[at], `threshold ${threshold}`).toBe(run);
    }
    expect(curve?.candidates.map(({ threshold }) => threshold)).toEqual([8e3, 12e3, 20e3, 30e3, 50e3, 100e3]);
  });
});

describe("a simulation to take along", () => {
  const argv = [
    "--policy",
    "micro:keepRecent=1",
    "--cache",
    "openai:minPrefixTokens=0",
    "--prices",
    "write=2,read=0.1",
  ];

  it("as CSV: a row per call with the ledger's figures, and what it was made from", async () => {
    const { ledger, totals } = await report(...argv);
    const { code, out } = await simulate(files, "t.json", ...argv, "--csv");
    expect(code).toBe(0);
    const [titles = [], ...rows] = csvRows(out);
    expect(rows).toHaveLength(ledger.length);
    const column = (title: string) => rows.map((row) => row[titles.indexOf(title)]);
    expect(column("call")).toEqual(ledger.map(({ call }) => String(call)));
    expect(column("before_tokens").map(Number)).toEqual(ledger.map(({ before }) => before.total));
    expect(column("after_cached").map(Number)).toEqual(ledger.map(({ after }) => after.cached));
    expect(column("measured_input")).toEqual(ledger.map(() => ""));
    expect(column("cache_break_lost").filter((cell) => cell !== "")).toHaveLength(totals.breaks.length);
    expect(out).toContain(`# sha256: ${nodeDigest.sha256Hex(chat)}\r\n`);
    expect(out).toContain("# policy 1: micro:keepRecent=1\r\n");
    expect(out).toContain("# prices: a token written 2, read 0.1 (one uncached token = 1)\r\n");
  });

  it("as CSV with a curve: the thresholds asked for, then every step", async () => {
    const { out } = await simulate(files, "t.json", "--thresholds", "4,9000", "--csv");
    expect(csvRows(out)).toEqual([
      ["kind", "threshold_chars", "saved_chars", "saved_first_carry_chars", "results"],
      ["asked", "4", expect.any(String), expect.any(String), "2"],
      ["asked", "9000", "0", "0", "0"],
      ["step", "4", expect.any(String), expect.any(String), "2"],
      ["step", "8999", expect.any(String), expect.any(String), "1"],
    ]);
  });

  it("prices are off unless they are given, and then stand in the report", async () => {
    const without = await report("--policy", "micro:keepRecent=1");
    expect([without.assumed.prices, without.totals.before.cost, without.totals.breakEvenReachedPrice]).toEqual([
      null,
      null,
      null,
    ]);
    const { assumed, totals } = await report(...argv);
    expect(assumed.prices).toEqual({ write: 2, read: 0.1 });
    expect(assumed.cache).toMatchObject({ id: "openai", blockTokens: 128, minPrefixTokens: 0 });
    expect(totals.before.cost).toBeCloseTo(2 * totals.before.uncached + 0.1 * totals.before.cached, 6);
  });

  it("can be made again from the command line that it names", async () => {
    const { out } = await simulate(files, "t.json", ...argv, "--markdown");
    const named = /^Again with `context-budget simulate (.*)`$/m.exec(out)?.[1];
    if (named === undefined) throw new Error("no command line is named");
    const again = named.split(" ").map((word) => word.replace(/^'(.*)'$/, "$1"));
    expect((await simulate(files, ...again, "--markdown")).out).toBe(out);
    expect(out).toContain("| `keepRecent` | `1` |");
    expect(out).toContain(nodeDigest.sha256Hex(chat));
  });

  it("says on the error stream why there is nothing", async () => {
    for (const form of ["--csv", "--markdown"]) {
      const { code, out, err: said } = await simulate({}, "t.json", "--curve", form);
      expect([code, out]).toEqual([2, ""]);
      expect(said).toContain("does not exist");
    }
  });
});

describe("simulate for people", () => {
  it("sums up, shows the figures and the results, and says why the rest stayed", async () => {
    const { code, out } = await simulate(files, "t.json", "--persist", "8000");
    expect(code).toBe(0);
    expect(out).toMatchInlineSnapshot(`
      "t.json
      t · 4 calls · 3 results

      Persisting above 8,000 chars would have kept ≈ 5.3k of ≈ 13.2k input tokens out of this transcript (≈ 40%, upper bound); ≈ 67% of that would have been cache reads.

      input saved         ≈ 5,269 tok (≈ 40%), estimated
      cached / uncached   ≈ 3,513 / 1,756 tok, estimated
      cache breaks        0
      peak context        ≈ 5,353 → 3,597 tok, estimated

      1 result replaced (chars, exact unless ≈)
      line  from call  tool   what       before  after  saved in all
         1          2  fetch  persisted   9,000  1,975        21,075

      What persist left alone:
        1 result: the tool is never persisted
        1 result: not above the threshold

      Tokens are estimated: characters ÷ 4, 1,500 per image. Cache: every common prefix counts.
      SHA-256 of the file: 0593df0b7d83553147ff46feb8042d5ef13e5055512bd1e3a1c73d75eac4edff. Again with:
      context-budget simulate t.json --thread t --policy persist:threshold=8000 --base-tokens 0
      "
    `);
  });

  it("says why a pass did nothing", async () => {
    const { out } = await simulate(files, "t.json", "--prune", "100,90,80", "--micro", "5");
    expect(out).toContain("would have changed nothing in this transcript.");
    expect(out).toContain("head, marker and tail do not fit below the threshold, so it is off");
    expect(out).toContain("not enough results");
  });

  it.each([
    ["0", "0", "0"],
    ["999999.999999", "0", "1000000000000"],
    ["0", "999999.999999", "1000000000000"],
    ["0.000001", "999999", "0"],
  ])("gives whole numbers of tokens for the prices %s and %s", async (write, read, base) => {
    for (const policy of [
      "micro:keepRecent=0",
      "proactive:triggerTokens=1,minReclaimTokens=0,protectFirst=0,protectLast=0",
    ]) {
      const argv = ["t.json", "--policy", policy, "--prices", `write=${write},read=${read}`, "--base-tokens", base];
      const { code, out } = await simulate(files, ...argv, "--json");
      expect(code).toBe(0);
      const report = validated(out, "simulateReport");
      expect(report.simulation?.totals.before.cost).toEqual(expect.any(Number));
      for (const form of ["--csv", "--markdown"]) {
        const said = (await simulate(files, ...argv, form)).out;
        expect(said).not.toMatch(/NaN|Infinity|\de\+/);
        expect(said).not.toBe("");
      }
      const text = await simulate(files, ...argv);
      expect(text.out).not.toMatch(/NaN|Infinity|\de\+/);
    }
  });

  it("says what a cache break costs", async () => {
    const { out } = await simulate(files, "t.json", "--micro", "1");
    expect(out).toMatch(/^cache breaks +[1-9].* · (pays back|not paid back)/m);
  });
});

describe("what cannot be simulated", () => {
  const sidechain = [
    { role: "session_meta", model: "m", platform: "cli", tools: [] },
    { role: "user", content: "hi" },
  ]
    .map((line) => JSON.stringify(line))
    .join("\n");

  it.each([
    [{}, ["t.json", "--persist", "1"], "does not exist"],
    [files, ["t.json", "--thread", "nobody", "--persist", "1"], "no thread nobody; there are"],
    [{ "/work/s.jsonl": sidechain }, ["s.jsonl", "--persist", "1"], "no requests to the model"],
    [{ "/work/x.txt": "no transcript" }, ["x.txt", "--persist", "1"], "x.txt"],
  ] as const)("%#: exit code 2 and a reason, in words and as JSON", async (some, argv, part) => {
    const said = await simulate(some, ...argv);
    expect(said.code).toBe(2);
    expect(said.out).toContain(part);
    const { code, out } = await simulate(some, ...argv, "--json");
    expect(code).toBe(2);
    const { simulation, problems } = validated(out, "simulateReport");
    expect(simulation).toBeNull();
    expect(problems.map(({ severity }) => severity)).toContain("error");
  });
});

describe.skipIf(!hasCorpus)("simulate over the corpus", () => {
  it("asks which session of a database is meant, and gives the same as its export", async () => {
    const database = corpusPath("hermes", "home", "state.db");
    const which = await simulateReal(database, "--persist", "8000");
    expect(which.code).toBe(2);
    expect(which.out).toContain("Choose one with --thread: 20260406_091200_4e3bbf37, ");
    const argv = ["--thread", "20260908_090003_1c40de", "--persist", "8000", "--micro", "5", "--curve", "--json"];
    const stored = validated((await simulateReal(database, ...argv)).out, "simulateReport").simulation;
    const exported = validated(
      (await simulateReal(corpusPath("hermes", "export.jsonl"), ...argv)).out,
      "simulateReport",
    ).simulation;
    expect(stored?.inferred).toMatchObject({ atLeast: 30_000, below: 30_001 });
    expect(stored?.inferred?.tools.length).toBeGreaterThan(0);
    expect(stored?.curve).toEqual(exported?.curve);
    expect(stored?.affected.map(({ line: _, result: __, ...rest }) => rest)).toEqual(
      exported?.affected.map(({ line: _, result: __, ...rest }) => rest),
    );
  });

  it("puts measured figures beside the estimate", async () => {
    const path = corpusPath("claude-code", "representative_messages.jsonl");
    const { simulation } = validated((await simulateReal(path, "--micro", "2", "--json")).out, "simulateReport");
    const rows = simulation?.ledger.filter((row) => row.measured.input !== null) ?? [];
    expect(rows.length).toBe(simulation?.measured.calls);
    expect(rows.reduce((sum, row) => sum + (row.measured.input ?? 0), 0)).toBe(simulation?.measured.input);
    expect(readFileSync(path, "utf8")).toContain('"input_tokens"');
  });
});
