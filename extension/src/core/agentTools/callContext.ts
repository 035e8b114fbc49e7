import type { CallTurn } from "./agentTurns";
import type { AgentCaller, AgentToolPorts, Answered } from "./ports";

/** What a call has at hand. */
export interface CallContext {
  readonly ports: AgentToolPorts;
  readonly caller: AgentCaller;
  readonly turn: CallTurn;
}

/** The transcript's path as it may be read by this caller. */
export function allowed(transcript: string, { ports, caller, turn }: CallContext): Promise<Answered<string>> {
  return ports.mayRead(transcript, "transcript", caller, turn.stop);
}
