import type { Compaction, CompactionKind, ModelCall, RecordPlace, Usage } from "../model/transcript";
import type { SummaryObserver } from "./summary";

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
  readonly calls: TimelineCall[];
  callsOmitted: number;
  newest: number;
  readonly compactions: TimelineCompaction[];
  compactionsOmitted: number;
}

const NOTHING: ThreadTimeline = { calls: [], callsOmitted: 0, compactions: [], compactionsOmitted: 0 };

/** How the context of each thread grew, call by call, and where it was compacted. */
export class ContextTimeline implements SummaryObserver {
  private readonly threads = new Map<string, Kept>();
  private calls = 0;
  private compactions = 0;

  call(call: ModelCall, chars: number): void {
    const kept = this.of(call.threadId);
    const { number, turn, model, at, usage, place } = call;
    const old = kept.calls[number - 1];
    if (old !== undefined) {
      // Told again, because its usage grew: what stood before its answer stays as it was.
      kept.calls[number - 1] = { ...old, usage };
      return;
    }
    if (number <= kept.newest) return;
    kept.newest = number;
    // Numbers come without gaps, so that the place in the list is the number.
    if (this.calls >= TIMELINE_LIMITS.calls || kept.calls.length !== number - 1) {
      kept.callsOmitted++;
      return;
    }
    this.calls++;
    kept.calls.push({ number, place, turn, model, at, usage, chars });
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
    return this.threads.get(id) ?? NOTHING;
  }

  /** Place of a call or a compaction that begins on this 1-based line. */
  placeAt(line: number): RecordPlace | undefined {
    for (const { calls, compactions } of this.threads.values()) {
      const found = [calls, compactions].flatMap((list) => list.find(({ place }) => place.line === line) ?? []);
      if (found[0] !== undefined) return found[0].place;
    }
    return undefined;
  }

  /** Undefined when no call of the thread states usage. */
  usage(id: string): UsageTotals | undefined {
    let total: UsageTotals | undefined;
    for (const { usage } of this.thread(id).calls) {
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
      kept = { calls: [], callsOmitted: 0, newest: 0, compactions: [], compactionsOmitted: 0 };
      this.threads.set(id, kept);
    }
    return kept;
  }
}

/** Tokens in context of a call: input + cache read + cache write; undefined when it states none of them. */
export function contextOf(usage: Usage | undefined): number | undefined {
  return plus(plus(usage?.input, usage?.cacheRead), usage?.cacheWrite);
}

/**
 * At most `limit` of the calls, evenly over their numbers; of each stretch the call with the largest context stays, so that
 * peaks are not lost. `perPoint` = calls per stretch.
 */
export function thinned(
  calls: readonly TimelineCall[],
  limit: number,
): { readonly calls: readonly TimelineCall[]; readonly perPoint: number } {
  const perPoint = Math.max(1, Math.ceil(calls.length / limit));
  if (perPoint === 1) return { calls, perPoint };
  const kept: TimelineCall[] = [];
  for (let start = 0; start < calls.length; start += perPoint) {
    const stretch = calls.slice(start, start + perPoint);
    kept.push(stretch.reduce((best, call) => (weight(call) > weight(best) ? call : best)));
  }
  return { calls: kept, perPoint };
}

function weight(call: TimelineCall): number {
  return contextOf(call.usage) ?? call.chars / 4;
}

function plus(a: number | undefined, b: number | undefined): number | undefined {
  if (a === undefined) return b;
  return b === undefined ? a : a + b;
}
