import { appendFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CancelSource } from "../../extension/src/client/lifetime";
import { POLICY_DEFAULTS, type Policy, PRESETS } from "../../extension/src/core/compaction/policy";
import { SIM_OPTIONS } from "../../extension/src/core/compaction/simulate";
import { TranscriptSimulation } from "../../extension/src/node/simulateInWorker";
import type { SimulationQuestionName, SimulationQuestions } from "../../extension/src/protocol/simulation";
import { Random } from "../oracle/random";
import { percentile, printTable, type Verdict } from "./statistics";

/** A moved slider on 10,000 calls, question in to answer out, milliseconds. */
const SLIDER_MS = 100;

/** A Hermes session; lengths spread over the candidates, most of them short. */
function writeSession(path: string, calls: number): void {
  const random = new Random(5);
  const facts = `{"session_id":"bench","session_start":"2026-09-08T09:00:03","model":"kimi","messages":[`;
  writeFileSync(path, `${facts}{"role":"user","content":"begin"}`);
  const tools = ["terminal", "read_file", "mcp_github_list", "plugin_x", "web_extract"];
  let part = "";
  for (let call = 0; call < calls; call++) {
    const id = `call_${call}`;
    const fn = { name: random.pick(tools), arguments: `{"n":${call}}` };
    const content = `${call} `.padEnd(Math.floor(random.next() ** 16 * 120_000), "text of a result ");
    const said = { role: "assistant", content: "", tool_calls: [{ id, type: "function", function: fn }] };
    part += `,${JSON.stringify(said)},${JSON.stringify({ role: "tool", tool_call_id: id, content })}`;
    if (call % 40 === 39) part += `,{"role":"user","content":"go on"}`;
    if (part.length > 4_000_000 || call === calls - 1) {
      appendFileSync(path, part);
      part = "";
    }
  }
  appendFileSync(path, "]}");
}

/** The what-if page's questions, through the worker as the extension runs it. */
export async function benchWhatIf(options: {
  readonly worker: string;
  readonly folder: string;
  readonly quick: boolean;
}): Promise<readonly Verdict[]> {
  const calls = options.quick ? 2_000 : 10_000;
  const path = join(options.folder, "what-if.json");
  writeSession(path, calls);
  const simulation = new TranscriptSimulation(path, { workerFile: options.worker });
  const times: number[] = [];
  const ask = async <Q extends SimulationQuestionName>(name: Q, body: SimulationQuestions[Q]["in"]) => {
    const before = performance.now();
    const answer = await simulation.ask(name, body, undefined, new CancelSource());
    times.push(performance.now() - before);
    if (answer === "dropped" || !answer.ok) throw new Error(`${name} was not answered`);
    return answer.value;
  };
  const took = (): number => times.at(-1) ?? 0;
  try {
    const { facts } = await ask("open", { thread: null });
    const opening = took();
    const assumptions = { cache: SIM_OPTIONS.cache, prices: null, windowTokens: 200_000, baseTokens: null };
    const rows: string[][] = [["slider", "p50, ms", "p95"]];
    let slowest = 0;
    const moved = async (name: string, policies: (step: number) => readonly Policy[]): Promise<void> => {
      times.length = 0;
      for (let step = 0; step < 24; step++)
        await ask("run", { thread: facts.thread, policies: policies(step), assumptions });
      // The first ones warm up.
      const warm = times.slice(4);
      const [p50, p95] = [percentile(warm, 0.5), percentile(warm, 0.95)];
      slowest = Math.max(slowest, p95);
      rows.push([name, p50.toFixed(1), p95.toFixed(1)]);
    };
    const persist = (step: number): Policy => ({ ...POLICY_DEFAULTS.persist, threshold: 8_000 + 500 * step });
    await moved("persist, threshold", (step) => [persist(step)]);
    await moved("prune, tail", (step) => [{ ...POLICY_DEFAULTS.prune, protectLast: step }]);
    await moved("micro, budget", (step) => [{ ...POLICY_DEFAULTS.micro, tokenBudget: 50_000 + 1_000 * step }]);
    await moved("persist + prune + micro", (step) => [
      persist(step),
      { ...POLICY_DEFAULTS.prune, protectLast: 20 },
      { ...POLICY_DEFAULTS.micro, tokenBudget: 100_000 },
    ]);
    for (const { id, policy } of PRESETS) {
      if (policy.kind === "persist" || policy.kind === "prune" || policy.kind === "micro") continue;
      await moved(id, (step) => [vary(policy, step)]);
    }
    times.length = 0;
    await ask("curve", { thread: facts.thread, policy: null });
    rows.push(["curve, once", took().toFixed(1), ""]);
    const input = { thread: facts.thread, policies: [persist(0)], assumptions };
    await ask("run", input);
    await ask("affected", { input, order: "saved", from: 0, count: 500 });
    rows.push(["affected, 500 rows", took().toFixed(1), ""]);
    console.log(`  opening ${facts.calls} calls, ${facts.results} results: ${opening.toFixed(0)} ms`);
    printTable(rows);
    return [
      {
        goal: `answer to a moved slider on 10,000 calls below ${SLIDER_MS} ms (p95)`,
        measured: `${slowest.toFixed(1)} ms`,
        met: slowest < SLIDER_MS,
      },
    ];
  } finally {
    await simulation.dispose();
  }
}

/** The same policy a step further, so that no answer is one that is kept. */
function vary(policy: Policy, step: number): Policy {
  switch (policy.kind) {
    case "clear":
    case "proactive":
      return { ...policy, triggerTokens: policy.triggerTokens + step };
    case "window":
      return { ...policy, protectTokens: policy.protectTokens + step };
    default:
      return policy;
  }
}
