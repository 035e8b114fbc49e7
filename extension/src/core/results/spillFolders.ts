import type { AgentId } from "../model/transcript";
import { type FilePath, parentOf, parseFilePath, segmentsBelow, withSegments } from "../util/filePath";
import { MARKERS, type VariantId } from "./markers";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Stands for any one name in a pattern. */
const ANY = "*";

/** Folders of this machine that the host knows of; all absolute. */
export interface KnownPlaces {
  /** What `~` stands for. */
  readonly homeFolder: string;
  /** Where `hermes-results` may lie: the system's temporary folders. */
  readonly tempFolders: readonly string[];
  /** Hermes homes with their profiles. */
  readonly hermesHomes: readonly string[];
  /** Folders that hold Claude Code's project folders. */
  readonly claudeProjects: readonly string[];
}

/** Which transcript the paths come from. */
export interface LocateContext extends KnownPlaces {
  readonly agent: AgentId;
  /** The opened transcript; absolute. */
  readonly transcriptPath: string;
  /** Session the transcript names; tells Claude Code's old subagent files which session they belong to. */
  readonly sessionId: string | undefined;
  /** Folder that the user chose to stand for a home that is not here. */
  readonly rebaseRoot: string | undefined;
}

/** A family of spill files below a Hermes home (hermes.md 3.2, 3.9). */
export interface SpillFamily {
  readonly names: readonly string[];
  /** How long the agent keeps the files, milliseconds; undefined = no expiry known. */
  readonly keptMs: number | undefined;
}

export const HERMES_FAMILIES: readonly SpillFamily[] = [
  { names: ["cache", "spillover"], keptMs: DAY },
  { names: ["cache", "tool_responses"], keptMs: undefined },
  { names: ["hook_outputs"], keptMs: undefined },
  { names: ["cache", "terminal-output"], keptMs: 7 * DAY },
  { names: ["cache", "exec"], keptMs: undefined },
  { names: ["cache", "web"], keptMs: undefined },
];

/** Spill folder in a temporary folder or sandbox, up to v2026.8.16.2 and for remote backends. */
export const SANDBOX_FOLDER = "hermes-results";
export const TOOL_RESULTS = "tool-results";

/**
 * A folder in which files may be read without asking. `base` is trusted; what is below it must match `pattern` name by
 * name, also after links are resolved, and have at least one name more.
 */
export interface SpillFolder {
  readonly base: FilePath;
  readonly pattern: readonly string[];
  readonly keptMs: number | undefined;
  readonly kind: "home" | "sandbox" | "session" | "chosen";
}

/** The agent whose notice this is; a transcript of an unknown agent still holds notices of known ones. */
export function ownerOf(variant: string, agent: AgentId): AgentId | "other" {
  const marker = MARKERS[variant as VariantId];
  return marker?.agent ?? agent;
}

/** All folders that `owner` is known to spill to, as seen from this transcript. */
export function spillFolders(owner: AgentId | "other", where: LocateContext): readonly SpillFolder[] {
  if (owner === "hermes") return [...chosenFolders(where, HERMES_PATTERNS), ...hermesFolders(where)];
  if (owner === "claude-code") return [...chosenFolders(where, CLAUDE_PATTERNS), ...claudeFolders(where)];
  return [];
}

interface Pattern {
  readonly names: readonly string[];
  readonly keptMs: number | undefined;
}

const HERMES_PATTERNS: readonly Pattern[] = [...HERMES_FAMILIES, { names: [SANDBOX_FOLDER], keptMs: undefined }];
const CLAUDE_PATTERNS: readonly Pattern[] = [{ names: [TOOL_RESULTS], keptMs: undefined }];
/** Names that may lie between a folder that stands for another machine's root and a spill folder: home, user, profile. */
const CHOSEN_DEPTH = 6;

/**
 * The folder that the user chose may be a spill folder itself, or hold one at some depth. Even there only files inside
 * spill folders are read, because the transcript still chooses the names.
 */
export function chosenFolder(where: LocateContext): FilePath | undefined {
  const chosen = where.rebaseRoot === undefined ? undefined : parseFilePath(where.rebaseRoot, where.homeFolder);
  return chosen === undefined || chosen.segments.length === 0 ? undefined : chosen;
}

