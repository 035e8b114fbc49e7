import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { run as runCli } from "../../../extension/src/cli/main";
import { CancelSource } from "../../../extension/src/client/lifetime";
import { CACHE_MODELS } from "../../../extension/src/core/compaction/cacheModel";
import { thresholdCurve } from "../../../extension/src/core/compaction/curve";
import { POLICY_DEFAULTS, PRESETS } from "../../../extension/src/core/compaction/policy";
import { SIM_OPTIONS, Simulation } from "../../../extension/src/core/compaction/simulate";
import type { Policy } from "../../../extension/src/core/model/policy";
import { NEVER_CANCELLED } from "../../../extension/src/core/ports";
import { nodeFiles } from "../../../extension/src/node/files";
import { SimulationServer } from "../../../extension/src/node/serveSimulation";
import { loadTranscript } from "../../../extension/src/node/simulation/loadTranscript";
import { nodeUtf8 } from "../../../extension/src/node/utf8";
import { isSimulationFrame, isSimulationQuestion } from "../../../extension/src/protocol/simulation";
import {
  WHATIF_LIMITS,
  type WhatIfAssumptions,
  type WhatIfEvents,
  type WhatIfExportFormat,
} from "../../../extension/src/protocol/whatIf";
import { whatIfReplyGuards } from "../../../webview/src/whatIfGuards";
import { corpusPath, hasCorpus } from "../../corpus";
import { fakeIo } from "../cli/fakeIo";
import { ASSUMED, answerOf, hermesSession, input, SimulationFolder } from "./simulation";

const PERSIST: Policy = { ...POLICY_DEFAULTS.persist, threshold: 20_000 };

