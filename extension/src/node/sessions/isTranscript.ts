import { basename, dirname } from "node:path";
import type { FileFormatId } from "../../core/model/transcript";
import type { FileAccess, Utf8 } from "../../core/ports";
import { sniff } from "../../core/transcript/sniff";

/** JSON files of common tools; reading thousands of them would find nothing. */
const NOT_TRANSCRIPTS = /^(?:package(?:-lock)?|[tj]sconfig.*|composer|lerna|nx|.*\.schema|.*\.code-workspace)\.json$/;

/** Whether a file's name leaves it open that it is a transcript. Claude Code keeps those of sub-agents beside the session that lists them. */
export function mayBeTranscript(path: string): boolean {
  return !NOT_TRANSCRIPTS.test(basename(path)) && basename(dirname(path)) !== "subagents";
}

/** Whether a file's beginning is that of a transcript. A file that cannot be read is none. */
export async function isTranscript(path: string, files: FileAccess, utf8: Utf8): Promise<boolean> {
  return (await formatOfFile(path, files, utf8)) !== undefined;
}

/** The format of a transcript by its beginning; undefined for any other file and for one that cannot be read. */
export async function formatOfFile(path: string, files: FileAccess, utf8: Utf8): Promise<FileFormatId | undefined> {
  const stat = await files.stat(path);
  if (stat.kind !== "file") return undefined;
  try {
    const found = await sniff(await files.open(path), { utf8 });
    return found.ok ? found.value : undefined;
  } catch (error) {
    // The platform says no (EACCES, or the file went away in between): then it cannot be opened as a transcript either.
    if (error instanceof Error && "code" in error) return undefined;
    throw error;
  }
}
