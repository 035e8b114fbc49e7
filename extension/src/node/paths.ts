import { posix, win32 } from "node:path";
import type { FileAccess } from "../core/ports";
import type { KnownPlaces } from "../core/results/spillFolders";

/** What the agents' own path rules depend on. */
export interface Environment {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** `process.platform` of the machine. */
  readonly platform: string;
  /** `os.homedir()`. */
  readonly homeFolder: string;
  /** `os.tmpdir()`. */
  readonly tempFolder: string;
}

/**
 * The one effective Hermes home: `HERMES_HOME`, else the platform's default with `HERMES_DATA_DIR_SUFFIX`.
 * Source: NousResearch/hermes-agent hermes_constants.py @00067189.
 */
export function hermesHome(environment: Environment): string {
  const { env } = environment;
  const chosen = env["HERMES_HOME"]?.trim();
  return chosen || defaultHermesHome(environment);
}

/** The platform's default home, whatever `HERMES_HOME` says. */
export function defaultHermesHome({ env, platform, homeFolder }: Environment): string {
  const suffix = env["HERMES_DATA_DIR_SUFFIX"] ?? "";
  if (platform !== "win32") return posix.join(homeFolder, `.hermes${suffix}`);
  const local = env["LOCALAPPDATA"] || win32.join(homeFolder, "AppData", "Local");
  return win32.join(local, `hermes${suffix}`);
}

/** The effective and the default home, each followed by its profiles; every folder once. Missing ones are listed too. */
export async function hermesHomes(environment: Environment, files: FileAccess): Promise<readonly string[]> {
  const path = pathsOf(environment);
  const homes: string[] = [];
  for (const root of [hermesHome(environment), defaultHermesHome(environment)]) {
    if (homes.includes(root)) continue;
    homes.push(root);
    const folder = path.join(root, "profiles");
    for (const name of await listQuietly(folder, files)) {
      // `.deleted` holds tombstones.
      if (!name.startsWith(".")) homes.push(path.join(folder, name));
    }
  }
  return [...new Set(homes)];
}

/** Folders that hold Claude Code's project folders: below `CLAUDE_CONFIG_DIR`, else the two defaults. */
export function claudeProjects(environment: Environment): readonly string[] {
  const path = pathsOf(environment);
  const chosen = environment.env["CLAUDE_CONFIG_DIR"]?.trim();
  if (chosen) return [path.join(chosen, "projects")];
  const { homeFolder } = environment;
  return [path.join(homeFolder, ".claude", "projects"), path.join(homeFolder, ".config", "claude", "projects")];
}

/** Everything `checkFile` needs to know about this machine. */
export async function knownPlaces(environment: Environment, files: FileAccess): Promise<KnownPlaces> {
  const temp = environment.platform === "win32" ? [environment.tempFolder] : [environment.tempFolder, "/tmp"];
  return {
    homeFolder: environment.homeFolder,
    tempFolders: [...new Set(temp)],
    hermesHomes: await hermesHomes(environment, files),
    claudeProjects: claudeProjects(environment),
  };
}

function pathsOf({ platform }: Environment): typeof posix {
  return platform === "win32" ? win32 : posix;
}

/** An unreadable profiles folder has no profiles for us. */
async function listQuietly(folder: string, files: FileAccess): Promise<readonly string[]> {
  const stat = await files.stat(folder);
  if (stat.kind !== "directory") return [];
  return files.list(folder).catch(() => []);
}
