import { type Column, markdownCode, markdownTable, markdownText } from "../../util/markdown";
import { aboutPercent, grouped, signed } from "../../util/numbers";
import { POLICY_FIELDS, writePolicyField } from "../policyFields";
import { markdownOf } from "./markdown";
import { repeatCommand, simulationFacts } from "./simulationFacts";
import type { PolicyOutcome, SimulateReport, SimulationReport } from "./simulationReport";
import { affectedTable, curveTable } from "./tables";
import { paysBackWords, reasonLines, simulationSentence } from "./words";

/** Rows of the table of affected results; the JSON lists all. */
const MAX_AFFECTED = 50;

/**
 * The report as Markdown, with everything that is needed to make it again. Empty for a simulation that could not be made. Text
 * from the transcript is never markup.
 */
export function simulationMarkdown(report: SimulateReport): string {
  const { simulation } = report;
  if (simulation === null) return "";
  const parts = [
    "# What if: context budget\n",
    simulation.policies.length === 0 ? "" : `${markdownText(simulationSentence(simulation))}\n`,
    section("Figures", simulation.policies.length === 0 ? "" : figures(simulation)),
    ...simulation.policies.map((policy, position) =>
      section(`Policy ${position + 1}: ${markdownText(policy.preset ?? policy.parameters.kind)}`, policyPart(policy)),
    ),
    section(
      "Results replaced (chars, exact unless ≈)",
      markdownOf(affectedTable(simulation, MAX_AFFECTED, markdownCode)),
    ),
    section("What each threshold saves (chars exact, tokens estimated)", curve(simulation)),
    section("What this was made from", madeFrom(report, simulation)),
  ];
  return parts.filter((part) => part !== "").join("\n");
}

function section(title: string, body: string): string {
  return body === "" ? "" : `## ${title}\n\n${body}`;
}

const FIGURES: readonly Column[] = [
  { title: "≈ tokens, estimated" },
  { title: "without", right: true },
  { title: "with", right: true },
  { title: "saved", right: true },
];

function figures({ totals, measured }: SimulationReport): string {
  const { before, after, saved, breaks } = totals;
  const row = (name: string, left: number, right: number): readonly string[] => [
    name,
    grouped(Math.round(left)),
    grouped(Math.round(right)),
    signed(left - right),
  ];
  const rows = [
    row("input", before.input, after.input),
    row("of it cached", before.cached, after.cached),
    row("of it uncached", before.uncached, after.uncached),
    row("peak context", before.peak, after.peak),
    ...(before.overWindow === null || after.overWindow === null
      ? []
      : [row("calls over the window (exact count)", before.overWindow, after.overWindow)]),
    ...(before.cost === null || after.cost === null ? [] : [row("cost in uncached tokens", before.cost, after.cost)]),
  ];
  const lost = breaks.reduce((sum, one) => sum + one.lost, 0);
  const lines = [
    `- Input saved: ≈ ${signed(saved.input)} tokens (${aboutPercent(saved.input, before.input)}), an upper bound, not a bill.`,
    `- Cache breaks by the policies: ${grouped(breaks.length)}${breaks.length === 0 ? "" : `, ≈ ${signed(lost)} tokens more sent uncached; ${paysBackWords(totals.breakEvenReached)}`}.`,
    ...(breaks.length === 0 || before.cost === null
      ? []
      : [`- In money: ${paysBackWords(totals.breakEvenReachedPrice)}.`]),
    measured.calls === 0
      ? "- The transcript states no input."
      : `- Measured, without the policies: ${grouped(measured.input)} tokens of input in ${grouped(measured.calls)} calls, ${grouped(measured.cacheRead)} of them cache reads.`,
  ];
  return `${markdownTable(FIGURES, rows)}\n${lines.join("\n")}\n`;
}

function policyPart({ parameters, source, approximation, spec, replaced, idle, kept }: PolicyOutcome): string {
  const rows = POLICY_FIELDS[parameters.kind].map((field) => {
    const written = writePolicyField(parameters, field);
    return [markdownCode(field.key), written === "" ? "–" : markdownCode(written)];
  });
  const lines = [
    `- ${markdownCode(spec)}`,
    `- Replaced ${grouped(replaced)} results.`,
    ...(source === null ? [] : [`- Source: ${markdownText(source)}`]),
    ...(approximation === null ? [] : [`- Approximation: ${markdownText(approximation)}`]),
    ...reasonLines({ idle, kept }).map((line) => `- ${markdownText(line)}`),
  ];
  return `${lines.join("\n")}\n\n${markdownTable([{ title: "parameter" }, { title: "value" }], rows)}`;
}

function curve(simulation: SimulationReport): string {
  const table = curveTable(simulation);
  if (table === undefined) return "";
  return `${markdownOf(table)}\nResults above a threshold, one by one; the turn budget is left out.\n`;
}

function madeFrom(report: SimulateReport, simulation: SimulationReport): string {
  const facts = simulationFacts(report, simulation).map(
    ([name, text]) => `- ${markdownText(name)}: ${markdownText(text)}`,
  );
  return `${facts.join("\n")}\n\nAgain with ${markdownCode(repeatCommand(report, simulation))}\n`;
}
