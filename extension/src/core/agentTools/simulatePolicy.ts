import { err, ok } from "../model/problem";
import { WHOLE_UNITS } from "../results/store/boundText";
import { fitted, type Json, notesOf, shownTexts } from "./answers";
import { allowed, type CallContext } from "./callContext";
import type { AgentInputs } from "./inputs";
import type { Answered, LargeSaving, SimulatedPolicy, SimulatedSide } from "./ports";

const NUMBERS = {
  estimatedTokens: "estimated from lengths, for all calls together",
  measured: "as the transcript states; null = it states nothing",
  chars: "code points; exact where isExact is true, else the length alone was known",
  counts: "exact",
} as const;

/** What a policy would have done, as JSON. */
export async function simulatePolicy(
  { transcript, thread, policy }: AgentInputs["contextBudget_simulatePolicy"],
  call: CallContext,
): Promise<Answered<string>> {
  const { ports, turn } = call;
  const file = await allowed(transcript, call);
  if (!file.ok) return file;
  const run = await ports.simulate(file.value, { thread, policy }, turn.stop);
  if (!run.ok) return run;
  const { largest, ...about } = reportOf(run.value);
  const clean = await shownTexts({ policy: policyOf(policy), ...about }, ports.finder);
  const rows = await shownTexts(largest, ports.finder);
  const answer = fitted(rows, (shown) => ({ ...clean, largest: shown }), WHOLE_UNITS);
  return answer === undefined
    ? err({
        message: "The names in this session are too long for an answer. Simulate another thread, if there is one.",
      })
    : ok(answer);
}

/** Its lists may be long: they are said by their length then. */
function policyOf(policy: AgentInputs["contextBudget_simulatePolicy"]["policy"]): Json {
  const members = Object.entries(policy).map(([key, value]): [string, Json] => {
    const written = JSON.stringify(value);
    return [key, written.length > 1_000 ? `${written.length} UTF-16 units of JSON` : (value as Json)];
  });
  return Object.fromEntries(members);
}

function reportOf(run: SimulatedPolicy) {
  const { before, after, measured } = run;
  return {
    thread: run.thread,
    numbers: NUMBERS,
    calls: run.calls,
    results: run.results,
    resultsRead: run.resultsRead,
    replacedResults: run.replaced,
    windowTokens: run.windowTokens,
    estimatedBaseTokensPerCall: Math.round(run.baseTokens),
    measured:
      measured === null
        ? null
        : { calls: measured.calls, inputTokens: measured.input, cacheReadTokens: measured.cacheRead },
    before: sideOf(before),
    after: sideOf(after),
    saved: {
      estimatedInputTokens: Math.round(before.input - after.input),
      estimatedCachedTokens: Math.round(before.cached - after.cached),
      estimatedUncachedTokens: Math.round(before.uncached - after.uncached),
    },
    cacheBreaks: run.breaks,
    estimatedCachedTokensLost: Math.round(run.cachedTokensLost),
    paysBackAfterCalls: run.paysBackAfterCalls,
    keptByReason: run.kept,
    idleByReason: run.idle,
    isCapped: run.isCapped,
    notes: notesOf(run.notes),
    largest: run.largest.map(savingOf),
  };
}

/** Tokens are estimated as quarters of characters; a part of one says nothing. */
function sideOf({ input, cached, uncached, peak, overWindow }: SimulatedSide) {
  return {
    estimatedInputTokens: Math.round(input),
    estimatedCachedTokens: Math.round(cached),
    estimatedUncachedTokens: Math.round(uncached),
    estimatedPeakTokens: Math.round(peak),
    callsOverWindow: overWindow,
  };
}

function savingOf(one: LargeSaving) {
  return {
    result: one.result,
    tool: one.tool,
    call: one.call,
    action: one.action,
    charsBefore: one.charsBefore,
    charsAfter: one.charsAfter,
    isExact: one.isExact,
    charsSavedOverAllCalls: one.charsSaved,
  };
}
