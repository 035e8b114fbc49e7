import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseJson } from "../../core/util/partialJson";
import type { AgentHomeId } from "./agentHomes";
import { type Folder, isFolder, type Step, type Walk } from "./walk";

/** Finds the sessions in homes of one agent. Suspended between steps it keeps its place, so that a scan can stop and go on. */
export type FindSessions = (homes: readonly string[], walk: Walk) => AsyncGenerator<Step>;

/** How each agent lays out its sessions. */
export const FIND_SESSIONS: Readonly<Record<AgentHomeId, FindSessions>> = {
  hermes: hermesSessions,
  "claude-code": claudeSessions,
  codex: codexSessions,
  "gemini-cli": geminiSessions,
  opencode: opencodeSessions,
  copilot: copilotSessions,
  openmausbot: openmausbotSessions,
};

/** Files worth watching in homes of each agent. Chats of VS Code lie in one folder per workspace: too many to watch. */
export const WATCH_PATTERNS: readonly (readonly [AgentHomeId, string])[] = [
  ["hermes", "{,profiles/*/}{state.db*,sessions/*.json,sessions/*.jsonl}"],
  ["claude-code", "*/*.jsonl"],
  ["codex", "{sessions,archived_sessions}/**/rollout-*.jsonl"],
  ["gemini-cli", "tmp/*/chats/session-*"],
  ["opencode", "{opencode.db*,storage/session/*/*.json}"],
  ["copilot", "session-state/*/events.jsonl"],
  ["openmausbot", "{messages.db*,messages-*.json,native/*.ndjson}"],
];

/** The database and the session files in homes and their profiles. The files beside the database are copies of some of its sessions. */
async function* hermesSessions(homes: readonly string[], walk: Walk): AsyncGenerator<Step> {
  for (const path of homes) {
    const home = yield* walk.enter(path);
    if (home === undefined) continue;
    yield* hermesHome(home, walk);
    const profiles = yield* walk.below(home, "profiles");
    if (profiles === undefined) continue;
    for await (const one of walk.folders(profiles)) {
      if (!isFolder(one)) yield one;
      // `.deleted` holds tombstones.
      else if (!basename(one.path).startsWith(".")) yield* hermesHome(one, walk);
    }
  }
}

async function* hermesHome(home: Folder, walk: Walk): AsyncGenerator<Step> {
  const place = home.path;
  yield* walk.files(home, (name) => (name === "state.db" ? name : undefined), { place, isDatabase: true });
  yield* walk.files(yield* walk.below(home, "sessions"), hermesSessionId, { place });
}

/** Session id in the name of a snapshot or gateway transcript; undefined for other files: `sessions.json` is an index, dumps are requests. */
export function hermesSessionId(name: string): string | undefined {
  if (name === "sessions.json" || name.startsWith("request_dump_") || name.startsWith(".")) return undefined;
  return /^(?:session_)?(.+)\.jsonl?$/.exec(name)?.[1];
}

/** Sub-agents (`agent-…`) belong to a session and are not listed by themselves. */
async function* claudeSessions(homes: readonly string[], walk: Walk): AsyncGenerator<Step> {
  const labelOf = (name: string) =>
    name.endsWith(".jsonl") && !name.startsWith("agent-") ? name.slice(0, -".jsonl".length) : undefined;
  for (const path of homes) {
    const projects = yield* walk.enter(path);
    if (projects === undefined) continue;
    for await (const one of walk.folders(projects)) {
      if (isFolder(one)) yield* walk.files(one, labelOf);
      else yield one;
    }
  }
}

/** `sessions/YYYY/MM/DD/rollout-….jsonl` and `archived_sessions/`. */
async function* codexSessions(homes: readonly string[], walk: Walk): AsyncGenerator<Step> {
  const labelOf = (name: string) => /^rollout-(.+)\.jsonl(?:\.zst)?$/.exec(name)?.[1];
  for (const place of homes) {
    const home = yield* walk.enter(place);
    if (home === undefined) continue;
    const sessions = yield* walk.below(home, "sessions");
    if (sessions !== undefined) yield* filesBelow(sessions, 3, labelOf, place, walk);
    const archived = yield* walk.below(home, "archived_sessions");
    if (archived !== undefined) yield* filesBelow(archived, 0, labelOf, place, walk);
  }
}

async function* filesBelow(
  folder: Folder,
  depth: number,
  labelOf: (name: string) => string | undefined,
  place: string,
  walk: Walk,
): AsyncGenerator<Step> {
  yield* walk.files(folder, labelOf, { place });
  if (depth === 0) return;
  for await (const one of walk.folders(folder)) {
    if (isFolder(one)) yield* filesBelow(one, depth - 1, labelOf, place, walk);
    else yield one;
  }
}

