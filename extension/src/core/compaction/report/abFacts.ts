import type { AbComparison, AbOutput } from "./abReport";
import type { Fact } from "./simulationFacts";

/** What a comparison was made from, in the words that its CSV and Markdown share. */
export function abFacts({ source, since, until, extractedAt }: AbOutput, comparison: AbComparison): readonly Fact[] {
  const files: readonly Fact[] =
    source.kind === "transcript"
      ? [
          ["file", source.file],
          ["thread", source.thread ?? "–"],
        ]
      : [
          ...source.logs.map((log): Fact => ["log", log]),
          ["database", source.database ?? "none"],
          ["times of the log", `${source.utcOffset} minutes east of UTC`],
        ];
  const { perResult, perTurn, preview, mcpResult } = comparison.baseline;
  const { inputs } = comparison;
  return [
    ["extracted at", extractedAt],
    ...files,
    ["bounds", `from ${since ?? "the beginning"} to ${until ?? "the end"}, both included`],
    ["baseline budget (chars)", `${perResult} per result, ${perTurn} per turn, preview ${preview}, MCP ${mcpResult}`],
    [
      "inputs",
      `${inputs.calls} calls (${inputs.callsWithoutUsage} without usage, ${inputs.leftOut} of background work left out) in ${inputs.segments} turn segments, ${inputs.input} tokens of input measured, ${inputs.cached} of them cached`,
    ],
    [
      "results",
      `${inputs.results} of ${inputs.chars} chars, ${comparison.sizedByLog} with their length before persistence; first carried by a call: ${inputs.attributed.known} known, ${inputs.attributed.run} by run, ${inputs.attributed.next} by nearest next call, ${inputs.attributed.none} by none`,
    ],
    ["saved", "characters ÷ 4, estimated: an upper bound on logical input, not a bill"],
    ["segments", "each starts empty: what later turns carry on of a result does not count (`simulate` counts it)"],
    ["main", "results whose call is known or found by their run"],
    ["fallback", "also those given to the nearest next call"],
  ];
}
