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

/** Fills in the rows of the newer reading and gives those that are new or differ; the others keep their identity. */
export function updatedRows(old: Run, next: Run, rowOf: (result: ToolResult) => ResultRow): readonly ResultRow[] {
  const changed: ResultRow[] = [];
  next.rows = next.results.map((result, index) => {
    const row = rowOf(result);
    const before = old.rows[index];
    if (before !== undefined && isSameRow(before, row)) return before;
    changed.push(row);
    return row;
  });
  return changed;
}

function isSameRow(a: ResultRow, b: ResultRow): boolean {
  return (Object.keys(a) as (keyof ResultRow)[]).every((key) => a[key] === b[key]);
}
