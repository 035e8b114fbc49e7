import { basename, dirname } from "node:path";
import type { Thread } from "../../core/model/transcript";
import type { FoundSession } from "../../node/sessions/sessionScan";
import type { TimeSlices } from "../../node/sessions/timeSlices";

/** Sessions that belong together: of one project, or of one home or folder where no project is stated. */
export interface Place {
  /** The same for the same place in every scan, so that the tree keeps what is open and selected. */
  readonly id: string;
  readonly label: string;
  /** What tells it from another place of the same label; empty when none has it. */
  readonly detail: string;
  /** In full, for people. */
  readonly tooltip: string;
  /** Newest first. */
  readonly sessions: readonly FoundSession[];
}

export interface PlaceParts {
  /** Project that the session's record states; undefined = not stated, or not read yet. */
  readonly projectOf: (session: FoundSession) => string | undefined;
  readonly isRead: (session: FoundSession) => boolean;
  /** The agent keeps a folder per project: what is not read yet belongs with its neighbours. */
  readonly folderIsProject: boolean;
}

interface Gathered {
  readonly id: string;
  readonly project: string | undefined;
  readonly fallback: string;
  readonly sessions: FoundSession[];
}

/** Gathers sessions by the project that their records state, the place with the newest session first. */
export async function byProject(
  sessions: readonly FoundSession[],
  parts: PlaceParts,
  slices: TimeSlices,
): Promise<readonly Place[]> {
  const projects = new Map<string, string>();
  const projectsOfFolder = new Map<string, Set<string>>();
  if (parts.folderIsProject) {
    for (const session of sessions) {
      const rest = slices.rest();
      if (rest !== undefined) await rest;
      const project = parts.projectOf(session);
      if (project === undefined) continue;
      // The newest one speaks for those of its folder that are not read yet.
      if (!projects.has(session.place)) projects.set(session.place, project);
      const known = projectsOfFolder.get(session.place);
      if (known === undefined) projectsOfFolder.set(session.place, new Set([project]));
      else known.add(project);
    }
  }
  const places = new Map<string, Gathered>();
  for (const session of sessions) {
    const rest = slices.rest();
    if (rest !== undefined) await rest;
    const { place } = session;
    const project = parts.projectOf(session) ?? (parts.folderIsProject ? projects.get(place) : undefined);
    const fallback = parts.folderIsProject ? place : parts.isRead(session) ? NOT_STATED : NOT_READ;
    const key = project ?? `\n${fallback}`;
    const known = places.get(key);
    if (known !== undefined) known.sessions.push(session);
    else {
      // Folder names lose characters, so that one folder may hold two projects.
      const isShared = (projectsOfFolder.get(place)?.size ?? 0) > 1;
      const id = parts.folderIsProject && !isShared ? place : key;
      places.set(key, { id, project, fallback, sessions: [session] });
    }
  }
  return named([...places.values()]);
}

/** Gathers sessions by the home or folder that they lie in. */
export function byFolder(sessions: readonly FoundSession[]): readonly Place[] {
  const places = new Map<string, FoundSession[]>();
  for (const session of sessions) {
    const known = places.get(session.place);
    if (known !== undefined) known.push(session);
    else places.set(session.place, [session]);
  }
  return named([...places].map(([place, of]) => ({ id: place, project: place, fallback: place, sessions: of })));
}

/** Sessions of a database by the project that it records for them, the place with the newest one first. */
export function threadsByProject(threads: readonly Thread[]): ReadonlyMap<string, readonly Thread[]> {
  const places = new Map<string, Thread[]>();
  for (const thread of threads) {
    const project = thread.project ?? NOT_STATED;
    const known = places.get(project);
    if (known !== undefined) known.push(thread);
    else places.set(project, [thread]);
  }
  return places;
}

const NOT_STATED = "No project stated";
const NOT_READ = "Not read yet";

function named(places: readonly Gathered[]): readonly Place[] {
  const labels = places.map(({ project, fallback }) => labelOf(project ?? fallback));
  const times = new Map<string, number>();
  for (const label of labels) times.set(label, (times.get(label) ?? 0) + 1);
  // Two folders of one project cannot have one id, and VS Code shows none of two nodes with the same one.
  const ids = new Set<string>();
  return places.map(({ id, project, fallback, sessions }, at) => {
    const label = labels[at] ?? "";
    const free = ids.has(id) ? `${id}\n${project ?? fallback}` : id;
    ids.add(free);
    const isUnique = times.get(label) === 1 || project === undefined;
    const tooltip = project ?? fallback;
    return { id: free, label, detail: isUnique ? "" : shortFolder(dirname(tooltip)), tooltip, sessions };
  });
}

/** The last part of a path, of whichever system it comes from. */
export function labelOf(path: string): string {
  return basename(path.replaceAll("\\", "/")) || path;
}

function shortFolder(folder: string): string {
  const parts = folder.replaceAll("\\", "/").split("/").filter(Boolean);
  return parts.length <= 2 ? folder : `…/${parts.slice(-2).join("/")}`;
}
