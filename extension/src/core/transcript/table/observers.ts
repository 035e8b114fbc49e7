import type { ShownTotals } from "../../model/openTable";
import type { TranscriptEvent } from "../events";
import { LeftContext } from "../leftContext";
import { Summary } from "../summary";
import { ContextTimeline } from "../timeline";
import type { TranscriptTable } from "./transcriptTable";

/** What is worked out while events come in, beside the table: totals, the growth of the context, what left it. */
export interface Observers {
  readonly timeline: ContextTimeline;
  readonly summary: Summary;
  readonly left: LeftContext;
}

/** `table`: the one that takes in the same events. */
export function newObservers(table: TranscriptTable): Observers {
  const timeline = new ContextTimeline(table.calls);
  return { timeline, summary: new Summary(timeline), left: new LeftContext() };
}

/** Takes events into a table and into what is worked out beside it. */
export function observe(
  { summary, left }: Observers,
  table: TranscriptTable,
  events: readonly TranscriptEvent[],
): void {
  table.add(events);
  summary.add(events);
  left.add(events, (row) => {
    const by = left.leftBy(row);
    if (by !== undefined) table.left(row, by);
  });
}

/** `missing`: threads of calls without a result that the table lists and the summary has not heard of, once for each call. */
export function shownTotals({ summary }: Observers, missing: readonly string[]): ShownTotals {
  const totals = summary.totals();
  const missed = new Map<string, number>();
  for (const thread of missing) missed.set(thread, (missed.get(thread) ?? 0) + 1);
  return {
    totals: { ...totals, results: totals.results + missing.length },
    threads: summary.threads().map((thread) => ({ ...thread, results: thread.results + (missed.get(thread.id) ?? 0) })),
  };
}
