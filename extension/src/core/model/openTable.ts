import type { Problem } from "./problem";
import type { LeftBy, ThreadTotals, TranscriptTotals } from "./totals";
import type { BodyRef, ToolResult, TranscriptHeader } from "./transcript";

/** Totals of a transcript as it is shown: with the calls that never got a result. */
export interface ShownTotals {
  readonly totals: TranscriptTotals;
  readonly threads: readonly ThreadTotals[];
}

/** What people see of a table at a moment. */
export interface TableView extends ShownTotals {
  readonly header: TranscriptHeader | undefined;
  /** Results, without indexes that were skipped. */
  readonly count: number;
  /** The index behind the last result. */
  readonly rows: number;
  readonly problems: readonly Problem[];
  readonly problemsOmitted: number;
}

/** A result with what is known about it beside the transcript's own words. */
export interface ResultFacts {
  readonly result: ToolResult;
  /** The compaction that took it out of context. */
  readonly leftBy: LeftBy | undefined;
}

/** Results whose files are to be looked at, from one row to another. */
export interface Spills {
  readonly results: readonly ToolResult[];
  /** The row to go on with. */
  readonly next: number;
  readonly more: boolean;
}

/** Texts of results to be looked through, as lists of numbers that go to another thread without being copied. */
export interface PackedTargets {
  readonly indexes: Int32Array;
  /** Line, start and end of each one's record. */
  readonly places: Float64Array;
  /** Place in `paths`. */
  readonly pathOf: Int32Array;
  readonly paths: readonly BodyRef["path"][];
  /** The rows of a database that the records are; empty for files. */
  readonly rows: readonly (BodyRef["place"]["row"] | undefined)[];
}
