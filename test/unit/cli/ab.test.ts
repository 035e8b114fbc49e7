import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { run } from "../../../extension/src/cli/main";
import { err, ok } from "../../../extension/src/core/model/problem";
import { NEVER_CANCELLED } from "../../../extension/src/core/ports";
import { nodeFiles } from "../../../extension/src/node/files";
import { openDatabase } from "../../../extension/src/node/sqlite";
import { nodeUtf8 } from "../../../extension/src/node/utf8";
import { corpusPath, hasCorpus } from "../../corpus";
import { type FakeFile, fakeIo } from "./fakeIo";
import { validated } from "./schema";

async function ab(files: Readonly<Record<string, FakeFile>>, ...argv: readonly string[]) {
  const io = fakeIo(files);
  const code = await run(["ab", ...argv], io);
  return { code, out: io.stdout.text };
}

const call = (time: string, number: number, rest = "") =>
  `2026-01-01 ${time},000 INFO [s1] agent.conversation_loop: API call #${number}: model=m provider=p in=1000 out=1 total=1001 latency=1.0s${rest}`;
const tool = (time: string, name: string, chars: number) =>
  `2026-01-01 ${time},000 INFO [s1] agent.tool_executor: tool ${name} completed (0.1s, ${chars} chars)`;
/** Two turns. The first one's results are carried by calls 2 and 3, or by call 3 alone. */
const older = [
  call("10:00:00", 1),
  tool("10:00:05", "fetch", 21_500),
  tool("10:00:06", "read_file", 90_000),
  call("10:00:10", 2, " cache=512/1000 (51%)"),
].join("\n");
const newer = [
  tool("10:00:15", "fetch", 9_500),
  call("10:00:20", 3),
  call("11:00:00", 1),
  tool("11:00:05", "fetch", 31_500),
  call("11:00:10", 2),
].join("\n");
const logs = { "/work/agent.log.1": older, "/work/agent.log": newer };

describe("ab over logs", () => {
  it("joins rotations oldest first, whatever the order, and compares by hand-computed figures", async () => {
    const argv = ["--thresholds", "8000,20000", "--baseline", "25000", "--json"];
    const { code, out } = await ab(logs, "--log", "agent.log", "agent.log.1", ...argv);
    expect(code).toBe(0);
    const { comparison } = validated(out, "abReport");
    expect(comparison?.inputs).toMatchObject({ calls: 5, segments: 2, input: 5_000, cached: 512, results: 4 });
    expect(comparison?.tools.find((one) => one.tool === "read_file")?.candidates).toEqual(["never", "never"]);
    // 21,500 goes out of calls 2 and 3, 9,500 out of call 3; 31,500 is above the baseline as well.
    const eight = { results: 2, saved: 12_000, share: 2.4, uncached: 7_000, cached: 5_000 };
    const twenty = { results: 1, saved: 10_000, share: 2, uncached: 5_000, cached: 5_000 };
    expect(comparison?.rows.filter(({ scenario }) => scenario === "fallback")).toEqual([
      { threshold: 8_000, scenario: "fallback", ...eight },
      { threshold: 20_000, scenario: "fallback", ...twenty },
    ]);
    const again = await ab(logs, "--log", "agent.log.1", "--log", "agent.log", ...argv);
    expect(validated(again.out, "abReport").comparison).toEqual(comparison);
  });

  it("takes in both bounds, to the second that they name", async () => {
    const bounds = ["--since", "2026-01-01T10:00:10", "--until", "2026-01-01T11:00:05"];
    const { out } = await ab(logs, "--log", "agent.log.1", "--log", "agent.log", ...bounds, "--json");
    const { comparison, since, until } = validated(out, "abReport");
    expect([since, until]).toEqual(["2026-01-01T10:00:10.000Z", "2026-01-01T11:00:05.999Z"]);
    expect(comparison?.inputs).toMatchObject({ calls: 3, results: 2 });
  });

  it("prints the same bytes over sources that have grown, except for the time of extraction", async () => {
    const bounds = ["--since", "2026-01-01T10:00:00Z", "--until", "2026-01-01T11:00:10Z", "--utc-offset", "0"];
    const grown = {
      // The log has been rotated, went on with the turn, and holds lines that cannot be read.
      "/work/agent.log.2": logs["/work/agent.log.1"],
      "/work/agent.log.1": `${newer}\n${tool("11:00:11", "fetch", 9_000)}\n${call("11:00:12", 3)}`,
      "/work/agent.log": `${call("12:00:00", 1)}\n${call("12:00:01", 2).replace("in=1000", "in=?")}\n`,
    };
    for (const form of [[], ["--json"], ["--csv"], ["--markdown"]]) {
      const lines = async (files: Readonly<Record<string, string>>, now: number) => {
        // The names of the logs are part of the output, so both runs name the same ones.
        const named = { ...files, "/work/agent.log.2": files["/work/agent.log.2"] ?? "" };
        const argv = Object.keys(named)
          .sort()
          .flatMap((path) => ["--log", path]);
        const ran = fakeIo(named, { clock: { now: () => now } });
        expect(await run(["ab", ...argv, ...bounds, ...form], ran)).toBe(0);
        expect(ran.stderr.text).toBe("");
        return ran.stdout.text.split(/\r?\n/);
      };
      const [first, second] = [await lines(logs, 0), await lines(grown, 86_400_000)];
      const differ = second.filter((line, at) => line !== first[at]);
      expect(second).toHaveLength(first.length);
      expect(differ).toHaveLength(1);
      // Markdown escapes colons.
      expect(differ[0]?.replaceAll("\\", "")).toContain("1970-01-02T00:00:00.000Z");
      expect(first.join()).toContain("read_file");
    }
  });

  it("as CSV: a row per threshold and scenario, the limits per tool as evidence", async () => {
    const { code, out } = await ab(
      { "/work/agent.log": `${older}\n${newer}\n${tool("11:00:20", "=cmd|x", 5)}` },
      ...["--log", "agent.log", "--thresholds", "8000,20000", "--baseline", "25000", "--csv"],
    );
    expect(code).toBe(0);
    expect(out).toContain("threshold_chars,scenario,results,saved_tokens,share,uncached_tokens,cached_tokens\r\n");
    expect(out).toContain("\r\n8000,fallback,2,12000,2.4,7000,5000\r\n");
    expect(out).toContain("\r\ntool,results,limit_baseline_chars,limit_8000_chars,limit_20000_chars\r\n");
    expect(out).toContain("\r\nread_file,1,never,never,never\r\n");
    expect(out).toContain("\r\n'=cmd|x,1,25000,8000,20000\r\n");
    expect(out).toContain("# baseline budget (chars): 25000 per result, 200000 per turn, preview 1500, MCP 50000\r\n");
  });

  it("says what it is in words", async () => {
    const { out } = await ab(logs, "--log", "agent.log.1", "--log", "agent.log", "--thresholds", "8000");
    expect(out).toContain("an upper bound on logical input, not a bill");
    expect(out).toContain("Each turn segment starts empty");
    expect(out).toMatch(/^ +8,000 {2}with fallback +3 +19,500 +390%/m);
    expect(out).toMatch(/^read_file +1 +never +never$/m);
    expect(out).toContain("no result tells its run, so the scenario main has none\n");
  });

  it.each([
    [{}, ["--log", "agent.log"], 2, "agent.log: The file does not exist"],
    [logs, ["--log", "agent.log", "--db", "state.db"], 2, "state.db: The file does not exist"],
    [{ ...logs, "/work/state.db": "text" }, ["--log", "agent.log", "--db", "state.db"], 2, "no SQLite database"],
    [{ "/work/agent.log": "nothing\n" }, ["--log", "agent.log"], 1, "no line about a request"],
  ] as const)("%#: says what is wrong", async (files, argv, expected, part) => {
    const { code, out } = await ab(files, ...argv);
    expect(code).toBe(expected);
    expect(out).toContain(part);
    validated((await ab(files, ...argv, "--json")).out, "abReport");
  });
});