/** `tmp/<project>/chats/session-….json(l)`. */
async function* geminiSessions(homes: readonly string[], walk: Walk): AsyncGenerator<Step> {
  for (const path of homes) {
    const projects = yield* walk.enter(join(path, "tmp"));
    if (projects === undefined) continue;
    for await (const one of walk.folders(projects)) {
      if (!isFolder(one)) yield one;
      else {
        const chats = yield* walk.below(one, "chats");
        yield* walk.files(chats, (name) => /^session-(.+)\.jsonl?$/.exec(name)?.[1], { place: one.path });
      }
    }
  }
}

/** The database, and the session files of the storage folder that came before it. */
async function* opencodeSessions(homes: readonly string[], walk: Walk): AsyncGenerator<Step> {
  for (const place of homes) {
    const home = yield* walk.enter(place);
    if (home === undefined) continue;
    yield* walk.files(home, (name) => (name === "opencode.db" ? name : undefined), { place, isDatabase: true });
    const storage = yield* walk.below(home, "storage");
    const sessions = storage === undefined ? undefined : yield* walk.below(storage, "session");
    if (sessions !== undefined) yield* filesBelow(sessions, 1, jsonName, place, walk);
  }
}

/** Chats of VS Code by workspace, chats of windows without one, and sessions of the command line. */
async function* copilotSessions(homes: readonly string[], walk: Walk): AsyncGenerator<Step> {
  for (const path of homes) {
    const home = yield* walk.enter(path);
    if (home === undefined) continue;
    const cli = yield* walk.below(home, "session-state");
    if (cli !== undefined) {
      for await (const one of walk.folders(cli)) {
        if (!isFolder(one)) yield one;
        else
          yield* walk.files(one, (name) => (name === "events.jsonl" ? basename(one.path) : undefined), { place: path });
      }
    }
    const workspaces = yield* walk.below(home, "workspaceStorage");
    if (workspaces !== undefined) {
      for await (const one of walk.folders(workspaces)) {
        if (isFolder(one)) yield* chatSessions(one, path, walk);
        else yield one;
      }
    }
    const globals = yield* walk.below(home, "globalStorage");
    if (globals !== undefined)
      yield* walk.files(yield* walk.below(globals, "emptyWindowChatSessions"), jsonName, { place: path });
  }
}

/** VS Code's own record of chats, and what the Copilot extension keeps beside it: transcripts and debug logs of the same sessions. */
async function* chatSessions(workspace: Folder, place: string, walk: Walk): AsyncGenerator<Step> {
  const chats = yield* walk.below(workspace, "chatSessions");
  const own = yield* walk.below(workspace, "GitHub.copilot-chat");
  if (chats === undefined && own === undefined) return;
  const project = folderOf(await walk.text(join(workspace.path, "workspace.json")));
  const facts = { place, ...(project === undefined ? {} : { project }) };
  yield* walk.files(chats, jsonName, facts);
  if (own === undefined) return;
  const named = (name: string | undefined, what: string) => (name === undefined ? undefined : `${name} (${what})`);
  const transcripts = yield* walk.below(own, "transcripts");
  yield* walk.files(transcripts, (name) => named(jsonName(name), "transcript"), facts);
  const logs = yield* walk.below(own, "debug-logs");
  if (logs === undefined) return;
  // Older ones are files; newer ones are folders, with those of sub-agents beside the session's own.
  yield* walk.files(logs, (name) => named(jsonName(name), "debug log"), facts);
  for await (const one of walk.folders(logs)) {
    if (!isFolder(one)) yield one;
    else
      yield* walk.files(
        one,
        (name) => (name === "main.jsonl" ? named(basename(one.path), "debug log") : undefined),
        facts,
      );
  }
}

/** The folder, or the workspace file, that a workspace's storage is for. */
function folderOf(text: string | undefined): string | undefined {
  const value = text === undefined ? undefined : parseJson(text);
  if (typeof value !== "object" || value === null) return undefined;
  const { folder, workspace } = value as { readonly folder?: unknown; readonly workspace?: unknown };
  const address = folder ?? workspace;
  if (typeof address !== "string") return undefined;
  try {
    return address.startsWith("file:") ? fileURLToPath(address) : address;
  } catch (error) {
    // A host name or a bad escape in the address: then it is shown as it is.
    if (error instanceof TypeError || error instanceof URIError) return address;
    throw error;
  }
}

async function* openmausbotSessions(homes: readonly string[], walk: Walk): AsyncGenerator<Step> {
  for (const place of homes) {
    const home = yield* walk.enter(place);
    if (home === undefined) continue;
    yield* walk.files(home, (name) => (name === "messages.db" ? name : undefined), { place, isDatabase: true });
    yield* walk.files(home, (name) => /^messages-(.+)\.json$/.exec(name)?.[1], { place });
    yield* walk.files(yield* walk.below(home, "native"), (name) => /^(.+)\.ndjson$/.exec(name)?.[1], { place });
  }
}

function jsonName(name: string): string | undefined {
  return /^(.+)\.jsonl?$/.exec(name)?.[1];
}
