import { baseWords, repeatCommand } from "../core/compaction/report/simulationFacts";
import type { PolicyOutcome, SimulateReport, SimulationReport } from "../core/compaction/report/simulationReport";
import { affectedTable, curveTable } from "../core/compaction/report/tables";
import { paysBackWords, reasonLines, simulationSentence } from "../core/compaction/report/words";
import { aboutPercent, signed } from "../core/util/numbers";
import type { Look } from "./inspectText";
import { counted, grouped, paint, plain, tableText } from "./text";

/** Rows of the table of affected results for people; `--json` lists all. */
const MAX_AFFECTED = 20;

/** One simulation for people: what it says in a sentence, the figures, the results, and why the rest stayed. */
export function simulationText(report: SimulateReport, simulation: SimulationReport, look: Look): string {
  const { thread, policies } = simulation;
  const head = [plain(thread.title), counted(thread.calls, "call"), counted(thread.results, "result")].join(" · ");
  const parts = [`${paint(plain(report.file), "bold", look.colour)}\n${head}\n${inferredText(simulation)}`];
  if (policies.length > 0) {
    parts.push(
      `${simulationSentence(simulation)}\n`,
      figures(simulation),
      affectedText(simulation),
      reasonsText(policies),
    );
  }
  parts.push(curveText(simulation), notesText(report, simulation));
  return parts.filter((part) => part !== "").join("\n");
}

function figures({ totals, measured, assumed, thread }: SimulationReport): string {
  const { saved, before, after, breaks } = totals;
  const lines = [
    `input saved         ≈ ${signed(saved.input)} tok (${aboutPercent(saved.input, before.input)}), estimated`,
    `cached / uncached   ≈ ${signed(saved.cached)} / ${signed(saved.uncached)} tok, estimated`,
    `cache breaks        ${grouped(breaks.length)}${breaks.length === 0 ? "" : ` · ${paysBackWords(totals.breakEvenReached)}`}`,
    `peak context        ≈ ${grouped(Math.round(before.peak))} → ${grouped(Math.round(after.peak))} tok, estimated`,
  ];
  if (assumed.windowTokens !== null) {
    const over = `${grouped(before.overWindow ?? 0)} → ${grouped(after.overWindow ?? 0)}`;
    lines.push(`calls over window   ${over} (${grouped(assumed.windowTokens)} tok)`);
  }
  if (before.cost !== null && after.cost !== null) {
    const cost = `≈ ${grouped(Math.round(before.cost))} → ${grouped(Math.round(after.cost))} uncached tok`;
    const reached = breaks.length === 0 ? "" : ` · ${paysBackWords(totals.breakEvenReachedPrice)}`;
    lines.push(`cost                ${cost}, by the prices given${reached}`);
  }
  if (measured.calls > 0) {
    const of =
      measured.calls === thread.calls ? "all calls" : `${grouped(measured.calls)} of ${counted(thread.calls, "call")}`;
    const cached = measured.cacheRead > 0 ? `, ${grouped(measured.cacheRead)} of them cache reads` : "";
    lines.push(`measured input      ${grouped(measured.input)} tok${cached} (${of}), without the policies`);
  }
  return `${lines.join("\n")}\n`;
}

/** Results by what they save, the most first. */
function affectedText(simulation: SimulationReport): string {
  const { affected } = simulation;
  if (affected.length === 0) return "";
  const title = `${counted(affected.length, "result")} replaced (chars, exact unless ≈)\n`;
  return title + tableText(affectedTable(simulation, MAX_AFFECTED, plain));
}

function reasonsText(policies: readonly PolicyOutcome[]): string {
  return policies
    .flatMap((policy) => {
      const lines = reasonLines(policy);
      if (lines.length === 0) return [];
      return [
        `What ${policy.preset ?? policy.parameters.kind} left alone:\n${lines.map((line) => `  ${line}\n`).join("")}`,
      ];
    })
    .join("");
}

function curveText(simulation: SimulationReport): string {
  const { curve } = simulation;
  const rows = curveTable(simulation);
  if (curve === null || rows === undefined) return "";
  const all = `${counted(curve.steps.length, "step")} in all; --json lists them. Results above a threshold, one by one; the turn budget is left out.\n`;
  return `What each threshold saves (chars exact, tokens estimated)\n${tableText(rows)}${all}`;
}

function inferredText({ inferred }: SimulationReport): string {
  if (inferred === null || (inferred.atLeast === null && inferred.below === null)) return "";
  const { atLeast, below } = inferred;
  if (atLeast !== null && below === atLeast + 1)
    return `The threshold in force was ${grouped(atLeast)} chars, by the results alone.\n`;
  const low = atLeast === null ? "" : ` at least ${grouped(atLeast)}`;
  const high = below === null ? "" : `${atLeast === null ? "" : " and"} below ${grouped(below)}`;
  return `The threshold in force was${low}${high} chars, by the results alone.\n`;
}

function notesText(report: SimulateReport, simulation: SimulationReport): string {
  const { assumed, policies } = simulation;
  const { tokens: rule, baseTokens, cache } = assumed;
  const base = baseTokens === 0 ? "" : `; ${baseWords(baseTokens)}`;
  const notes = [
    `Tokens are estimated: characters ÷ ${rule.charsPerToken}, ${grouped(rule.imageTokens)} per image${base}. Cache: ${cache.source}.`,
    ...policies.flatMap(({ preset, approximation }) =>
      approximation === null ? [] : [`${preset ?? "Policy"} is an approximation: ${approximation}`],
    ),
    `SHA-256 of the file: ${report.sha256 ?? "not stated for a database"}. Again with:`,
    plain(repeatCommand(report, simulation)),
  ];
  return `${notes.join("\n")}\n`;
}
