import { describe, expect, it } from "vitest";
import { POLICY_DEFAULTS, type Policy, PRESETS } from "../../../extension/src/core/compaction/policy";
import { replacementText } from "../../../extension/src/core/compaction/replacementText";
import { ITEM } from "../../../extension/src/core/compaction/simThread";
import { SIM_OPTIONS, Simulation, suggestBaseTokens } from "../../../extension/src/core/compaction/simulate";
import { countCodePoints } from "../../../extension/src/core/util/textSize";
import { nodeDigest } from "../../../extension/src/node/digest";
import { Random } from "../../oracle/random";
import { type MadeResult, makeSteps, makeThread } from "./generate";

const POLICIES: readonly Policy[] = [
  { ...POLICY_DEFAULTS.persist, threshold: 700 },
  { ...POLICY_DEFAULTS.persist, threshold: 700, saveFails: true, turnBudget: false },
  { ...POLICY_DEFAULTS.persist, threshold: 100_000, contextTokens: 1, era: "plain" },
  { ...POLICY_DEFAULTS.prune, threshold: 900, head: 300, tail: 100, protectLast: 4 },
  { ...POLICY_DEFAULTS.micro, keepRecent: 1 },
  { ...POLICY_DEFAULTS.clear, triggerTokens: 10, placeholder: "[cleared]" },
  { ...POLICY_DEFAULTS.window, protectTokens: 100, minimumTokens: 0, protectTurns: 0, when: "everyCall" },
  { ...POLICY_DEFAULTS.proactive, triggerTokens: 1, minResultChars: 300, minReclaimTokens: 0, protectLast: 3 },
];

describe("texts of replacements", () => {
  it("are as long as the simulator counts them", async () => {
    const random = new Random(5);
    const actions = new Set<string>();
    for (let n = 0; n < 60; n++) {
      const steps = makeSteps(random, random.int(6, 14), 12_000);
      const made = await makeThread(steps);
      const results = steps.flatMap((step): readonly MadeResult[] => (step.kind === "call" ? step.results : []));
      const simulation = new Simulation(made.thread, made.facts);
      const policy = random.pick(POLICIES);
      for (const { item, replacement } of simulation.requestAt([policy], made.thread.calls.count - 1)) {
        if (replacement === undefined || made.thread.items.kind[item] !== ITEM.result) continue;
        const own = results[made.thread.results.index[made.thread.items.result[item] ?? 0] ?? 0];
        if (own === undefined) throw new Error("no such result");
        const text = replacementText(policy, replacement.action, { ...own, agent: "hermes" }, nodeDigest);
        expect(countCodePoints(text), `${replacement.action} of ${own.tool}`).toBe(replacement.chars);
        actions.add(replacement.action);
      }
    }
    expect([...actions].sort()).toEqual(
      ["blanked", "cleared", "duplicate", "not-saved", "one-line", "persisted", "pruned", "turn-budget"].sort(),
    );
  });
});

describe("what else the edges ask for", () => {
  it("presets have names of their own, sources, and say where they only follow in outline", () => {
    expect(new Set(PRESETS.map(({ id }) => id)).size).toBe(PRESETS.length);
    expect(PRESETS.filter(({ approximation }) => approximation !== undefined).map(({ id }) => id)).toEqual([
      "hermes-proactive",
      "anthropic-clear-tool-uses",
      "langchain-clear-tool-uses",
      "opencode-prune",
      "gemini-mask",
    ]);
    expect(POLICY_DEFAULTS.window.notice).toBe("[Old tool result content cleared]".length);
  });

  it("the base is what the first measured request has beyond the estimate", async () => {
    const made = await makeThread([
      { kind: "user", text: "x".repeat(400) },
      { kind: "call", text: "y", results: [], at: 0 },
    ]);
    expect(suggestBaseTokens(made.thread, made.facts, SIM_OPTIONS)).toBeUndefined();
    made.thread.calls.measured.input[0] = 5000;
    made.thread.calls.measured.cacheRead[0] = 100;
    expect(suggestBaseTokens(made.thread, made.facts, SIM_OPTIONS)).toBe(5000);
  });

  it("a cancelled run says how far it came", async () => {
    const made = await makeThread(makeSteps(new Random(1), 5, 500));
    const outcome = new Simulation(made.thread, made.facts).run([], { isCancellationRequested: true });
    expect([outcome.capped, outcome.calls]).toEqual([true, 0]);
  });

  it("prices make a break-even of money", async () => {
    const made = await makeThread([
      { kind: "user", text: "go" },
      ...Array.from({ length: 12 }, (_, i) => ({
        kind: "call" as const,
        text: "",
        at: i * 1000,
        results: [{ callId: `c${i}`, tool: "terminal", args: "{}", text: "x".repeat(4000), images: 0, trusted: false }],
      })),
    ]);
    const policy: Policy = {
      ...POLICY_DEFAULTS.prune,
      threshold: 1000,
      head: 100,
      tail: 100,
      protectLast: 2,
      triggerTokens: 6000,
    };
    const free = new Simulation(made.thread, made.facts).run([policy]).totals;
    const [first] = free.breaks;
    // The pass shortens all but the newest result and sends everything after the first again.
    expect(first?.saved).toBeGreaterThan(0);
    expect([first?.breakEven, first?.breakEvenPrice, free.after.cost]).toEqual([1, null, null]);
    const prices = { write: 1.25, read: 0.1 };
    const simulation = new Simulation(made.thread, made.facts, { ...SIM_OPTIONS, prices });
    // It shortens little, so that what is sent again outweighs it for some time.
    const { totals: priced, after } = simulation.run([{ ...policy, threshold: 3800, head: 1800, tail: 1800 }]);
    const cost = (side: Pick<typeof after, "total" | "cached">, call: number): number => {
      const cached = side.cached[call] ?? 0;
      return ((side.total[call] ?? 0) - cached) * prices.write + cached * prices.read;
    };
    expect(priced.breaks.length).toBeGreaterThan(0);
    for (const { call, saved, breakEvenPrice } of priced.breaks) {
      // Each further request goes on without what was saved, which would have been read from the cache.
      let behind = cost(after, call) - cost(simulation.before, call);
      let further = 0;
      for (; behind > 1e-9 && further < 1000; further++) behind -= saved * prices.read;
      expect(further).toBeGreaterThan(0);
      expect(breakEvenPrice).toBe(further);
    }
    expect(priced.after.cost).toBeCloseTo(priced.after.uncached * 1.25 + priced.after.cached * 0.1, 6);
  });
});
