import { resolve } from "node:path";
import { reportProblem } from "../core/model/reportProblem";
import { maskStrings } from "../core/secrets/maskStrings";
import type { InspectCommand } from "./args";
import { emptyReport, type Reading, readReport } from "./inspectFile";
import { inspectMany } from "./inspectMany";
import { databaseOf, judge, lookOf, resultsOf, writeJson } from "./inspectOutput";
import { headText, problemsText, resultsText } from "./inspectText";
import type { CliIo, Outcome } from "./io";
import { openInput } from "./readInput";
import type { ResultReport } from "./report";
import type { ReportContext } from "./resultReport";
import { plain } from "./text";

/** `context-budget inspect`: one transcript; or several, and every transcript below a folder, with their usage counted once. */
export async function runInspect(command: InspectCommand, io: CliIo, outcome: Outcome): Promise<void> {
  const [path, ...more] = command.paths;
  if (path === undefined) return;
  if (command.handles !== undefined) {
    const { runHandles } = await import("./otherCommands");
    await runHandles(path, command.handles, command, io, outcome);
    return;
  }
  const stat = await io.files.stat(resolve(io.cwd, path));
  if (more.length > 0 || stat.kind === "directory") await inspectMany(command, io, outcome);
  else await inspectOne(path, command, io, outcome);
}

async function inspectOne(path: string, command: InspectCommand, io: CliIo, outcome: Outcome): Promise<void> {
  const source = await openInput(path, io);
  if (!source.ok) {
    await write(emptyReport(path, reportProblem(source.error)), undefined, command, io, outcome);
    return;
  }
  const database = await databaseOf(source.value, command, io);
  if (!database.ok) {
    await write(emptyReport(path, reportProblem(database.error)), undefined, command, io, outcome);
    return;
  }
  try {
    const reading = await readReport(path, source.value, command, io, database.value);
    const context =
      reading.header === undefined || command.summary
        ? undefined
        : {
            source: source.value,
            database: database.value,
            header: reading.header,
            places: await io.places(),
            left: reading.left,
            io,
          };
    await write(reading, context, command, io, outcome);
  } finally {
    database.value?.close();
  }
}

/** Judges one reading and writes it. */
async function write(
  reading: Reading,
  context: ReportContext | undefined,
  command: InspectCommand,
  io: CliIo,
  outcome: Outcome,
): Promise<void> {
  judge(reading, outcome);
  if (command.json) {
    await writeJson(reading, context, "", io);
    await io.stdout.write("\n");
    return;
  }
  const look = lookOf(io);
  const { report } = reading;
  if (reading.header !== undefined) {
    await io.stdout.write(headText(report, look));
    for (const thread of context === undefined ? [] : report.threads) {
      const results = await collectResults(reading, thread.id, context);
      if (results.length === 0) continue;
      const title = report.threads.length > 1 ? `\n${plain(thread.title)} (${thread.kind})\n` : "\n";
      await io.stdout.write(title + resultsText(results, look));
    }
  }
  const problems = problemsText(report.file, report.problems, look);
  if (problems !== "") await io.stdout.write(reading.header === undefined ? problems : `\n${problems}`);
}

async function collectResults(
  reading: Reading,
  threadId: string,
  context: ReportContext | undefined,
): Promise<readonly ResultReport[]> {
  const results: ResultReport[] = [];
  // Previews are for the machine form; the table does without and need not hold them.
  for await (const result of resultsOf(reading, threadId, context)) results.push({ ...result, preview: null });
  // Before paths are shortened to fit a terminal.
  return context === undefined ? results : maskStrings(results, context.io.secrets);
}
