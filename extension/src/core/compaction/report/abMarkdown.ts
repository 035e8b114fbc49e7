import { markdownCode, markdownText } from "../../util/markdown";
import { abFacts } from "./abFacts";
import type { AbOutput } from "./abReport";
import { markdownOf } from "./markdown";
import { abLimitsTable, abTable } from "./tables";

/** The comparison as Markdown. Empty where a source could not be read. */
export function abMarkdown(output: AbOutput): string {
  const { comparison } = output;
  if (comparison === null) return "";
  const facts = abFacts(output, comparison).map(([name, text]) => `- ${markdownText(name)}: ${markdownText(text)}`);
  const parts = [
    "# A/B of persist thresholds (chars)\n",
    markdownOf(abTable(comparison)),
    `## Limits per tool (chars)\n\n${markdownOf(abLimitsTable(comparison, comparison.tools.length, markdownCode))}`,
    `## What this was made from\n\n${facts.join("\n")}\n`,
  ];
  return parts.join("\n");
}
