import { type ReportProblem, reportProblem } from "../core/model/reportProblem";
import type { ResultState, Thread, ToolResult, TranscriptHeader } from "../core/model/transcript";
import { type Database, type FileSource, NEVER_CANCELLED } from "../core/ports";
import { readDatabase } from "../core/transcript/database/readDatabase";
import { readTranscript } from "../core/transcript/read";
import { Summary } from "../core/transcript/summary";
import type { InspectCommand } from "./args";
import type { CliIo } from "./io";
import { type InspectReport, type LedgerReport, ledgerReport, type Totals } from "./report";

/** A transcript read to its end: totals, and what is needed to report each result. No bodies. */
export interface Reading {
  readonly header: TranscriptHeader | undefined;
  /** Everything but the results, which are reported one by one. */
  readonly report: InspectReport;
  /** Latest form of each result; empty when only totals were asked for. */
  readonly results: readonly ToolResult[];
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
): Promise<Reading> {
  const summary = new Summary();
  const states: ResultState[] = [];
  const problems: ReportProblem[] = [];
  const models = new Map<string, Thread["model"]>();
  const results: ToolResult[] = [];
  let ledger: LedgerReport | null = null;
  const options = command.format === undefined ? {} : { format: command.format };
  const batches =
    database === undefined
      ? readTranscript(source, io, options, NEVER_CANCELLED)
      : readDatabase(database, io, NEVER_CANCELLED);
  for await (const batch of batches) {
    summary.add(batch);
    for (const event of batch) {
      if (event.kind === "problem") problems.push(reportProblem(event.problem));
      else if (event.kind === "ledger") ledger = ledgerReport(event.ledger);
      else if (event.kind === "thread") models.set(event.thread.id, event.thread.model);
      else if (event.kind === "result") {
        states[event.result.index] = event.result.state;
        if (!command.summary) results[event.result.index] = event.result;
      }
    }
  }
  const header = summary.transcript;
  return {
    header,
    results,
    report: {
      file,
      format: header?.format ?? null,
      model: header?.model ?? null,
      unit: header?.unit ?? null,
      totals: totalsOf(summary, states),
      ledger,
      threads: summary.threads().map(({ id, title, kind, calls, messages }) => ({
        id,
        title,
        kind,
        model: models.get(id) ?? null,
        calls,
        messages,
      })),
      problems,
    },
  };
}

/** The report of something that could not be opened at all. */
export function emptyReport(file: string, problem: ReportProblem): Reading {
  const totals = totalsOf(new Summary(), []);
  return {
    header: undefined,
    results: [],
    report: { file, format: null, model: null, unit: null, totals, ledger: null, threads: [], problems: [problem] },
  };
}

function totalsOf(summary: Summary, states: readonly ResultState[]): Totals {
  const { calls, messages, results, chars, charsKeptOut, resultsLeft, charsLeft, measuredTokens } = summary.totals();
  const count = { inline: 0, persisted: 0, truncated: 0, handle: 0, cleared: 0, pruned: 0, duplicate: 0, missing: 0 };
  for (const state of states) count[state] += 1;
  return { calls, messages, results, states: count, chars, charsKeptOut, resultsLeft, charsLeft, measuredTokens };
}
