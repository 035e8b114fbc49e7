import type { Compaction } from "../core/model/transcript";
import { TIMELINE_LIMITS } from "../core/transcript/timeline";
import type { CompactionReport, ThreadReport } from "./report";

/** The compactions of one transcript by thread: as many as the inspector keeps, the others are counted. */
export class Compactions {
  private readonly threads = new Map<string, { readonly told: CompactionReport[]; omitted: number }>();
  private kept = 0;

  add({ threadId, what, trigger, place, tokensBefore, tokensAfter, tokensFreed }: Compaction): void {
    const thread = this.threads.get(threadId) ?? { told: [], omitted: 0 };
    this.threads.set(threadId, thread);
    if (this.kept >= TIMELINE_LIMITS.compactions) {
      thread.omitted++;
      return;
    }
    this.kept++;
    thread.told.push({
      what,
      trigger: trigger ?? null,
      line: place.line,
      tokensBefore: tokensBefore ?? null,
      tokensAfter: tokensAfter ?? null,
      tokensFreed: tokensFreed ?? null,
    });
  }

  of(threadId: string): Pick<ThreadReport, "compactions" | "compactionsOmitted"> {
    const { told, omitted } = this.threads.get(threadId) ?? { told: [], omitted: 0 };
    return { compactions: told, compactionsOmitted: omitted };
  }
}
