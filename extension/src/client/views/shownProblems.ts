import type { TableView } from "../../core/model/openTable";
import type { ProblemRow } from "../../protocol/webview";
import { problemRow } from "./tableView";

type Read = Pick<TableView, "problems">;

/** What is listed as a problem of an open transcript: what was read in it, and what became of its file since. */
export class ShownProblems {
  /** Problems that nobody read in the file. */
  #alsoSaid: ProblemRow[] = [];
  /** Problems of the reading that were told. */
  #told = 0;

  /** Another reading begins, of whose problems so many are told already. */
  reset(told = 0): void {
    this.#alsoSaid = [];
    this.#told = told;
  }

  /** Adds what nobody read in the file; false when its kind is listed already. */
  say(problem: ProblemRow, { problems }: Read): boolean {
    if ([...problems, ...this.#alsoSaid].some(({ code }) => code === problem.code)) return false;
    this.#alsoSaid.push(problem);
    return true;
  }

  /** Takes back what `say` added; false when there is nothing. */
  unsay(): boolean {
    const had = this.#alsoSaid.length > 0;
    this.#alsoSaid = [];
    return had;
  }

  all({ problems }: Read, live: boolean): readonly ProblemRow[] {
    return [...problems.map(problemRow), ...this.#alsoSaid].filter((problem) => isDue(problem, live));
  }

  /** Those of the reading that were not told yet; they are told now. */
  fresh({ problems }: Read, live: boolean): readonly ProblemRow[] {
    const fresh = problems.slice(this.#told).map(problemRow);
    this.#told = problems.length;
    return fresh.filter((problem) => isDue(problem, live));
  }
}

/** A last line that is still being written is no problem yet. */
function isDue({ code }: ProblemRow, live: boolean): boolean {
  return !live || code !== "torn-last-line";
}
