import { abFacts } from "./abFacts";
import type { AbOutput } from "./abReport";
import { csvComments, csvTable } from "./csv";

/**
 * The comparison as CSV: one row per threshold and scenario, then, after an empty line, the limits per tool as evidence. Lines
 * with `#` say what it was made from; only the first of them depends on when. Empty where a source could not be read.
 */
export function abCsv(output: AbOutput): string {
  const { comparison } = output;
  if (comparison === null) return "";
  const rows = comparison.rows.map((row) => [
    row.threshold,
    row.scenario,
    row.results,
    row.saved,
    row.share,
    row.uncached,
    row.cached,
  ]);
  const columns = [
    "threshold_chars",
    "scenario",
    "results",
    "saved_tokens",
    "share",
    "uncached_tokens",
    "cached_tokens",
  ];
  const thresholds = [...new Set(comparison.rows.map(({ threshold }) => threshold))];
  const limits = comparison.tools.map((one) => [one.tool, one.results, one.baseline, ...one.candidates]);
  const limitColumns = ["tool", "results", "limit_baseline_chars", ...thresholds.map((one) => `limit_${one}_chars`)];
  const tables = [csvTable(columns, rows), csvTable(limitColumns, limits)];
  return csvComments(abFacts(output, comparison)) + tables.join("\r\n");
}
