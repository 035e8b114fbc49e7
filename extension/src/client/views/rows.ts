import type { CharUnit, RecordPlace, TextSize, ToolResult } from "../../core/model/transcript";
import type { FileStatus, ResultRow } from "../../protocol/webview";

/** UTF-16 units or code points per token in the estimate that the interface marks with ≈. */
const CHARS_PER_TOKEN = 4;

/** A size in the unit of the transcript's agent. */
export function charsOf(size: TextSize, unit: CharUnit): number {
  return unit === "codePoints" ? size.codePoints : size.utf16;
}

/** Estimate: characters ÷ 4, rounded up. */
export function estimatedTokens(chars: number): number {
  return Math.ceil(chars / CHARS_PER_TOKEN);
}

/** What stands in the `file` column before anybody has looked. */
export function initialFileStatus(result: ToolResult): FileStatus {
  return result.persisted?.path === undefined ? "none" : "not-checked";
}

/** One row of the results table. `leftAt`: the compaction that took the result out of context. */
export function toRow(
  result: ToolResult,
  unit: CharUnit,
  file: FileStatus,
  leftAt: RecordPlace | undefined,
): ResultRow {
  const chars = charsOf(result.size, unit);
  return {
    index: result.index,
    thread: result.threadId,
    turn: result.turn ?? null,
    call: result.call ?? null,
    tool: result.tool ?? null,
    callId: result.callId ?? null,
    state: result.state,
    chars,
    statedChars: result.persisted?.statedChars ?? null,
    statedRounded: result.persisted?.statedRounded ?? false,
    tokens: estimatedTokens(chars),
    images: result.images,
    isError: result.isError,
    orphan: result.orphan,
    path: result.persisted?.path ?? null,
    handle: result.persisted?.handle ?? null,
    file,
    line: result.place.line,
    leftLine: leftAt?.line ?? null,
  };
}
