import type { Usage } from "../model/transcript";
import type { TranscriptEvent } from "./events";
import { ASSISTANT, GROWN, KIND, NEW_CALL, rowWords, usageAt } from "./rows/layout";
import type { RowRun } from "./rows/rowFold";
import type { UsageTotals } from "./timeline";

const PARTS = ["input", "cacheRead", "cacheWrite", "output"] as const;

/** Adds up what the calls of each thread state; a call that is told again counts with its newest figures. 32 bytes per call. */
export class UsageByThread {
  /** Four figures per call, by its number; NaN = not stated. */
  private readonly threads = new Map<string, number[]>();

  add(events: readonly TranscriptEvent[]): void {
    for (const event of events) {
      if (event.kind !== "call" || event.call.usage === undefined) continue;
      const { threadId, number, usage } = event.call;
      put(this.figures(threadId), number, usage);
    }
  }

  /** What `add` does for the events of a run of rows. */
  rows({ piece, from, to, books }: RowRun): void {
    const { rows } = piece;
    for (let at = from; at < to; at += rowWords(rows, at)) {
      const head = rows[at] ?? 0;
      if ((head & KIND) !== ASSISTANT || (head & (NEW_CALL | GROWN)) === 0) continue;
      const usage = usageAt(rows, at);
      if (usage !== undefined)
        put(this.figures(books.threads[rows[at + 41] ?? 0]?.id ?? ""), rows[at + 28] ?? 0, usage);
    }
  }

  private figures(threadId: string): number[] {
    let figures = this.threads.get(threadId);
    if (figures === undefined) {
      figures = [];
      this.threads.set(threadId, figures);
    }
    return figures;
  }

  /** Undefined when no call of the thread states usage. */
  of(threadId: string): UsageTotals | undefined {
    const figures = this.threads.get(threadId);
    if (figures === undefined) return undefined;
    const totals: (number | undefined)[] = PARTS.map(() => undefined);
    let calls = 0;
    for (let at = 0; at < figures.length; at += PARTS.length) {
      let any = false;
      for (let part = 0; part < PARTS.length; part++) {
        const value = figures[at + part] ?? Number.NaN;
        if (Number.isNaN(value)) continue;
        any = true;
        totals[part] = (totals[part] ?? 0) + value;
      }
      if (any) calls++;
    }
    const [input, cacheRead, cacheWrite, output] = totals;
    return { calls, input, cacheRead, cacheWrite, output };
  }
}

function put(figures: number[], number: number, usage: Usage): void {
  const at = (number - 1) * PARTS.length;
  while (figures.length < at) figures.push(Number.NaN);
  figures[at] = usage.input ?? Number.NaN;
  figures[at + 1] = usage.cacheRead ?? Number.NaN;
  figures[at + 2] = usage.cacheWrite ?? Number.NaN;
  figures[at + 3] = usage.output ?? Number.NaN;
}
