import type { FileFormatId } from "../core/model/transcript";

/** Names a transcript in the store; a forced format is another index. */
export function indexKey(path: string, format: FileFormatId | undefined): string {
  return `${path}\n${format ?? ""}`;
}
