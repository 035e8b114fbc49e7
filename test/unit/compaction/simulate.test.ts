import { describe, expect, it } from "vitest";
import { CACHE_MODELS, cachedTokens } from "../../../extension/src/core/compaction/cacheModel";
import { POLICY_DEFAULTS, type Policy } from "../../../extension/src/core/compaction/policy";
import { SIM_OPTIONS, type SimOptions, Simulation } from "../../../extension/src/core/compaction/simulate";
import { ACTIONS } from "../../../extension/src/core/compaction/stage";
import { countCodePoints } from "../../../extension/src/core/util/textSize";
import { Random } from "../../oracle/random";
import { makeSteps, makeThread } from "./generate";
import { type NaiveItem, naiveRequests, naiveSimulate } from "./naive";

const BASE = 700;

/** One policy with numbers at which something happens in small threads. */
function somePolicy(random: Random, kind: Policy["kind"]): Policy {
  switch (kind) {
    case "persist": {
      const saveFails = random.chance(0.2);
      return {
        ...POLICY_DEFAULTS.persist,
        threshold: random.pick([null, 50_000, random.int(1, 6000), random.int(1, 6000)]),
        contextTokens: random.pick([1, 1, 20_000, null]),
        mcpResult: random.int(100, 6000),
        overrides: random.chance(0.3) ? { terminal: random.int(1, 3000) } : {},
        turnBudget: !saveFails && random.chance(0.7),
        saveFails,
        era: random.pick(["recovery", "plain"]),
      };
    }
    case "prune": {
      const head = random.int(0, 400);
      const tail = random.int(0, 200);
      const threshold = head + tail + random.int(20, 2000);
      const triggerTokens = random.pick([0, 0, 3000, 8000]);
      return { kind, head, tail, threshold, protectLast: random.int(0, 12), triggerTokens };
    }
    case "micro": {
      const tokenBudget = random.pick([null, 0, random.int(100, 10_000)]);
      return { kind, keepRecent: random.int(0, 6), placeholder: random.pick(["[gone]", "", "."]), tokenBudget };
    }
    case "clear":
      return {
        kind,
        triggerTokens: random.int(0, 8000),
        keep: random.int(0, 4),
        clearAtLeast: random.pick([0, 0, random.int(1, 4000)]),
        atLeastMode: random.pick(["skip", "stop"]),
        excludeTools: random.chance(0.4) ? ["terminal", "plugin_x"] : [],
        clearToolInputs: random.chance(0.4),
        placeholder: random.pick(["[cleared]", ""]),
      };
    case "window": {
      const preview = random.chance(0.4) ? 50 : 0;
      return {
        kind,
        protectTokens: random.int(0, 3000),
        minimumTokens: random.int(0, 2000),
        aboveMinimum: random.chance(0.5),
        protectTurns: random.int(0, 2),
        exemptTools: random.chance(0.4) ? ["skill_view"] : [],
        when: random.pick(["turnEnd", "everyCall"]),
        head: preview,
        tail: preview,
        notice: random.int(0, 100),
      };
    }
    case "proactive":
      return {
        kind,
        triggerTokens: random.int(1, 4000),
        minResultChars: random.pick([0, 200, 1000]),
        minReclaimTokens: random.pick([0, 100, 1000]),
        protectFirst: random.int(0, 3),
        protectLast: random.int(0, 8),
        dedupe: random.chance(0.8),
        demote: random.chance(0.8),
        shortenArguments: random.chance(0.8),
      };
  }
}

/**
 * Policies that can follow each other with exact numbers: behind another policy a text is known by its length only, which
 * is all that these need.
 */
const CHAINS: readonly (readonly Policy["kind"][])[] = [
  ["persist"],
  ["prune"],
  ["micro"],
  ["clear"],
  ["window"],
  ["proactive"],
  ["persist", "prune"],
  ["persist", "micro"],
  ["persist", "clear"],
  ["persist", "window"],
  ["persist", "prune", "micro"],
  ["prune", "clear"],
  ["micro", "clear"],
  ["window", "clear"],
  ["window", "micro"],
  ["micro", "micro"],
  ["proactive", "micro"],
];

const weightOf = (item: NaiveItem): number => countCodePoints(item.text) + 4 * 1500 * item.images;

/** Totals and common prefixes of requests in tokens, text by text. */
function naiveLedger(requests: readonly (readonly NaiveItem[])[]): { total: number[]; prefix: number[] } {
  const total: number[] = [];
  const prefix: number[] = [];
  for (const [call, items] of requests.entries()) {
    const before = requests[call - 1];
    let common = 0;
    for (const [position, item] of items.entries()) {
      const old = before?.[position];
      if (old === undefined || old.key !== item.key || old.text !== item.text || old.images !== item.images) break;
      common += weightOf(item);
    }
    total.push(BASE + items.reduce((sum, item) => sum + weightOf(item), 0) / 4);
    prefix.push(call === 0 ? 0 : BASE + common / 4);
  }
  return { total, prefix };
}

/** What the generated threads made the policies do. */
const seen = new Set<string>();

