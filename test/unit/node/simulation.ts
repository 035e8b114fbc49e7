import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CancelSource } from "../../../extension/src/client/lifetime";
import { SIM_OPTIONS } from "../../../extension/src/core/compaction/simulate";
import type { Policy } from "../../../extension/src/core/model/policy";
import { TranscriptSimulation } from "../../../extension/src/node/simulateInWorker";
import type { SimulationQuestionName, SimulationQuestions } from "../../../extension/src/protocol/simulation";
import type { WhatIfAssumptions, WhatIfEvents, WhatIfInput } from "../../../extension/src/protocol/whatIf";
import { buildWorker } from "../../builtWorker";

/** What a simulation assumes when nobody says anything. */
export const ASSUMED: WhatIfAssumptions = {
  cache: SIM_OPTIONS.cache,
  prices: null,
  windowTokens: null,
  baseTokens: null,
};

export const input = (thread: string, ...policies: readonly Policy[]): WhatIfInput => ({
  thread,
  policies,
  assumptions: ASSUMED,
});

/** A Hermes session of as many calls, each with one result of the given length; the texts differ from call to call. */
export function hermesSession(calls: number, chars: (call: number) => number, more: object = {}): string {
  const messages: unknown[] = [{ role: "user", content: "Please begin." }];
  for (let call = 0; call < calls; call++) {
    const id = `call_${call}`;
    const fn = { name: call % 3 === 0 ? "terminal" : "web_extract", arguments: `{"n":${call}}` };
    messages.push({
      role: "assistant",
      content: `Step ${call}.`,
      tool_calls: [{ id, type: "function", function: fn }],
    });
    const line = `Line of result ${call}.\n`;
    const text = line.repeat(Math.ceil(chars(call) / line.length)).slice(0, chars(call));
    messages.push({ role: "tool", tool_call_id: id, tool_name: fn.name, content: text });
  }
  messages.push({ role: "assistant", content: "Done." });
  const facts = { session_id: "20260908_090003_1c40de", session_start: "2026-09-08T09:00:03", model: "kimi" };
  return JSON.stringify({ ...facts, ...more, messages });
}

/** A folder of its own with the worker's bundle in it. */
export class SimulationFolder {
  readonly folder = mkdtempSync(join(tmpdir(), "simulation-"));
  readonly workerFile = join(this.folder, "worker.js");
  private readonly open: TranscriptSimulation[] = [];

  constructor() {
    buildWorker(this.workerFile);
  }

  write(name: string, content: string): string {
    const path = join(this.folder, name);
    writeFileSync(path, content);
    return path;
  }

  simulate(path: string, onProgress?: (progress: WhatIfEvents["whatIf/progress"]) => void): TranscriptSimulation {
    const { workerFile } = this;
    const made = new TranscriptSimulation(path, onProgress === undefined ? { workerFile } : { workerFile, onProgress });
    this.open.push(made);
    return made;
  }

  async dispose(): Promise<void> {
    await Promise.all(this.open.map((one) => one.dispose()));
    rmSync(this.folder, { recursive: true });
  }
}

/** The answer to a question that nobody calls off; a failure throws. */
export async function answerOf<Q extends SimulationQuestionName>(
  simulation: TranscriptSimulation,
  ask: Q,
  body: SimulationQuestions[Q]["in"],
): Promise<SimulationQuestions[Q]["out"]> {
  const answer = await simulation.ask(ask, body, undefined, new CancelSource());
  if (answer === "dropped") throw new Error(`${ask} was dropped`);
  if (!answer.ok) throw new Error(answer.error.message);
  return answer.value;
}
