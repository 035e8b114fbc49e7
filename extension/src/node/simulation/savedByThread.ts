import { buildThread } from "../../core/compaction/buildThread";
import { thresholdCurve } from "../../core/compaction/curve";
import { plainFacts } from "../../core/compaction/facts";
import { POLICY_DEFAULTS } from "../../core/compaction/policy";
import { ok, type Result } from "../../core/model/problem";
import type { Cancel } from "../../core/ports";
import type { SavedByThread, SimulationQuestions } from "../../protocol/simulation";
import type { LoadedTranscript } from "./loadTranscript";
import { everyNth, totalChars } from "./whatIfShapes";

/** Steps of one curve that cross; a lens rounds to a tenth of a per cent. */
const MAX_STEPS = 2_000;

/** What thresholds would have saved in the newest threads; by lengths alone, so that no text is read. Undefined = cancelled. */
export function savedByThread(
  { index }: LoadedTranscript,
  { threads }: SimulationQuestions["saved"]["in"],
  cancel: Cancel,
): Result<readonly SavedByThread[]> | undefined {
  const newest = new Map<string, number>();
  for (const { threadId, at } of index.calls) {
    const time = at === undefined ? Number.NaN : Date.parse(at);
    newest.set(threadId, Math.max(newest.get(threadId) ?? 0, Number.isNaN(time) ? 0 : time));
  }
  const chosen = [...newest].sort((a, b) => b[1] - a[1]).slice(0, threads);
  const found: SavedByThread[] = [];
  for (const [thread, time] of chosen) {
    if (cancel.isCancellationRequested) return undefined;
    const sim = buildThread(index, thread);
    if (sim === undefined) continue;
    const curve = thresholdCurve(sim, plainFacts(sim), POLICY_DEFAULTS.persist);
    const picked = everyNth(curve.steps.length, MAX_STEPS);
    found.push({
      thread,
      newest: time === 0 ? null : time,
      totalChars: totalChars(sim),
      steps: picked.map((at) => curve.steps[at] ?? 0),
      saved: picked.map((at) => curve.saved[at] ?? 0),
      always: curve.always.saved,
    });
  }
  return ok(found);
}
