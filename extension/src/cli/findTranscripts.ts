import { basename, join } from "node:path";
import type { Cancel } from "../core/ports";
import { isOpenhandsEvent } from "../core/transcript/openhandsStore";
import type { CliIo } from "./io";

/** Bounds of a search below a folder; whoever hits one is told. */
export const SEARCH_LIMITS = { depth: 8, folders: 5_000, files: 20_000 } as const;

/** Folders that hold other people's files. */
const SKIPPED = new Set(["node_modules", ".git", ".hg", ".svn", "tool-results", "spillover"]);
const EXTENSIONS = /\.(?:jsonl?|ndjson|traj|jsonl\.(?:gz|zst)|db|sqlite3?)$/i;

export interface Found {
  /** Absolute paths of files that may be transcripts by their name, sorted; their content decides later. */
  readonly files: readonly string[];
  /** Which bound was hit, in words; undefined when everything was seen. */
  readonly capped: string | undefined;
  /** Folders that may not be looked into, with the reason; in the order met. */
  readonly unreadable: readonly { readonly path: string; readonly error: Error }[];
}

/** Files below `folder` that may be transcripts, in a stable order. Links are followed once; loops end. */
export async function findTranscripts(folder: string, io: CliIo, cancel: Cancel): Promise<Found> {
  const files: string[] = [];
  const visited = new Set<string>();
  let capped: string | undefined;
  const unreadable: { readonly path: string; readonly error: Error }[] = [];
  const pending: { readonly path: string; readonly depth: number }[] = [{ path: folder, depth: 0 }];
  for (let next = pending.shift(); next !== undefined && !cancel.isCancellationRequested; next = pending.shift()) {
    const here = await io.files.stat(next.path);
    if (here.kind !== "directory" || visited.has(here.realPath)) continue;
    if (visited.size >= SEARCH_LIMITS.folders) {
      capped = `more than ${SEARCH_LIMITS.folders} folders`;
      break;
    }
    visited.add(here.realPath);
    const names = await namesIn(next.path, io);
    if (names instanceof Error) {
      unreadable.push({ path: next.path, error: names });
      continue;
    }
    for (const name of oneOfEach(next.path, [...names].sort())) {
      const path = join(next.path, name);
      const { kind } = await io.files.stat(path);
      if (kind === "directory" && !SKIPPED.has(name)) {
        if (next.depth >= SEARCH_LIMITS.depth) capped = `folders more than ${SEARCH_LIMITS.depth} deep`;
        else pending.push({ path, depth: next.depth + 1 });
      } else if ((kind === "file" || kind === "unreadable") && EXTENSIONS.test(name)) {
        files.push(path);
        if (files.length >= SEARCH_LIMITS.files)
          return { files: files.sort(), capped: `more than ${SEARCH_LIMITS.files} files`, unreadable };
      }
    }
  }
  return { files: files.sort(), capped, unreadable };
}

/** An Error with the platform's code where the folder may not be looked into. */
async function namesIn(folder: string, io: CliIo): Promise<readonly string[] | Error> {
  try {
    return await io.files.list(folder);
  } catch (error) {
    if (error instanceof Error && "code" in error) return error;
    throw error;
  }
}

/**
 * An OpenHands conversation is a folder of event files, of which each opens the conversation: the first stands for all, and
 * for the state beside them.
 */
function oneOfEach(folder: string, names: readonly string[]): readonly string[] {
  if (basename(folder) === "events") {
    const first = names.find(isOpenhandsEvent);
    return names.filter((name) => name === first || !isOpenhandsEvent(name));
  }
  return names.includes("events") ? names.filter((name) => name !== "base_state.json") : names;
}
