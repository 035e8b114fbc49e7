import { posix, win32 } from "node:path";
import { withoutTrailing } from "../../core/util/withoutTrailing";
import { claudeProjects, type Environment } from "../paths";

/** Agents whose sessions are looked for on this machine, in the order of the tree. */
export const AGENT_HOMES = [
  "hermes",
  "claude-code",
  "codex",
  "gemini-cli",
  "opencode",
  "copilot",
  "openmausbot",
] as const;
export type AgentHomeId = (typeof AGENT_HOMES)[number];

/** What the places of sessions depend on. */
export interface HomesGround extends Environment {
  /** `User` folder of the editor's own data, which holds its chat sessions; undefined when not known. */
  readonly editorUserFolder?: string;
  /** Homes that the user added, by agent; `~/` is the user's home. */
  readonly added: readonly (readonly [home: string, agent: AgentHomeId])[];
}

/**
 * Homes of an agent other than Hermes, whose rules are in `homes.ts`: where it keeps its sessions unless told otherwise, and
 * those that the user added. Existence is not checked. The places are the agents' own rules.
 */
export function agentHomes(agent: Exclude<AgentHomeId, "hermes">, ground: HomesGround): readonly string[] {
  const { env, homeFolder, platform } = ground;
  const path = pathOf(ground);
  const home = (...parts: readonly string[]) => path.join(homeFolder, ...parts);
  const chosen = (name: string): string | undefined => env[name]?.trim() || undefined;
  const own = (): readonly string[] => {
    switch (agent) {
      case "claude-code":
        return claudeProjects(ground);
      case "codex":
        return [chosen("CODEX_HOME") ?? home(".codex")];
      case "gemini-cli":
        // google-gemini/gemini-cli packages/core/src/utils/paths.ts: in place of the user's home.
        return [path.join(chosen("GEMINI_CLI_HOME") ?? homeFolder, ".gemini")];
      case "opencode":
        return [path.join(chosen("XDG_DATA_HOME") ?? home(".local", "share"), "opencode")];
      case "copilot": {
        const data =
          platform === "win32"
            ? (chosen("APPDATA") ?? home("AppData", "Roaming"))
            : platform === "darwin"
              ? home("Library", "Application Support")
              : (chosen("XDG_CONFIG_HOME") ?? home(".config"));
        const editor = ground.editorUserFolder;
        // docs.github.com, "GitHub Copilot CLI configuration directory": in place of `~/.copilot`.
        const cli = chosen("COPILOT_HOME") ?? home(".copilot");
        return [cli, path.join(data, "Code", "User"), ...(editor === undefined ? [] : [editor])];
      }
      case "openmausbot": {
        const data = chosen("OMB_DATA_DIR");
        return data === undefined ? [home(".openmausbot"), home(".opengrokbot")] : [data];
      }
    }
  };
  return [...new Set([...own(), ...addedHomes(agent, ground)])];
}

/** Homes that the user added for an agent; paths that are not absolute are left out. */
export function addedHomes(agent: AgentHomeId, ground: HomesGround): readonly string[] {
  const path = pathOf(ground);
  return (
    ground.added
      .filter(([, of]) => of === agent)
      .map(([folder]) => folder.trim().replace(/^~(?=[/\\]|$)/, ground.homeFolder))
      .filter((folder) => path.isAbsolute(folder))
      .map((folder) => path.normalize(folder))
      .map((folder) => folder.slice(0, 1) + withoutTrailing(folder.slice(1), "/\\"))
      // Claude Code's home is `.claude`; its sessions lie in the folder `projects` below it.
      .map((folder) =>
        agent === "claude-code" && path.basename(folder) !== "projects" ? path.join(folder, "projects") : folder,
      )
  );
}

function pathOf({ platform }: Environment): typeof posix {
  return platform === "win32" ? win32 : posix;
}
