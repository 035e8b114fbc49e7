import type { LeftBy } from "../model/totals";
import type { Compaction } from "../model/transcript";
import type { TranscriptEvent } from "./events";

export type { LeftBy };

/**
 * Which results a compaction took out of context, and which compaction. Agrees with `Summary`: `resultsLeft` counts those
 * of the main threads. A compaction that does not say what left (`unstated`) takes nothing.
 */
export class LeftContext {
  /** By index of the result: place in `exits` plus 1; 0 = in context. */
  private readonly exitOf: number[] = [];
  private readonly exits: LeftBy[] = [];
  private readonly threads = new Map<string, { compactions: number; inContext: number[] }>();

  /** `left` hears each index once, when the result leaves. */
  add(events: readonly TranscriptEvent[], left?: (index: number) => void): void {
    for (const event of events) {
      if (event.kind === "result") this.told(event.result.index, event.result.threadId);
      else if (event.kind === "compaction") this.compact(event, left);
    }
  }

  /** A result is told; one that is told again stays where it is. */
  told(index: number, threadId: string): void {
    if (this.exitOf[index] !== undefined) return;
    this.exitOf[index] = 0;
    this.of(threadId).inContext.push(index);
  }

  /** By index of the result; undefined while it stands in context, and for an index that was not told. */
  leftBy(index: number): LeftBy | undefined {
    return this.exits[(this.exitOf[index] ?? 0) - 1];
  }

  private compact(compaction: Compaction, left: ((index: number) => void) | undefined): void {
    const { threadId, what, trigger, place, scope, gone } = compaction;
    const thread = this.of(threadId);
    const number = ++thread.compactions;
    const leaving = scope === "all" ? thread.inContext : gone.results;
    if (scope === "all") thread.inContext = [];
    let known = false;
    for (const index of leaving) {
      if (this.exitOf[index] !== 0) continue;
      if (!known) this.exits.push({ threadId, number, what, trigger, place });
      known = true;
      this.exitOf[index] = this.exits.length;
      left?.(index);
    }
  }

  private of(id: string): { compactions: number; inContext: number[] } {
    let thread = this.threads.get(id);
    if (thread === undefined) {
      thread = { compactions: 0, inContext: [] };
      this.threads.set(id, thread);
    }
    return thread;
  }
}
