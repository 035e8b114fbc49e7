import type { Column } from "../../util/markdown";
import { grouped, percent, signed } from "../../util/numbers";
import type { AbComparison } from "./abReport";
import type { SimulationReport } from "./simulationReport";
import { ACTION_WORDS } from "./words";

/** A table of a report for people. The command line and Markdown draw the same one. */
export interface ReportTable {
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly string[])[];
  /** Rows left out. */
  readonly more: number;
}

/** Writes a name out of a file so that it is text in the form that is drawn. */
type WriteName = (name: string) => string;

const right = (title: string): Column => ({ title, right: true });

/** Replaced results by what they save, the most first; at most `most`. Lengths in code points. */
export function affectedTable({ affected }: SimulationReport, most: number, name: WriteName): ReportTable {
  const rows = [...affected]
    .sort((a, b) => b.saved - a.saved || a.result - b.result)
    .slice(0, most)
    .map((one) => [
      one.line === null ? "–" : grouped(one.line),
      grouped(one.call),
      one.tool === null ? "–" : name(one.tool),
      ACTION_WORDS[one.action],
      grouped(one.before),
      `${one.exact ? "" : "≈ "}${grouped(one.after)}`,
      signed(one.saved),
    ]);
  return {
    columns: [
      right("line"),
      right("from call"),
      { title: "tool" },
      { title: "what" },
      right("before"),
      right("after"),
      right("saved in all"),
    ],
    rows,
    more: affected.length - rows.length,
  };
}

/** The thresholds that were asked for. Undefined where none were. */
export function curveTable({ curve, totals, assumed }: SimulationReport): ReportTable | undefined {
  if (curve === null) return undefined;
  const perToken = assumed.tokens.charsPerToken;
  return {
    columns: [right("threshold"), right("results"), right("chars saved"), right("≈ tok"), right("≈ of input")],
    rows: curve.candidates.map(({ threshold, results, saved }) => [
      grouped(threshold),
      grouped(results),
      signed(saved),
      signed(saved / perToken),
      percent(saved / perToken, totals.before.input),
    ]),
    more: 0,
  };
}

/** What each threshold of an A/B would have saved, by scenario. */
export function abTable({ rows, inputs }: AbComparison): ReportTable {
  return {
    columns: [
      right("threshold"),
      { title: "scenario" },
      right("results"),
      right("≈ tok saved"),
      right("≈ of input"),
      right("≈ uncached"),
      right("≈ cached"),
    ],
    rows: rows.map((row) => [
      grouped(row.threshold),
      row.scenario === "main" ? "main" : "with fallback",
      grouped(row.results),
      grouped(Math.round(row.saved)),
      percent(row.saved, inputs.input),
      grouped(Math.round(row.uncached)),
      grouped(Math.round(row.cached)),
    ]),
    more: 0,
  };
}

/** What each tool's results were held against, in code points: evidence for the figures of an A/B. At most `most` tools. */
export function abLimitsTable({ tools, rows }: AbComparison, most: number, name: WriteName): ReportTable {
  const limit = (value: number | "never"): string => (value === "never" ? value : grouped(value));
  const thresholds = [...new Set(rows.map(({ threshold }) => threshold))];
  return {
    columns: [{ title: "tool" }, right("results"), right("baseline"), ...thresholds.map((one) => right(grouped(one)))],
    rows: tools
      .slice(0, most)
      .map((one) => [
        one.tool === "" ? "–" : name(one.tool),
        grouped(one.results),
        limit(one.baseline),
        ...one.candidates.map(limit),
      ]),
    more: Math.max(0, tools.length - most),
  };
}
