import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { compareThresholds } from "../../../extension/src/core/compaction/ab";
import {
  type LooseResult,
  studyFromLog,
  studyFromThread,
  withLoggedSizes,
} from "../../../extension/src/core/compaction/abStudy";
import { fixedOffset, type LoggedCall, parseAgentLog } from "../../../extension/src/core/compaction/agentLog";
import { budgetForContextWindow } from "../../../extension/src/core/config/budgets";
import { NEVER_CANCELLED } from "../../../extension/src/core/ports";
import { openDatabase } from "../../../extension/src/node/sqlite";
import { corpusPath, hasCorpus } from "../../corpus";
import { Random } from "../../oracle/random";
import { makeSteps, makeThread } from "./generate";

const MINUTE = 60_000;

describe("agent.log", () => {
  const forms: readonly (readonly [string, string, Partial<LoggedCall>])[] = [
    [
      "April 2026",
      "2026-04-06 09:12:03,195 INFO run_agent: API call #1: model=k provider=openrouter in=9221 out=74 total=9295 latency=3.2s",
      { thread: undefined, number: 1, input: 9221, cached: 0, output: 74, latencyMs: 3200 },
    ],
    [
      "a tag and a cache",
      "2026-04-06 09:12:03,195 INFO [s1] agent.conversation_loop: API call #2: model=k provider=p in=100 out=7 total=107 latency=0.5s cache=64/100 (64%)",
      { thread: "s1", number: 2, input: 100, cached: 64 },
    ],
    [
      "since #104568",
      "2026-04-06 09:12:03,195 INFO [s1] agent.conversation_loop: API call #3: model=k provider=p in=100 out=7 total=107 latency=0.5s cache=64/100 (64%) write=30 id=gen-1 upstream=Google Vertex AI",
      { number: 3, written: 30, cached: 64 },
    ],
    [
      "unknown figures",
      "2026-04-06 09:12:03,195 INFO [s1] agent.conversation_loop: API call #4: model=k provider=p in=unknown out=unknown total=unknown latency=4.2s id=gen-2",
      { number: 4, input: undefined, output: undefined, cached: 0 },
    ],
  ];
  for (const [name, line, expected] of forms) {
    it(name, () => {
      const { calls, unread } = parseAgentLog(`${line}\r\n`, fixedOffset(120));
      expect(unread).toEqual([]);
      expect(calls).toHaveLength(1);
      expect(calls[0]).toMatchObject({ ...expected, at: Date.UTC(2026, 3, 6, 7, 12, 3, 195) });
    });
  }

  it("turn lines name the session of untagged lines and tell background work", () => {
    const log = [
      "2026-01-01 00:00:00,000 INFO agent.turn_context: conversation turn: session=s1 model=m provider=p",
      "2026-01-01 00:00:01,000 INFO agent.conversation_loop: API call #1: model=m provider=p in=1 out=1 total=2 latency=1.0s",
      "2026-01-01 00:00:02,000 INFO agent.tool_executor: tool terminal completed (0.41s, 682 chars)",
      "2026-01-01 00:00:02,500 WARNING agent.tool_executor: Tool read_file returned error (9.35s): {",
      "2026-01-01 00:00:02,500 INFO not a log line of its own: API call #9",
      "2026-01-01 00:00:03,000 INFO agent.turn_finalizer: Turn ended: reason=x model=m session=s1",
      "2026-01-01 00:00:04,000 INFO [s1] agent.conversation_loop: API call #1: model=m provider=p in=1 out=1 total=2 latency=1.0s",
      "2026-01-01 00:00:05,000 INFO [s1] agent.conversation_loop: API call #2: model=m in=broken",
    ].join("\n");
    const { calls, tools, unread } = parseAgentLog(log, fixedOffset(0));
    expect(calls.map(({ thread, outsideTurn }) => [thread, outsideTurn])).toEqual([
      ["s1", false],
      ["s1", true],
    ]);
    expect(tools).toEqual([{ at: Date.UTC(2026, 0, 1, 0, 0, 2), thread: "s1", tool: "terminal", chars: 682 }]);
    expect(unread.map(({ problem }) => problem.code)).toEqual(["log-line-not-read"]);
  });
});

