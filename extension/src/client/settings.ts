import { homedir, tmpdir } from "node:os";
import * as vscode from "vscode";
import type { LoaderId } from "../core/model/loader";
import { allHermesHomes, type HomesInput } from "../node/homes";
import { AGENT_HOMES, type AgentHomeId } from "../node/sessions/agentHomes";
import type { InitOptions, ServerSettings } from "../protocol/lsp";
import { DOCS_TEMPLATE } from "./problemDocs";

/** First part of every setting's name. */
export const SECTION = "contextBudget";

/** Command that hovers link to. */
export const EXPLAIN_COMMAND = `${SECTION}.explainConfig`;

/** The settings that the server needs; anything of the wrong type counts as unset. */
export function serverSettings(): ServerSettings {
  const config = vscode.workspace.getConfiguration(`${SECTION}.config`);
  const loader: LoaderId = config.get("loader") === "pyyaml" ? "pyyaml" : "ruamel";
  const contextLength = config.get<unknown>("contextLength");
  return {
    loader,
    files: strings(config.get("files")),
    contextLength: Number.isSafeInteger(contextLength) && Number(contextLength) > 0 ? Number(contextLength) : null,
  };
}

/** Whether the tree may look into the agents' homes. Never in a workspace that is not trusted. */
export function mayScanHomes(): boolean {
  return vscode.workspace.isTrusted && vscode.workspace.getConfiguration(SECTION).get("sessions.searchHomes") !== false;
}

/** Whether an agent's sessions are listed; on unless turned off. */
export function isAgentOn(agent: AgentHomeId): boolean {
  const agents = vscode.workspace.getConfiguration(SECTION).get<unknown>("sessions.agents");
  return !(isMap(agents) && agents[agent] === false);
}

/** Whether secrets are masked in what is shown; on unless turned off. */
export function isMasking(): boolean {
  return vscode.workspace.getConfiguration(SECTION).get("secrets.mask") !== false;
}

/** Whether agents may use the tools; on unless turned off. */
export function areAgentToolsOn(): boolean {
  return vscode.workspace.getConfiguration(SECTION).get("agentTools.enabled") !== false;
}

/** Whether the MCP server is listed; off unless turned on. */
export function isMcpServerOn(): boolean {
  return vscode.workspace.getConfiguration(SECTION).get("agentTools.mcpServer") === true;
}

/** Bytes that stored indexes may take together; 0 = none are stored. */
export function storedIndexLimit(): number {
  const megabytes = vscode.workspace.getConfiguration(SECTION).get<unknown>("transcripts.storedIndexes");
  return typeof megabytes === "number" && megabytes >= 0 ? Math.round(megabytes * 1_000_000) : 256_000_000;
}

export function homesInput(): HomesInput {
  return {
    env: process.env,
    platform: process.platform,
    homeFolder: homedir(),
    tempFolder: tmpdir(),
    extra: strings(vscode.workspace.getConfiguration(SECTION).get("hermes.homes")),
    added: addedHomes(vscode.workspace.getConfiguration(SECTION).get<unknown>("sessions.homes")),
    workspaceFolders: (vscode.workspace.workspaceFolders ?? [])
      .filter((folder) => folder.uri.scheme === "file")
      .map((folder) => folder.uri.fsPath),
  };
}

/** Schemes of the documents that are checked: on disk, not saved yet, and in open folders that are not on disk (virtual workspaces). */
export function documentSchemes(): readonly string[] {
  const folders = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri.scheme);
  return [...new Set(["file", "untitled", ...folders])];
}

export function initOptions(): InitOptions {
  return {
    version: 1,
    homes: allHermesHomes(homesInput()),
    settings: serverSettings(),
    docs: DOCS_TEMPLATE,
    explainCommand: EXPLAIN_COMMAND,
    trusted: vscode.workspace.isTrusted,
  };
}

/** Folder → agent, as the setting has it; other values count for nothing. */
function addedHomes(value: unknown): readonly (readonly [string, AgentHomeId])[] {
  if (!isMap(value)) return [];
  return Object.entries(value).flatMap(([folder, agent]) => {
    const known = AGENT_HOMES.find((one) => one === agent);
    return known === undefined ? [] : [[folder, known] as const];
  });
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function strings(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((one): one is string => typeof one === "string" && one.trim() !== "") : [];
}
