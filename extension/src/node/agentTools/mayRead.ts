import { basename, dirname, join, relative, sep } from "node:path";
import type { AgentCaller, Answered } from "../../core/agentTools/ports";
import { err, ok } from "../../core/model/problem";
import type { Cancel, FileAccess } from "../../core/ports";
import { followable, type Ground, visible } from "../openRules";
import { AGENT_HOMES } from "../sessions/agentHomes";
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
 * not trusted only what is open counts. Gives the real path, to be read without following links (`OnlyFile.isReal`).
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
  // Written as the path is: the case of a drive's letter, or a `.`, makes no difference.
  const roots = parts.roots().map((root) => {
    const known = followable(root, ground);
    return known.ok ? known.value : root;
  });
  if (!isTrusted() && !roots.includes(path)) {
    // Without a look: whether a file is there is not told either.
    return err({
      message: `${shown} is not open, and this workspace is not trusted, so nothing else is read. Ask the user to open the file, or to trust the workspace.`,
    });
  }
  const stat = await files.stat(path);
  if (stat.kind === "missing") return err({ message: `${shown} is not on this machine. Check the path.` });
  if (stat.kind === "unreadable")
    return err({ message: `${shown} cannot be read (${stat.reason}). Check its permissions.` });
  if (stat.kind === "directory") return err({ message: `${shown} is a folder. Name a file in it.` });
  if (stat.kind !== "file") return err({ message: `${shown} is not a regular file, so it is not opened.` });
  const { realPath } = stat;
  for (const root of roots) {
    const open = await files.stat(root);
    if (open.kind === "file" && open.realPath === realPath) return ok(realPath);
    if (open.kind === "directory" && isTrusted() && isInside(realPath, open.realPath)) return ok(realPath);
  }
  if (caller.confirmed === written || caller.confirmed === path) {
    if (realPath === path) return ok(path);
    return err({
      message: `${shown} leads to ${visible(realPath)} through a link. Call again with that path, so that the user sees which file is read.`,
    });
  }
  if (what === "config" && (await isHomeConfig(path, realPath, parts))) return ok(realPath);
  if (what === "transcript" && (await finder.has(path, cancel)) && (await isOfHome(path, realPath, parts)))
    return ok(realPath);
  return err({
    message:
      what === "transcript"
        ? `${shown} is none of the sessions that contextBudget_listSessions gives, and lies in no open folder. Use one of its paths, or ask the user to open the file's folder.`
        : `${shown} is no config of a Hermes home on this machine, and lies in no open folder. Ask the user to open the file's folder.`,
  });
}

function isInside(path: string, folder: string): boolean {
  return path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

/** Whether a path leads to where it stands in an agent's home, which itself may be reached through links. */
async function isOfHome(path: string, realPath: string, parts: MayReadParts): Promise<boolean> {
  for (const home of AGENT_HOMES.flatMap((agent) => searched(agent, parts))) {
    if (!isInside(path, home)) continue;
    const stat = await parts.files.stat(home);
    if (stat.kind === "directory" && join(stat.realPath, relative(home, path)) === realPath) return true;
  }
  return false;
}

/** `config.yaml` of a Hermes home or of one of its profiles; the file itself may not be a link. */
async function isHomeConfig(path: string, realPath: string, parts: MayReadParts): Promise<boolean> {
  const folder = dirname(path);
  const name = basename(path);
  if (!CONFIG_NAMES.has(name)) return false;
  const homes = new Set(searched("hermes", parts));
  const isHome = homes.has(folder) || (basename(dirname(folder)) === "profiles" && homes.has(dirname(dirname(folder))));
  if (!isHome) return false;
  const stat = await parts.files.stat(folder);
  return stat.kind === "directory" && join(stat.realPath, name) === realPath;
}
