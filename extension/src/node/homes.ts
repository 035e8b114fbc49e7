import { posix, win32 } from "node:path";
import type { FileAccess } from "../core/ports";
import type { KnownPlaces } from "../core/results/spillFolders";
import { withoutTrailing } from "../core/util/withoutTrailing";
import { type Environment, hermesHome, knownPlaces } from "./paths";
import { addedHomes, type HomesGround } from "./sessions/agentHomes";

/** This machine, what the user added to it, and what is open. */
export interface HomesInput extends HomesGround {
  /** Paths from `contextBudget.hermes.homes`; `~/` is the user's home. */
  readonly extra: readonly string[];
  readonly workspaceFolders: readonly string[];
}

/** Hermes homes: `.hermes` in each open folder, the user's own, the machine's. Longest path first; existence is not checked. */
export function allHermesHomes(input: HomesInput): readonly string[] {
  const path = pathOf(input);
  const homes = [
    ...input.workspaceFolders.map((folder) => path.join(folder, ".hermes")),
    ...userHomes(input),
    plain(hermesHome(input), path),
  ];
  return [...new Set(homes)].sort((a, b) => b.length - a.length);
}

/** The homes on this machine that a user would call theirs: without those in open folders. */
export function machineHermesHomes(input: HomesInput): readonly string[] {
  return [...new Set([plain(hermesHome(input), pathOf(input)), ...userHomes(input)])];
}

/**
 * Where spill files may lie: the machine's places and the user's own homes with their profiles. Open folders are no such
 * places: whoever made a workspace must not decide what is read without asking.
 */
export async function placesOf(input: HomesInput, files: FileAccess): Promise<KnownPlaces> {
  const places = await knownPlaces(input, files);
  const own: string[] = [];
  for (const home of userHomes(input)) {
    own.push(home);
    const profiles = pathOf(input).join(home, "profiles");
    if ((await files.stat(profiles)).kind !== "directory") continue;
    for (const name of await files.list(profiles)) {
      if (!name.startsWith(".")) own.push(pathOf(input).join(profiles, name));
    }
  }
  return { ...places, hermesHomes: [...new Set([...places.hermesHomes, ...own])] };
}

function userHomes(input: HomesInput): readonly string[] {
  const path = pathOf(input);
  const own = input.extra
    .map((folder) => folder.trim().replace(/^~(?=[/\\]|$)/, input.homeFolder))
    .filter((folder) => path.isAbsolute(folder))
    .map((folder) => plain(folder, path));
  return [...new Set([...own, ...addedHomes("hermes", input)])];
}

function pathOf({ platform }: Environment): typeof posix {
  return platform === "win32" ? win32 : posix;
}

function plain(folder: string, path: typeof posix): string {
  const normal = path.normalize(folder);
  return normal === path.parse(normal).root ? normal : withoutTrailing(normal, "/\\");
}
