import { relative, resolve, sep } from "node:path";
import { ok, type Problem, type Result } from "../core/model/problem";
import { reportProblem } from "../core/model/reportProblem";
import { type Database, type FileSource, NEVER_CANCELLED } from "../core/ports";
import { sniff } from "../core/transcript/sniff";
import type { InspectCommand } from "./args";
import { findTranscripts } from "./findTranscripts";
import { emptyReport, type Reading, readReport } from "./inspectFile";
import { folderText, headText, type Look, problemsText, resultsText } from "./inspectText";
import type { CliIo, Outcome } from "./io";
import { openIfDatabase, openInput } from "./readInput";
import type { InspectReport, ResultReport } from "./report";
import { type ReportContext, resultReport } from "./resultReport";
import { counted, grouped, plain } from "./text";

/** `context-budget inspect`: one transcript, or every transcript below a folder. */
export async function runInspect(command: InspectCommand, io: CliIo, outcome: Outcome): Promise<void> {
  const stat = await io.files.stat(resolve(io.cwd, command.path));
  if (stat.kind === "directory") await inspectFolder(command, io, outcome);
  else await inspectOne(command, io, outcome);
}

async function inspectOne(command: InspectCommand, io: CliIo, outcome: Outcome): Promise<void> {
  const source = await openInput(command.path, io);
  if (!source.ok) {
    await write(emptyReport(command.path, reportProblem(source.error)), undefined, command, io, outcome);
    return;
  }
  const database = await databaseOf(source.value, command, io);
  if (!database.ok) {
    await write(emptyReport(command.path, reportProblem(database.error)), undefined, command, io, outcome);
    return;
  }
  try {
    const reading = await readReport(command.path, source.value, command, io, database.value);
    const context =
      reading.header === undefined || command.summary
        ? undefined
        : {
            source: source.value,
            database: database.value,
            header: reading.header,
            places: await io.places(),
            io,
          };
    await write(reading, context, command, io, outcome);
  } finally {
    database.value?.close();
  }
}

/** A named format means a file of records, whatever it looks like. */
async function databaseOf(
  source: FileSource,
  command: InspectCommand,
  io: CliIo,
): Promise<Result<Database | undefined>> {
  return command.format === undefined ? openIfDatabase(source, io) : ok(undefined);
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

function judge(reading: Reading, outcome: Outcome): void {
  if (reading.header === undefined) outcome.unusable();
  else if (reading.report.problems.some((problem) => problem.severity === "error")) outcome.problems();
}

function lookOf(io: CliIo): Look {
  return { isTTY: io.stdout.isTTY, colour: io.colour && io.stdout.isTTY };
}

async function* resultsOf(
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

async function collectResults(
  reading: Reading,
  threadId: string,
  context: ReportContext | undefined,
): Promise<readonly ResultReport[]> {
  const results: ResultReport[] = [];
  // Previews are for the machine form; the table does without and need not hold them.
  for await (const result of resultsOf(reading, threadId, context)) results.push({ ...result, preview: null });
  return results;
}

/** Writes one report piece by piece, each result on a line of its own, so that a long transcript's previews are never held together. */
async function writeJson(
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

async function inspectFolder(command: InspectCommand, io: CliIo, outcome: Outcome): Promise<void> {
  const folder = resolve(io.cwd, command.path);
  const found = await findTranscripts(folder, io, NEVER_CANCELLED);
  const places = command.json && !command.summary ? await io.places() : undefined;
  const rows: InspectReport[] = [];
  const passed = { unsupported: 0, other: 0 };
  let transcripts = 0;
  if (command.json) await io.stdout.write("[");
  for (const path of found.files) {
    // Named the way a user would type it: below the folder as given.
    const name = [command.path.replace(/[\\/]+$/, ""), relative(folder, path)].join(sep);
    const read = await readCandidate(path, name, command, io);
    if (read === "unsupported" || read === "other") {
      passed[read] += 1;
      continue;
    }
    const { reading, source, database } = read;
    try {
      judge(reading, outcome);
      transcripts += 1;
      if (!command.json) {
        rows.push(reading.report);
        continue;
      }
      await io.stdout.write(transcripts === 1 ? "\n  " : ",\n  ");
      const context =
        places === undefined || reading.header === undefined || source === undefined
          ? undefined
          : { source, database, header: reading.header, places, io };
      await writeJson(reading, context, "  ", io);
    } finally {
      database?.close();
    }
  }
  if (command.json) {
    await io.stdout.write(transcripts === 0 ? "]\n" : "\n]\n");
  } else {
    await io.stdout.write(folderSummary(rows, passed, command.path, io));
  }
  if (found.capped !== undefined) {
    await io.stderr.write(
      `context-budget: ${plain(command.path)} has ${found.capped}; the rest was not looked at. Name a folder further down.\n`,
    );
  }
}

interface Candidate {
  readonly reading: Reading;
  readonly source: ReportContext["source"] | undefined;
  /** Open; whoever asked for the candidate closes it. */
  readonly database: Database | undefined;
}

/** A word instead when the content is no transcript that can be read: in a folder that is nothing to complain about. */
async function readCandidate(
  path: string,
  name: string,
  command: InspectCommand,
  io: CliIo,
): Promise<Candidate | keyof Passed> {
  const source = await openInput(path, io);
  const unread = (problem: Problem): Candidate => ({
    reading: emptyReport(name, reportProblem(problem)),
    source: undefined,
    database: undefined,
  });
  if (!source.ok) return unread(source.error);
  const opened = await databaseOf(source.value, command, io);
  if (!opened.ok) return unread(opened.error);
  if (opened.value !== undefined) return readDatabaseCandidate(opened.value, source.value, name, command, io);
  const format = command.format ?? (await sniff(source.value, io));
  if (typeof format === "object" && !format.ok) {
    if (format.error.code === "unsupported-format") return "unsupported";
    if (format.error.code !== "unreadable") return "other";
    return unread(format.error);
  }
  const reading = await readReport(name, source.value, command, io);
  // The pieces of a store are in the session that they belong to.
  if (reading.header?.format === "opencode-storage") return "other";
  return { reading, source: source.value, database: undefined };
}

async function readDatabaseCandidate(
  database: Database,
  source: FileSource,
  name: string,
  command: InspectCommand,
  io: CliIo,
): Promise<Candidate | keyof Passed> {
  const reading = await readReport(name, source, command, io, database);
  const code = reading.header === undefined ? reading.report.problems[0]?.code : undefined;
  if (code !== "unsupported-format" && code !== "unknown-format") return { reading, source, database };
  database.close();
  return code === "unsupported-format" ? "unsupported" : "other";
}

/** Files of a folder that were passed over. */
interface Passed {
  readonly unsupported: number;
  readonly other: number;
}

function folderSummary(rows: readonly InspectReport[], passed: Passed, path: string, io: CliIo): string {
  const rest = [
    ...(passed.unsupported === 0 ? [] : [`${grouped(passed.unsupported)} in formats that are not supported yet`]),
    ...(passed.other === 0
      ? []
      : [counted(passed.other, "other file is no transcript", "other files are no transcripts")]),
  ].map((text) => `; ${text}`);
  if (rows.length === 0) return `${plain(path)}: no transcripts found${rest.join("")}\n`;
  const look = lookOf(io);
  const problems = rows.map((row) => problemsText(row.file, row.problems, look)).join("");
  const table = `${folderText(rows)}${counted(rows.length, "transcript")}${rest.join("")}\n`;
  return problems === "" ? table : `${table}\n${problems}`;
}
