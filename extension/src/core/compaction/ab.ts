import { resolveThreshold, withThreshold } from "../config/budgets";
import type { Budget } from "../config/types";
import type { AbStudy, Attribution } from "./abStudy";

/** main: only results whose request is known or found by their run · fallback: also those given to the nearest next request. */
export type AbScenario = "main" | "fallback";

/** One line of the comparison. Tokens are characters ÷ 4: an upper bound on logical input, not a bill. */
export interface AbRow {
  readonly threshold: number;
  readonly scenario: AbScenario;
  /** Results that the candidate persists and the baseline does not, and that some request carried. */
  readonly results: number;
  readonly saved: number;
  /** Share of all input, 0 to 1; null when no request states its input. */
  readonly share: number | null;
  /** First carries, which no cache could have held. */
  readonly uncached: number;
  /** Later carries in the same segment. */
  readonly cached: number;
}

/** What went into the comparison. */
export interface AbInputs {
  readonly calls: number;
  readonly callsWithoutUsage: number;
  readonly leftOut: number;
  readonly segments: number;
  /** Tokens. */
  readonly input: number;
  readonly cached: number;
  readonly results: number;
  /** Code points. */
  readonly chars: number;
  readonly attributed: Readonly<Record<Attribution, number>>;
}

/** Thresholds per tool, as evidence. Infinity = never persisted. Code points. */
export interface ToolThresholds {
  readonly tool: string;
  /** Results of the tool in the study. */
  readonly results: number;
  readonly baseline: number;
  readonly candidates: readonly number[];
}

export interface AbReport {
  readonly inputs: AbInputs;
  readonly thresholds: readonly ToolThresholds[];
  /** Per threshold: main, then fallback. */
  readonly rows: readonly AbRow[];
}

const CHARS_PER_TOKEN = 4;

/**
 * What each candidate threshold would have saved against the baseline: a result longer than the candidate's and not longer
 * than the baseline's threshold for its tool leaves `length − preview` out of the request that first carried it and of every
 * later one of the same segment. Source: the study in PR #86171.
 */
export function compareThresholds(study: AbStudy, baseline: Budget, candidates: readonly number[]): AbReport {
  const budgets = candidates.map((threshold) => withThreshold(baseline, threshold));
  const counts = new Map<string, number>();
  for (const { tool } of study.results) counts.set(tool, (counts.get(tool) ?? 0) + 1);
  const thresholds = [...counts.keys()].sort().map((tool) => ({
    tool,
    results: counts.get(tool) ?? 0,
    baseline: resolveThreshold(tool, baseline),
    candidates: budgets.map((budget) => resolveThreshold(tool, budget)),
  }));
  const byTool = new Map(thresholds.map((entry) => [entry.tool, entry]));
  const inputs = countInputs(study);
  const laterCarries = carriesAfter(study);
  const rows: AbRow[] = [];
  for (const [position, threshold] of candidates.entries()) {
    for (const scenario of ["main", "fallback"] as const) {
      let results = 0;
      let first = 0;
      let later = 0;
      for (const { tool, chars, by, firstCall } of study.results) {
        const limits = byTool.get(tool);
        if (firstCall === undefined || limits === undefined || by === "none") continue;
        if (scenario === "main" && by === "next") continue;
        if (!(chars > (limits.candidates[position] ?? 0)) || chars > limits.baseline) continue;
        const gain = Math.max(0, chars - baseline.preview);
        results++;
        first += gain;
        later += gain * (laterCarries[firstCall] ?? 0);
      }
      const saved = (first + later) / CHARS_PER_TOKEN;
      rows.push({
        threshold,
        scenario,
        results,
        saved,
        share: inputs.input === 0 ? null : saved / inputs.input,
        uncached: first / CHARS_PER_TOKEN,
        cached: later / CHARS_PER_TOKEN,
      });
    }
  }
  return { inputs, thresholds, rows };
}

/** Requests of the same segment after each one. */
function carriesAfter(study: AbStudy): Int32Array {
  const after = new Int32Array(study.calls.length);
  for (const { calls } of study.segments)
    for (const [position, call] of calls.entries()) after[call] = calls.length - 1 - position;
  return after;
}

function countInputs(study: AbStudy): AbInputs {
  const attributed: Record<Attribution, number> = { known: 0, run: 0, next: 0, none: 0 };
  let chars = 0;
  for (const result of study.results) {
    attributed[result.by]++;
    chars += result.chars;
  }
  return {
    calls: study.calls.length,
    callsWithoutUsage: study.calls.filter((call) => call.input === undefined).length,
    leftOut: study.leftOut,
    segments: study.segments.length,
    input: study.calls.reduce((sum, call) => sum + (call.input ?? 0), 0),
    cached: study.calls.reduce((sum, call) => sum + call.cached, 0),
    results: study.results.length,
    chars,
    attributed,
  };
}
