import { basename, dirname, join } from "node:path";
import type { ScanFiles } from "../scanFiles";
import { mayBeTranscript } from "./isTranscript";
import { MAX_ENTRIES, type Step } from "./walk";

/** Bounds of a search in a folder that is no agent's home. */
export interface FolderLimits {
  readonly depth: number;
  readonly folders: number;
  /** Files whose beginning is read. */
  readonly looked: number;
}

export const FOLDER_LIMITS: FolderLimits = { depth: 8, folders: 2_000, looked: 500 };

/** Folders that hold other people's files, what was built, or full outputs. */
const SKIPPED = new Set([
  ...["node_modules", "bower_components", ".git", ".hg", ".svn", ".venv", "venv", "site-packages"],
  ...["dist", "out", "build", "target", "tool-results", "spillover"],
]);
const NAMES = /\.(?:jsonl|ndjson|json|traj)$/i;

/**
 * Transcripts in a folder, recognised by content, links not followed. What could not be listed, and that a bound was reached, is a
 * step.
 */
export async function* folderSessions(
  folder: string,
  parts: { readonly files: ScanFiles; readonly isTranscript: (path: string) => Promise<boolean> },
  limits: FolderLimits = FOLDER_LIMITS,
): AsyncGenerator<Step> {
  const pending = [{ path: folder, depth: 0 }];
  let folders = 0;
  let looked = 0;
  let isCut = false;
  for (let next = pending.shift(); next !== undefined; next = pending.shift()) {
    if (++folders > limits.folders) {
      isCut = true;
      break;
    }
    const listing = await parts.files.list(next.path, MAX_ENTRIES);
    if (listing.kind === "unreadable") yield { kind: "trouble", path: next.path, code: listing.code };
    if (listing.kind !== "listed") continue;
    isCut ||= listing.isCut;
    for (const { name, kind } of [...listing.entries].sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = join(next.path, name);
      if (kind === "folder" && !SKIPPED.has(name)) {
        if (next.depth < limits.depth) pending.push({ path, depth: next.depth + 1 });
        else isCut = true;
      }
      if (kind !== "file" || !NAMES.test(name) || !mayBeTranscript(path)) continue;
      if (looked >= limits.looked) isCut = true;
      else {
        looked++;
        if (await parts.isTranscript(path)) yield { kind: "file", path, label: basename(path), place: dirname(path) };
      }
    }
  }
  if (isCut) yield { kind: "trouble", path: folder, code: "cut" };
}
