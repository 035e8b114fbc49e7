/** What people read while a tool for agents waits for them or works. */
export interface ToolWords {
  /** Title of the question; undefined where no file is named. */
  readonly question: string | undefined;
  /** Before the path in the question. */
  readonly reads: string;
  /** While it works. */
  readonly works: string;
}

const SESSION = "It reads this session of an agent:";

/** By the name of the tool. */
export const TOOL_WORDS: Readonly<Record<string, ToolWords>> = {
  contextBudget_listSessions: { question: undefined, reads: "", works: "Listing agent sessions" },
  contextBudget_listResults: {
    question: "List the tool results of this session?",
    reads: SESSION,
    works: "Listing tool results",
  },
  contextBudget_readResult: {
    question: "Read a tool result of this session?",
    reads: SESSION,
    works: "Reading a tool result",
  },
  contextBudget_readPage: { question: undefined, reads: "", works: "Reading on in a tool result" },
  contextBudget_explainBudget: {
    question: "Explain this config?",
    reads: "It reads this config of an agent, and what lies beside it:",
    works: "Explaining a config",
  },
  contextBudget_simulatePolicy: {
    question: "Simulate a policy on this session?",
    reads: SESSION,
    works: "Simulating a policy",
  },
};

/** Begins each question about a file. */
export const WHAT_FOR = "What the tool finds goes to the language model, with secrets masked. Nothing is changed.";

/** What an agent is told while the tools are off. */
export const TOOLS_OFF =
  "The tools of Context Budget are off. The user can turn them on with the setting contextBudget.agentTools.enabled.";
