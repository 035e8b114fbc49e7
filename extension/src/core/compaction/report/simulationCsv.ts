import { type CsvCell, csvComments, csvTable } from "./csv";
import { type Fact, simulationFacts } from "./simulationFacts";
import type { CurveReport, LedgerRow, SimulateReport, SimulationReport } from "./simulationReport";

/**
 * The report as CSV. Lines with `#` say what it was made from. With policies: the ledger, one row per call. With a curve: the
 * thresholds asked for and then every step of the curve. Where both are there, an empty line stands between the tables.
 * Empty for a simulation that could not be made.
 */
export function simulationCsv(report: SimulateReport): string {
  const { simulation } = report;
  if (simulation === null) return "";
  const tables = [
    ...(simulation.policies.length > 0 ? [ledgerCsv(simulation)] : []),
    ...(simulation.curve === null ? [] : [curveCsv(simulation.curve)]),
  ];
  return csvComments(simulationFacts(report, simulation)) + tables.join("\r\n");
}

const LEDGER_UNITS: Fact = [
  "ledger",
  "one row per call; before and after in estimated tokens, measured as the transcript states them (nothing = not stated)",
];

const LEDGER_COLUMNS = [
  "call",
  "at",
  "before_tokens",
  "before_cached",
  "before_uncached",
  "before_first_change",
  "after_tokens",
  "after_cached",
  "after_uncached",
  "after_first_change",
  "saved_tokens",
  "saved_cached",
  "saved_uncached",
  "cache_break_lost",
  "break_even_calls",
  "measured_input",
  "measured_cache_read",
  "measured_cache_write",
  "measured_output",
] as const;

function ledgerCsv({ ledger, totals }: SimulationReport): string {
  const breaks = new Map(totals.breaks.map((one) => [one.call, one]));
  const row = ({ call, at, before, after, measured }: LedgerRow): readonly CsvCell[] => [
    call,
    at === null ? null : isoTime(at),
    before.total,
    before.cached,
    before.uncached,
    before.firstChange,
    after.total,
    after.cached,
    after.uncached,
    after.firstChange,
    before.total - after.total,
    before.cached - after.cached,
    before.uncached - after.uncached,
    breaks.get(call)?.lost ?? null,
    breaks.get(call)?.breakEven ?? null,
    measured.input,
    measured.cacheRead,
    measured.cacheWrite,
    measured.output,
  ];
  return csvComments([LEDGER_UNITS]) + csvTable(LEDGER_COLUMNS, ledger.map(row));
}

/** Null for what no calendar holds. */
function isoTime(at: number): string | null {
  return Math.abs(at) <= 8.64e15 ? new Date(at).toISOString() : null;
}

const CURVE_UNITS: Fact = [
  "curve",
  "code points of input not sent over all calls (exact) at the threshold; kind step: where the curve changes; the turn budget is left out",
];

/** A step at s holds for thresholds below it, so the threshold s − 1 stands for it. */
function curveCsv(curve: CurveReport): string {
  const rows = [
    ...curve.candidates.map(({ threshold, saved, savedFirst, results }) => [
      "asked",
      threshold,
      saved,
      savedFirst,
      results,
    ]),
    ...curve.steps.map((step, position) => [
      "step",
      step - 1,
      curve.saved[position] ?? null,
      curve.savedFirst[position] ?? null,
      curve.results[position] ?? null,
    ]),
  ];
  const columns = ["kind", "threshold_chars", "saved_chars", "saved_first_carry_chars", "results"];
  return csvComments([CURVE_UNITS]) + csvTable(columns, rows);
}
