import { posix, win32 } from "node:path";
import type { AgentId } from "../core/model/transcript";
import type { FileAccess, Utf8 } from "../core/ports";
import { allHermesHomes, type HomesInput, machineHermesHomes } from "../node/homes";
import type { LanguageServer } from "./languageServer";
import type { ConfigInForce } from "./views/whatIfConfig";

/** Configs are a hundredth of it. Bytes. */
const MAX_CONFIG_BYTES = 1_000_000;
const NAMES = ["config.yaml", "config.yml"];

export interface HermesConfigsParts {
  readonly files: FileAccess;
  readonly utf8: Utf8;
  readonly homes: () => HomesInput;
  /** Without it the homes are not looked at. */
  readonly mayLook: () => boolean;
  readonly server: Pick<LanguageServer, "configThreshold">;
}

/** Config files of the Hermes homes and profiles on this machine. */
export class HermesConfigs {
  readonly #parts: HermesConfigsParts;

  constructor(parts: HermesConfigsParts) {
    this.#parts = parts;
  }

  /** Folders that are homes or profiles, whether they are there or not; homes before their profiles. */
  async homes(): Promise<readonly string[]> {
    const { files, homes, mayLook } = this.#parts;
    if (!mayLook()) return [];
    const input = homes();
    const { join } = pathOf(input);
    const found: string[] = [];
    for (const home of allHermesHomes(input)) {
      const profiles = join(home, "profiles");
      const names = (await files.list(profiles)).filter((name) => !name.startsWith(".")).sort();
      found.push(home, ...names.map((name) => join(profiles, name)));
    }
    return found;
  }

  /** Paths of the config files that are there, homes before their profiles. */
  async list(): Promise<readonly string[]> {
    const { join } = pathOf(this.#parts.homes());
    const found = await Promise.all((await this.homes()).map((folder) => this.#configIn(folder, join)));
    return found.filter((path) => path !== undefined);
  }

  /**
   * What the config says that a transcript's agent reads: that of the home or profile that the transcript lies in, else that
   * of this machine's own home. Undefined where there is none, or the agent is another one.
   */
  async inForce(transcript: string, agent: AgentId): Promise<ConfigInForce | undefined> {
    const { files, utf8, homes, server } = this.#parts;
    if (agent !== "hermes") return undefined;
    const input = homes();
    const { dirname, sep } = pathOf(input);
    const configs = await this.list();
    const around = configs
      .filter((path) => transcript.startsWith(dirname(path) + sep))
      .sort((a, b) => b.length - a.length);
    const [machine] = machineHermesHomes(input);
    const file = around[0] ?? configs.find((path) => dirname(path) === machine);
    if (file === undefined) return undefined;
    const stat = await files.stat(file);
    if (stat.kind !== "file" || stat.bytes > MAX_CONFIG_BYTES) return undefined;
    const { text } = utf8.decode(await (await files.open(file)).read(0, stat.bytes));
    const says = await server.configThreshold({ uri: file, languageId: "yaml", text });
    if (says === undefined) return undefined;
    const { threshold, scaled, windowTokens } = says;
    return { file, threshold, scaled, windowTokens, changed: stat.mtimeMs };
  }

  async #configIn(folder: string, join: (...parts: string[]) => string): Promise<string | undefined> {
    for (const name of NAMES) {
      const path = join(folder, name);
      if ((await this.#parts.files.stat(path)).kind === "file") return path;
    }
    return undefined;
  }
}

function pathOf({ platform }: HomesInput): typeof posix {
  return platform === "win32" ? win32 : posix;
}
