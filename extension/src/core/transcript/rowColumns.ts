import type { ResultRow } from "../model/rowQuery";

/** A column whose values repeat: ids into `texts`, -1 where a row has none. `texts` only grows, and holds no text twice. */
export interface TextColumn {
  readonly texts: readonly string[];
  id(row: number): number;
}

/**
 * What a query reads of the results, column by column. A row is a result's index. Numbers are -1 where unknown; states and
 * file statuses are places in `RESULT_STATES` and `FILE_STATUSES`. The accessors are called once per row and query, so they
 * should only look something up.
 */
export interface RowColumns {
  /** Rows 0 to count - 1. */
  readonly count: number;
  /** False for an index that no result has. */
  has(row: number): boolean;
  readonly thread: TextColumn;
  readonly tool: TextColumn;
  turn(row: number): number;
  call(row: number): number;
  state(row: number): number;
  file(row: number): number;
  /** Characters in context, in the transcript's unit; -1 where no result came. */
  chars(row: number): number;
  /** Estimate; -1 where no result came. */
  tokens(row: number): number;
  /** Characters of the full text; -1 = unknown. */
  full(row: number): number;
  /** True when a compaction took it out of context. */
  left(row: number): boolean;
  path(row: number): string | null;
  handle(row: number): string | null;
  callId(row: number): string | null;
  /** Everything, for the rows that are shown. Only called for rows that are there. */
  row(row: number): ResultRow;
}