function call(at: number, thread: string, number: number, input = 1000, cached = 0): LoggedCall {
  const rest = { model: "m", written: undefined, output: 1, turn: 0, outsideTurn: false };
  return { at: at * MINUTE, latencyMs: MINUTE / 2, thread, number, input, cached, ...rest };
}

function result(at: number, tool: string, chars: number, runId?: string): LooseResult {
  return { at: at * MINUTE, tool, chars, runId, thread: undefined };
}

const OPEN = { since: null, until: null };

describe("a study by hand", () => {
  // Thread a: calls at 1, 2, 3, then its counter returns to 1 at 10 and 11. Thread b: one call at 2.4.
  const calls = [
    call(1, "a", 1),
    call(2, "a", 2),
    call(3, "a", 3),
    call(2.4, "b", 1),
    call(10, "a", 1),
    call(11, "a", 2),
  ];
  const results = [
    result(1.2, "x", 25_500, "r1"), // median of r1 lies in a's first segment alone: carried by 2, again by 3
    result(1.3, "read_file", 90_000, "r1"), // pinned
    result(1.4, "mcp_x", 60_000, "r1"), // above the MCP cap: gone in both
    result(2.3, "x", 21_500), // no run: the nearest next call is b's
    result(10.5, "x", 101_500, "r2"), // longer than the baseline: gone in both
    result(10.5, "y", 31_500, "r2"), // carried by 11 only
    result(12, "x", 41_500, "r2"), // nothing carried it
  ];
  const study = studyFromLog(calls, results, OPEN);
  const report = compareThresholds(study, budgetForContextWindow(undefined), [20_000, 30_000, 100_000]);

  it("segments and carries", () => {
    expect(study.segments.map(({ thread, calls: own }) => [thread, own.length])).toEqual([
      ["a", 3],
      ["b", 1],
      ["a", 2],
    ]);
    expect(study.results.map(({ by, firstCall }) => [by, firstCall])).toEqual([
      ["run", 1],
      ["run", 1],
      ["run", 1],
      ["next", 2],
      ["run", 5],
      ["run", 5],
      ["run", undefined],
    ]);
  });

  it("rows", () => {
    expect(report.rows).toEqual([
      {
        threshold: 20_000,
        scenario: "main",
        results: 2,
        saved: 19_500,
        share: 19_500 / 6000,
        uncached: 13_500,
        cached: 6000,
      },
      {
        threshold: 20_000,
        scenario: "fallback",
        results: 3,
        saved: 24_500,
        share: 24_500 / 6000,
        uncached: 18_500,
        cached: 6000,
      },
      { threshold: 30_000, scenario: "main", results: 1, saved: 7500, share: 1.25, uncached: 7500, cached: 0 },
      { threshold: 30_000, scenario: "fallback", results: 1, saved: 7500, share: 1.25, uncached: 7500, cached: 0 },
      { threshold: 100_000, scenario: "main", results: 0, saved: 0, share: 0, uncached: 0, cached: 0 },
      { threshold: 100_000, scenario: "fallback", results: 0, saved: 0, share: 0, uncached: 0, cached: 0 },
    ]);
  });

  it("bounds take in both ends, of calls and of results", () => {
    const bounded = studyFromLog(calls, results, { since: 2 * MINUTE, until: 10.5 * MINUTE });
    expect(bounded.calls).toHaveLength(4);
    expect(bounded.results.map(({ chars }) => chars)).toEqual([21_500, 101_500, 31_500]);
  });

  it("the order of the sources does not matter", () => {
    const again = studyFromLog([...calls].reverse(), [...results].reverse(), OPEN);
    expect(again.calls).toEqual(study.calls);
    const rows = compareThresholds(again, budgetForContextWindow(undefined), [20_000, 30_000, 100_000]).rows;
    expect(rows).toEqual(report.rows);
  });
});