function chosenFolders(where: LocateContext, patterns: readonly Pattern[]): readonly SpillFolder[] {
  const base = chosenFolder(where);
  if (base === undefined) return [];
  return patterns.flatMap(({ names, keptMs }) => {
    const own = names.at(-1) === base.segments.at(-1) ? [[]] : [];
    const depths = Array.from({ length: CHOSEN_DEPTH }, (_, depth) => [...Array<string>(depth).fill(ANY), ...names]);
    return [...own, ...depths].map((pattern): SpillFolder => ({ base, pattern, keptMs, kind: "chosen" }));
  });
}

function hermesFolders(where: LocateContext): readonly SpillFolder[] {
  const homes = [openedHome(where), ...where.hermesHomes.map((home) => parseFilePath(home, where.homeFolder))];
  const temps = where.tempFolders.map((temp) => parseFilePath(temp, where.homeFolder));
  return [
    ...homes
      .filter(isPath)
      .flatMap((base) =>
        HERMES_FAMILIES.map(({ names, keptMs }): SpillFolder => ({ base, pattern: names, keptMs, kind: "home" })),
      ),
    ...temps.filter(isPath).map(
      (base): SpillFolder => ({
        base,
        pattern: [SANDBOX_FOLDER],
        keptMs: undefined,
        kind: "sandbox",
      }),
    ),
    // A copied home may have brought its /tmp along.
    ...homes
      .slice(0, 1)
      .filter(isPath)
      .map(
        (base): SpillFolder => ({
          base,
          pattern: ["tmp", SANDBOX_FOLDER],
          keptMs: undefined,
          kind: "sandbox",
        }),
      ),
  ];
}

function claudeFolders(where: LocateContext): readonly SpillFolder[] {
  const session = sessionFolder(where);
  const projects = where.claudeProjects.map((folder) => parseFilePath(folder, where.homeFolder));
  // Trusted is the folder that the transcript lies in; the session's own folder inside it may be a link of whoever made the files.
  const [base, own] = session === undefined ? [] : [parentOf(session), session.segments.at(-1)];
  return [
    ...(base === undefined || own === undefined
      ? []
      : [{ base, pattern: [own, TOOL_RESULTS], keptMs: undefined, kind: "session" } as const]),
    ...projects.filter(isPath).map(
      (base): SpillFolder => ({
        base,
        pattern: [ANY, ANY, TOOL_RESULTS],
        keptMs: undefined,
        kind: "session",
      }),
    ),
  ];
}

/** The Hermes home that the opened transcript lies in: the folder above `sessions`. */
export function openedHome(where: LocateContext): FilePath | undefined {
  const path = parseFilePath(where.transcriptPath);
  const folder = path && parentOf(path);
  return folder?.segments.at(-1) === "sessions" ? parentOf(folder) : undefined;
}

/**
 * Folder of a Claude Code session, beside its file and with its name. A subagent's file lies in `subagents` inside it,
 * or (2.0.60 and older) beside the session's file, whose id it names.
 */
export function sessionFolder(where: LocateContext): FilePath | undefined {
  const path = parseFilePath(where.transcriptPath);
  if (path === undefined) return undefined;
  const folder = parentOf(path);
  const name = (path.segments.at(-1) ?? "").replace(/\.jsonl$/i, "");
  if (folder.segments.at(-1) === "subagents") return parentOf(folder);
  const id = where.sessionId;
  const isOldAgent = name.startsWith("agent-") && id !== undefined && /^[\w-]+$/.test(id);
  return withSegments(folder, [isOldAgent ? id : name]);
}

/** Names below the folder's pattern, or undefined when the path does not lie inside. */
export function namesInside(
  path: FilePath,
  folder: SpillFolder,
  base: FilePath = folder.base,
): readonly string[] | undefined {
  const below = segmentsBelow(path, base);
  if (below === undefined || below.length <= folder.pattern.length) return undefined;
  const fold = (name: string): string => (path.style === "windows" ? name.toLowerCase() : name);
  for (const [i, name] of folder.pattern.entries()) {
    if (name !== ANY && fold(below[i] ?? "") !== fold(name)) return undefined;
  }
  return below.slice(folder.pattern.length);
}

function isPath(path: FilePath | undefined): path is FilePath {
  return path !== undefined;
}
