import type { HandleRow, HandlesPage, MomentAsked } from "../core/model/handlesPage";
import { err, ok, type Problem, type Result } from "../core/model/problem";
import { reportProblem } from "../core/model/reportProblem";
import { HANDLE_USES } from "../core/model/resultHandle";
import { type Database, type FileSource, NEVER_CANCELLED } from "../core/ports";
import { momentOfPage, withFoundFile } from "../core/results/handles/foundFile";
import type { Moment } from "../core/results/handles/readable";
import { maskStrings } from "../core/secrets/maskStrings";
import { collect } from "../core/transcript/collect";
import { readDatabase } from "../core/transcript/database/readDatabase";
import type { TranscriptIndex } from "../core/transcript/events";
import { LeftContext } from "../core/transcript/leftContext";
import { readTranscript } from "../core/transcript/read";
import { handlesPage, scanHandles } from "../node/simulation/handlesPage";
import type { InspectCommand } from "./args";
import { type HandleReport, type HandlesReport, handleReport, momentReport } from "./handlesReport";
import { databaseOf, lookOf } from "./inspectOutput";
import { MAX_ROWS, problemsText } from "./inspectText";
import type { CliIo, Outcome } from "./io";
import { bodyReader } from "./loadThread";
import { openInput } from "./readInput";
import { fileFacts, previewOf, type ReportContext } from "./resultReport";
import { type Column, counted, grouped, middle, paint, plain, table } from "./text";

/** `context-budget inspect --handles`: what was left in the place of large results, and what became of it. */
export async function runHandles(
  path: string,
  at: MomentAsked,
  command: InspectCommand,
  io: CliIo,
  outcome: Outcome,
): Promise<void> {
  const source = await openInput(path, io);
  if (!source.ok) return failed(path, source.error, io, outcome);
  const database = await databaseOf(source.value, command, io);
  if (!database.ok) return failed(path, database.error, io, outcome);
  try {
    const found = await find(source.value, database.value, at, command, io);
    if (!found.ok) return await failed(path, found.error, io, outcome);
    if (command.json) await writeJson(path, found.value, at, io);
    else await writeText(path, found.value, at, io);
  } finally {
    database.value?.close();
  }
}

async function failed(path: string, problem: Problem, io: CliIo, outcome: Outcome): Promise<void> {
  outcome.unusable();
  await io.stderr.write(problemsText(path, [reportProblem(problem)], lookOf(io)));
}

interface Found {
  readonly header: NonNullable<TranscriptIndex["header"]>;
  readonly page: HandlesPage;
}

async function find(
  source: FileSource,
  database: Database | undefined,
  asked: MomentAsked,
  command: Pick<InspectCommand, "format">,
  io: CliIo,
): Promise<Result<Found>> {
  const options = command.format === undefined ? {} : { format: command.format };
  const index = await collect(
    database === undefined
      ? readTranscript(source, io, options, NEVER_CANCELLED)
      : readDatabase(database, io, NEVER_CANCELLED),
  );
  const { header } = index;
  if (header === undefined) {
    const message = "The file is no transcript.";
    return err(index.problems[0] ?? { code: "unknown-format", severity: "error", message });
  }
  const reader = await bodyReader(index, source, database, io);
  if (!reader.ok) return reader;
  const { record, around, ...bodies } = reader.value;
  const transcript = { index, bodies, record, ...(around === undefined ? {} : { around }) };
  const scan = await scanHandles(transcript, NEVER_CANCELLED, () => undefined);
  if (scan === undefined) throw new Error("nobody can cancel it");
  const now = io.clock.now();
  const all = { moment: asked, use: null, from: 0, count: Number.MAX_SAFE_INTEGER };
  const page = await handlesPage(transcript, scan, all, now);
  const context = { source, database, header, places: await io.places(), left: new LeftContext(), io };
  const rows: HandleRow[] = [];
  const moment = momentOfPage(page, asked, now);
  for (const row of page.rows) rows.push(await withFile(row, index, moment, context));
  return ok({ header, page: { ...page, rows } });
}

async function withFile(
  row: HandleRow,
  { results }: TranscriptIndex,
  moment: Moment,
  context: ReportContext,
): Promise<HandleRow> {
  const result = results[row.row];
  if (row.kind !== "file" || result === undefined) return row;
  const { status, ageMs } = await fileFacts(result, await previewOf(result, context), context);
  return withFoundFile(row, moment, { status, ageMs: ageMs ?? undefined }, context.io.clock.now());
}

