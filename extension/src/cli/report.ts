/** JSON of `check --json` and `inspect --json`. Described by schemas/report.schema.json; a test keeps the two equal. */
import type { Placeholder } from "../core/config/expand";
import type { FileStatus } from "../core/model/fileStatus";
import type { LoaderId } from "../core/model/loader";
import type { Problem, Severity } from "../core/model/problem";
import type { ReportProblem } from "../core/model/reportProblem";
import type { CharUnit, CompactionKind, FormatId, ResultState, ThreadParent } from "../core/model/transcript";
import type { LedgerTally, NotCountedReason, UsageLedger } from "../core/model/usageLedger";
import type { UsageTotals } from "../core/transcript/timeline";
import type { UsageOverFiles } from "../core/transcript/usageOverFiles";
import type { LineIndex, PositionRange } from "./lines";

export interface CheckProblem {
  readonly code: string;
  readonly severity: Severity;
  readonly message: string;
  readonly range: PositionRange | null;
}

export interface CheckReport {
  /** As named on the command line. */
  readonly file: string;
  readonly loader: LoaderId;
  /** The value as the agent's loader makes it: text as written, Python type name, Python repr. */
  readonly value: { readonly text: string; readonly type: string; readonly repr: string } | null;
  readonly verdict: "accepted" | "unset" | "rejected" | "absent";
  /** Code points. A string of decimal digits where a double could not hold it exactly (above 2^53 − 1). */
  readonly threshold: number | string | null;
  readonly reason: string | null;
  /** `${…}` in the values of keys that decide about context. */
  readonly variables: readonly CheckVariable[];
  /** Files besides this one that count; null with `--no-environment`. */
  readonly around: {
    readonly envFile: { readonly path: string; readonly read: boolean } | null;
    readonly managedFile: { readonly path: string; readonly read: boolean };
  } | null;
  readonly problems: readonly CheckProblem[];
}

/** One `${…}` of a value. */
export interface CheckVariable {
  /** Dotted name of the key. */
  readonly key: string;
  /** As written. */
  readonly written: string;
  readonly kind: Placeholder["kind"];
  /** What it stands for; dots where that looks like a secret, null where nothing is known. */
  readonly value: string | null;
  /** Where that stands, in words. */
  readonly source: string | null;
}

export interface FileFacts {
  readonly status: FileStatus;
  /** Where the path was found on this machine, after re-basing; null when nowhere. */
  readonly resolvedPath: string | null;
  /** Size of the file in `statedUnit`; null when it was not read. */
  readonly realChars: number | null;
  readonly realBytes: number | null;
  readonly ageMs: number | null;
  readonly inKnownFolder: boolean;
  readonly notes: readonly string[];
}

export interface ResultReport {
  readonly index: number;
  readonly tool: string | null;
  readonly callId: string | null;
  readonly turn: number | null;
  readonly call: number | null;
  readonly line: number;
  readonly state: ResultState;
  /** Characters that stand in context, or stood there until a compaction, in `unit`. */
  readonly chars: number;
  /** Characters of the full text as the notice states them, in `statedUnit`. */
  readonly statedChars: number | null;
  /** Unit in which the agent that wrote the notice counts; null without a notice. */
  readonly statedUnit: CharUnit | null;
  readonly statedRounded: boolean;
  readonly images: number;
  readonly isError: boolean;
  readonly orphan: boolean;
  readonly path: string | null;
  readonly handle: string | null;
  readonly nextOffset: number | null;
  /** What the notice shows of the full text; null for inline results and notices without one. */
  readonly preview: string | null;
  /** The compaction that took it out of context; null while it stands there. */
  readonly leftBy: LeftByReport | null;
  readonly file: FileFacts;
}

/** A point at which content left the context, as the transcript tells it. */
export interface CompactionReport {
  readonly what: CompactionKind;
  /** As the agent names it; null when it does not say. */
  readonly trigger: string | null;
  readonly line: number;
  /** Tokens in context before and after it, and taken out by it, as stated; null = not stated. */
  readonly tokensBefore: number | null;
  readonly tokensAfter: number | null;
  readonly tokensFreed: number | null;
}

export interface LeftByReport {
  readonly what: CompactionKind;
  /** As the agent names it; null when it does not say. */
  readonly trigger: string | null;
  readonly line: number;
}

export interface ThreadReport {
  readonly id: string;
  readonly title: string;
  readonly kind: "main" | "subagent" | "sidechain";
  readonly model: string | null;
  readonly startedAt: string | null;
  /** Where the session came from, as the agent names it (cli, telegram, cron, …). */
  readonly source: string | null;
  /** Folder that the agent worked in. */
  readonly project: string | null;
  /** The session that this one came out of, which may not be in the file. */
  readonly parent: ThreadParent | null;
  readonly calls: number;
  readonly messages: number;
  /** Characters in its context, in `unit`; results that a compaction took out of it, and their characters. */
  readonly chars: number;
  readonly resultsLeft: number;
  readonly charsLeft: number;
  /** Tokens in the context of its newest call; null where that one states none. */
  readonly measuredTokens: number | null;
  /** Sums over the calls that state usage; null when none does. */
  readonly usage: UsageReport | null;
  /** What the agent itself says that the whole session used; null when it keeps no such sums. */
  readonly statedUsage: readonly StatedUsageReport[] | null;
  /** In the order told. */
  readonly compactions: readonly CompactionReport[];
  /** Further ones, which are only counted. */
  readonly compactionsOmitted: number;
  /** Left out with `--summary`. */
  readonly results?: readonly ResultReport[];
}

