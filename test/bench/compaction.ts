import { savedAt, thresholdCurve } from "../../extension/src/core/compaction/curve";
import { plainFacts, type ResultFacts } from "../../extension/src/core/compaction/facts";
import { POLICY_DEFAULTS, type Policy, PRESETS } from "../../extension/src/core/compaction/policy";
import { blockChars, spillPathChars } from "../../extension/src/core/compaction/replacement";
import { ITEM, type SimThread, timesSent } from "../../extension/src/core/compaction/simThread";
import { Simulation } from "../../extension/src/core/compaction/simulate";
import { Random } from "../oracle/random";
import { percentile, printTable, type Verdict } from "./statistics";

/** The whole curve for 100,000 results and 50,000 calls, milliseconds of processor time. */
const CURVE_MS = 150;
/** How much faster the curve must be than trying 100 thresholds call by call. */
const CURVE_FACTOR = 1000;
/** An answer to a moved slider on 10,000 calls, milliseconds of processor time. */
const SLIDER_MS = 100;
/** Twice the thread may take at most this much longer, as the mean of two doublings: linear up to a logarithm, and noise. */
const DOUBLING = 3;

/**
 * A thread of numbers: per call an answer, its arguments and two results; sizes spread over the candidates.
 * @param compactEvery the agent compacts before every n-th call, so that only the first message stays; 0 = never.
 */
function makeNumbers(
  calls: number,
  seed: number,
  compactEvery = 0,
): { readonly thread: SimThread; readonly facts: ResultFacts } {
  const random = new Random(seed);
  const perCall = 4;
  const count = 1 + calls * perCall;
  const kinds = [ITEM.text, ITEM.args, ITEM.result, ITEM.result];
  const tools = ["terminal", "read_file", "mcp_github_list", "plugin_x", "web_search", "skill_view"];
  const chars = Float64Array.from({ length: count }, () => Math.floor(random.next() ** 4 * 120_000));
  const at = (item: number): number => (item === 0 ? -1 : (item - 1) % perCall);
  const isResult = (item: number): boolean => at(item) >= 2;
  const resultItems = Int32Array.from({ length: count }, (_, i) => i).filter(isResult);
  const resultAt = new Int32Array(count).fill(-1);
  for (const [position, item] of resultItems.entries()) resultAt[item] = position;
  const unknown = () => new Float64Array(calls).fill(Number.NaN);
  const results = resultItems.length;
  const firstCall = Int32Array.from({ length: count }, (_, i) => Math.ceil(i / perCall));
  const thread: SimThread = {
    id: "bench",
    items: {
      count,
      kind: Uint8Array.from({ length: count }, (_, i) => kinds[at(i)] ?? ITEM.text),
      role: Uint8Array.from({ length: count }, (_, i) => (isResult(i) ? 3 : i % 41 === 0 ? 1 : 2)),
      chars,
      images: new Int32Array(count),
      message: Int32Array.from({ length: count }, (_, i) => i),
      messageIndex: Int32Array.from({ length: count }, (_, i) => i),
      result: resultAt,
      firstCall,
      endCall: Int32Array.from({ length: count }, (_, i) => {
        if (compactEvery === 0 || i === 0) return calls;
        return Math.min(calls, (Math.floor((firstCall[i] ?? 0) / compactEvery) + 1) * compactEvery);
      }),
      frame: new Int32Array(count),
    },
    results: {
      count: results,
      index: Int32Array.from({ length: results }, (_, i) => i),
      item: resultItems,
      tool: Int32Array.from({ length: results }, () => random.int(0, tools.length - 1)),
      batch: Int32Array.from({ length: results }, (_, i) => i >> 1),
      callId: Array.from({ length: results }, (_, i) => `call_${i}`),
      inline: new Uint8Array(results).fill(1),
      trusted: new Uint8Array(results),
    },
    tools,
    calls: {
      count: calls,
      number: Int32Array.from({ length: calls }, (_, i) => i + 1),
      seen: Int32Array.from({ length: calls }, (_, i) => Math.min(count, 1 + i * perCall)),
      at: Float64Array.from({ length: calls }, (_, i) => i * 5000),
      measured: { input: unknown(), cacheRead: unknown(), cacheWrite: unknown(), output: unknown() },
      compacted: new Uint8Array(calls),
    },
    unstatedCompactions: 0,
  };
  return { thread, facts: plainFacts(thread) };
}

/** Median processor time of some runs, milliseconds; the first two warm up and do not count. */
function cpuMs(runs: number, task: () => void): number {
  task();
  task();
  const times = Array.from({ length: runs }, () => {
    const before = process.cpuUsage();
    task();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  });
  return percentile(times, 0.5);
}

/**
 * Least processor time of each task over some rounds, milliseconds. They take turns, and the least is what a task takes when
 * nothing else is in the way, so that a busy machine does not decide how two of them compare.
 */
function leastMs(rounds: number, tasks: readonly (() => void)[]): readonly number[] {
  const least = tasks.map(() => Number.POSITIVE_INFINITY);
  for (let round = 0; round < rounds; round++) {
    for (const [position, task] of tasks.entries()) {
      const before = process.cpuUsage();
      task();
      const { user, system } = process.cpuUsage(before);
      least[position] = Math.min(least[position] ?? 0, (user + system) / 1000);
    }
  }
  return least;
}

