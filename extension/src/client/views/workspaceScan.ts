import { basename, dirname } from "node:path";
import * as vscode from "vscode";
import type { FileAccess, Utf8 } from "../../core/ports";
import { onePerSession } from "../../core/transcript/onePerSession";
import { isTranscript, mayBeTranscript } from "../../node/sessions/isTranscript";
import type { Step } from "../../node/sessions/walk";

/** Names found in the open folders at most; more than a search of this kind should look at. */
const MAX_FILES = 2_000;
/** Files whose beginning is read to see whether they are transcripts. */
const MAX_SNIFFED = 500;
const PARALLEL = 8;
const EXCLUDED = "**/{node_modules,bower_components,.git,.venv,venv,site-packages,dist,out,build,target}/**";

export interface WorkspaceScanParts {
  readonly files: FileAccess;
  readonly utf8: Utf8;
  /** True for files that another group of the tree lists. */
  readonly listedElsewhere: (path: string) => boolean;
}

/** Transcripts in the open folders, recognised by content. Bounded: that something was not looked at is a step. */
export async function* workspaceSessions(parts: WorkspaceScanParts): AsyncGenerator<Step> {
  const names = await vscode.workspace.findFiles("**/*.{jsonl,ndjson,json}", EXCLUDED, MAX_FILES);
  const paths = names.filter((uri) => uri.scheme === "file").map((uri) => uri.fsPath);
  const candidates = onePerSession(paths)
    .filter((path) => mayBeTranscript(path) && !parts.listedElsewhere(path))
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

/** Line files first: most transcripts are, and few other files are. */
function rank(path: string): number {
  return path.endsWith(".json") ? 1 : 0;
}