const use = (id: string) => ({
  role: "assistant",
  content: "",
  tool_calls: [{ id, type: "function", function: { name: "fetch", arguments: "{}" } }],
});

it("ab over a transcript knows which call carried what", async () => {
  const messages = [
    { role: "user", content: "hi" },
    use("a"),
    { role: "tool", tool_call_id: "a", content: "x".repeat(13_500) },
    use("b"),
    { role: "tool", tool_call_id: "b", content: "y".repeat(5) },
    { role: "assistant", content: "done" },
  ];
  const { code, out } = await ab({ "/work/t.json": JSON.stringify({ messages }) }, "t.json", "--json");
  expect(code).toBe(0);
  const { comparison } = validated(out, "abReport");
  expect(comparison?.inputs.attributed).toEqual({ known: 2, run: 0, next: 0, none: 0 });
  expect(comparison?.rows[0]).toMatchObject({
    threshold: 8_000,
    results: 1,
    uncached: 3_000,
    cached: 3_000,
    share: null,
  });
  expect(comparison?.rows.slice(4).every(({ saved }) => saved === 0)).toBe(true);
});

describe("ab over a transcript with bounds", () => {
  const record = (time: string, message: unknown) => JSON.stringify({ ...(message as object), timestamp: time });
  const lines = [
    JSON.stringify({ role: "session_meta", model: "m", platform: "cli", tools: [] }),
    record("2026-01-01T10:00:00.000000", { role: "user", content: "hi" }),
    record("2026-01-01T10:00:10.000000", use("a")),
    record("2026-01-01T10:00:20.000000", { role: "tool", tool_call_id: "a", content: "x".repeat(13_500) }),
    record("2026-01-01T10:00:30.000000", use("b")),
    record("2026-01-01T10:00:40.000000", { role: "tool", tool_call_id: "b", content: "y".repeat(9_500) }),
    record("2026-01-01T10:00:50.000000", { role: "assistant", content: "done" }),
  ];
  const study = async (...argv: readonly string[]) => {
    const { code, out } = await ab({ "/work/s.jsonl": lines.join("\n") }, "s.jsonl", "--json", ...argv);
    expect(code).toBe(0);
    return validated(out, "abReport").comparison;
  };

  it("keeps the requests within them, both ends included, and what they carried first", async () => {
    const whole = await study("--thresholds", "8000");
    expect(whole?.inputs).toMatchObject({ calls: 3, results: 2, attributed: { known: 2 } });
    expect(whole?.rows[0]).toMatchObject({ results: 2, uncached: 5_000, cached: 3_000 });
    const { calls = 0 } = (await study("--since", "2000-01-01", "--until", "2100-01-01"))?.inputs ?? {};
    expect(calls).toBe(3);
    const middle = await study(
      "--since",
      "2026-01-01T10:00:30Z",
      "--until",
      "2026-01-01T10:00:30Z",
      "--thresholds",
      "8000",
    );
    expect(middle?.inputs).toMatchObject({ calls: 1, segments: 1, results: 1 });
    expect(middle?.rows[0]).toMatchObject({ results: 1, uncached: 3_000, cached: 0 });
  });
});

