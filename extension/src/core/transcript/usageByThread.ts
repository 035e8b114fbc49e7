import type { Usage } from "../model/transcript";
import type { TranscriptEvent } from "./events";
import type { RowBooks } from "./rows/rowBooks";
import type { RowTotals } from "./rows/rowFold";
import type { UsageTotals } from "./timeline";

const PARTS = ["input", "cacheRead", "cacheWrite", "output"] as const;

/** Adds up what the calls of each thread state; a call that is told again counts with its newest figures. 32 bytes per call. */
export class UsageByThread {
  /** Four figures per call, by its number; NaN = not stated. */
  private readonly threads = new Map<string, number[]>();
  private books: RowBooks | undefined;

  add(events: readonly TranscriptEvent[]): void {
    for (const event of events) {
      if (event.kind !== "call" || event.call.usage === undefined) continue;
      const { threadId, number, usage } = event.call;
      put(this.figures(threadId), number, usage);
    }
  }

  /** What `add` does for the events of rows, whose books keep the sums. */
  rows({ books }: Pick<RowTotals, "books">): void {
    this.books = books;
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
    const rows = this.books?.threads.find(({ id }) => id === threadId)?.usage;
    const figures = this.threads.get(threadId) ?? [];
    if (figures.length === 0) return rows;
    const totals: (number | undefined)[] = PARTS.map((part) => rows?.[part]);
    let calls = rows?.calls ?? 0;
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
