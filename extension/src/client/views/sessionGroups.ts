import type { FileAccess, Utf8 } from "../../core/ports";
import { allHermesHomes } from "../../node/homes";
import type { ScanFiles } from "../../node/scanFiles";
import { AGENT_HOMES, type AgentHomeId } from "../../node/sessions/agentHomes";
import { FIND_SESSIONS } from "../../node/sessions/agentSessions";
import { inHomes } from "../../node/sessions/inHomes";
import { type MayBeSearched, searched } from "../../node/sessions/searchedHomes";
import { type Step, Walk } from "../../node/sessions/walk";
import type { SessionSource } from "../sessions/sessionIndex";
import { workspaceSessions } from "./workspaceScan";

export type GroupId = AgentHomeId | "workspace";

/** One heading of the tree and how its sessions are found. */
export interface SessionGroup extends SessionSource {
  readonly id: GroupId;
  readonly icon: string;
  /** Noun for what sessions are gathered in, for the count behind the heading. */
  readonly placeNoun: string;
  /** From how many sessions on each place gets a node of its own. */
  readonly byPlaceFrom: number;
}

export interface SessionGroupsParts extends MayBeSearched {
  readonly files: FileAccess;
  readonly scanFiles: ScanFiles;
  readonly utf8: Utf8;
  /** In a workspace that is not trusted nothing is searched, the open folders neither. */
  readonly isTrusted: () => boolean;
}

type Look = Omit<SessionGroup, "id" | "find">;

/** How the agents' headings look. */
const LOOKS: Readonly<Record<AgentHomeId, Look>> = {
  hermes: { label: "Hermes", icon: "home", placeNoun: "home", gather: "place", byPlaceFrom: 200 },
  "claude-code": { label: "Claude Code", icon: "project", placeNoun: "project", gather: "folder", byPlaceFrom: 0 },
  codex: { label: "Codex", icon: "terminal", placeNoun: "project", gather: "project", byPlaceFrom: 0 },
  "gemini-cli": { label: "Gemini CLI", icon: "sparkle", placeNoun: "project", gather: "folder", byPlaceFrom: 0 },
  opencode: { label: "opencode", icon: "code", placeNoun: "project", gather: "project", byPlaceFrom: 25 },
  copilot: { label: "Copilot", icon: "copilot", placeNoun: "project", gather: "project", byPlaceFrom: 0 },
  openmausbot: { label: "OpenMausBot", icon: "hubot", placeNoun: "home", gather: "place", byPlaceFrom: 200 },
};

/** The headings of the tree, in its order. */
export function sessionGroups(parts: SessionGroupsParts): readonly SessionGroup[] {
  const { files, scanFiles, utf8, homes, isTrusted } = parts;
  const agents = AGENT_HOMES.map(
    (id): SessionGroup => ({
      id,
      ...LOOKS[id],
      find: () => (isTrusted() ? FIND_SESSIONS[id](searched(id, parts), new Walk(scanFiles)) : nothing()),
    }),
  );
  const find = async function* (): AsyncGenerator<Step> {
    if (!isTrusted()) return;
    const hermes = allHermesHomes(homes());
    const others = AGENT_HOMES.flatMap((id) => (id === "hermes" ? [] : searched(id, parts)));
    yield* workspaceSessions({ files, utf8, listedElsewhere: await inHomes({ hermes, others }, scanFiles) });
  };
  const workspace: SessionGroup = {
    id: "workspace",
    label: "Workspace files",
    icon: "files",
    placeNoun: "folder",
    gather: "place",
    byPlaceFrom: 25,
    find,
  };
  return [...agents, workspace];
}

/** What is found where nothing is looked for. */
async function* nothing(): AsyncGenerator<Step> {}
