import type { ResultState } from "../model/transcript";
import type { TranscriptEvent } from "./events";
import type { RowBooks } from "./rows/rowBooks";
import type { RowTotals } from "./rows/rowFold";

/** How many results have each state, in the latest form of each. Takes no room for those that only rows tell, which are most. */
export class ResultStates {
  /** By index. */
  private readonly told = new Map<number, ResultState>();
  private inline = 0;
  private persisted = 0;
  private books: RowBooks | undefined;

  add(events: readonly TranscriptEvent[]): void {
    for (const event of events) if (event.kind === "result") this.told.set(event.result.index, event.result.state);
  }

  /** What `add` does for the events of rows. */
  rows({ books, threads, notices }: RowTotals): void {
    this.books = books;
    for (const { inlineResults, writtenResults } of threads) {
      this.inline += inlineResults;
      this.persisted += writtenResults;
    }
    for (const { index, state } of notices) this.told.set(index, state);
  }

  counts(): Readonly<Record<ResultState, number>> {
    const count = {
      inline: this.inline,
      persisted: this.persisted,
      truncated: 0,
      handle: 0,
      cleared: 0,
      pruned: 0,
      duplicate: 0,
      missing: 0,
    };
    for (const [index, state] of this.told) {
      count[state] += 1;
      // The reader told it anew.
      const before =
        this.books?.written(index)?.state ?? (this.books?.textOf(index) === undefined ? undefined : "inline");
      if (before !== undefined) count[before] -= 1;
    }
    return count;
  }
}
