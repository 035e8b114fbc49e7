import { basename, dirname } from "node:path";
import * as vscode from "vscode";
import type { FileAccess, Utf8 } from "../../core/ports";
import { sniff } from "../../core/transcript/sniff";
import type { Step } from "../../node/sessions/walk";

/** Names found in the open folders at most; more than a search of this kind should look at. */
const MAX_FILES = 2_000;
/** Files whose beginning is read to see whether they are transcripts. */
const MAX_SNIFFED = 500;
const PARALLEL = 8;
const EXCLUDED = "**/{node_modules,bower_components,.git,.venv,venv,site-packages,dist,out,build,target}/**";
/** JSON files of common tools; reading thousands of them would find nothing. */
const NOT_TRANSCRIPTS = /^(?:package(?:-lock)?|[tj]sconfig.*|composer|lerna|nx|.*\.schema|.*\.code-workspace)\.json$/;

export interface WorkspaceScanParts {
  readonly files: FileAccess;
  readonly utf8: Utf8;
  /** True for files that another group of the tree lists. */
  readonly listedElsewhere: (path: string) => boolean;
}

/** Transcripts in the open folders, recognised by content. Bounded: that something was not looked at is a step. */
export async function* workspaceSessions(parts: WorkspaceScanParts): AsyncGenerator<Step> {
  const names = await vscode.workspace.findFiles("**/*.{jsonl,ndjson,json}", EXCLUDED, MAX_FILES);
  const candidates = names
    .filter((uri) => uri.scheme === "file")
    .map((uri) => uri.fsPath)
    .filter((path) => !NOT_TRANSCRIPTS.test(basename(path)) && !isSubAgent(path) && !parts.listedElsewhere(path))
    .sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
  const looked = candidates.slice(0, MAX_SNIFFED);
  for (let at = 0; at < looked.length; at += PARALLEL) {
    const some = looked.slice(at, at + PARALLEL);
    const are = await Promise.all(some.map((path) => isTranscript(path, parts.files, parts.utf8)));
    for (const [n, path] of some.entries()) {
      if (are[n] === true) yield { kind: "file", path, label: basename(path), place: dirname(path) };
    }
  }
  if (candidates.length > looked.length || names.length >= MAX_FILES) {
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    yield { kind: "trouble", path: folder?.uri.fsPath ?? "", code: "cut" };
  }
}

/** Whether a file's beginning is that of a transcript. A file that cannot be read is none. */
export async function isTranscript(path: string, files: FileAccess, utf8: Utf8): Promise<boolean> {
  const stat = await files.stat(path);
  if (stat.kind !== "file") return false;
  try {
    return (await sniff(await files.open(path), { utf8 })).ok;
  } catch (error) {
    // The platform says no (EACCES, or the file went away in between): then it cannot be opened as a transcript either.
    if (error instanceof Error && "code" in error) return false;
    throw error;
  }
}

/** Claude Code keeps the transcripts of sub-agents beside the session that lists them. */
function isSubAgent(path: string): boolean {
  return basename(dirname(path)) === "subagents";
}

/** Line files first: most transcripts are, and few other files are. */
function rank(path: string): number {
  return path.endsWith(".json") ? 1 : 0;
}