/** Tokens; null = not stated. */
export interface UsageReport {
  readonly calls: number | null;
  readonly input: number | null;
  readonly cacheRead: number | null;
  readonly cacheWrite: number | null;
  readonly output: number | null;
}

export interface StatedUsageReport extends UsageReport {
  readonly model: string | null;
  /** Background work has a name of its own. */
  readonly task: string | null;
}

export interface Totals {
  readonly calls: number;
  readonly messages: number;
  readonly results: number;
  /** Results by state; every state is present. */
  readonly states: Readonly<Record<ResultState, number>>;
  /** Characters in context, in `unit`. */
  readonly chars: number;
  /** Characters that persisted results keep out of context, in `unit`, as far as notices state sizes. */
  readonly charsKeptOut: number;
  /** Results that a compaction took out of context: they are listed, but `chars` leaves them out. */
  readonly resultsLeft: number;
  /** Characters of those results, in `unit`. */
  readonly charsLeft: number;
  /** Tokens in context after the newest call that states its usage; null when none does. */
  readonly measuredTokens: number | null;
}

/** 1-based physical lines of the first records of a kind; `count` of them in all. */
export interface LedgerEntry {
  readonly count: number;
  readonly lines: readonly number[];
}

/** Which records that state token usage were counted, and which were not. */
export interface LedgerReport {
  readonly records: number;
  readonly counted: LedgerEntry;
  readonly notCounted: readonly (LedgerEntry & { readonly reason: NotCountedReason })[];
  /** Calls for which no record states usage: unknown, not 0. */
  readonly callsWithoutUsage: LedgerEntry;
}

export interface InspectReport {
  readonly file: string;
  /** Null when the file could not be opened as a transcript. */
  readonly format: FormatId | null;
  readonly model: string | null;
  readonly unit: CharUnit | null;
  readonly totals: Totals;
  /** Null when the file could not be read to its end. */
  readonly ledger: LedgerReport | null;
  readonly threads: readonly ThreadReport[];
  readonly problems: readonly ReportProblem[];
}

/** Calls of one file that are copies of those in a file before it. */
export interface CopiesReport {
  readonly file: string;
  readonly of: string;
  readonly count: number;
  /** 1-based physical lines of the first ones. */
  readonly lines: readonly number[];
}

/** Usage over all files, in which each request counts once. */
export interface OverallReport {
  readonly calls: number;
  /** Calls that were left out because another file holds the same. */
  readonly copies: number;
  readonly usage: UsageReport | null;
  readonly copiesByFile: readonly CopiesReport[];
}

/** What `inspect --json` prints for a folder or for several paths. */
export interface InspectReports {
  readonly reports: readonly InspectReport[];
  readonly overall: OverallReport;
}

export function usageReport(usage: UsageTotals | undefined): UsageReport | null {
  if (usage === undefined) return null;
  const { calls, input, cacheRead, cacheWrite, output } = usage;
  return {
    calls,
    input: input ?? null,
    cacheRead: cacheRead ?? null,
    cacheWrite: cacheWrite ?? null,
    output: output ?? null,
  };
}

export function overallReport({ calls, copies, usage, files }: UsageOverFiles): OverallReport {
  return {
    calls,
    copies,
    usage: usageReport(usage),
    copiesByFile: files.flatMap(({ file, copies: held }) =>
      held.map(({ of, count, places }) => ({ file, of, count, lines: places.map(({ line }) => line) })),
    ),
  };
}

/** A threshold as JSON can carry it without loss. */
export function jsonThreshold(threshold: bigint | null): number | string | null {
  if (threshold === null) return null;
  return threshold <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(threshold) : threshold.toString();
}

export function checkProblem(problem: Problem, lines: LineIndex): CheckProblem {
  return {
    code: problem.code,
    severity: problem.severity,
    message: problem.message,
    range: problem.range === undefined ? null : lines.range(problem.range),
  };
}

export function ledgerReport(ledger: UsageLedger): LedgerReport {
  const entry = ({ count, places }: LedgerTally): LedgerEntry => ({ count, lines: places.map(({ line }) => line) });
  const skipped = ledger.notCounted.reduce((sum, { count }) => sum + count, 0);
  return {
    records: ledger.counted.count + skipped,
    counted: entry(ledger.counted),
    notCounted: ledger.notCounted.map((tally) => ({ reason: tally.reason, ...entry(tally) })),
    callsWithoutUsage: entry(ledger.callsWithoutUsage),
  };
}