describe("simulating in a thread of its own", () => {
  let folder: SimulationFolder;
  let small = "";
  beforeAll(() => {
    folder = new SimulationFolder();
    small = folder.write(
      "session.json",
      hermesSession(12, (call) => 9_000 + call * 2_500),
    );
  });
  afterAll(() => folder.dispose());

  it("finds handles in the same thread, and reads the transcript once for both", async () => {
    const heard: WhatIfEvents["whatIf/progress"][] = [];
    const notice = `<persisted-output>\nThis tool result was too large (30,000 characters, 29.3 KB).\nFull output saved to: /home/u/.hermes/cache/spillover/call_zero.txt\nUse the read_file tool with offset and limit to access specific sections of this output.\n\nPreview (first 5 chars):\nfirst\n...\n</persisted-output>`;
    const asked = (id: string, name: string, args: unknown) => ({
      role: "assistant",
      content: "",
      tool_calls: [{ id, type: "function", function: { name, arguments: JSON.stringify(args) } }],
    });
    const told = (id: string, content: string) => ({ role: "tool", tool_call_id: id, content });
    const messages = [
      { role: "user", content: "Begin." },
      asked("call_zero", "terminal", { command: "make" }),
      told("call_zero", notice),
      asked("call_one", "read_file", { path: "/home/u/.hermes/cache/spillover/call_zero.txt", offset: 3, limit: 4 }),
      told("call_one", "lines"),
    ];
    const file = folder.write(
      "handles.json",
      JSON.stringify({ session_id: "20260908_090003_1c40de", model: "kimi", messages }),
    );
    const simulation = folder.simulate(file, (progress) => heard.push(progress));
    const all = { moment: { kind: "now" }, use: null, from: 0, count: 10 } as const;
    const page = await answerOf(simulation, "handles", all);
    expect(page).toMatchObject({ counts: { never: 0, read: 1, repeated: 0, unknown: 0 }, total: 1, calls: null });
    expect(page.rows).toMatchObject([
      { kind: "file", use: "read", why: "file-unchecked", reads: [{ way: "file", chars: 5 }] },
    ]);
    expect(
      await answerOf(simulation, "handles", { ...all, moment: { kind: "call", thread: null, call: 9 } }),
    ).toMatchObject({
      calls: { count: 2, call: 2 },
      rows: [{ readable: "unknown", why: "no-time" }],
    });
    expect(await answerOf(simulation, "open", { thread: null })).toMatchObject({ facts: { calls: 2 } });
    await simulation.dispose();
  });

  it("tells the facts of a thread, and how far the reading is", async () => {
    const heard: WhatIfEvents["whatIf/progress"][] = [];
    const simulation = folder.simulate(small, (progress) => heard.push(progress));
    const { facts, agent, began } = await answerOf(simulation, "open", { thread: null });
    expect(whatIfReplyGuards.whatIfOpen({ ...facts, configThreshold: null })).toBe(true);
    expect(facts).toMatchObject({
      threads: [{ calls: 13, results: 12 }],
      calls: 13,
      results: 12,
      resultsRead: 12,
      measured: null,
      suggestedBaseTokens: 0,
      inferred: { atLeast: 9_000 + 11 * 2_500, below: null, note: null },
    });
    expect(facts.thread).toBe(facts.threads[0]?.id);
    expect(facts.notes.join(" ")).toMatch(/No request has a time.*no token usage/);
    expect(agent).toBe("hermes");
    expect(began).toBe(Date.parse("2026-09-08T09:00:03"));
    expect(heard.map(({ what }) => what)).toEqual(expect.arrayContaining(["reading", "measuring"]));
  });

  it("takes the longest conversation of several, unless one is named", async () => {
    const sessions = [2, 9, 9, 4].map((calls, at) => {
      const { session_id: _, ...rest } = JSON.parse(hermesSession(calls, () => 300));
      return JSON.stringify({ id: `s${at}`, source: "cli", ...rest });
    });
    const simulation = folder.simulate(folder.write("export.jsonl", `${sessions.join("\n")}\n`));
    const { facts } = await answerOf(simulation, "open", { thread: null });
    expect(facts).toMatchObject({ thread: "export-2", calls: 10 });
    expect((await answerOf(simulation, "open", { thread: "export-4" })).facts).toMatchObject({ calls: 5 });
  });

  it("answers as the simulator does", async () => {
    const simulation = folder.simulate(small);
    const { facts } = await answerOf(simulation, "open", { thread: null });
    const policies: Policy[] = [PERSIST, { ...POLICY_DEFAULTS.prune, protectLast: 4 }];
    const outcome = await answerOf(simulation, "run", input(facts.thread, ...policies));
    expect(whatIfReplyGuards.whatIfRun(outcome)).toBe(true);

    const server = new SimulationServer({ simulate: small, format: null }, { folder: () => {}, progress: () => {} });
    const loaded = await loadTranscript(small, { format: undefined, onProgress: () => {} }, NEVER_CANCELLED);
    if (loaded?.ok !== true) throw new Error("not loaded");
    const thread = await server["thread"](loaded.value, facts.thread, NEVER_CANCELLED);
    if (thread?.ok !== true) throw new Error("no thread");
    const expected = new Simulation(thread.value.sim, thread.value.facts, SIM_OPTIONS).run(policies);
    loaded.value.close();

    expect(outcome.before.input).toBe(expected.totals.before.input);
    expect(outcome.after).toMatchObject({ input: expected.totals.after.input, peak: expected.totals.after.peak });
    expect(outcome.saved.input).toBe(expected.totals.saved.input);
    expect(outcome.affected).toBe(expected.affected.length);
    expect(outcome.callsPerPoint).toBe(1);
    expect(outcome.series.call).toEqual(Array.from({ length: 13 }, (_, n) => n + 1));
    expect(outcome.series.before).toEqual([...expected.before.total]);
    expect(outcome.series.after).toEqual([...expected.after.total]);
    expect(outcome.breaks.count).toBe(expected.totals.breaks.length);
    expect(outcome.series.breaks.reduce((sum, one) => sum + one, 0)).toBe(outcome.breaks.count);
    expect(outcome.policies).toHaveLength(2);
    // Every result was replaced, or each policy that looked has a reason.
    const [persist] = outcome.policies;
    const kept = Object.values(persist?.kept ?? {}).reduce((sum, count) => sum + count, 0);
    expect(outcome.affected + kept).toBe(12);

    const affected = await answerOf(simulation, "affected", {
      input: input(facts.thread, ...policies),
      order: "saved",
      from: 0,
      count: 500,
    });
    expect(affected.total).toBe(outcome.affected);
    expect(affected.rows.map(({ saved }) => saved)).toEqual(
      expected.affected.map(({ saved }) => saved).sort((a, b) => b - a),
    );
    expect(affected.rows.reduce((sum, { saved }) => sum + saved, 0)).toBe(outcome.affectedSaved);
    expect(affected.rows.every(({ exact }) => exact)).toBe(true);
    const second = await answerOf(simulation, "affected", {
      input: input(facts.thread, ...policies),
      order: "call",
      from: 1,
      count: 2,
    });
    expect(second.rows).toHaveLength(2);
    expect(second.rows[0]?.call).toBeLessThanOrEqual(second.rows[1]?.call ?? 0);

    const curve = await answerOf(simulation, "curve", { thread: facts.thread, policy: PERSIST });
    const whole = thresholdCurve(thread.value.sim, thread.value.facts, POLICY_DEFAULTS.persist);
    expect(curve).toMatchObject({ steps: [...whole.steps], saved: [...whole.saved], stepsOmitted: 0 });
    expect(curve.totalChars).toBe(expected.totals.before.input * 4);
  });

  it("says why a policy that never fired did not", async () => {
    const simulation = folder.simulate(small);
    const { facts } = await answerOf(simulation, "open", { thread: null });
    const run = async (policy: Policy) => (await answerOf(simulation, "run", input(facts.thread, policy))).policies[0];
    expect(await run({ ...POLICY_DEFAULTS.persist, threshold: 40_000, turnBudget: false })).toMatchObject({
      replaced: 0,
      kept: { "below-threshold": 12 },
    });
    const micro = await run({ ...POLICY_DEFAULTS.micro, tokenBudget: 10_000_000 });
    expect(micro).toMatchObject({ replaced: 0 });
    expect(micro?.idle["below-budget"]).toBeGreaterThan(0);
  });

  it("reads what calls asked for, where a policy looks at that", async () => {
    const long = JSON.stringify(JSON.stringify({ command: "x".repeat(3_000), n: 1 })).slice(1, -1);
    const session = hermesSession(60, () => 9_000).replaceAll(/\{\\"n\\":\d+\}/g, () => long);
    const simulation = folder.simulate(folder.write("arguments.json", session));
    const { facts } = await answerOf(simulation, "open", { thread: null });
    const proactive = { ...POLICY_DEFAULTS.proactive, triggerTokens: 1_000, minReclaimTokens: 1 };
    const saved = async (shortenArguments: boolean) =>
      (await answerOf(simulation, "run", input(facts.thread, { ...proactive, shortenArguments }))).saved.input;
    expect(await saved(true)).toBeGreaterThan((await saved(false)) + 1_000);
  });

  it("answers the newest question of an asker and drops the older ones", async () => {
    const simulation = folder.simulate(small);
    const lane = {};
    const { facts } = await answerOf(simulation, "open", { thread: null });
    const thresholds = [9_000, 15_000, 20_000, 30_000];
    const run = (threshold: number, who: object) =>
      simulation.ask("run", input(facts.thread, { ...POLICY_DEFAULTS.persist, threshold }), who, new CancelSource());
    const [other, ...answers] = await Promise.all([run(9_000, {}), ...thresholds.map((one) => run(one, lane))]);
    expect(answers.slice(0, -1)).toEqual(["dropped", "dropped", "dropped"]);
    expect(answers.at(-1)).toMatchObject({ ok: true });
    // Somebody else's question stays.
    expect(other).toMatchObject({ ok: true });
  });

  it("stops a run in the middle when it is cancelled, and goes on with the next", async () => {
    const big = folder.write(
      "big.json",
      hermesSession(6_000, (call) => (call * 37) % 400),
    );
    const simulation = folder.simulate(big);
    const { facts } = await answerOf(simulation, "open", { thread: null });
    const source = new CancelSource();
    const slow = simulation.ask(
      "run",
      input(facts.thread, { ...POLICY_DEFAULTS.micro, keepRecent: 3 }),
      undefined,
      source,
    );
    source.cancel();
    expect(await slow).toBe("dropped");
    const outcome = await answerOf(simulation, "run", input(facts.thread, PERSIST));
    expect(outcome.callsPerPoint).toBe(4);
    expect(outcome.series.call.length).toBeLessThanOrEqual(WHATIF_LIMITS.points);
    expect(Math.max(...outcome.series.before)).toBe(outcome.before.peak);
    expect(outcome.capped).toBe(false);
  });

  it("can be cancelled while it reads, and reads again for the next question", async () => {
    const simulation = folder.simulate(small);
    const source = new CancelSource();
    const opened = simulation.ask("open", { thread: null }, undefined, source);
    source.cancel();
    expect(await opened).toBe("dropped");
    expect((await answerOf(simulation, "open", { thread: null })).facts.calls).toBe(13);
  });

  it("says what is wrong with the file or the thread", async () => {
    const nothing = folder.simulate(folder.write("nothing.json", "[1, 2"));
    const cancel = new CancelSource();
    expect(await nothing.ask("open", { thread: null }, undefined, cancel)).toMatchObject({ ok: false });
    const absent = folder.simulate(join(folder.folder, "absent.json"));
    expect(await absent.ask("open", { thread: null }, undefined, cancel)).toMatchObject({
      ok: false,
      error: { code: "unreadable" },
    });
    const simulation = folder.simulate(small);
    expect(await simulation.ask("run", input("elsewhere", PERSIST), undefined, cancel)).toMatchObject({
      ok: false,
      error: { code: "unknown-thread" },
    });
    const quiet = folder.simulate(
      folder.write("quiet.json", hermesSession(0, () => 0).replace(/,\{"role":"assistant".*?\}/, "")),
    );
    expect(await quiet.ask("open", { thread: null }, undefined, cancel)).toMatchObject({
      ok: false,
      error: { code: "no-calls" },
    });
  });

  it("rejects when its thread cannot start, and drops what is asked when it is disposed", async () => {
    const simulation = folder.simulate(small);
    const asked = simulation.ask("open", { thread: null }, undefined, new CancelSource());
    await simulation.dispose();
    expect(await asked).toBe("dropped");
    const { TranscriptSimulation } = await import("../../../extension/src/node/simulateInWorker");
    const broken = new TranscriptSimulation(small, { workerFile: join(folder.folder, "no-worker.js") });
    await expect(broken.ask("open", { thread: null }, undefined, new CancelSource())).rejects.toThrow(/failed/);
  });

  it("says of every threshold what it would have saved, thread by thread", async () => {
    const simulation = folder.simulate(small);
    const saved = await answerOf(simulation, "saved", { threads: 5 });
    expect(saved).toHaveLength(1);
    const { facts } = await answerOf(simulation, "open", { thread: null });
    const curve = await answerOf(simulation, "curve", { thread: facts.thread, policy: null });
    const { steps, totalChars, always } = curve;
    expect(saved[0]).toMatchObject({ thread: facts.thread, newest: null, steps, totalChars, always: always.saved });
    // By lengths alone, so that a preview may end at another line.
    expect(saved[0]?.saved).toHaveLength(steps.length);
    for (const [at, chars] of (saved[0]?.saved ?? []).entries())
      expect(Math.abs(chars - (curve.saved[at] ?? 0))).toBeLessThan(0.05 * totalChars);
  });

  describe("an export", () => {
    const reversed = Object.fromEntries(Object.entries(PERSIST).reverse()) as unknown as Policy;
    const odd = { ...POLICY_DEFAULTS.micro, placeholder: "gone, it's" };
    const scaled = { ...POLICY_DEFAULTS.persist, overrides: { web_extract: 9_500 } };
    const assumed: WhatIfAssumptions = {
      cache: CACHE_MODELS[3] ?? ASSUMED.cache,
      prices: { write: 1.25, read: 0.1 },
      windowTokens: 65_536,
      baseTokens: 1_234,
    };
    const { source } = assumed.cache;
    const changed = { ...assumed.cache, ttlMs: 1_000, source: `${source}; changed by hand` };
    const cases: readonly (readonly [string, readonly Policy[], WhatIfAssumptions])[] = [
      ["policies that differ from what their owner ships", [reversed, odd], ASSUMED],
      ["everything that can be assumed", [scaled, POLICY_DEFAULTS.clear], assumed],
      ["a window that scales a threshold", [{ ...POLICY_DEFAULTS.persist, contextTokens: 128_000 }], assumed],
      ["every preset", PRESETS.map(({ policy }) => policy).slice(0, WHATIF_LIMITS.policies), assumed],
      ["a cache that was changed by hand", [PERSIST], { ...assumed, cache: changed }],
      ["no policy", [], ASSUMED],
    ];

    it.each(cases)("is repeated by the command line with %s", async (_, policies, assumptions) => {
      const simulation = folder.simulate(small);
      const { facts } = await answerOf(simulation, "open", { thread: null });
      const what = { thread: facts.thread, policies, assumptions };
      const of = async (format: WhatIfExportFormat) =>
        (await answerOf(simulation, "export", { input: what, format })).text;
      const report = JSON.parse(await of("json"));
      const run = await answerOf(simulation, "run", what);
      expect(report.simulation.totals.saved.input).toBe(run.saved.input);
      expect(report.sha256).toBe(createHash("sha256").update(readFileSync(small)).digest("hex"));
      const command = /Again with `+ ?(.*?) ?`+\n/.exec(await of("markdown"))?.[1] ?? "";
      expect(command).toContain(`context-budget simulate ${small}`);

      // Through a shell's eyes, and through the command line itself.
      const printed = execFileSync("sh", ["-c", `printf '%s\\0' ${command}`], { encoding: "utf8" });
      const io = fakeIo({}, { files: nodeFiles, utf8: nodeUtf8 });
      expect(await runCli([...printed.split("\0").slice(1, -1), "--json"], io)).toBe(0);
      expect(JSON.parse(io.stdout.text)).toEqual(report);
      expect(await of("csv")).toContain(policies.length === 0 ? "threshold_chars" : "before_tokens");
    });
  });

  it("understands nothing but its own messages", () => {
    expect(isSimulationFrame({ v: 1, t: "answer", id: 1 })).toBe(false);
    expect(isSimulationFrame({ v: 2, t: "dropped", id: 1 })).toBe(false);
    expect(isSimulationQuestion({ v: 1, id: 1, ask: "toString", body: {} })).toBe(false);
    expect(isSimulationQuestion({ v: 1, id: 1, ask: "run", body: null })).toBe(false);
  });
});

