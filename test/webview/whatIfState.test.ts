import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { findPreset, POLICY_DEFAULTS, PRESETS } from "../../extension/src/core/compaction/policy";
import { WHATIF_LIMITS } from "../../extension/src/protocol/whatIf";
import {
  activeCards,
  curvePolicyOf,
  firstPersist,
  INITIAL_SETUP,
  inputOf,
  reduceSetup,
  restoreSetup,
  type SetupEvent,
  type WhatIfSetup,
  withFirstCard,
} from "../../webview/src/whatIf/whatIfSetup";
import { cursorPlace, initialState, reduceWhatIf, reportOf } from "../../webview/src/whatIf/whatIfState";
import { run, sampleFacts } from "./whatIfSamples";

const first = withFirstCard(INITIAL_SETUP, sampleFacts);
const applied = (setup: WhatIfSetup, ...events: readonly SetupEvent[]): WhatIfSetup =>
  events.reduce(reduceSetup, setup);
const add = (preset: string): SetupEvent => ({ t: "add", preset, windowTokens: null });
const presets = (setup: WhatIfSetup) => setup.cards?.map((card) => card.preset);

describe("the list of policies", () => {
  test("begins with one persist card, with the config's threshold or 20,000", () => {
    expect(firstPersist(first)?.policy).toMatchObject({ threshold: 30_000, contextTokens: 200_000 });
    const without = withFirstCard(INITIAL_SETUP, { ...sampleFacts, configThreshold: null });
    expect(firstPersist(without)?.policy.threshold).toBe(20_000);
    expect(without.cards?.map((card) => card.on)).toEqual([true]);
  });

  test("which the user may empty: no card comes back by itself", () => {
    const empty = applied(first, { t: "remove", id: 1 });
    expect(empty.cards).toEqual([]);
    expect(withFirstCard(empty, sampleFacts).cards).toEqual([]);
    expect(inputOf(empty, sampleFacts).policies).toEqual([]);
  });

  test("cards are added, moved, switched off, reset and removed by their id", () => {
    const three = applied(first, add("tinyagents"), add("opencode-prune"));
    expect(presets(three)).toEqual(["hermes-persist-20000", "tinyagents", "opencode-prune"]);
    const moved = applied(three, { t: "move", id: 3, by: -1 }, { t: "move", id: 1, by: -1 });
    expect(presets(moved)).toEqual(["hermes-persist-20000", "opencode-prune", "tinyagents"]);
    const off = applied(moved, { t: "toggle", id: 3 });
    expect(activeCards(off).map(({ id }) => id)).toEqual([1, 2]);
    expect(inputOf(off, sampleFacts).policies.map(({ kind }) => kind)).toEqual(["persist", "micro"]);
    const changed = applied(off, { t: "policy", id: 2, policy: { ...POLICY_DEFAULTS.micro, keepRecent: 99 } });
    expect(changed.cards?.[2]?.policy).toMatchObject({ keepRecent: 99 });
    expect(applied(changed, { t: "reset", id: 2 }).cards?.[2]?.policy).toEqual(findPreset("tinyagents")?.policy);
    const removed = applied(changed, { t: "open", id: 2, on: true }, { t: "remove", id: 2 });
    expect(presets(removed)).toEqual(["hermes-persist-20000", "opencode-prune"]);
    expect(removed.open).toEqual([]);
  });

  test("what cannot be done changes nothing", () => {
    const full = applied(first, ...PRESETS.map(({ id }) => add(id)));
    expect(full.cards).toHaveLength(WHATIF_LIMITS.policies);
    for (const event of [
      add("tinyagents"),
      { t: "move", id: 1, by: -1 },
      { t: "toggle", id: 77 },
      { t: "policy", id: 1, policy: POLICY_DEFAULTS.micro },
    ] as const satisfies readonly SetupEvent[]) {
      expect(reduceSetup(full, event).cards).toEqual(full.cards);
    }
    expect(applied(first, add("no-such-preset"))).toBe(first);
  });

  test("ids are never given twice, in whatever order things happen", () => {
    const event = fc.oneof(
      fc.constantFrom(...PRESETS.map(({ id }) => add(id))),
      fc.record({ t: fc.constantFrom("remove", "toggle", "reset"), id: fc.integer({ min: 1, max: 12 }) }),
      fc.record({ t: fc.constant("move"), id: fc.integer({ min: 1, max: 12 }), by: fc.constantFrom(-1, 1) }),
    );
    fc.assert(
      fc.property(fc.array(event as fc.Arbitrary<SetupEvent>, { maxLength: 40 }), (events) => {
        const ids = applied(first, ...events).cards?.map(({ id }) => id) ?? [];
        expect(new Set(ids).size).toBe(ids.length);
        expect(ids.length).toBeLessThanOrEqual(WHATIF_LIMITS.policies);
      }),
    );
  });

  test("the curve's cursor moves the first persist card, also behind others, and makes one where there is none", () => {
    const behind = applied(first, add("tinyagents"), { t: "move", id: 2, by: -1 }, { t: "threshold", chars: 12_345 });
    expect(firstPersist(behind)).toMatchObject({ id: 1, policy: { threshold: 12_345 } });
    const made = applied(first, { t: "remove", id: 1 }, { t: "threshold", chars: 8_000 });
    expect(firstPersist(made)?.policy.threshold).toBe(8_000);
  });

  test("moving the threshold asks for no new curve, another cap does", () => {
    const moved = applied(first, { t: "threshold", chars: 5 });
    expect(curvePolicyOf(moved)).toEqual(curvePolicyOf(first));
    const persist = firstPersist(first);
    if (persist === null) throw new Error("no persist card");
    const capped = applied(first, { t: "policy", id: 1, policy: { ...persist.policy, mcpResult: 9 } });
    expect(curvePolicyOf(capped)).not.toEqual(curvePolicyOf(first));
  });

  test("assumptions left empty are what the transcript suggests", () => {
    expect(inputOf(first, sampleFacts).assumptions).toMatchObject({
      windowTokens: 200_000,
      baseTokens: null,
      prices: null,
    });
    const own = applied(first, { t: "assume", change: { windowTokens: 64_000, baseTokens: 0 } });
    expect(inputOf(own, sampleFacts).assumptions).toMatchObject({ windowTokens: 64_000, baseTokens: 0 });
  });
});

