import { relative, resolve, sep } from "node:path";
import type { Problem } from "../core/model/problem";
import { reportProblem } from "../core/model/reportProblem";
import { type Database, type FileSource, NEVER_CANCELLED } from "../core/ports";
import { sniff } from "../core/transcript/sniff";
import { unreadable } from "../core/transcript/unreadable";
import { type UsageOverFiles, UsageSum } from "../core/transcript/usageOverFiles";
import { withoutTrailing } from "../core/util/withoutTrailing";
import type { InspectCommand } from "./args";
import { findTranscripts } from "./findTranscripts";
import { emptyReport, type Reading, readReport } from "./inspectFile";
import { databaseOf, judge, lookOf, writeJson } from "./inspectOutput";
import { folderText, overallText, problemsText } from "./inspectText";
import type { CliIo, Outcome } from "./io";
import { openInput } from "./readInput";
import { type InspectReport, overallReport } from "./report";
import type { ReportContext } from "./resultReport";
import { counted, grouped, plain } from "./text";

interface Named {
  /** Absolute. */
  readonly path: string;
  /** As a user would type it: a path as given, or below the folder as given. */
  readonly name: string;
  /** Found in a folder, where a file that is no transcript is nothing to complain about. */
  readonly found: boolean;
  /** Why it cannot be looked at, where that is known already. */
  readonly problem?: Problem;
}

/** Several transcripts, and those below folders: a line for each, and their usage with every request counted once. */
export async function inspectMany(command: InspectCommand, io: CliIo, outcome: Outcome): Promise<void> {
  const places = command.json && !command.summary ? await io.places() : undefined;
  const overall = new UsageSum();
  const rows: InspectReport[] = [];
  const passed = { unsupported: 0, other: 0 };
  let transcripts = 0;
  if (command.json) await io.stdout.write('{"reports": [');
  for await (const named of candidates(command, io)) {
    const read = await readCandidate(named, command, io, overall);
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
      const { header, left } = reading;
      const context =
        places === undefined || header === undefined || source === undefined
          ? undefined
          : { source, database, header, places, left, io };
      await writeJson(reading, context, "  ", io);
    } finally {
      database?.close();
    }
  }
  const total = overall.total();
  if (command.json) {
    const end = transcripts === 0 ? "]" : "\n]";
    await io.stdout.write(`${end}, "overall": ${JSON.stringify(overallReport(total))}}\n`);
  } else {
    await io.stdout.write(summaryText(rows, passed, total, command, io));
  }
}

/** The files that are meant, each once, in the order given. */
async function* candidates(command: InspectCommand, io: CliIo): AsyncGenerator<Named> {
  const seen = new Set<string>();
  for (const given of command.paths) {
    const path = resolve(io.cwd, given);
    const stat = await io.files.stat(path);
    if (stat.kind !== "directory") {
      if (!seen.has(path)) yield { path, name: given, found: false };
      seen.add(path);
      continue;
    }
    const { files, capped, unreadable: closed } = await findTranscripts(path, io, NEVER_CANCELLED);
    const nameOf = (below: string): string =>
      below === path ? given : [withoutTrailing(given, "\\/"), relative(path, below)].join(sep);
    for (const { path: folder, error } of closed) {
      yield { path: folder, name: nameOf(folder), found: true, problem: unreadable({ path: folder }, error) };
    }
    for (const file of files) {
      if (seen.has(file)) continue;
      seen.add(file);
      yield { path: file, name: nameOf(file), found: true };
    }
    if (capped === undefined) continue;
    const text = `${plain(given)} has ${capped}; the rest was not looked at. Name a folder further down.`;
    await io.stderr.write(`context-budget: ${text}\n`);
  }
}

interface Candidate {
  readonly reading: Reading;
  readonly source: ReportContext["source"] | undefined;
  /** Open; whoever asked for the candidate closes it. */
  readonly database: Database | undefined;
}

/** A word instead when a file of a folder is, by its content, no transcript that can be read. */
async function readCandidate(
  { path, name, found, problem }: Named,
  command: InspectCommand,
  io: CliIo,
  overall: UsageSum,
): Promise<Candidate | keyof Passed> {
  const unread = (why: Problem): Candidate => ({
    reading: emptyReport(name, reportProblem(why)),
    source: undefined,
    database: undefined,
  });
  if (problem !== undefined) return unread(problem);
  const source = await openInput(path, io);
  if (!source.ok) return unread(source.error);
  const opened = await databaseOf(source.value, command, io);
  if (!opened.ok) return unread(opened.error);
  const database = opened.value;
  if (database !== undefined) {
    const reading = await readReport(name, source.value, command, io, database, overall);
    const code = reading.header === undefined ? reading.report.problems[0]?.code : undefined;
    if (!found || (code !== "unsupported-format" && code !== "unknown-format")) {
      return { reading, source: source.value, database };
    }
    database.close();
    return code === "unsupported-format" ? "unsupported" : "other";
  }
  const kind = found ? await passedOver(source.value, command, io) : undefined;
  if (typeof kind === "string") return kind;
  if (kind !== undefined) return unread(kind);
  const reading = await readReport(name, source.value, command, io, undefined, overall);
  // The pieces of a store are in the session that they belong to.
  if (found && reading.header?.format === "opencode-storage") return "other";
  return { reading, source: source.value, database: undefined };
}

/** Why a file of a folder is not read: it is no transcript (a word), or it cannot be read (the problem). */
async function passedOver(
  source: FileSource,
  command: InspectCommand,
  io: CliIo,
): Promise<keyof Passed | Problem | undefined> {
  if (command.format !== undefined) return undefined;
  const format = await sniff(source, io);
  if (format.ok) return undefined;
  if (format.error.code === "unsupported-format") return "unsupported";
  return format.error.code === "unreadable" ? format.error : "other";
}

/** Files of a folder that were passed over. */
interface Passed {
  readonly unsupported: number;
  readonly other: number;
}

function summaryText(
  rows: readonly InspectReport[],
  passed: Passed,
  overall: UsageOverFiles,
  command: InspectCommand,
  io: CliIo,
): string {
  const rest = [
    ...(passed.unsupported === 0 ? [] : [`${grouped(passed.unsupported)} in formats that are not supported yet`]),
    ...(passed.other === 0
      ? []
      : [counted(passed.other, "other file is no transcript", "other files are no transcripts")]),
  ].map((text) => `; ${text}`);
  if (rows.length === 0) return `${plain(command.paths.join(" "))}: no transcripts found${rest.join("")}\n`;
  const look = lookOf(io);
  const problems = rows.map((row) => problemsText(row.file, row.problems, look)).join("");
  const table = `${folderText(rows)}${counted(rows.length, "transcript")}${rest.join("")}\n${overallText(overall)}`;
  return problems === "" ? table : `${table}\n${problems}`;
}
