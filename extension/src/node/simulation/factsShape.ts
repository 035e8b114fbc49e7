import { inferThreshold } from "../../core/compaction/infer";
import { measuredInput, measuredTotals, type SimThread } from "../../core/compaction/simThread";
import { modelWindow } from "../../core/config/modelWindows";
import type { AgentId } from "../../core/model/transcript";
import type { TranscriptIndex } from "../../core/transcript/events";
import type { SimulationQuestions } from "../../protocol/simulation";
import { WHATIF_LIMITS, type WhatIfThread } from "../../protocol/whatIf";
import type { SimulatedThread } from "./simulatedThread";

type OpenAnswer = SimulationQuestions["open"]["out"];

/** Threads with requests, in the order of the transcript. */
function threadsOf(index: TranscriptIndex): readonly WhatIfThread[] {
  const calls = new Map<string, number>();
  for (const { threadId } of index.calls) calls.set(threadId, (calls.get(threadId) ?? 0) + 1);
  const results = new Map<string, number>();
  for (const { threadId, state } of index.results)
    if (state !== "missing") results.set(threadId, (results.get(threadId) ?? 0) + 1);
  return index.threads.flatMap(({ id, title }) => {
    const count = calls.get(id);
    return count === undefined ? [] : [{ id, title, calls: count, results: results.get(id) ?? 0 }];
  });
}

/** What is said about a thread before anything is simulated. */
export function factsShape(index: TranscriptIndex, agent: AgentId, opened: SimulatedThread): OpenAnswer {
  const { sim, facts, thread } = opened;
  const threads = threadsOf(index);
  const measured = measuredTotals(sim);
  const resultsRead = facts.read.reduce((sum, one) => sum + one, 0);
  return {
    facts: {
      thread: sim.id,
      threads: threads.slice(0, WHATIF_LIMITS.threads),
      calls: sim.calls.count,
      results: sim.results.count,
      resultsRead,
      measured: measured.calls === 0 ? null : measured,
      suggestedBaseTokens: opened.suggestedBaseTokens,
      suggestedWindowTokens: windowOf(index, opened),
      inferred: agent === "hermes" ? { ...intervalOf(index, opened), note: null } : null,
      notes: [...notesOf(sim, resultsRead), ...threadNotes(threads.length)],
    },
    agent,
    began: beganAt(thread.startedAt, sim),
  };
}

function intervalOf(index: TranscriptIndex, { sim, facts }: SimulatedThread) {
  const { atLeast, below } = inferThreshold(sim, facts, index.results);
  return { atLeast, below };
}

/** By the name of the model that answered last. */
function windowOf(index: TranscriptIndex, { thread, sim }: SimulatedThread): number | null {
  const last = index.calls.findLast(({ threadId, model }) => threadId === sim.id && model !== undefined);
  const model = last?.model ?? thread.model ?? index.header?.model;
  if (model === undefined) return null;
  if (index.header?.agent === "hermes") return modelWindow(model) ?? null;
  let seen = 0;
  for (let call = 0; call < sim.calls.count; call++) {
    const measured = measuredInput(sim, call);
    if (measured > seen) seen = measured;
  }
  const window = modelWindow(model, seen) ?? null;
  // More in it than it holds: then the window is another one.
  return window !== null && seen > window ? null : window;
}

function beganAt(startedAt: string | undefined, sim: SimThread): number | null {
  const stated = startedAt === undefined ? Number.NaN : Date.parse(startedAt);
  if (!Number.isNaN(stated)) return stated;
  const first = sim.calls.at.find((at) => !Number.isNaN(at));
  return first ?? null;
}

function notesOf(sim: SimThread, resultsRead: number): readonly string[] {
  const notes: string[] = [];
  const { count, at, measured } = sim.calls;
  const timed = at.reduce((sum, one) => sum + Number(!Number.isNaN(one)), 0);
  const usage = [measured.input, measured.cacheRead, measured.cacheWrite];
  if (timed < count) {
    const which = timed === 0 ? "No request has a time" : `${count - timed} of ${count} requests have no time`;
    notes.push(`${which}, so the cache counts as still alive there.`);
  }
  if (usage.every((column) => column.every(Number.isNaN)))
    notes.push("The transcript states no token usage, so every number of tokens here is an estimate.");
  if (sim.unstatedCompactions > 0)
    notes.push(
      `${sim.unstatedCompactions} compaction${sim.unstatedCompactions === 1 ? " does" : "s do"} not say what left the context; what stood in it counts as still there.`,
    );
  const unread = sim.results.count - resultsRead;
  if (unread > 0)
    notes.push(
      `The text of ${unread} of ${sim.results.count} results could not be read; those count by their length alone.`,
    );
  return notes;
}

function threadNotes(threads: number): readonly string[] {
  const more = threads - WHATIF_LIMITS.threads;
  return more > 0 ? [`${more} further threads are not listed.`] : [];
}
