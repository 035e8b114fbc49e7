import { type ReportProblem, reportProblem } from "../core/model/reportProblem";
import type { Thread, ThreadUsage, ToolResult, TranscriptHeader } from "../core/model/transcript";
import { type Database, type FileSource, NEVER_CANCELLED } from "../core/ports";
import { readDatabase } from "../core/transcript/database/readDatabase";
import type { TranscriptEvent } from "../core/transcript/events";
import { LeftContext } from "../core/transcript/leftContext";
import { readTranscript } from "../core/transcript/read";
import { ResultStates } from "../core/transcript/resultStates";
import { callEvents } from "../core/transcript/rows/rowEvents";
import type { RowSink } from "../core/transcript/rows/rowFold";
import { Summary, type ThreadTotals } from "../core/transcript/summary";
import { timesAhead } from "../core/transcript/timesAhead";
import { UsageByThread } from "../core/transcript/usageByThread";
import type { UsageSum } from "../core/transcript/usageOverFiles";
import type { InspectCommand } from "./args";
import { Compactions } from "./compactions";
import type { CliIo } from "./io";
import {
  type InspectReport,
  type LedgerReport,
  ledgerReport,
  type StatedUsageReport,
  type ThreadReport,
  type Totals,
  type UsageReport,
  usageReport,
} from "./report";

/** A transcript read to its end: totals, and what is needed to report each result. No bodies. */
export interface Reading {
  readonly header: TranscriptHeader | undefined;
  /** Everything but the results, which are reported one by one. */
  readonly report: InspectReport;
  /** Latest form of each result; empty when only totals were asked for. */
  readonly results: readonly ToolResult[];
  readonly left: LeftContext;
}

/**
 * Reads one transcript in a single pass. With `summary` only counters are kept (a few bytes per result), so memory stays
 * bounded however long the transcript is. With `database` that is read instead of the file's bytes.
 */
export async function readReport(
  file: string,
  source: FileSource,
  command: Pick<InspectCommand, "format" | "summary">,
  io: CliIo,
  database?: Database,
  overall?: UsageSum,
): Promise<Reading> {
  const left = new LeftContext();
  const usage = new UsageByThread();
  const summary = new Summary();
  const states = new ResultStates();
  const problems: ReportProblem[] = [];
  const threads = new Map<string, Thread>();
  const compactions = new Compactions();
  const results: ToolResult[] = [];
  let ledger: LedgerReport | null = null;
  const format = command.format === undefined ? {} : { format: command.format };
  const take = (events: readonly TranscriptEvent[]): void => {
    summary.add(events);
    usage.add(events);
    states.add(events);
    overall?.add(events);
    if (!command.summary) left.add(events);
    for (const event of events) {
      if (event.kind === "problem") problems.push(reportProblem(event.problem));
      else if (event.kind === "ledger") ledger = ledgerReport(event.ledger);
      else if (event.kind === "thread") threads.set(event.thread.id, event.thread);
      else if (event.kind === "compaction") compactions.add(event);
      else if (event.kind === "result" && !command.summary) results[event.result.index] = event.result;
    }
  };
  const sink: RowSink = {
    events: take,
    totals: (totals) => {
      summary.rows(totals);
      usage.rows(totals);
      states.rows(totals);
    },
    ...(overall === undefined ? {} : { rows: (run) => overall.add([...callEvents(run)]) }),
  };
  const batches =
    database === undefined
      ? readTranscript(source, io, command.summary ? { ...format, sink } : format, NEVER_CANCELLED)
      : readDatabase(database, io, NEVER_CANCELLED);
  for await (const batch of batches) take(batch);
  const ahead = timesAhead(threads.values(), io.clock.now());
  if (ahead !== undefined) problems.push(reportProblem(ahead));
  const header = summary.transcript;
  if (header !== undefined) overall?.end(file);
  return {
    header,
    results,
    left,
    report: {
      file,
      format: header?.format ?? null,
      model: header?.model ?? null,
      unit: header?.unit ?? null,
      totals: totalsOf(summary, states),
      ledger,
      threads: summary.threads().map((totals) => ({
        ...threadReport(totals, threads.get(totals.id), usageReport(usage.of(totals.id))),
        ...compactions.of(totals.id),
      })),
      problems,
    },
  };
}

/** The report of something that could not be opened at all. */
export function emptyReport(file: string, problem: ReportProblem): Reading {
  const totals = totalsOf(new Summary(), new ResultStates());
  return {
    header: undefined,
    results: [],
    left: new LeftContext(),
    report: { file, format: null, model: null, unit: null, totals, ledger: null, threads: [], problems: [problem] },
  };
}

function threadReport(
  { id, title, kind, calls, messages, chars, resultsLeft, charsLeft, measuredTokens }: ThreadTotals,
  thread: Thread | undefined,
  usage: UsageReport | null,
): Omit<ThreadReport, "compactions" | "compactionsOmitted"> {
  return {
    id,
    title,
    kind,
    model: thread?.model ?? null,
    startedAt: thread?.startedAt ?? null,
    source: thread?.source ?? null,
    project: thread?.project ?? null,
    parent: thread?.parent ?? null,
    calls,
    messages,
    usage,
    statedUsage: thread?.usage === undefined || thread.usage.length === 0 ? null : thread.usage.map(statedUsage),
    chars,
    resultsLeft,
    charsLeft,
    measuredTokens,
  };
}

function statedUsage({ model, task, calls, input, cacheRead, cacheWrite, output }: ThreadUsage): StatedUsageReport {
  return {
    model: model ?? null,
    task: task ?? null,
    calls: calls ?? null,
    input: input ?? null,
    cacheRead: cacheRead ?? null,
    cacheWrite: cacheWrite ?? null,
    output: output ?? null,
  };
}

function totalsOf(summary: Summary, states: ResultStates): Totals {
  const { calls, messages, results, chars, charsKeptOut, resultsLeft, charsLeft, measuredTokens } = summary.totals();
  return {
    calls,
    messages,
    results,
    states: states.counts(),
    chars,
    charsKeptOut,
    resultsLeft,
    charsLeft,
    measuredTokens,
  };
}
