import type { CharUnit, TextSize, ToolResult } from "../../core/model/transcript";
import type { FileStatus } from "../../protocol/webview";

/** A size in the unit of the transcript's agent. */
export function charsOf(size: TextSize, unit: CharUnit): number {
  return unit === "codePoints" ? size.codePoints : size.utf16;
}

/** What stands in the `file` column before anybody has looked. */
export function initialFileStatus(result: ToolResult): FileStatus {
  return result.persisted?.path === undefined ? "none" : "not-checked";
}
