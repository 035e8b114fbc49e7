import type { AbComparison, AbOutput } from "../core/compaction/report/abReport";
import { abLimitsTable, abTable } from "../core/compaction/report/tables";
import { percent } from "../core/util/numbers";
import { counted, grouped, plain, tableText } from "./text";

/** The comparison for people. Only the line with the time of extraction depends on when it was made. */
export function abText(output: AbOutput, comparison: AbComparison): string {
  return [
    sourceText(output),
    inputsText(comparison),
    tableText(abTable(comparison)),
    toolsText(comparison),
    NOTES,
  ].join("\n");
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
  const cached = inputs.input === 0 ? "" : ` (${percent(inputs.cached, inputs.input)} cached)`;
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

/** Tools in the table for people; `--json` lists all. */
const MAX_TOOLS = 60;

/** What each tool's results were held against. */
function toolsText(comparison: AbComparison): string {
  if (comparison.tools.length === 0) return "";
  return `Limits per tool (chars)\n${tableText(abLimitsTable(comparison, MAX_TOOLS, plain))}`;
}

const NOTES = `Saved tokens are characters ÷ 4, estimated: an upper bound on logical input, not a bill.
Each turn segment starts empty: what later turns carry on of a result does not count here (\`simulate\` counts it).
main: results whose call is known or found by their run; with fallback: also those given to the nearest next call.
`;
