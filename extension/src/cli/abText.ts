import type { AbComparison, AbOutput } from "../core/compaction/report/abReport";
import { type Column, counted, grouped, plain, table } from "./text";

const ROWS: readonly Column[] = [
  { title: "threshold", right: true },
  { title: "scenario" },
  { title: "results", right: true },
  { title: "≈ input saved", right: true },
  { title: "≈ of input", right: true },
  { title: "≈ uncached", right: true },
  { title: "≈ cached", right: true },
];

/** The comparison for people. Only the line with the time of extraction depends on when it was made. */
export function abText(output: AbOutput, comparison: AbComparison): string {
  return [sourceText(output), inputsText(comparison), rowsText(comparison), toolsText(comparison), NOTES].join("\n");
}

function sourceText({ source, since, until, extractedAt }: AbOutput): string {
  const bounds = `from ${since ?? "the beginning"} to ${until ?? "the end"}, both included`;
  const extracted = `extracted at ${extractedAt}\n`;
  if (source.kind === "transcript")
    return `${plain(source.file)} · thread ${plain(source.thread ?? "–")}\n${bounds}\n${extracted}`;
  const files = [...source.logs, ...(source.database === null ? [] : [source.database])].map(plain).join(", ");
  const zone = `times of the log: ${source.utcOffset} minutes east of UTC`;
  return `${files}\n${bounds} · ${zone}\n${extracted}`;
}

function inputsText({ inputs, sizedByLog, baseline }: AbComparison): string {
  const { attributed } = inputs;
  const cached = inputs.input === 0 ? "" : ` (${((100 * inputs.cached) / inputs.input).toFixed(1)} % cached)`;
  const calls = [
    `${counted(inputs.calls, "call")} in ${counted(inputs.segments, "turn segment")}`,
    ...(inputs.callsWithoutUsage === 0 ? [] : [`${grouped(inputs.callsWithoutUsage)} without usage`]),
    ...(inputs.leftOut === 0 ? [] : [`${grouped(inputs.leftOut)} of background work left out`]),
    `${grouped(inputs.input)} tok input${cached}, measured`,
  ];
  const results = [
    `${counted(inputs.results, "result")} of ${grouped(inputs.chars)} chars, exact`,
    ...(sizedByLog === 0 ? [] : [`${grouped(sizedByLog)} with their length before persistence`]),
  ];
  const found = [
    `${grouped(attributed.known)} known`,
    `${grouped(attributed.run)} by run`,
    `${grouped(attributed.next)} by nearest next call`,
    `${grouped(attributed.none)} by none`,
  ];
  const unknown =
    attributed.known + attributed.run > 0 || attributed.next === 0
      ? ""
      : "no result tells its run, so the scenario main has none\n";
  const { perResult, perTurn, preview, mcpResult } = baseline;
  const budget = `${grouped(perResult)} chars per result · ${grouped(perTurn)} per turn · preview ${grouped(preview)} · MCP ${grouped(mcpResult)}`;
  return `${calls.join(" · ")}\n${results.join(" · ")}\nfirst carried by a call: ${found.join(", ")}\n${unknown}baseline: ${budget}\n`;
}

function rowsText({ rows }: AbComparison): string {
  return table(
    ROWS,
    rows.map((row) => [
      grouped(row.threshold),
      row.scenario === "main" ? "main" : "with fallback",
      grouped(row.results),
      grouped(Math.round(row.saved)),
      row.share === null ? "–" : `${(100 * row.share).toFixed(2)} %`,
      grouped(Math.round(row.uncached)),
      grouped(Math.round(row.cached)),
    ]),
  );
}

/** Tools in the table for people; `--json` lists all. */
const MAX_TOOLS = 60;

/** What each tool's results were held against: evidence for the figures above. */
function toolsText({ tools, rows }: AbComparison): string {
  if (tools.length === 0) return "";
  const thresholds = [...new Set(rows.map(({ threshold }) => threshold))];
  const limit = (value: number | "never"): string => (value === "never" ? value : grouped(value));
  const columns = [
    { title: "tool" },
    { title: "results", right: true },
    { title: "baseline", right: true },
    ...thresholds.map((threshold) => ({ title: grouped(threshold), right: true })),
  ];
  const cells = tools
    .slice(0, MAX_TOOLS)
    .map((one) => [plain(one.tool || "–"), grouped(one.results), limit(one.baseline), ...one.candidates.map(limit)]);
  const more = tools.length - cells.length;
  return `Limits per tool (chars)\n${table(columns, cells)}${more > 0 ? `… and ${grouped(more)} more; --json lists all\n` : ""}`;
}

const NOTES = `Saved tokens are characters ÷ 4, estimated: an upper bound on logical input, not a bill.
Each turn segment starts empty: what later turns carry on of a result does not count here (\`simulate\` counts it).
main: results whose call is known or found by their run; with fallback: also those given to the nearest next call.
`;