/** One threshold the plain way: every request, every result in it. */
function oneThreshold(thread: SimThread, threshold: number): number {
  const { items, results } = thread;
  let saved = 0;
  for (let call = 0; call < thread.calls.count; call++) {
    for (let i = 0; i < results.count; i++) {
      const item = results.item[i] ?? 0;
      if ((items.firstCall[item] ?? 0) > call || (items.endCall[item] ?? 0) <= call) continue;
      const chars = items.chars[item] ?? 0;
      if (chars <= threshold) continue;
      const cut = { chars, preview: Math.min(chars, 1500), hasMore: chars > 1500 };
      saved += chars - blockChars(cut, spillPathChars(results.callId[i], POLICY_DEFAULTS.persist.folder.length));
    }
  }
  return saved;
}

const COMBINED: readonly Policy[] = [
  { ...POLICY_DEFAULTS.persist, threshold: 20_000 },
  { ...POLICY_DEFAULTS.prune, protectLast: 20 },
  { ...POLICY_DEFAULTS.micro, tokenBudget: 100_000 },
];
/** Chains in which the first policy goes on changing what the second one has summed up. */
const CHAINS: readonly (readonly [string, readonly Policy[]])[] = [
  ["persist + prune + micro", COMBINED],
  ["micro + clear, skip small", [POLICY_DEFAULTS.micro, { ...POLICY_DEFAULTS.clear, clearAtLeast: 1_000 }]],
  [
    "micro + clear, stop",
    [POLICY_DEFAULTS.micro, { ...POLICY_DEFAULTS.clear, clearAtLeast: 1_000, atLeastMode: "stop" }],
  ],
  ["clear with inputs", [{ ...POLICY_DEFAULTS.clear, clearAtLeast: 10_000, clearToolInputs: true }]],
  ["window + micro", [POLICY_DEFAULTS.window, POLICY_DEFAULTS.micro]],
  ["mask, never enough", [{ ...POLICY_DEFAULTS.window, minimumTokens: 1e9, protectTurns: 0, when: "everyCall" }]],
];

/** The simulator: the curve, answers to a slider, and growth of every policy when the thread doubles. */
export function benchCompaction(quick: boolean): readonly Verdict[] {
  const calls = quick ? 5_000 : 50_000;
  const runs = quick ? 3 : 9;
  const big = makeNumbers(calls, 1);
  const curveMs = cpuMs(runs, () => {
    thresholdCurve(big.thread, big.facts, POLICY_DEFAULTS.persist);
  });
  const small = makeNumbers(400, 2);
  const scale =
    (big.thread.calls.count / small.thread.calls.count) * (big.thread.results.count / small.thread.results.count);
  const naiveMs = cpuMs(3, () => oneThreshold(small.thread, 20_000)) * scale * 100;
  console.log(`  threshold curve, ${big.thread.results.count} results, ${calls} calls: ${curveMs.toFixed(1)} ms`);
  console.log(
    `  100 thresholds one by one: ${(naiveMs / 1000).toFixed(0)} s (extrapolated from 800 results, 400 calls)`,
  );
  check(small);

  const cases: readonly (readonly [string, readonly Policy[]])[] = [
    ...PRESETS.map(({ id, policy }): readonly [string, readonly Policy[]] => [id, [policy]]),
    ...CHAINS,
  ];
  const rows: string[][] = [
    ["policy", "5000 calls, ms", "10000", "20000", "per doubling", "compacted 20000", "per doubling"],
  ];
  const threads = [0, 50].map((compactEvery) =>
    [5_000, 10_000, 20_000].map((count) => makeNumbers(count, 3, compactEvery)),
  );
  let slowest = 0;
  let steepest = 0;
  for (const [id, policies] of cases) {
    const row = [id];
    for (const [position, sizes] of threads.entries()) {
      const simulations = sizes.map(({ thread, facts }) => new Simulation(thread, facts));
      const tasks = simulations.map((simulation) => () => {
        simulation.run(policies);
      });
      const [small = 0, middle = 0, large = 0] = leastMs(runs, tasks);
      const doubling = Math.sqrt(large / small);
      slowest = Math.max(slowest, middle);
      steepest = Math.max(steepest, doubling);
      row.push(...(position === 0 ? [small.toFixed(1), middle.toFixed(1)] : []), large.toFixed(1), doubling.toFixed(2));
    }
    rows.push(row);
  }
  printTable(rows);
  const factor = naiveMs / curveMs;
  return [
    {
      goal: `curve of 100,000 results below ${CURVE_MS} ms`,
      measured: `${curveMs.toFixed(1)} ms`,
      met: curveMs < CURVE_MS,
    },
    {
      goal: `at least ${CURVE_FACTOR}x as fast as 100 thresholds`,
      measured: `${Math.round(factor)}x`,
      met: factor >= CURVE_FACTOR,
    },
    {
      goal: `any policy on 10,000 calls below ${SLIDER_MS} ms`,
      measured: `${slowest.toFixed(1)} ms`,
      met: slowest < SLIDER_MS,
    },
    {
      goal: `twice the calls at most ${DOUBLING}x the time`,
      measured: `${steepest.toFixed(2)}x`,
      met: steepest <= DOUBLING,
    },
  ];
}

/** The plain way and the curve must mean the same. */
function check({ thread, facts }: { readonly thread: SimThread; readonly facts: ResultFacts }): void {
  const free = { ...thread, tools: thread.tools.map((tool) => `plain_${tool}`) };
  const plain = oneThreshold(free, 20_000);
  const curve = savedAt(thresholdCurve(free, facts, POLICY_DEFAULTS.persist), 20_000);
  if (plain !== curve.saved) throw new Error(`the curve says ${curve.saved}, the plain way ${plain}`);
  if (timesSent(thread, 0) !== thread.calls.count) throw new Error("the first message is in every request");
}
