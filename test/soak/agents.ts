import { createAgentTools } from "../../extension/src/core/agentTools/createAgentTools";
import { agentToolPorts } from "../../extension/src/node/agentToolPorts";
import { secretFinder } from "../../extension/src/node/secrets";
import type { Chance } from "./transcripts";
import type { World } from "./watching";

/** Calls of one conversation. */
const CALLS = 6;

/**
 * The tools for agents on a file that is being written: calls that are answered, calls that are called off, turns that end in the
 * middle. Gives how many were answered well; what they answer is for other tests.
 */
export async function askAsAgent(folder: string, transcript: string, world: World, chance: Chance): Promise<number> {
  const { home, temporary, log, workerFile } = world;
  const tools = createAgentTools(
    agentToolPorts({
      homes: () => ({
        env: {},
        platform: process.platform,
        homeFolder: home,
        tempFolder: temporary,
        extra: [],
        added: [],
        workspaceFolders: [folder],
      }),
      mayScanHomes: () => false,
      isOn: () => true,
      isTrusted: () => true,
      roots: () => [folder],
      finder: secretFinder(),
      explainConfig: async () => ({ ok: false, error: { code: "none", severity: "error", message: "none" } }),
      log,
      workerFile,
    }),
  );
  const session = `conversation ${chance(0, 1_000_000)}`;
  let answered = 0;
  try {
    const calls = Array.from({ length: CALLS }, async (_, n) => {
      const cancel = { isCancellationRequested: false };
      const [name, input] = (
        [
          ["contextBudget_listResults", { transcript }],
          ["contextBudget_readResult", { transcript, result: chance(0, 3) }],
          ["contextBudget_simulatePolicy", { transcript, policy: { preset: "hermes-prune" } }],
        ] as const
      )[n % 3] ?? ["", {}];
      const asked = tools.call(name, input, { session }, cancel);
      if (chance(0, 3) === 0) cancel.isCancellationRequested = true;
      if (chance(0, 5) === 0) tools.endTurn(session);
      if ((await asked).ok) answered += 1;
    });
    await Promise.all(calls);
  } finally {
    tools.dispose();
  }
  return answered;
}