interface Truth {
  readonly calls: readonly { readonly in: number | null }[];
  readonly segments: readonly { readonly calls: readonly number[] }[];
  readonly results: readonly {
    readonly tool: string;
    readonly original_chars: number;
    readonly first_seen_call: number | null;
  }[];
}

describe.skipIf(!hasCorpus)("the study of the corpus", () => {
  const log = (name: string) => corpusPath("hermes", "home", "logs", name);
  const day = ["--since", "2026-09-07", "--until", "2026-09-07", "--utc-offset", "120"];
  const budget = ["--baseline", "30000", "--thresholds", "8000,12000,20000", "--context-length", "200000"];

  async function study(...argv: readonly string[]) {
    const io = fakeIo(
      {},
      {
        files: nodeFiles,
        utf8: nodeUtf8,
        openDatabase: async (path) => {
          const opened = await openDatabase(path, {}, NEVER_CANCELLED);
          if (!opened.ok) return err(opened.error);
          if (opened.value === undefined) throw new Error("cancelled");
          return ok(opened.value);
        },
      },
    );
    const code = await run(
      ["ab", "--log", log("agent.log"), "--log", log("agent.log.1"), ...day, ...budget, ...argv],
      io,
    );
    return { code, out: io.stdout.text };
  }

  it.each([
    [corpusPath("hermes", "home", "state.db"), { known: 0, run: 0, next: 81, none: 0 }],
    [corpusPath("hermes", "web-ui", "hermes-web-ui.db"), { known: 0, run: 39, next: 42, none: 0 }],
  ])("%s gives the figures that follow from the truth", async (database, attributed) => {
    const { code, out } = await study("--db", database, "--json");
    expect(code).toBe(0);
    const { comparison, problems } = validated(out, "abReport");
    const truth = JSON.parse(readFileSync(corpusPath("hermes", "study-truth.json"), "utf8")) as Truth;
    expect(problems).toEqual([]);
    expect(comparison?.inputs).toMatchObject({
      calls: 49,
      segments: 6,
      results: 81,
      leftOut: 2,
      input: truth.calls.reduce((sum, one) => sum + (one.in ?? 0), 0),
      chars: truth.results.reduce((sum, one) => sum + one.original_chars, 0),
      attributed,
    });
    for (const threshold of [8_000, 12_000, 20_000]) {
      let first = 0;
      let later = 0;
      for (const { tool: name, original_chars: chars, first_seen_call: seen } of truth.results) {
        const limit = name.startsWith("mcp_") ? Math.min(50_000, 30_000) : 30_000;
        if (name === "read_file" || seen === null || chars <= threshold || chars > limit) continue;
        const segment = truth.segments.find(({ calls }) => calls.includes(seen));
        first += chars - 1_500;
        later += (chars - 1_500) * (segment?.calls.filter((one) => one > seen).length ?? 0);
      }
      const row = comparison?.rows.find((one) => one.threshold === threshold && one.scenario === "fallback");
      expect(row).toMatchObject({ uncached: first / 4, cached: later / 4, saved: (first + later) / 4 });
      expect(row?.saved).toBeGreaterThan(0);
    }
  });

  it("prints the same bytes twice", async () => {
    const database = corpusPath("hermes", "home", "state.db");
    expect((await study("--db", database)).out).toBe((await study("--db", database)).out);
  });

  it("leaves out what lies beyond the bounds of both sources", async () => {
    const database = corpusPath("hermes", "web-ui", "hermes-web-ui.db");
    const at = (text: string) => ["--since", `2026-09-07T${text}+02:00`, "--until", `2026-09-07T${text}+02:00`];
    const { out } = await study("--db", database, "--json", ...at("04:00"));
    expect(validated(out, "abReport").comparison?.inputs).toMatchObject({ calls: 0, results: 0 });
  });
});
