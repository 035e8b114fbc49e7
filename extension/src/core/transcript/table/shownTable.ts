import type { FileStatus } from "../../model/fileStatus";
import type { ResultFacts, ShownTotals, Spills, TableView } from "../../model/openTable";
import type { RowsAnswer, RowsRequest } from "../../model/rowQuery";
import type { RecordPlace, ToolResult } from "../../model/transcript";
import { SHORT_TEXT, withShortTexts } from "../../util/shortTexts";
import { RowQueries } from "../rowQuery";
import type { ContextTimeline } from "../timeline";

import { TableColumns } from "./tableColumns";
import type { TranscriptTable } from "./transcriptTable";

/**
 * Longest text that goes to another thread many times over, UTF-16 units. Twice what is shown: secrets are masked behind this cut, and
 * one that it goes through is not shown.
 */
const LONGEST = 2 * SHORT_TEXT;

/** Problems told; the others are counted. */
export const MAX_PROBLEMS = 500;

/** What is worked out beside a table, however it came to be. */
export interface TableFacts {
  totals(): ShownTotals;
  timeline(): ContextTimeline;
}

/** Answers about a table: parts of its rows, one result, where a record lies. */
export class ShownTable {
  readonly columns: TableColumns;
  private readonly queries: RowQueries;
  private repathed: number[] = [];

  constructor(
    readonly table: TranscriptTable,
    private readonly facts: TableFacts,
  ) {
    this.columns = new TableColumns(table);
    this.queries = new RowQueries(this.columns);
    table.changed = (row) => {
      if (row === undefined) this.queries.reset();
      else this.queries.touch(row);
    };
    table.repathed = (row) => {
      this.repathed.push(row);
      this.columns.forgetFile(row);
    };
  }

  /** Rows that name another file than before, since this was asked last. */
  takeRepathed(): readonly number[] {
    const rows = this.repathed;
    this.repathed = [];
    return rows;
  }

  view(): TableView {
    const { header, problems, results } = this.table;
    let count = 0;
    for (let row = 0; row < results.rows; row++) if (results.has(row)) count++;
    const view: TableView = {
      ...this.facts.totals(),
      header,
      count,
      rows: results.rows,
      problems: problems.slice(0, MAX_PROBLEMS),
      problemsOmitted: Math.max(0, problems.length - MAX_PROBLEMS),
    };
    return withShortTexts(view, LONGEST);
  }

  get timeline(): ContextTimeline {
    return this.facts.timeline();
  }

  rows(request: RowsRequest): RowsAnswer {
    return withShortTexts(this.queries.answer(request), LONGEST);
  }

  result(index: number): ResultFacts | undefined {
    const result = this.table.results.get(index);
    return result === undefined ? undefined : { result, leftBy: this.table.leftBy(index) };
  }

  /**
   * Results from row `from` on whose notice names a file that nobody has looked at, at most so many. `next`: the row to go on
   * with; `more`: false at the end.
   */
  spills(from: number, most: number): Spills {
    const { results } = this.table;
    const found: ToolResult[] = [];
    let row = from;
    for (; row < results.rows && found.length < most; row++) {
      if (results.columns.path.at(row) === 0 || !this.columns.isUnchecked(row)) continue;
      const result = results.get(row);
      if (result !== undefined) found.push(result);
    }
    return { results: found, next: row, more: row < results.rows };
  }

  setFiles(statuses: readonly (readonly [row: number, status: FileStatus])[]): void {
    for (const [row, status] of statuses) {
      this.columns.setFile(row, status);
      this.queries.touch(row);
    }
  }

  forgetFiles(): void {
    this.columns.forgetFiles();
    this.queries.reset();
  }

  /** Place of the record that begins on this 1-based line and is a result, a problem, a call, a compaction or in the ledger. */
  recordAt(line: number): RecordPlace | undefined {
    const { results, calls, problems, compactions, ledger } = this.table;
    const result = rowAt(results.columns.line, line, (row) => results.has(row));
    if (result >= 0) return results.get(result)?.place;
    const problem = problems.find(({ at }) => at?.line === line)?.at;
    if (problem !== undefined) return problem;
    const call = rowAt(calls.columns.line, line, () => true);
    if (call >= 0) return calls.get(call)?.place;
    const compaction = compactions.find(({ place }) => place.line === line)?.place;
    if (compaction !== undefined || ledger === undefined) return compaction;
    const tallies = [ledger.counted, ledger.callsWithoutUsage, ...ledger.notCounted];
    return tallies.flatMap(({ places }) => places).find((place) => place.line === line);
  }
}

function rowAt(
  column: { readonly rows: number; at(row: number): number },
  line: number,
  is: (row: number) => boolean,
): number {
  for (let row = 0; row < column.rows; row++) if (column.at(row) === line && is(row)) return row;
  return -1;
}
