import { markdownCode, markdownText } from "../../util/markdown";
import { grouped } from "../../util/numbers";
import { abFacts } from "./abFacts";
import type { AbComparison, AbOutput } from "./abReport";
import { type MarkdownColumn, markdownTable } from "./markdown";

const ROWS: readonly MarkdownColumn[] = [
  { title: "threshold (chars)", right: true },
  { title: "scenario" },
  { title: "results", right: true },
  { title: "≈ input saved (tok)", right: true },
  { title: "≈ of input", right: true },
  { title: "≈ uncached", right: true },
  { title: "≈ cached", right: true },
];

/** The comparison as Markdown. Empty where a source could not be read. */
export function abMarkdown(output: AbOutput): string {
  const { comparison } = output;
  if (comparison === null) return "";
  const rows = comparison.rows.map((row) => [
    grouped(row.threshold),
    row.scenario === "main" ? "main" : "with fallback",
    grouped(row.results),
    grouped(Math.round(row.saved)),
    row.share === null ? "–" : `${(100 * row.share).toFixed(2)} %`,
    grouped(Math.round(row.uncached)),
    grouped(Math.round(row.cached)),
  ]);
  const facts = abFacts(output, comparison).map(([name, text]) => `- ${markdownText(name)}: ${markdownText(text)}`);
  const parts = [
    "# A/B of persist thresholds\n",
    markdownTable(ROWS, rows),
    `## Limits per tool (chars)\n\n${limits(comparison)}`,
    `## What this was made from\n\n${facts.join("\n")}\n`,
  ];
  return parts.join("\n");
}

function limits({ tools, rows }: AbComparison): string {
  const limit = (value: number | "never"): string => (value === "never" ? value : grouped(value));
  const thresholds = [...new Set(rows.map(({ threshold }) => threshold))];
  const columns = [
    { title: "tool" },
    { title: "results", right: true },
    { title: "baseline", right: true },
    ...thresholds.map((threshold) => ({ title: grouped(threshold), right: true })),
  ];
  const cells = tools.map((one) => [
    one.tool === "" ? "–" : markdownCode(one.tool),
    grouped(one.results),
    limit(one.baseline),
    ...one.candidates.map(limit),
  ]);
  return markdownTable(columns, cells);
}
