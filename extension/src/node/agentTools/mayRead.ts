import { basename, dirname, join, relative, sep } from "node:path";
import type { AgentCaller, Answered } from "../../core/agentTools/ports";
import { err, ok } from "../../core/model/problem";
import type { Cancel, FileAccess } from "../../core/ports";
import { parseFilePath, segmentsBelow } from "../../core/util/filePath";
import { followable, type Ground, visible } from "../openRules";
import { AGENT_HOMES } from "../sessions/agentHomes";
import { isHomeOrProfile } from "../sessions/inHomes";
import { type MayBeSearched, searched } from "../sessions/searchedHomes";
import type { SessionFinder } from "./findSessions";

export interface MayReadParts extends MayBeSearched {
  readonly isTrusted: () => boolean;
  readonly roots: () => readonly string[];
  readonly files: FileAccess;
  readonly finder: Pick<SessionFinder, "has">;
  readonly ground: Ground;
}

const CONFIG_NAMES: ReadonlySet<string> = new Set(["config.yaml", "config.yml"]);

/**
 * The rule for files that an agent names: a regular file that lies, links resolved, in what is open; that the user confirmed under
 * the very path to which it leads; or that is a session of an agent's home, or the config of a Hermes home. In a workspace that is
 * not trusted only what is open counts. Any other path is refused by its text, so that no answer tells whether a file is there. Gives
 * the real path, to be read without following links (`OnlyFile.isReal`).
 */
export async function mayRead(
  written: string,
  what: "transcript" | "config",
  caller: AgentCaller,
  parts: MayReadParts,
  cancel: Cancel,
): Promise<Answered<string>> {
  const { files, finder, isTrusted, ground } = parts;
  const followed = followable(written, ground);
  if (!followed.ok) return err({ message: `${followed.error} Write the full path.` });
  const path = followed.value;
  const shown = visible(path);
  const roots = writtenRoots(parts);
  if (!isTrusted() && !roots.includes(path))
    return err({
      message: `${shown} is not open, and this workspace is not trusted, so nothing else is read. Ask the user to open the file, or to trust the workspace.`,
    });
  const open = await openPlaces(roots, parts);
  const isConfirmed = caller.confirmed === written || caller.confirmed === path;
  const isHomes = async (): Promise<boolean> =>
    what === "config" ? homeOfConfig(path, parts) !== undefined : finder.has(path, cancel);
  const mayLook =
    isConfirmed ||
    open.some((place) => isIn(path, place.path, place) || isIn(path, place.realPath, place)) ||
    (await isHomes());
  if (!mayLook) return err({ message: notKnown(shown, what) });

  const stat = await files.stat(path);
  if (stat.kind === "missing") return err({ message: `${shown} is not on this machine. Check the path.` });
  if (stat.kind === "unreadable")
    return err({ message: `${shown} cannot be read (${stat.reason}). Check its permissions.` });
  if (stat.kind === "directory") return err({ message: `${shown} is a folder. Name a file in it.` });
  if (stat.kind !== "file") return err({ message: `${shown} is not a regular file, so it is not opened.` });
  const { realPath } = stat;
  if (open.some((place) => isIn(realPath, place.realPath, place))) return ok(realPath);
  if (isConfirmed) {
    if (realPath === path) return ok(path);
    return err({
      message: `${shown} leads to ${visible(realPath)} through a link. Call again with that path, so that the user sees which file is read.`,
    });
  }
  const isOfHome = what === "config" ? isHomeConfig : isHomeSession;
  return (await isHomes()) && (await isOfHome(path, realPath, parts))
    ? ok(realPath)
    : err({ message: notKnown(shown, what) });
}

function notKnown(shown: string, what: "transcript" | "config"): string {
  return what === "transcript"
    ? `${shown} is none of the sessions that contextBudget_listSessions gives, and lies in no open folder. Use one of its paths, or ask the user to open the file's folder.`
    : `${shown} is no config of a Hermes home on this machine, and lies in no open folder. Ask the user to open the file's folder.`;
}

/** A file or folder that is open: the path that is written, and the one to which it leads. */
interface OpenPlace {
  readonly path: string;
  readonly realPath: string;
  readonly isFolder: boolean;
}

/** Written as the path of an agent is: the case of a drive's letter, or a `.`, makes no difference. */
function writtenRoots({ roots, ground }: MayReadParts): readonly string[] {
  return roots().map((root) => {
    const known = followable(root, ground);
    return known.ok ? known.value : root;
  });
}

/** Folders count where the workspace is trusted. */
async function openPlaces(roots: readonly string[], { files, isTrusted }: MayReadParts): Promise<readonly OpenPlace[]> {
  const places: OpenPlace[] = [];
  for (const root of roots) {
    const stat = await files.stat(root);
    const isFolder = stat.kind === "directory" && isTrusted();
    if (stat.kind !== "file" && !isFolder) continue;
    places.push({ path: root, realPath: stat.realPath, isFolder });
  }
  return places;
}

/** Whether a path is that of a file, or lies in a folder. By text. */
function isIn(path: string, place: string, { isFolder }: Pick<OpenPlace, "isFolder">): boolean {
  const [inner, outer] = [parseFilePath(path), parseFilePath(place)];
  const names = inner === undefined || outer === undefined ? undefined : segmentsBelow(inner, outer);
  return names !== undefined && (isFolder || names.length === 0);
}

function isInside(path: string, folder: string): boolean {
  return path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

/** Whether a path leads to where it stands in an agent's home, which itself may be reached through links. */
async function isHomeSession(path: string, realPath: string, parts: MayReadParts): Promise<boolean> {
  for (const home of AGENT_HOMES.flatMap((agent) => searched(agent, parts))) {
    if (!isInside(path, home)) continue;
    const stat = await parts.files.stat(home);
    if (stat.kind === "directory" && join(stat.realPath, relative(home, path)) === realPath) return true;
  }
  return false;
}

/** The Hermes home, or profile of one, whose `config.yaml` a path is. By text. */
function homeOfConfig(path: string, parts: MayReadParts): string | undefined {
  const folder = dirname(path);
  if (!CONFIG_NAMES.has(basename(path))) return undefined;
  return isHomeOrProfile(folder, new Set(searched("hermes", parts))) ? folder : undefined;
}

/** Whether a config lies where it stands in its home, which itself may be reached through links; the file may not be one. */
async function isHomeConfig(path: string, realPath: string, parts: MayReadParts): Promise<boolean> {
  const folder = homeOfConfig(path, parts);
  if (folder === undefined) return false;
  const stat = await parts.files.stat(folder);
  return stat.kind === "directory" && join(stat.realPath, basename(path)) === realPath;
}
