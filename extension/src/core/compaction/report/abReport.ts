/**
 * The report of one comparison: what `context-budget ab --json` prints and the editor exports. Described by
 * schemas/report.schema.json; a test keeps the two equal.
 */

import type { Budget } from "../../config/types";
import type { ReportProblem } from "../../model/reportProblem";
import type { AbInputs, AbReport, AbRow } from "../ab";

/** Infinity (never persisted) as JSON can carry it. */
type Limit = number | "never";

export interface AbComparison {
  readonly inputs: AbInputs;
  /** Results whose length before persistence the log tells; the others count as they are stored. */
  readonly sizedByLog: number;
  /** Code points. */
  readonly baseline: {
    readonly perResult: number;
    readonly perTurn: number;
    readonly mcpResult: number;
    readonly preview: number;
  };
  readonly tools: readonly {
    readonly tool: string;
    readonly results: number;
    readonly baseline: Limit;
    /** In the order of the thresholds asked for. */
    readonly candidates: readonly Limit[];
  }[];
  /** Per threshold: main, then fallback. */
  readonly rows: readonly AbRow[];
}

export interface AbOutput {
  /** When the sources were read: the only thing in the report that depends on it. ISO 8601 in UTC. */
  readonly extractedAt: string;
  /** Files of the comparison as named on the command line. */
  readonly source:
    | { readonly kind: "transcript"; readonly file: string; readonly thread: string | null }
    | {
        readonly kind: "log";
        readonly logs: readonly string[];
        readonly database: string | null;
        /** Minutes east of UTC that the log's times were taken for. */
        readonly utcOffset: number;
      };
  /** ISO 8601 in UTC, both inclusive; null = open. */
  readonly since: string | null;
  readonly until: string | null;
  /** Null when a source could not be read; `problems` says why. */
  readonly comparison: AbComparison | null;
  readonly problems: readonly ReportProblem[];
}

/** The comparison as JSON can carry it. Thresholds in code points. */
export function abComparison(report: AbReport, baseline: Budget, sizedByLog: number): AbComparison {
  const limit = (threshold: number): Limit => (threshold === Number.POSITIVE_INFINITY ? "never" : threshold);
  const { perResult, perTurn, mcpResult, preview } = baseline;
  return {
    inputs: report.inputs,
    sizedByLog,
    baseline: { perResult, perTurn, mcpResult, preview },
    tools: report.thresholds.map((one) => ({
      tool: one.tool,
      results: one.results,
      baseline: limit(one.baseline),
      candidates: one.candidates.map(limit),
    })),
    rows: report.rows,
  };
}
