import { ok, type Result } from "../core/model/problem";
import type { Database, FileSource } from "../core/ports";
import type { InspectCommand } from "./args";
import type { Reading } from "./inspectFile";
import type { Look } from "./inspectText";
import type { CliIo, Outcome } from "./io";
import { openIfDatabase } from "./readInput";
import type { ResultReport } from "./report";
import { type ReportContext, resultReport } from "./resultReport";

/** A named format means a file of records, whatever it looks like. */
export async function databaseOf(
  source: FileSource,
  command: InspectCommand,
  io: CliIo,
): Promise<Result<Database | undefined>> {
  return command.format === undefined ? openIfDatabase(source, io) : ok(undefined);
}

export function judge(reading: Reading, outcome: Outcome): void {
  if (reading.header === undefined) outcome.unusable();
  else if (reading.report.problems.some((problem) => problem.severity === "error")) outcome.problems();
}

export function lookOf(io: CliIo): Look {
  return { isTTY: io.stdout.isTTY, colour: io.colour && io.stdout.isTTY };
}

/** A thread's results one by one; none without a context. */
export async function* resultsOf(
  reading: Reading,
  threadId: string,
  context: ReportContext | undefined,
): AsyncGenerator<ResultReport> {
  if (context === undefined) return;
  // Indexes may have gaps where a reader gave up on a record.
  for (const result of reading.results) {
    if (result?.threadId === threadId) yield await resultReport(result, context);
  }
}

/** Writes one report piece by piece, each result on a line of its own, so that a long transcript's previews are never held together. */
export async function writeJson(
  reading: Reading,
  context: ReportContext | undefined,
  indent: string,
  io: CliIo,
): Promise<void> {
  const { threads, problems, ...head } = reading.report;
  const line = (depth: number, text: string): string => `\n${indent}${"  ".repeat(depth)}${text}`;
  let text = "{";
  for (const [key, value] of Object.entries(head)) text += line(1, `${JSON.stringify(key)}: ${JSON.stringify(value)},`);
  text += line(1, '"threads": [');
  for (const [index, thread] of threads.entries()) {
    const rest = JSON.stringify(thread);
    if (context === undefined) {
      text += line(2, `${rest}${index < threads.length - 1 ? "," : ""}`);
      continue;
    }
    text += line(2, `${rest.slice(0, -1)},"results":[`);
    let first = true;
    for await (const result of resultsOf(reading, thread.id, context)) {
      await io.stdout.write(`${text}${first ? "" : ","}${line(3, JSON.stringify(result))}`);
      text = "";
      first = false;
    }
    text += `${first ? "" : line(2, "")}]}${index < threads.length - 1 ? "," : ""}`;
  }
  text += `${threads.length === 0 ? "" : line(1, "")}],${line(1, '"problems": [')}`;
  text += problems.map((problem) => line(2, JSON.stringify(problem))).join(",");
  text += `${problems.length === 0 ? "" : line(1, "")}]\n${indent}}`;
  await io.stdout.write(text);
}
