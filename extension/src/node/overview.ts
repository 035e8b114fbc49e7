import type { RecordPlace, Thread, ThreadUsage, TranscriptHeader, Usage } from "../core/model/transcript";
import type { LedgerTally, UsageLedger } from "../core/model/usageLedger";
import { CAPABILITIES } from "../core/transcript/capabilities";
import type { ThreadTotals } from "../core/transcript/summary";
import type { ContextTimeline, TimelineCall, TimelineCompaction } from "../core/transcript/timeline";
import {
  type CompactionTick,
  type Ledger,
  type LedgerEntry,
  OVERVIEW_LIMITS,
  type Overview,
  type ThreadFacts,
  type TimelinePoint,
  type UsageSums,
} from "../protocol/webview";

/** A reading of a transcript, as far as the overview looks at it. */
export interface OverviewSource {
  readonly summary: { threads(): readonly ThreadTotals[] };
  readonly timeline: ContextTimeline;
  readonly threads: ReadonlyMap<string, Thread>;
  readonly header: TranscriptHeader | undefined;
  readonly ledger: UsageLedger | undefined;
}

/** What the overview shows of a reading, at any moment: the timeline of one thread and facts about all. */
export function toOverview(run: OverviewSource, wanted: string | null): Overview {
  const threads = run.summary.threads();
  const shown = threads.find(({ id }) => id === wanted) ?? threads.find(({ kind }) => kind === "main") ?? threads[0];
  const { calls, callsOmitted, perPoint } = run.timeline.points(shown?.id ?? "", OVERVIEW_LIMITS.points);
  const { compactions, compactionsOmitted } = run.timeline.compactionsOf(shown?.id ?? "");
  const ticks = compactions.slice(0, OVERVIEW_LIMITS.compactions);
  const measured = (call: number): number | null => run.timeline.measured(shown?.id ?? "", call) ?? null;
  const format = run.header?.format;
  return {
    thread: shown?.id ?? "",
    points: calls.map(toPoint),
    callsPerPoint: perPoint,
    callsOmitted,
    compactions: ticks.map((tick) => toTick(tick, measured)),
    compactionsOmitted: compactionsOmitted + compactions.length - ticks.length,
    threads: threads.slice(0, OVERVIEW_LIMITS.threads).map((thread) => factsOf(run, thread)),
    threadsOmitted: Math.max(0, threads.length - OVERVIEW_LIMITS.threads),
    ledger: run.ledger === undefined ? null : toLedger(run.ledger),
    tells: format === undefined ? null : CAPABILITIES[format],
  };
}

/** Place of a record that the ledger names, by its 1-based line. */
export function ledgerPlace(ledger: UsageLedger | undefined, line: number): RecordPlace | undefined {
  if (ledger === undefined) return undefined;
  const tallies = [ledger.counted, ledger.callsWithoutUsage, ...ledger.notCounted];
  return tallies.flatMap(({ places }) => places).find((place) => place.line === line);
}

export function toLedger(ledger: UsageLedger): Ledger {
  return {
    counted: entryOf(ledger.counted),
    notCounted: ledger.notCounted.map((tally) => ({ reason: tally.reason, ...entryOf(tally) })),
    callsWithoutUsage: entryOf(ledger.callsWithoutUsage),
  };
}

function entryOf({ count, places }: LedgerTally): LedgerEntry {
  return { count, lines: places.map((place) => place.line) };
}

function toPoint({ number, place, turn, at, usage, chars }: TimelineCall): TimelinePoint {
  return { call: number, line: place.line, turn: turn ?? null, at: at ?? null, ...sumsOf(usage), chars };
}

function toTick(compaction: TimelineCompaction, measured: (call: number) => number | null): CompactionTick {
  const { trigger, tokensBefore, tokensAfter, tokensFreed, place, ...rest } = compaction;
  return {
    ...rest,
    line: place.line,
    trigger: trigger ?? null,
    tokensBefore: tokensBefore ?? null,
    tokensAfter: tokensAfter ?? null,
    tokensFreed: tokensFreed ?? null,
    measuredBefore: measured(compaction.afterCall),
    measuredAfter: measured(compaction.afterCall + 1),
  };
}

function factsOf(run: OverviewSource, totals: ThreadTotals): ThreadFacts {
  const { id, title, kind, calls, messages, chars, measuredTokens } = totals;
  const usage = run.timeline.usage(id);
  const { compactions, compactionsOmitted } = run.timeline.compactionsOf(id);
  const thread = run.threads.get(id);
  return {
    id,
    title,
    kind,
    model: thread?.model ?? null,
    calls,
    messages,
    chars,
    measuredTokens,
    compactions: compactions.length + compactionsOmitted,
    callsWithUsage: usage?.calls ?? 0,
    usage: usage === undefined ? null : sumsOf(usage),
    stated: statedOf(thread?.usage),
  };
}

function statedOf(parts: readonly ThreadUsage[] | undefined): UsageSums | null {
  if (parts === undefined || parts.length === 0) return null;
  const sum = (pick: (usage: Usage) => number | undefined): number | null =>
    parts.reduce<number | null>((total, part) => {
      const value = pick(part);
      return value === undefined ? total : (total ?? 0) + value;
    }, null);
  return {
    input: sum((usage) => usage.input),
    cacheRead: sum((usage) => usage.cacheRead),
    cacheWrite: sum((usage) => usage.cacheWrite),
    output: sum((usage) => usage.output),
  };
}

function sumsOf(usage: Usage | undefined): UsageSums {
  return {
    input: usage?.input ?? null,
    cacheRead: usage?.cacheRead ?? null,
    cacheWrite: usage?.cacheWrite ?? null,
    output: usage?.output ?? null,
  };
}