describe("a study of a generated thread", () => {
  it("counts what a loop over all requests counts", async () => {
    const random = new Random(3);
    for (let n = 0; n < 30; n++) {
      const made = await makeThread(makeSteps(random, random.int(2, 14), 4000));
      const study = studyFromThread(made.thread, made.facts);
      const baseline = { ...budgetForContextWindow(undefined), perResult: 3000, mcpResult: 2500 };
      const [row] = compareThresholds(study, baseline, [1600]).rows;
      let first = 0;
      let later = 0;
      for (const { calls } of study.segments) {
        for (const call of calls) {
          for (const { tool, chars, firstCall } of study.results) {
            if (firstCall === undefined || !calls.includes(firstCall) || firstCall > call || tool === "read_file")
              continue;
            const limit = tool.startsWith("mcp_") ? 2500 : 3000;
            if (chars <= 1600 || chars > limit) continue;
            if (firstCall === call) first += chars - 1500;
            else later += chars - 1500;
          }
        }
      }
      expect([row?.uncached, row?.cached]).toEqual([first / 4, later / 4]);
    }
  });
});

interface Truth {
  readonly calls: readonly { readonly epoch_ms: number; readonly in: number | null; readonly segment: number }[];
  readonly segments: readonly { readonly calls: readonly number[]; readonly session: string }[];
  readonly results: readonly {
    readonly tool: string;
    readonly web_ui_message: string;
    readonly original_chars: number;
    readonly stored_chars: number;
    readonly first_seen_call: number | null;
  }[];
}

