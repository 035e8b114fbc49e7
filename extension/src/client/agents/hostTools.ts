import { type AgentTools, createAgentTools } from "../../core/agentTools/createAgentTools";
import type { AgentToolPorts, Answered, ConfigAsked } from "../../core/agentTools/ports";
import { err, ok } from "../../core/model/problem";
import { type AgentToolPortsOptions, agentToolPorts } from "../../node/agentToolPorts";
import { nodeFiles } from "../../node/files";
import { visible } from "../../node/openRules";
import { nodeUtf8 } from "../../node/utf8";
import type { LanguageServer } from "../languageServer";
import type { Prompts } from "../prompts";
import { OutsideFiles } from "./outsideFiles";

export interface HostToolsParts extends Omit<AgentToolPortsOptions, "explainConfig"> {
  readonly server: Pick<LanguageServer, "explainConfigText">;
  readonly prompts: Pick<Prompts, "confirm">;
  /** Text of a file that is open in an editor, as it stands there; undefined where it is not. */
  readonly openText: (path: string) => string | undefined;
  /** Address of a file of this machine. */
  readonly uriOf: (path: string) => string;
}

/** The tools for agents with what they need of the window. Loaded at the first call of one. */
export interface HostTools {
  readonly tools: AgentTools;
  readonly outside: Pick<OutsideFiles, "confirmed">;
}

export function createHostTools(parts: HostToolsParts): HostTools {
  const { homes, isTrusted, prompts } = parts;
  const ports: AgentToolPorts = agentToolPorts({ ...parts, explainConfig: (asked) => explain(asked, parts) });
  const ground = () => {
    const { platform, homeFolder } = homes();
    return { platform, homeFolder };
  };
  return {
    tools: createAgentTools(ports),
    outside: new OutsideFiles({ mayRead: ports.mayRead, files: nodeFiles, ground, isTrusted, prompts }),
  };
}

/** Configs are a hundredth of it. Bytes. */
const MAX_CONFIG_BYTES = 1_000_000;

const LANGUAGES: Readonly<Record<string, string>> = { json: "json", jsonc: "jsonc" };

/** By the config checker, as it stands in the editor or else on disk. */
async function explain(
  { config, model, contextWindow }: ConfigAsked,
  { server, openText, uriOf }: HostToolsParts,
): Promise<Answered<string>> {
  const text = openText(config) ?? (await textOnDisk(config));
  if (typeof text !== "string") return text;
  const markdown = await server.explainConfigText({
    uri: uriOf(config),
    languageId: LANGUAGES[config.split(".").at(-1)?.toLowerCase() ?? ""] ?? "yaml",
    text,
    ...(model === undefined ? {} : { model }),
    ...(contextWindow === undefined ? {} : { contextWindow }),
  });
  if (markdown !== undefined) return ok(markdown);
  return err({
    message: "The config checker does not run. Ask the user to run Context Budget: Restart Config Checker.",
  });
}

async function textOnDisk(path: string): Promise<string | Answered<never>> {
  const shown = visible(path);
  try {
    const file = await nodeFiles.open(path, { isReal: true });
    if (file.bytes > MAX_CONFIG_BYTES)
      return err({ message: `${shown} has more than 1 MB, so it is not read as a config. Check the path.` });
    return nodeUtf8.decode(await file.read(0, file.bytes)).text;
  } catch (error) {
    // Ports reject with an Error that carries the platform's code; anything without one is a bug.
    if (!(error instanceof Error && "code" in error)) throw error;
    return err({ message: `${shown} cannot be read (${String(error.code)}). Check the path.` });
  }
}
