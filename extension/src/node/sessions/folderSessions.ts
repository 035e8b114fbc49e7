import { basename, dirname, join } from "node:path";
import type { Cancel } from "../../core/ports";
import type { ScanFiles } from "../scanFiles";
import { mayBeTranscript } from "./isTranscript";
import { MAX_ENTRIES, type Step } from "./walk";

/** Bounds of a search in a folder that is no agent's home. */
export interface FolderLimits {
  readonly depth: number;
  readonly folders: number;
  /** Files whose beginning is read. */
  readonly looked: number;
  /** Large files that are no transcripts take long until that is known. Milliseconds. */
  readonly ms: number;
}

export const FOLDER_LIMITS: FolderLimits = { depth: 8, folders: 2_000, looked: 500, ms: 10_000 };

export interface FolderParts {
  readonly files: ScanFiles;
  readonly isTranscript: (path: string) => Promise<boolean>;
  /** Milliseconds, from any beginning. */
  readonly now: () => number;
  readonly cancel: Cancel;
}

/** Folders that hold other people's files, what was built, or full outputs. */
const SKIPPED = new Set([
  ...["node_modules", "bower_components", ".git", ".hg", ".svn", ".venv", "venv", "site-packages"],
  ...["dist", "out", "build", "target", "tool-results", "spillover"],
]);
const NAMES = /\.(?:jsonl|ndjson|json|traj)$/i;

/**
 * Transcripts in a folder, recognised by content, links not followed. What could not be listed, and that a bound was reached, is a
 * step. Ends early when it is cancelled.
 */
export async function* folderSessions(
  folder: string,
  { files, isTranscript, now, cancel }: FolderParts,
  limits: FolderLimits = FOLDER_LIMITS,
): AsyncGenerator<Step> {
  const pending = [{ path: folder, depth: 0 }];
  const until = now() + limits.ms;
  let folders = 0;
  let looked = 0;
  let isCut = false;
  for (let next = pending.shift(); next !== undefined; next = pending.shift()) {
    if (cancel.isCancellationRequested) return;
    if (++folders > limits.folders || now() >= until) {
      isCut = true;
      break;
    }
    const listing = await files.list(next.path, MAX_ENTRIES);
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
      if (cancel.isCancellationRequested) return;
      if (looked >= limits.looked || now() >= until) isCut = true;
      else {
        looked++;
        if (await isTranscript(path)) yield { kind: "file", path, label: basename(path), place: dirname(path) };
      }
    }
  }
  if (isCut) yield { kind: "trouble", path: folder, code: "cut" };
}
