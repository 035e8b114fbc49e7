import { MCP_PREFIX, PINNED_THRESHOLDS, REGISTERED_SIZES } from "../config/defaults";
import { lastNotAfter } from "../util/lastNotAfter";
import { countCodePoints } from "../util/textSize";
import type { ResultFacts } from "./facts";
import type { PersistPolicy } from "./policy";
import { blockChars, spillPathChars } from "./replacement";
import { type SimThread, timesSent } from "./simThread";

/**
 * What every per-result threshold would save: between two neighbouring `steps` nothing changes, so this is the whole curve
 * and no sample. A threshold saves `saved[i]` code points of input when it is below `steps[i]` and not below `steps[i − 1]`;
 * one at or above the last step saves `always`.
 */
export interface ThresholdCurve {
  /** Lengths of results that a threshold can take out, ascending, without repetition. */
  readonly steps: Float64Array;
  /** Code points of input not sent, over all requests. Can fall where notices are longer than results. */
  readonly saved: Float64Array;
  /** Of these: in the first request that holds a result, where it could not have been cached. */
  readonly savedFirst: Float64Array;
  /** Results taken out. */
  readonly results: Int32Array;
  /** Saved whatever the threshold, by a cap below the result's length (MCP, registry, an override). */
  readonly always: CurvePoint;
}

export interface CurvePoint {
  readonly saved: number;
  readonly savedFirst: number;
  readonly results: number;
}

export type CurveRules = Pick<PersistPolicy, "mcpResult" | "overrides" | "era" | "folder">;

/** Room for positions beside a length in one sortable number. */
const POSITIONS = 2 ** 22;

/**
 * The threshold curve of layer 2 alone: the turn budget is left out, since it depends on whole batches. One sort and one
 * pass: a result of s code points with a notice of r that is sent k times adds (s − r) × k to every threshold below s.
 */
export function thresholdCurve(thread: SimThread, facts: ResultFacts, rules: CurveRules): ThresholdCurve {
  const { results } = thread;
  const caps = thread.tools.map((tool) => capOf(tool, rules));
  const folderChars = countCodePoints(rules.folder);
  const keys = new Float64Array(results.count);
  const perCall = new Float64Array(results.count);
  const sent = new Int32Array(results.count);
  let movable = 0;
  const always = { saved: 0, savedFirst: 0, results: 0 };
  for (let i = 0; i < results.count; i++) {
    const item = results.item[i] ?? 0;
    const times = timesSent(thread, item);
    const cap = caps[results.tool[i] ?? 0];
    const file = rules.era === "recovery" ? facts.file[i] : facts.raw[i];
    if (times === 0 || results.inline[i] === 0 || cap === null || cap === undefined || file === undefined) continue;
    const chars = facts.rawChars[i] ?? 0;
    const notice =
      (facts.wrapping[i] ?? 0) + blockChars(file, spillPathChars(results.callId[i], folderChars), rules.era);
    const gain = (thread.items.chars[item] ?? 0) - notice;
    if (chars > cap.limit) {
      always.saved += gain * times;
      always.savedFirst += gain;
      always.results++;
    } else if (cap.follows && chars > 0) {
      perCall[i] = gain;
      sent[i] = times;
      keys[movable++] = chars * POSITIONS + i;
    }
  }
  return accumulate(keys.subarray(0, movable).sort(), perCall, sent, always);
}

interface Cap {
  /** Longer results go whatever the threshold. */
  readonly limit: number;
  /** False where an override alone decides. */
  readonly follows: boolean;
}

/** Null = never persisted. */
function capOf(tool: string, rules: CurveRules): Cap | null {
  if (PINNED_THRESHOLDS.has(tool)) return null;
  const override = rules.overrides[tool];
  if (override !== undefined && Object.hasOwn(rules.overrides, tool)) return { limit: override, follows: false };
  if (tool.startsWith(MCP_PREFIX)) return { limit: rules.mcpResult, follows: true };
  const registered = REGISTERED_SIZES.get(tool);
  if (registered === Number.POSITIVE_INFINITY) return null;
  return { limit: registered ?? Number.POSITIVE_INFINITY, follows: true };
}

function accumulate(sorted: Float64Array, perCall: Float64Array, sent: Int32Array, always: CurvePoint): ThresholdCurve {
  const steps = new Float64Array(sorted.length);
  const saved = new Float64Array(sorted.length);
  const savedFirst = new Float64Array(sorted.length);
  const results = new Int32Array(sorted.length);
  let at = sorted.length;
  let { saved: sum, savedFirst: first, results: count } = always;
  for (let i = sorted.length - 1; i >= 0; i--) {
    const key = sorted[i] ?? 0;
    const chars = Math.floor(key / POSITIONS);
    const position = key - chars * POSITIONS;
    const gain = perCall[position] ?? 0;
    sum += gain * (sent[position] ?? 0);
    first += gain;
    count++;
    if (at === sorted.length || steps[at] !== chars) steps[--at] = chars;
    saved[at] = sum;
    savedFirst[at] = first;
    results[at] = count;
  }
  return {
    steps: steps.subarray(at),
    saved: saved.subarray(at),
    savedFirst: savedFirst.subarray(at),
    results: results.subarray(at),
    always,
  };
}

/** What one threshold saves, in code points. A logarithm of the results. */
export function savedAt(curve: ThresholdCurve, threshold: number): CurvePoint {
  const step = lastNotAfter(curve.steps, threshold) + 1;
  if (step === curve.steps.length) return curve.always;
  return { saved: curve.saved[step] ?? 0, savedFirst: curve.savedFirst[step] ?? 0, results: curve.results[step] ?? 0 };
}
