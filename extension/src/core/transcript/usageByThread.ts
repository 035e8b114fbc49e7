import type { Usage } from "../model/transcript";
import type { TranscriptEvent } from "./events";
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
      let figures = this.threads.get(threadId);
      if (figures === undefined) {
        figures = [];
        this.threads.set(threadId, figures);
      }
      put(figures, number, usage);
    }
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
  for (const [part, name] of PARTS.entries()) figures[at + part] = usage[name] ?? Number.NaN;
}
