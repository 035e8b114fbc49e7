import { basename, dirname, join } from "node:path";
import type { FileAccess, Utf8 } from "../../core/ports";
import { claudeProjects } from "../../node/paths";
import { allHermesHomes, type HomesInput, machineHermesHomes } from "../homes";
import { claudeSessions, type Found, hermesSessions } from "./sessionsScan";
import type { SessionGroup } from "./sessionsTree";
import { workspaceSessions } from "./workspaceScan";

export interface SessionGroupsParts {
  readonly files: FileAccess;
  readonly utf8: Utf8;
  readonly homes: () => HomesInput;
  /** Whether folders outside the workspace may be searched. */
  readonly mayScanHomes: () => boolean;
}

const NOTHING: Found = { sessions: [], omitted: 0, unreadable: 0 };

/** The three headings of the tree. */
export function sessionGroups(parts: SessionGroupsParts): readonly SessionGroup[] {
  const { files, utf8, homes, mayScanHomes } = parts;
  return [
    {
      id: "hermes",
      label: "Hermes",
      icon: "home",
      placeNoun: "home",
      byPlaceFrom: Number.POSITIVE_INFINITY,
      find: async (cancel) => hermesSessions(searched(homes(), mayScanHomes()), files, cancel),
    },
    {
      id: "claude-code",
      label: "Claude Code",
      icon: "project",
      placeNoun: "project",
      byPlaceFrom: 0,
      find: async (cancel) => (mayScanHomes() ? claudeSessions(claudeProjects(homes()), files, cancel) : NOTHING),
    },
    {
      id: "workspace",
      label: "Workspace files",
      icon: "files",
      placeNoun: "folder",
      byPlaceFrom: 25,
      find: async (cancel) => {
        const known = new Set(allHermesHomes(homes()));
        return workspaceSessions({ files, utf8, listedElsewhere: (path) => isHermesSession(path, known) }, cancel);
      },
    },
  ];
}

/** Homes whose sessions are listed: those in open folders always, the machine's only where that is allowed. */
function searched(input: HomesInput, machineToo: boolean): readonly string[] {
  const open = input.workspaceFolders.map((folder) => join(folder, ".hermes"));
  return [...new Set([...(machineToo ? machineHermesHomes(input) : []), ...open])];
}

/** True for `sessions/…` of a home or of one of its profiles. */
function isHermesSession(path: string, homes: ReadonlySet<string>): boolean {
  const folder = dirname(path);
  if (basename(folder) !== "sessions") return false;
  const home = dirname(folder);
  return homes.has(home) || (basename(dirname(home)) === "profiles" && homes.has(dirname(dirname(home))));
}