describe("what the page remembers", () => {
  test("comes back as it was", () => {
    const set = applied(
      first,
      add("anthropic-clear-tool-uses"),
      { t: "policy", id: 2, policy: { ...POLICY_DEFAULTS.clear, excludeTools: ["a", "b"], clearToolInputs: true } },
      { t: "toggle", id: 1 },
      { t: "thread", thread: "sub-1" },
      { t: "order", order: "call" },
      { t: "cursor", call: 7 },
      { t: "asTable", chart: "curve", on: true },
      { t: "open", id: 0, on: true },
      { t: "assume", change: { prices: { write: 2, read: 0.1 }, windowTokens: 1, baseTokens: 2 } },
    );
    expect(restoreSetup(JSON.parse(JSON.stringify(set)))).toEqual(set);
  });

  test("whatever else is found there is left aside, field by field", () => {
    expect(restoreSetup(undefined)).toEqual(INITIAL_SETUP);
    const restored = restoreSetup({
      cards: [
        {
          id: 4,
          preset: "hermes-persist-20000",
          policy: { kind: "persist", threshold: -5, mcpResult: 7, era: "other" },
        },
        { preset: "tinyagents", policy: { kind: "micro", keepRecent: Number.NaN, placeholder: 3 } },
        { policy: { kind: "nothing" } },
        null,
      ],
      cache: { id: "openai", blockTokens: 0 },
      prices: { write: Number.POSITIVE_INFINITY, read: 0 },
      windowTokens: 0,
      order: "random",
      open: ["x", 3],
    });
    expect(restored.cards).toEqual([
      { id: 4, on: true, preset: "hermes-persist-20000", policy: { ...POLICY_DEFAULTS.persist, mcpResult: 7 } },
      { id: 2, on: true, preset: "tinyagents", policy: { ...POLICY_DEFAULTS.micro, placeholder: "3" } },
    ]);
    expect(restored).toMatchObject({
      cache: INITIAL_SETUP.cache,
      prices: null,
      windowTokens: null,
      order: "saved",
      open: [3],
    });
  });

  test("never throws", () => {
    fc.assert(
      fc.property(fc.anything(), (stored) => {
        const { cards } = restoreSetup({ cards: [{ policy: stored }, stored], cache: stored, prices: stored });
        expect(cards?.length ?? 0).toBeLessThanOrEqual(2);
      }),
    );
  });
});

describe("what the tab shows", () => {
  const input = inputOf(first, sampleFacts);
  const opened = reduceWhatIf(initialState(INITIAL_SETUP), { t: "opened", facts: sampleFacts });
  const ran = reduceWhatIf(opened, { t: "ran", ran: { input, cards: [1], outcome: run(input) } });

  test("stays while something newer is computed, and goes with another thread", () => {
    const running = reduceWhatIf(reduceWhatIf(ran, { t: "stale" }), { t: "opening" });
    expect(running).toMatchObject({ opening: true, stale: false, ran: ran.ran });
    expect(reduceWhatIf(running, { t: "opened", facts: sampleFacts }).ran).toBe(ran.ran);
    expect(reduceWhatIf(running, { t: "opened", facts: { ...sampleFacts, thread: "other" } }).ran).toBeNull();
    expect(reduceWhatIf(ran, { t: "runFailed", reason: "no" })).toMatchObject({ runError: "no", ran: ran.ran });
  });

  test("progress counts only while something is opened", () => {
    const progress = { what: "reading", done: 1, total: 2 } as const;
    expect(reduceWhatIf(ran, { t: "progress", progress }).progress).toBeNull();
    expect(reduceWhatIf(reduceWhatIf(ran, { t: "opening" }), { t: "progress", progress }).progress).toEqual(progress);
  });

  test("a card's report belongs to its own policy, wherever it stands now", () => {
    expect(reportOf(ran, 1)?.replaced).toBe(ran.ran?.outcome.affected);
    expect(reportOf(ran, 2)).toBeNull();
  });

  test("rows of an earlier question are not mixed with those of the next", () => {
    const row = { index: 1 } as never;
    const rows = { t: "rows", order: "saved", cards: [1], total: 3 } as const;
    const one = reduceWhatIf(ran, { ...rows, key: "a", from: 0, rows: [row] });
    const two = reduceWhatIf(one, { ...rows, key: "a", from: 1, rows: [row, row] });
    expect([...(two.affected?.rows.keys() ?? [])]).toEqual([0, 1, 2]);
    expect([...(reduceWhatIf(two, { ...rows, key: "b", from: 1, rows: [row] }).affected?.rows.keys() ?? [])]).toEqual([
      1,
    ]);
  });

  test("the cursor stands on the point that holds its call", () => {
    const calls = [4, 9, 14];
    expect([null, 1, 4, 8, 9, 13, 14, 99].map((call) => cursorPlace(calls, call))).toEqual([2, 0, 0, 0, 1, 1, 2, 2]);
    expect(cursorPlace([], 3)).toBe(0);
  });
});
