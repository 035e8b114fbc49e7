import * as vscode from "vscode";
import { type Disposable, Lifetime } from "../lifetime";
import type { SessionIndex } from "../sessions/sessionIndex";

/** Files that the workspace's own group lists. Only new and removed ones are told: what else changes there is no business of ours. */
const WORKSPACE_PATTERN = "**/*.{jsonl,ndjson,json}";

/** Tells the index of sessions that appear, change or go away. Where nothing is told, its own repeated search finds them. */
export function watchSessions(
  places: readonly (readonly [folder: string, pattern: string])[],
  index: SessionIndex,
): Disposable {
  const lifetime = new Lifetime();
  const listen = (pattern: vscode.GlobPattern, changesToo: boolean): void => {
    const watcher = lifetime.add(vscode.workspace.createFileSystemWatcher(pattern, false, !changesToo, false));
    // The log beside a database is part of it.
    const heard = ({ scheme, fsPath }: vscode.Uri): void => {
      if (scheme === "file") index.touched(fsPath.replace(/(?<=\.db)-(?:wal|shm|journal)$/, ""));
    };
    lifetime.add(watcher.onDidCreate(heard));
    lifetime.add(watcher.onDidChange(heard));
    lifetime.add(watcher.onDidDelete(heard));
  };
  for (const [folder, pattern] of places) listen(new vscode.RelativePattern(vscode.Uri.file(folder), pattern), true);
  listen(WORKSPACE_PATTERN, false);
  return lifetime;
}