/** One handle on a line of its own, so that a long list is never held as one text. */
async function writeJson(path: string, { header, page }: Found, at: MomentAsked, io: CliIo): Promise<void> {
  const head: Omit<HandlesReport, "handles"> = {
    file: path,
    format: header.format,
    unit: header.unit,
    moment: momentReport(page, at.kind),
    counts: page.counts,
    omitted: page.omitted,
  };
  let text = "{";
  for (const [key, value] of Object.entries(head)) text += `\n  ${JSON.stringify(key)}: ${JSON.stringify(value)},`;
  text += '\n  "handles": [';
  for (const [number, row] of page.rows.entries()) {
    const handle: HandleReport = handleReport(row);
    await io.stdout.write(`${text}${number === 0 ? "" : ","}\n    ${JSON.stringify(handle)}`);
    text = "";
  }
  await io.stdout.write(`${text}${page.rows.length === 0 ? "" : "\n  "}]\n}\n`);
}

const WORDS: Readonly<Record<keyof HandlesPage["counts"], string>> = {
  never: "never read again",
  read: "read",
  repeated: "repeated",
  unknown: "not known",
};
const READABLE: Readonly<Record<HandleRow["readable"], string>> = {
  yes: "readable",
  no: "gone",
  unknown: "not known",
  "not-yet": "not there yet",
};
const COLUMNS: readonly Column[] = [
  { title: "line", right: true },
  { title: "call", right: true },
  { title: "tool" },
  { title: "readable" },
  { title: "used" },
  { title: "handle or path" },
];
/** Characters of a name on a terminal. */
const NAME_WIDTH = 56;

/** `12 handles: 7 never read again, 3 read, 2 repeated` */
function handlesSummary({ counts }: Pick<HandlesPage, "counts">): string {
  const total = HANDLE_USES.reduce((sum, use) => sum + counts[use], 0);
  if (total === 0) return "no handles in this transcript";
  const uses = HANDLE_USES.filter((use) => counts[use] > 0).map((use) => `${grouped(counts[use])} ${WORDS[use]}`);
  return `${counted(total, "handle")}: ${uses.join(", ")}`;
}

async function writeText(path: string, { page }: Found, at: MomentAsked, io: CliIo): Promise<void> {
  const look = lookOf(io);
  const asked =
    at.kind === "call" ? `at call ${grouped(page.calls?.call ?? 0)}` : at.kind === "end" ? "at its end" : "now";
  const time = at.kind === "now" || page.at === null ? "" : `, ${new Date(page.at).toISOString()}`;
  const head = `${paint(plain(path), "bold", look.colour)}\n${handlesSummary(page)}\n`;
  if (page.rows.length === 0) {
    await io.stdout.write(head);
    return;
  }
  const rows = await maskStrings(page.rows.slice(0, MAX_ROWS), io.secrets);
  const cells = rows.map((row) => [
    grouped(row.line),
    row.call === null ? "–" : grouped(row.call),
    plain(row.tool ?? "–"),
    `${READABLE[row.readable]} (${row.why})`,
    useText(row),
    look.isTTY ? middle(plain(row.name), NAME_WIDTH) : plain(row.name),
  ]);
  const more = page.rows.length - rows.length + page.omitted;
  const rest = more > 0 ? `… and ${grouped(more)} more; --json lists them\n` : "";
  await io.stdout.write(`${head}readable ${asked}${time}\n\n${table(COLUMNS, cells)}${rest}`);
}

function useText({ use, readWell, reads, repeatCount, maybeCount, unknownCalls }: HandleRow): string {
  switch (use) {
    case "read": {
      const lines = reads.filter(({ outcome }) => outcome === "read").map(({ line }) => grouped(line));
      return `read ${counted(readWell, "time")} (line ${lines.slice(0, 3).join(", ")}${lines.length > 3 ? ", …" : ""})`;
    }
    case "repeated":
      return `repeated ${counted(repeatCount, "time")}`;
    case "unknown":
      return `not known (${counted(maybeCount + unknownCalls, "call")})`;
    case "never":
      return WORDS.never;
  }
}
