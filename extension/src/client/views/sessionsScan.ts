import { basename, dirname, extname, join } from "node:path";
import type { Cancel, FileAccess } from "../../core/ports";

/** A transcript that was found on disk. */
export interface FoundSession {
  readonly path: string;
  /** Session id where the file name holds one (with the extension where two files hold the same session), else the file's name. */
  readonly label: string;
  readonly bytes: number;
  readonly mtimeMs: number;
  /** Home, project or folder that it belongs to. */
  readonly place: string;
}

export interface Found {
  /** Newest first. */
  readonly sessions: readonly FoundSession[];
  /** Files or folders beyond the bound that were not looked at. */
  readonly omitted: number;
  /** Folders that could not be listed. */
  readonly unreadable: number;
}

/** Bounds of a scan. */
export interface ScanLimits {
  /** Sessions kept per group, newest first. */
  readonly sessions: number;
  /** Folder entries looked at per group. */
  readonly entries: number;
}

export const SCAN_LIMITS: ScanLimits = { sessions: 20_000, entries: 50_000 };
/** File look-ups at a time. */
const PARALLEL = 16;

interface Candidate {
  readonly path: string;
  readonly label: string;
  readonly place: string;
}

/** Where a home keeps all its sessions; the files beside it are copies of some of them. */
const HERMES_DATABASE = "state.db";

/** The database and the session files in Hermes homes and their profiles. `sessions.json` is an index, request dumps are no sessions. */
export async function hermesSessions(
  homes: readonly string[],
  files: FileAccess,
  cancel: Cancel,
  limits: ScanLimits = SCAN_LIMITS,
): Promise<Found> {
  const candidates: Candidate[] = [];
  const folders = new Folders(files);
  for (const home of homes) {
    const profiles = await folders.list(join(home, "profiles"));
    const all = [home, ...profiles.filter((name) => !name.startsWith(".")).map((name) => join(home, "profiles", name))];
    for (const place of all) {
      if (cancel.isCancellationRequested) break;
      // Missing ones are left out when files are looked at.
      candidates.push({ path: join(place, HERMES_DATABASE), label: HERMES_DATABASE, place });
      for (const name of await folders.list(join(place, "sessions"))) {
        const label = hermesSessionId(name);
        if (label !== undefined) candidates.push({ path: join(place, "sessions", name), label, place });
      }
    }
  }
  return { ...(await lookAt(candidates, files, cancel, limits)), unreadable: folders.unreadable };
}

/** Session id in the name of a snapshot or gateway transcript; undefined for other files. */
export function hermesSessionId(name: string): string | undefined {
  if (name === "sessions.json" || name.startsWith("request_dump_") || name.startsWith(".")) return undefined;
  return /^(?:session_)?(.+)\.jsonl?$/.exec(name)?.[1];
}

/** Sessions in folders of Claude Code projects. Sub-agents (`agent-…`) belong to a session and are not listed by themselves. */
export async function claudeSessions(
  projectFolders: readonly string[],
  files: FileAccess,
  cancel: Cancel,
  limits: ScanLimits = SCAN_LIMITS,
): Promise<Found> {
  const candidates: Candidate[] = [];
  const folders = new Folders(files);
  for (const root of projectFolders) {
    for (const project of await folders.list(root)) {
      if (cancel.isCancellationRequested || candidates.length >= limits.entries) break;
      const place = join(root, project);
      for (const name of await folders.list(place)) {
        if (!name.endsWith(".jsonl") || name.startsWith("agent-")) continue;
        candidates.push({ path: join(place, name), label: name.slice(0, -".jsonl".length), place });
      }
    }
  }
  return { ...(await lookAt(candidates, files, cancel, limits)), unreadable: folders.unreadable };
}

/** Files that somebody else found, for example in the open folders. */
export async function listedSessions(
  paths: readonly string[],
  placeOf: (path: string) => string,
  files: FileAccess,
  cancel: Cancel,
  limits: ScanLimits = SCAN_LIMITS,
): Promise<Found> {
  return lookAt(
    paths.map((path) => ({ path, label: basename(path), place: placeOf(path) })),
    files,
    cancel,
    limits,
  );
}

/** Lists folders; one that cannot be listed is counted and does not hide the others. */
class Folders {
  readonly #files: FileAccess;
  unreadable = 0;

  constructor(files: FileAccess) {
    this.#files = files;
  }

  async list(path: string): Promise<readonly string[]> {
    try {
      return await this.#files.list(path);
    } catch (error) {
      if (!(error instanceof Error && "code" in error)) throw error;
      this.unreadable++;
      return [];
    }
  }
}

async function lookAt(
  candidates: readonly Candidate[],
  files: FileAccess,
  cancel: Cancel,
  limits: ScanLimits,
): Promise<Found> {
  const looked = candidates.slice(0, limits.entries);
  const sessions: FoundSession[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let one = looked[next++]; one && !cancel.isCancellationRequested; one = looked[next++]) {
      const stat = await files.stat(one.path);
      if (stat.kind === "file" && stat.bytes > 0) sessions.push({ ...one, bytes: stat.bytes, mtimeMs: stat.mtimeMs });
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, worker));
  sessions.sort((a, b) => b.mtimeMs - a.mtimeMs || (a.path < b.path ? -1 : 1));
  const omitted = candidates.length - looked.length + Math.max(0, sessions.length - limits.sessions);
  return { sessions: toldApart(sessions.slice(0, limits.sessions)), omitted, unreadable: 0 };
}

/**
 * A session may be kept in two files, as snapshot and as gateway log: their labels get the files' extensions. Files of one
 * name get their folder's.
 */
function toldApart(sessions: readonly FoundSession[]): readonly FoundSession[] {
  const key = ({ place, label }: FoundSession): string => `${place}\n${label}`;
  const times = new Map<string, number>();
  for (const one of sessions) times.set(key(one), (times.get(key(one)) ?? 0) + 1);
  return sessions.map((one) => (times.get(key(one)) === 1 ? one : { ...one, label: longLabel(one) }));
}

function longLabel({ label, path }: FoundSession): string {
  return label === basename(path) ? `${basename(dirname(path))}/${label}` : `${label}${extname(path)}`;
}
