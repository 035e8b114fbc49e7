import type { Compaction, CompactionKind, ModelCall, RecordPlace, Usage } from "../model/transcript";
import type { SummaryObserver } from "./summary";
import { CallRows } from "./table/callRows";
import { sharedTexts } from "./table/resultRows";

/** Calls and compactions kept per transcript; further ones are counted. */
export const TIMELINE_LIMITS = { calls: 50_000, compactions: 2_000 } as const;

/** What stood in the context of one call. */
export interface TimelineCall {
  /** 1-based within its thread. */
  readonly number: number;
  readonly place: RecordPlace;
  readonly turn: number | undefined;
  readonly model: string | undefined;
  readonly at: string | undefined;
  readonly usage: Usage | undefined;
  /** Characters in context before its answer, in the transcript's unit. */
  readonly chars: number;
}

export interface TimelineCompaction {
  /** Number of the last call before it; 0 = before the first. */
  readonly afterCall: number;
  readonly place: RecordPlace;
  readonly what: CompactionKind;
  readonly trigger: string | undefined;
  /** As the transcript states them. */
  readonly tokensBefore: number | undefined;
  readonly tokensAfter: number | undefined;
  readonly tokensFreed: number | undefined;
  readonly cleared: number;
  readonly charsBefore: number;
  readonly charsAfter: number;
}

/** Sums over the calls that state usage; undefined where no call states that part. */
export interface UsageTotals extends Usage {
  readonly calls: number;
}

export interface ThreadTimeline {
  readonly calls: readonly TimelineCall[];
  readonly callsOmitted: number;
  readonly compactions: readonly TimelineCompaction[];
  readonly compactionsOmitted: number;
}

interface Kept {
  newest: number;
  readonly compactions: TimelineCompaction[];
  compactionsOmitted: number;
}

const NOTHING: Kept = { newest: 0, compactions: [], compactionsOmitted: 0 };

/**
 * How the context of each thread grew, call by call, and where it was compacted. What calls say stands in their columns, of a
 * table or of its own.
 */
export class ContextTimeline implements SummaryObserver {
  private readonly threads = new Map<string, Kept>();
  private compactions = 0;

  constructor(private readonly rows = new CallRows(sharedTexts())) {}

  call(call: ModelCall, chars: number): void {
    const { rows } = this;
    const known = rows.find(call.threadId, call.number);
    rows.set(known < 0 ? rows.rows : known, call);
    this.called(call.threadId, call.number, known < 0 ? rows.rows - 1 : known, chars);
  }

  /** The same for a call that stands in a row of the columns. */
  called(threadId: string, number: number, row: number, chars: number): void {
    const kept = this.of(threadId);
    kept.newest = Math.max(kept.newest, number);
    // Told again, because its usage grew: what stood before its answer stays as it was.
    if (this.rows.columns.chars.get(row) === undefined) this.rows.columns.chars.set(row, chars);
  }

  compaction(compaction: Compaction, charsBefore: number, charsAfter: number): void {
    const kept = this.of(compaction.threadId);
    if (this.compactions >= TIMELINE_LIMITS.compactions) {
      kept.compactionsOmitted++;
      return;
    }
    this.compactions++;
    const { what, trigger, tokensBefore, tokensAfter, tokensFreed, clearedCallIds, gone, place } = compaction;
    kept.compactions.push({
      afterCall: kept.newest,
      place,
      what,
      trigger,
      tokensBefore,
      tokensAfter,
      tokensFreed,
      cleared: Math.max(clearedCallIds.length, gone.results.length),
      charsBefore,
      charsAfter,
    });
  }

  thread(id: string): ThreadTimeline {
    const { shown, omitted } = this.shownRows(id);
    return { calls: shown.map((row) => this.callAt(row)), callsOmitted: omitted, ...this.compactionsOf(id) };
  }

  compactionsOf(id: string): Pick<ThreadTimeline, "compactions" | "compactionsOmitted"> {
    const { compactions, compactionsOmitted } = this.threads.get(id) ?? NOTHING;
    return { compactions, compactionsOmitted };
  }

  /**
   * At most `limit` of the calls, evenly over their numbers; of each stretch the call with the largest context stays, so that
   * peaks are not lost. `perPoint` = calls per stretch.
   */
  points(id: string, limit: number): Pick<ThreadTimeline, "calls" | "callsOmitted"> & { readonly perPoint: number } {
    const { shown, omitted } = this.shownRows(id);
    const perPoint = Math.max(1, Math.ceil(shown.length / limit));
    const kept: number[] = [];
    for (let start = 0; start < shown.length; start += perPoint) {
      const stretch = shown.slice(start, start + perPoint);
      kept.push(stretch.reduce((best, row) => (this.weight(row) > this.weight(best) ? row : best)));
    }
    return { calls: kept.map((row) => this.callAt(row)), callsOmitted: omitted, perPoint };
  }

  /** Tokens in context of one call, by its number; undefined where it states none, or is none. */
  measured(id: string, number: number): number | undefined {
    const row = this.rows.find(id, number);
    return row < 0 ? undefined : contextOf(this.rows.usage(row));
  }

  /** Rows of the thread's calls, by number; further ones than there is room for are counted. */
  private shownRows(id: string): { readonly shown: readonly number[]; readonly omitted: number } {
    const shown: number[] = [];
    let omitted = 0;
    // Numbers come without gaps.
    for (let number = 1; ; number++) {
      const row = this.rows.find(id, number);
      if (row < 0) return { shown, omitted };
      if (row < TIMELINE_LIMITS.calls) shown.push(row);
      else omitted++;
    }
  }

  private weight(row: number): number {
    return contextOf(this.rows.usage(row)) ?? this.rows.columns.chars.at(row) / 4;
  }

  private callAt(row: number): TimelineCall {
    const { rows } = this;
    const { place, turn, model, at, usage, number = 0 } = rows.get(row) ?? NO_CALL;
    return { number, place, turn, model, at, usage, chars: rows.columns.chars.at(row) };
  }

  /** Undefined when no call of the thread states usage. */
  usage(id: string): UsageTotals | undefined {
    let total: UsageTotals | undefined;
    for (const row of this.shownRows(id).shown) {
      const usage = this.rows.usage(row);
      if (usage === undefined) continue;
      total = {
        calls: (total?.calls ?? 0) + 1,
        input: plus(total?.input, usage.input),
        cacheRead: plus(total?.cacheRead, usage.cacheRead),
        cacheWrite: plus(total?.cacheWrite, usage.cacheWrite),
        output: plus(total?.output, usage.output),
      };
    }
    return total;
  }

  private of(id: string): Kept {
    let kept = this.threads.get(id);
    if (kept === undefined) {
      kept = { newest: 0, compactions: [], compactionsOmitted: 0 };
      this.threads.set(id, kept);
    }
    return kept;
  }
}

const NO_CALL: Partial<ModelCall> & Pick<TimelineCall, "place" | "turn" | "model" | "at" | "usage"> = {
  place: { line: 0, start: 0, end: 0 },
  turn: undefined,
  model: undefined,
  at: undefined,
  usage: undefined,
};

/** Tokens in context of a call: input + cache read + cache write; undefined when it states none of them. */
export function contextOf(usage: Usage | undefined): number | undefined {
  return plus(plus(usage?.input, usage?.cacheRead), usage?.cacheWrite);
}

function plus(a: number | undefined, b: number | undefined): number | undefined {
  if (a === undefined) return b;
  return b === undefined ? a : a + b;
}
