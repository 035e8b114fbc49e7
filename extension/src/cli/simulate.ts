import { simulationCsv } from "../core/compaction/report/simulationCsv";
import { simulationMarkdown } from "../core/compaction/report/simulationMarkdown";
import { type SimulateReport, simulationReport } from "../core/compaction/report/simulationReport";
import { SIM_OPTIONS, type SimOptions, Simulation, suggestBaseTokens } from "../core/compaction/simulate";
import type { Problem } from "../core/model/problem";
import { reportProblem } from "../core/model/reportProblem";
import { problemsText } from "./inspectText";
import type { CliIo, Outcome } from "./io";
import { loadThread } from "./loadThread";
import type { SimulateCommand } from "./simulateArgs";
import { simulationText } from "./simulateText";

/** `context-budget simulate`: what policies would have done to one thread of a transcript. */
export async function runSimulate(command: SimulateCommand, io: CliIo, outcome: Outcome): Promise<void> {
  const loaded = await loadThread(command, io);
  if (!loaded.ok) {
    outcome.unusable();
    await write(unusable(command.path, loaded.error), command, io);
    return;
  }
  const { header, index, thread, sim, facts, sha256 } = loaded.value;
  if (index.problems.some((problem) => problem.severity === "error")) outcome.problems();
  const { cache = SIM_OPTIONS.cache, prices, contextLength: windowTokens = null } = command;
  const bare: SimOptions = { ...SIM_OPTIONS, cache, prices, windowTokens };
  const options = { ...bare, baseTokens: command.baseTokens ?? suggestBaseTokens(sim, facts, bare) ?? 0 };
  const run = new Simulation(sim, facts, options).run(command.policies.map(({ policy }) => policy));
  const report = {
    file: command.path,
    format: header.format,
    sha256: sha256 ?? null,
    simulation: simulationReport(
      { thread, agent: header.agent, sim, facts, results: index.results },
      { policies: command.policies, thresholds: command.thresholds },
      options,
      run,
    ),
    problems: index.problems.map(reportProblem),
  };
  await write(report, command, io);
}

function unusable(file: string, problem: Problem): SimulateReport {
  return { file, format: null, sha256: null, simulation: null, problems: [reportProblem(problem)] };
}

async function write(report: SimulateReport, command: SimulateCommand, io: CliIo): Promise<void> {
  const { output } = command;
  if (output === "json") {
    await io.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
    return;
  }
  if (output === "text") {
    const look = { isTTY: io.stdout.isTTY, colour: io.colour && io.stdout.isTTY };
    const text = report.simulation === null ? "" : simulationText(report, report.simulation, look);
    const problems = problemsText(report.file, report.problems, look);
    await io.stdout.write(text + (text === "" || problems === "" ? "" : "\n") + problems);
    return;
  }
  await io.stdout.write(output === "csv" ? simulationCsv(report) : simulationMarkdown(report));
  // What is read by another program holds nothing else.
  await io.stderr.write(problemsText(report.file, report.problems, { isTTY: io.stderr.isTTY, colour: false }));
}
