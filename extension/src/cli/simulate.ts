import { SIM_OPTIONS, type SimOptions, Simulation, suggestBaseTokens } from "../core/compaction/simulate";
import type { Problem } from "../core/model/problem";
import type { SimulateCommand } from "./args";
import { problemsText } from "./inspectText";
import type { CliIo, Outcome } from "./io";
import { loadThread } from "./loadThread";
import { inspectProblem } from "./report";
import { type SimulateReport, simulated } from "./simulateReport";
import { simulationText } from "./simulateText";

/** `context-budget simulate`: what policies would have done to one thread of a transcript. */
export async function runSimulate(command: SimulateCommand, io: CliIo, outcome: Outcome): Promise<void> {
  const loaded = await loadThread(command, io);
  if (!loaded.ok) {
    outcome.unusable();
    await write(unusable(command.path, loaded.error), command, io);
    return;
  }
  const { header, index, sim, facts, sha256 } = loaded.value;
  if (index.problems.some((problem) => problem.severity === "error")) outcome.problems();
  const bare: SimOptions = { ...SIM_OPTIONS, windowTokens: command.contextLength ?? null };
  const options = { ...bare, baseTokens: suggestBaseTokens(sim, facts, bare) ?? 0 };
  const run = new Simulation(sim, facts, options).run(command.policies.map(({ policy }) => policy));
  const report = {
    file: command.path,
    format: header.format,
    sha256: sha256 ?? null,
    simulation: simulated(loaded.value, command, options, run),
    problems: index.problems.map(inspectProblem),
  };
  await write(report, command, io);
}

function unusable(file: string, problem: Problem): SimulateReport {
  return { file, format: null, sha256: null, simulation: null, problems: [inspectProblem(problem)] };
}

async function write(report: SimulateReport, command: SimulateCommand, io: CliIo): Promise<void> {
  if (command.json) {
    await io.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
    return;
  }
  const look = { isTTY: io.stdout.isTTY, colour: io.colour && io.stdout.isTTY };
  const text = report.simulation === null ? "" : simulationText(report.file, report.simulation, look);
  const problems = problemsText(report.file, report.problems, look);
  await io.stdout.write(text + (text === "" || problems === "" ? "" : "\n") + problems);
}
