import { posix, win32 } from "node:path";

/** What decides where agents keep their data on this machine. Passed in, so that tests can be any machine. */
export interface Machine {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  readonly userHome: string;
}

/** Where the user's settings and the open folders add to that. */
export interface HomesInput extends Machine {
  /** Absolute paths from `contextBudget.hermes.homes`; `~/` is the user's home. */
  readonly extra: readonly string[];
  readonly workspaceFolders: readonly string[];
}

/**
 * Hermes homes: the environment's, else the platform's default; the user's own; `.hermes` in each open folder. Longest path
 * first, without repeats; existence is not checked. Rule: NousResearch/hermes-agent `hermes_constants.py`.
 */
export function hermesHomes(input: HomesInput): readonly string[] {
  const path = pathOf(input);
  const homes = [
    ...input.workspaceFolders.map((folder) => path.join(folder, ".hermes")),
    ...input.extra.map((folder) => expand(folder, input)).filter((folder) => path.isAbsolute(folder)),
    machineHermesHome(input),
  ].map((home) => trimEnd(path.normalize(home)));
  return [...new Set(homes)].sort((a, b) => b.length - a.length);
}

/** The one home that an agent started here without further ado would use. */
export function machineHermesHome(machine: Machine): string {
  const stated = machine.env["HERMES_HOME"]?.trim();
  if (stated) return expand(stated, machine);
  const path = pathOf(machine);
  const suffix = machine.env["HERMES_DATA_DIR_SUFFIX"] ?? "";
  if (machine.platform !== "win32") return path.join(machine.userHome, `.hermes${suffix}`);
  const local = machine.env["LOCALAPPDATA"] || path.join(machine.userHome, "AppData", "Local");
  return path.join(local, `hermes${suffix}`);
}

/** Folders that hold one folder per Claude Code project; existence is not checked. */
export function claudeProjectFolders(machine: Machine): readonly string[] {
  const path = pathOf(machine);
  const stated = machine.env["CLAUDE_CONFIG_DIR"]?.trim();
  const roots = [
    ...(stated ? [expand(stated, machine)] : []),
    path.join(machine.userHome, ".claude"),
    path.join(machine.userHome, ".config", "claude"),
  ];
  return [...new Set(roots.map((root) => path.join(root, "projects")))];
}

function pathOf(machine: Machine): typeof posix {
  return machine.platform === "win32" ? win32 : posix;
}

function expand(folder: string, machine: Machine): string {
  const trimmed = folder.trim();
  if (trimmed === "~") return machine.userHome;
  if (/^~[/\\]/.test(trimmed)) return pathOf(machine).join(machine.userHome, trimmed.slice(2));
  return trimmed;
}

function trimEnd(folder: string): string {
  return folder.length > 1 ? folder.replace(/[/\\]+$/, "") : folder;
}
