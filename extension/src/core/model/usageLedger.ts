import type { RecordPlace } from "./transcript";

/**
 * Why a record that states usage was not counted. same-message: another record of the same request stated it already, or
 * states more (streamed lines, repeats per event) · repeated-record: the same record stands in the file again (resumed and
 * forked sessions copy their history) · agent-progress: a copy of what a sub-agent's own records say · synthetic: the
 * program wrote the line itself, no model was asked · repeated-total: the running total did not change, so no call was made.
 */
export type NotCountedReason = "same-message" | "repeated-record" | "agent-progress" | "synthetic" | "repeated-total";

/** How many records, and where the first of them stand. */
export interface LedgerTally {
  readonly count: number;
  /** The first ones, at most `LEDGER_PLACES`, in the order of the file. */
  readonly places: readonly RecordPlace[];
}

/** Which records of a transcript that state token usage were counted, and which were not. */
export interface UsageLedger {
  /** One per call that states usage; for several records of one call, the first of them. */
  readonly counted: LedgerTally;
  /** By reason, in the order met; only reasons that occurred. */
  readonly notCounted: readonly (LedgerTally & { readonly reason: NotCountedReason })[];
  /** Calls for which no record states usage: unknown, not 0. */
  readonly callsWithoutUsage: LedgerTally;
}

export const LEDGER_PLACES = 20;