describe.skipIf(!hasCorpus)("the study of the corpus", () => {
  async function load() {
    const read = (name: string) => readFileSync(corpusPath("hermes", "home", "logs", name), "utf8");
    const log = parseAgentLog(read("agent.log.1") + read("agent.log"), fixedOffset(120));
    const opened = await openDatabase(corpusPath("hermes", "web-ui", "hermes-web-ui.db"), {}, NEVER_CANCELLED);
    if (!opened.ok || opened.value === undefined) throw new Error("the web UI's database cannot be opened");
    const database = opened.value;
    const rooms = new Map<unknown, string>();
    for (const { values } of database.rows({ table: "gc_session_profiles", columns: ["room_id", "session_id"] }))
      rooms.set(values[0], String(values[1]));
    const columns = ["id", "roomId", "tool_name", "content", "timestamp", "run_id"];
    const loose: (LooseResult & { readonly id: string })[] = [];
    for (const { values } of database.rows({ table: "gc_messages", columns, where: { role: "tool" } })) {
      const [id, room, tool, content, at, run] = values;
      loose.push({
        id: String(id),
        tool: String(tool),
        chars: [...String(content)].length,
        at: Number(at),
        runId: run === null ? undefined : String(run),
        thread: rooms.get(room),
      });
    }
    database.close();
    const truth = JSON.parse(readFileSync(corpusPath("hermes", "study-truth.json"), "utf8")) as Truth;
    return { log, loose, truth };
  }
  const day = { since: Date.UTC(2026, 8, 6, 22), until: Date.UTC(2026, 8, 7, 21, 59, 59, 999) };

  it("calls, segments and inputs are those of the truth", async () => {
    const { log, loose, truth } = await load();
    expect(log.unread).toEqual([]);
    const study = studyFromLog(log.calls, loose, day);
    expect(study.calls).toHaveLength(49);
    expect(study.leftOut).toBe(2);
    expect(study.calls.map(({ input }) => input ?? null)).toEqual(truth.calls.map((one) => one.in));
    expect(study.segments.map(({ calls }) => calls).sort((a, b) => (a[0] ?? 0) - (b[0] ?? 0))).toEqual(
      truth.segments.map(({ calls }) => calls).sort((a, b) => (a[0] ?? 0) - (b[0] ?? 0)),
    );
    const { inputs } = compareThresholds(study, budgetForContextWindow(200_000), [20_000]);
    expect(inputs).toMatchObject({ calls: 49, callsWithoutUsage: 1, segments: 6, results: 81, chars: 686_072 });
  });

  it("how far the attribution is off", async () => {
    const { log, loose, truth } = await load();
    const sorted = [...loose].sort((a, b) => a.at - b.at);
    const firstSeen = new Map(truth.results.map((one) => [one.web_ui_message, one.first_seen_call]));
    const score = (results: readonly (typeof sorted)[number][]) => {
      const right = { run: 0, next: 0 };
      const all = { run: 0, next: 0 };
      for (const [position, { by, firstCall }] of studyFromLog(log.calls, results, day).results.entries()) {
        if (by !== "run" && by !== "next") throw new Error(`attributed by ${by}`);
        all[by]++;
        if ((firstCall ?? null) === firstSeen.get(results[position]?.id ?? "")) right[by]++;
      }
      return { all, right };
    };
    // With the join from rooms to sessions nothing is off; two segments overlap, so their runs go to the nearest call.
    expect(score(sorted)).toEqual({ all: { run: 39, next: 42 }, right: { run: 39, next: 42 } });
    // Without it the nearest call is another room's for 16 of them.
    const unjoined = sorted.map((one) => ({ ...one, thread: undefined }));
    expect(score(unjoined)).toEqual({ all: { run: 39, next: 42 }, right: { run: 39, next: 26 } });
  });

  it("the log tells lengths before persistence", async () => {
    const { log, loose, truth } = await load();
    const original = new Map(truth.results.map((one) => [one.web_ui_message, one.original_chars]));
    const sized = withLoggedSizes(loose, log.tools);
    const off = sized.filter((one, position) => one.chars !== original.get(loose[position]?.id ?? ""));
    // Tools that failed are logged without a length; their rows count as they are.
    expect(off.map((one) => one.tool)).toEqual([]);
    expect(sized.reduce((sum, one) => sum + one.chars, 0)).toBe(912_799);
  });

  it("the counter alone takes background work for a segment", async () => {
    const { log, loose } = await load();
    const literal = studyFromLog(log.calls, loose, { ...day, useTurns: false });
    expect(literal.calls).toHaveLength(51);
    expect(literal.segments.map(({ calls }) => calls.length)).toEqual([9, 7, 8, 10, 8, 9]);
  });

  it("totals are those that follow from the truth", async () => {
    const { log, loose, truth } = await load();
    const baseline = { ...budgetForContextWindow(200_000), perResult: 30_000 };
    const rows = compareThresholds(studyFromLog(log.calls, loose, day), baseline, [8000, 12_000, 20_000]).rows;
    const segmentOf = new Map(truth.segments.flatMap(({ calls }) => calls.map((one) => [one, calls] as const)));
    const stored = new Map(loose.map((one) => [one.id, one.chars]));
    for (const threshold of [8000, 12_000, 20_000]) {
      let first = 0;
      let later = 0;
      for (const { tool, first_seen_call: seen, web_ui_message } of truth.results) {
        const chars = stored.get(web_ui_message) ?? 0;
        if (tool === "read_file" || seen === null || chars <= threshold || chars > 30_000) continue;
        first += chars - 1500;
        later += (chars - 1500) * (segmentOf.get(seen) ?? []).filter((one) => one > seen).length;
      }
      const [main, fallback] = rows.filter((row) => row.threshold === threshold);
      expect(fallback).toMatchObject({ uncached: first / 4, cached: later / 4, saved: (first + later) / 4 });
      expect(main?.saved).toBeLessThan(fallback?.saved ?? 0);
    }
    expect(rows[1]?.share).toBeCloseTo(0.1244, 4);
  });
});
