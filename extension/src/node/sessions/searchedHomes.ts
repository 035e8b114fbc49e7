import { join } from "node:path";
import { type HomesInput, machineHermesHomes } from "../homes";
import { type AgentHomeId, agentHomes } from "./agentHomes";

export interface MayBeSearched {
  readonly homes: () => HomesInput;
  /** Whether folders outside the workspace may be searched. */
  readonly mayScanHomes: () => boolean;
  readonly isOn: (agent: AgentHomeId) => boolean;
}

/** Homes in which an agent's sessions are looked for: Hermes homes in open folders always, the machine's only where that is allowed. */
export function searched(agent: AgentHomeId, { homes, mayScanHomes, isOn }: MayBeSearched): readonly string[] {
  if (!isOn(agent)) return [];
  const input = homes();
  if (agent !== "hermes") return mayScanHomes() ? agentHomes(agent, input) : [];
  const open = input.workspaceFolders.map((folder) => join(folder, ".hermes"));
  return [...new Set([...(mayScanHomes() ? machineHermesHomes(input) : []), ...open])];
}