async function compare(seed: number): Promise<void> {
  const random = new Random(seed);
  const steps = makeSteps(random, random.int(1, 11), seed % 12 === 0 ? 30_000 : random.pick([500, 500, 2600]));
  const made = await makeThread(steps);
  const options: SimOptions = { ...SIM_OPTIONS, baseTokens: BASE, cache: random.pick(CACHE_MODELS) };
  const simulation = new Simulation(made.thread, made.facts, options);
  const bare = naiveLedger(naiveRequests(steps));
  expect([...simulation.before.total], `seed ${seed}: totals without`).toEqual(bare.total);
  expect([...simulation.before.prefix], `seed ${seed}: prefixes without`).toEqual(bare.prefix);
  const chain = random.pick(CHAINS);
  const policies = chain.map((kind) => somePolicy(random, kind));
  const label = `seed ${seed}: ${JSON.stringify(policies)}`;
  const outcome = simulation.run(policies);
  const naive = naiveSimulate(steps, policies, BASE);
  const expected = naiveLedger(naive);
  expect([...outcome.after.total], `${label} totals`).toEqual(expected.total);
  expect([...outcome.after.prefix], `${label} prefixes`).toEqual(expected.prefix);
  const at = made.thread.calls.at;
  for (const [call, prefix] of expected.prefix.entries()) {
    const idle = call === 0 ? 0 : (at[call] ?? 0) - (at[call - 1] ?? 0);
    expect(outcome.after.cached[call]).toBe(cachedTokens(prefix, idle, options.cache));
  }
  checkRequest(simulation, policies, naive, random.int(0, naive.length - 1), label);
  checkSums(simulation, outcome, label);
  for (const { action } of outcome.affected) seen.add(action);
}

/** One request, item by item: the same items in the same order, each with its length. */
function checkRequest(
  simulation: Simulation,
  policies: readonly Policy[],
  naive: readonly (readonly NaiveItem[])[],
  call: number,
  label: string,
): void {
  const items = simulation.requestAt(policies, call);
  const chars = items.map(({ item, replacement }) => replacement?.chars ?? simulation.thread.items.chars[item]);
  expect(chars, `${label} request ${call}`).toEqual(naive[call]?.map((item) => countCodePoints(item.text)));
  const bare = simulation.requestAt([], call);
  expect(
    items.map(({ item }) => item),
    `${label} order`,
  ).toEqual(bare.map(({ item }) => item));
  if (policies.length > 1) return;
  const growing = new Set([
    "persisted",
    "turn-budget",
    "not-saved",
    "blanked",
    "cleared",
    "one-line",
    "duplicate",
    "masked",
  ]);
  for (const { item, replacement } of items) {
    if (replacement === undefined || replacement.chars <= (simulation.thread.items.chars[item] ?? 0)) continue;
    expect(growing.has(replacement.action), `${label} ${replacement.action} grew`).toBe(true);
  }
}

function checkSums(simulation: Simulation, outcome: ReturnType<Simulation["run"]>, label: string): void {
  const { saved, before, after } = outcome.totals;
  expect(saved.input, label).toBeCloseTo(before.input - after.input, 6);
  expect(saved.cached + saved.uncached, label).toBeCloseTo(saved.input, 6);
  const { items, results } = simulation.thread;
  const results_ = [...outcome.affected.map((one) => one.result), ...outcome.untouched().map((one) => one.result)];
  expect(results_.sort((a, b) => a - b)).toEqual(Array.from({ length: results.count }, (_, i) => i));
  // Where nothing but results lost characters, and no image, the results account for everything.
  const other = items.images.some((images) => images > 0) || outcome.affected.length === 0;
  const argsChanged = Math.abs(outcome.affected.reduce((sum, one) => sum + one.saved, 0) / 4 - saved.input) > 1e-6;
  if (!other && argsChanged)
    expect(
      ["clear", "proactive"].some((kind) => label.includes(`"kind":"${kind}"`)),
      label,
    ).toBe(true);
}

describe("a policy on top of itself", () => {
  it("changes nothing more where the original is idempotent", async () => {
    for (let seed = 1; seed <= 150; seed++) {
      const random = new Random(seed);
      const made = await makeThread(makeSteps(random, random.int(1, 11), 2600));
      const simulation = new Simulation(made.thread, made.facts, { ...SIM_OPTIONS, baseTokens: BASE });
      const kind = random.pick(["prune", "micro", "window"] as const);
      const once = somePolicy(random, kind);
      // Gates are judged on what comes in, and a second pass sees less; windows that mask would mask the masks.
      const policy: Policy =
        once.kind === "micro"
          ? { ...once, tokenBudget: null }
          : once.kind === "prune"
            ? { ...once, triggerTokens: 0 }
            : { ...POLICY_DEFAULTS.window, protectTokens: 200, minimumTokens: 0 };
      const single = simulation.run([policy]);
      const double = simulation.run([policy, policy]);
      expect(double.after, `seed ${seed}: ${JSON.stringify(policy)}`).toEqual(single.after);
    }
  });
});

describe("the simulator against a naive one", () => {
  for (const block of [0, 1, 2, 3]) {
    it(`500 generated threads, block ${block}`, async () => {
      for (let seed = block * 500 + 1; seed <= block * 500 + 500; seed++) await compare(seed);
    }, 60_000);
  }

  it("and every action was among them", () => {
    expect([...seen].sort()).toEqual(ACTIONS.filter((action) => action !== "shortened").sort());
  });
});
