/** Usual length of a record, and for how many of them there is room from the beginning. */
const RECORD_BYTES = 3072;
const MOST_EXPECTED = 1_000_000;

/** How many records a file of so many bytes usually holds: what room is made for. */
export function expectedRecords(bytes: number): number {
  return Math.min(MOST_EXPECTED, Math.floor(bytes / RECORD_BYTES));
}
