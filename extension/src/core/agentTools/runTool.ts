import { err, ok } from "../model/problem";
import { type Bounded, boundText } from "../results/store/boundResult";
import { redacted } from "../results/store/redacted";
import type { AgentToolName } from "./agentTool";
import type { CallTurn } from "./agentTurns";
import type { AgentInputs } from "./inputs";
import type { AgentCaller, AgentToolPorts, Answered } from "./ports";

/** What a call has at hand. */
export interface CallContext {
  readonly ports: AgentToolPorts;
  readonly caller: AgentCaller;
  readonly turn: CallTurn;
}

type Runs = { readonly [N in AgentToolName]: (asked: AgentInputs[N], call: CallContext) => Promise<Answered<string>> };

const NOT_YET = async (): Promise<Answered<string>> => err({ message: "This tool is not there yet." });

/** What each tool does. The answers are bounded and without secrets. */
export const RUN_TOOL: Runs = {
  contextBudget_listSessions: NOT_YET,
  contextBudget_listResults: NOT_YET,
  contextBudget_readResult: NOT_YET,
  contextBudget_readPage: NOT_YET,
  contextBudget_explainBudget: async (asked, { ports, caller, turn }) => {
    const config = await ports.mayRead(asked.config, "config", caller, turn.stop);
    if (!config.ok) return config;
    const explained = await ports.explainConfig({ ...asked, config: config.value }, turn.stop);
    if (!explained.ok) return explained;
    return ok((await bounded(explained.value, asked.config, { ports, turn })).text);
  },
  contextBudget_simulatePolicy: NOT_YET,
};

/** A text of any length as an answer; what does not fit is kept for who asked. */
function bounded(
  text: string,
  transcript: string,
  { ports, turn }: Pick<CallContext, "ports" | "turn">,
): Promise<Bounded> {
  const store = turn.storeFor(transcript);
  return boundText(
    text,
    {
      redact: (whole) => redacted(whole, ports.finder),
      save: async (kept, truncated) => store.save(kept, truncated),
      after: ports.after,
    },
    { goOn: (id, offset) => goOnWith(transcript, id, offset) },
  );
}

/** How to read on, as a call that a model can make. */
export function goOnWith(transcript: string, id: string, offset: number): string {
  return `contextBudget_readPage with transcript ${JSON.stringify(transcript)}, id "${id}" and offset ${offset}`;
}