describe.skipIf(!hasCorpus)("simulating real transcripts", () => {
  function* files(folder: string): Generator<string> {
    for (const name of readdirSync(folder)) {
      const path = join(folder, name);
      if (statSync(path).isDirectory()) yield* files(path);
      else if (/\.(jsonl?|traj|db)$/.test(name) && statSync(path).size < 2_000_000) yield path;
    }
  }

  it("every answer about every first thread passes the page's guards", async () => {
    let opened = 0;
    const never = NEVER_CANCELLED;
    for (const name of readdirSync(corpusPath())) {
      if (name === "oracle" || !statSync(corpusPath(name)).isDirectory()) continue;
      for (const path of files(corpusPath(name))) {
        const server = new SimulationServer({ simulate: path, format: null }, { folder: () => {}, progress: () => {} });
        const facts = await server.answer({ v: 1, id: 1, ask: "open", body: { thread: null } }, never);
        if (facts?.ok !== true) continue;
        opened++;
        const { facts: known } = facts.value as { facts: { thread: string } };
        expect(whatIfReplyGuards.whatIfOpen({ ...known, configThreshold: null }), path).toBe(true);
        const body = {
          thread: known.thread,
          policies: PRESETS.slice(0, 4).map(({ policy }) => policy),
          assumptions: ASSUMED,
        };
        const run = await server.answer({ v: 1, id: 2, ask: "run", body }, never);
        expect(run?.ok === true && whatIfReplyGuards.whatIfRun(run.value), path).toBe(true);
        const rows = { input: body, order: "before", from: 0, count: 500 } as const;
        const affected = await server.answer({ v: 1, id: 3, ask: "affected", body: rows }, never);
        expect(affected?.ok === true && whatIfReplyGuards.whatIfAffected(affected.value), path).toBe(true);
        const curve = await server.answer(
          { v: 1, id: 4, ask: "curve", body: { thread: known.thread, policy: null } },
          never,
        );
        expect(curve?.ok === true && whatIfReplyGuards.whatIfCurve(curve.value), path).toBe(true);
        server.close();
      }
    }
    expect(opened).toBeGreaterThan(20);
  }, 120_000);
});
