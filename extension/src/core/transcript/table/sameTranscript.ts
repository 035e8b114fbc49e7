import type { TranscriptTable } from "./transcriptTable";

/** True when the newer table only goes on where the older one ended: same transcript, same results where they stood. */
export function goesOnFrom(older: TranscriptTable, newer: TranscriptTable): boolean {
  const [a, b] = [older.header, newer.header];
  if (a?.format !== b?.format || a?.sessionId !== b?.sessionId || a?.unit !== b?.unit) return false;
  for (let row = 0; row < older.results.rows; row++) if (!isSameResult(older, newer, row)) return false;
  return true;
}

function isSameResult(older: TranscriptTable, newer: TranscriptTable, row: number): boolean {
  // A call without a result is listed last; its place goes to whatever comes next.
  if (!older.results.has(row) || older.results.state(row) === "missing") return true;
  if (!newer.results.has(row)) return false;
  const [a, b] = [older.results.columns, newer.results.columns];
  if (a.line.get(row) !== b.line.get(row) || a.start.get(row) !== b.start.get(row)) return false;
  const thread = (table: TranscriptTable) => table.shared.names.get(table.results.columns.thread.at(row));
  const callId = (table: TranscriptTable) => table.shared.texts.get(table.results.columns.callId.at(row));
  return thread(older) === thread(newer) && callId(older) === callId(newer);
}
