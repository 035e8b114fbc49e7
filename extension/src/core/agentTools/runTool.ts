import type { AgentToolName } from "./agentTool";
import type { CallContext } from "./callContext";
import { explainBudget } from "./explainBudget";
import type { AgentInputs } from "./inputs";
import { listResults } from "./listResults";
import { listSessions } from "./listSessions";
import type { Answered } from "./ports";
import { readPage, readResult } from "./readTexts";
import { simulatePolicy } from "./simulatePolicy";

/** What each tool does. The answers are bounded and without secrets. */
export const RUN_TOOL: {
  readonly [N in AgentToolName]: (asked: AgentInputs[N], call: CallContext) => Promise<Answered<string>>;
} = {
  contextBudget_listSessions: listSessions,
  contextBudget_listResults: listResults,
  contextBudget_readResult: readResult,
  contextBudget_readPage: readPage,
  contextBudget_explainBudget: explainBudget,
  contextBudget_simulatePolicy: simulatePolicy,
};
