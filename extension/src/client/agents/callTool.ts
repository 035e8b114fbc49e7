import type { AgentAnswer } from "../../core/agentTools/createAgentTools";
import type { Cancel } from "../../core/ports";
import type { Disposable } from "../lifetime";
import type { HostTools } from "./hostTools";

/** VS Code's token, or anything like it. */
export interface StopToken extends Cancel {
  onCancellationRequested(listener: () => void): Disposable;
}

export interface ToolCall {
  readonly name: string;
  /** As the model wrote it. */
  readonly input: unknown;
  readonly session: string;
}

/**
 * Runs a tool for agents. A file that nobody vouches for is read after the user's consent. Stopping a call is how people stop a
 * turn, so nothing else of the session's turn goes on either. Undefined: it was stopped, and nobody waits for an answer.
 */
export async function callTool(
  { tools, outside }: HostTools,
  { name, input, session }: ToolCall,
  token: StopToken,
): Promise<AgentAnswer | undefined> {
  const stopping = token.onCancellationRequested(() => tools.endTurn(session));
  try {
    const file = tools.fileOf(name, input);
    const what = name === "contextBudget_explainBudget" ? "config" : "transcript";
    const confirmed = file === undefined ? undefined : await outside.confirmed(file, what, session, token);
    const caller = { session, ...(confirmed === undefined ? {} : { confirmed }) };
    const answer = await tools.call(name, input, caller, token);
    return token.isCancellationRequested ? undefined : answer;
  } finally {
    stopping.dispose();
  }
}
