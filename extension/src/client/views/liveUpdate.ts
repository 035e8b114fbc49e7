import type { ToolResult } from "../../core/model/transcript";
import type { ResultRow } from "../../protocol/webview";
import type { Run } from "./transcriptRun";

/** True when the newer reading only goes on where the older one ended: same transcript, same results where they stood. */
export function grewFrom(old: Run, next: Run): boolean {
  if (old.header?.format !== next.header?.format || old.header?.sessionId !== next.header?.sessionId) return false;
  if (old.header?.unit !== next.header?.unit) return false;
  return old.results.every((before, index) => {
    const now = next.results[index];
    // A call without a result is listed last; its place goes to whatever comes next.
    if (before.state === "missing") return true;
    return now !== undefined && isSameRecord(before, now);
  });
}

function isSameRecord(a: ToolResult, b: ToolResult): boolean {
  return (
    a.callId === b.callId &&
    a.threadId === b.threadId &&
    a.place.line === b.place.line &&
    a.place.start === b.place.start
  );
}

/**
 * Goes on with the rows of the older reading: sets those that are new or differ, drops those that are gone, and gives the
 * former. The older reading must not be shown any more.
 */
export function updatedRows(old: Run, next: Run, rowOf: (result: ToolResult) => ResultRow): readonly ResultRow[] {
  const { rows } = old;
  next.rows = rows;
  const changed: ResultRow[] = [];
  for (const result of next.results) {
    if (result === undefined) continue;
    const row = rowOf(result);
    const before = rows.get(row.index);
    if (before !== undefined && isSameRow(before, row)) continue;
    rows.set(row);
    changed.push(row);
  }
  rows.truncate(next.results.length);
  return changed;
}

function isSameRow(a: ResultRow, b: ResultRow): boolean {
  return (Object.keys(a) as (keyof ResultRow)[]).every((key) => a[key] === b[key]);
}
