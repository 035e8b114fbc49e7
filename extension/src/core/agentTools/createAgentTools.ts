import { err } from "../model/problem";
import type { Cancel } from "../ports";
import { STORE_LIMITS, type StoreLimits } from "../results/store/resultStore";
import { withoutSecrets } from "../secrets/mask";
import { AGENT_TOOLS, type AgentToolName } from "./agentTool";
import { AgentTurns } from "./agentTurns";
import { short } from "./answers";
import type { CallContext } from "./callContext";
import { READ_INPUT } from "./inputs";
import { ASK_LIMITS } from "./limits";
import type { AgentCaller, AgentToolPorts, Answered } from "./ports";
import { RUN_TOOL } from "./runTool";
import { unlessStopped } from "./stopping";

/** What an agent gets: the answer, or what is wrong and what to do. Always bounded and without secrets. */
export interface AgentAnswer {
  readonly ok: boolean;
  readonly text: string;
}

export interface AgentTools {
  /** Never rejects. A call that is cancelled, or whose turn is ended meanwhile, answers that it was stopped. */
  call(name: string, input: unknown, caller: AgentCaller, cancel: Cancel): Promise<AgentAnswer>;
  /** Full path of the file that a call would read, for a question to people; undefined: none that the caller chooses, or a wrong input. */
  fileOf(name: string, input: unknown): string | undefined;
  /** A new turn of a session: what runs in an older one of it is stopped; what was saved can still be read. */
  beginTurn(session: string): void;
  /** The turn was stopped or is over: nothing is saved or read for it any more. The next call of the session begins another one. */
  endTurn(session: string): void;
  /** Stops everything, forgets what was saved, and disposes of the ports. */
  dispose(): void;
}

const isToolName = (name: string): name is AgentToolName => AGENT_TOOLS.some((tool) => tool.name === name);

/** The tools for agents over some ports. What they answer is bounded, kept for its own session alone, and without secrets. */
export function createAgentTools(ports: AgentToolPorts, limits: StoreLimits = STORE_LIMITS): AgentTools {
  const turns = new AgentTurns(ports, limits);
  return {
    async call(name, input, caller, cancel) {
      if (!isToolName(name))
        return refused(`There is no such tool; there are ${AGENT_TOOLS.map((tool) => tool.name).join(", ")}.`);
      if (turns.underWay >= ASK_LIMITS.calls)
        return refused(`${ASK_LIMITS.calls} calls are under way. Call again when some of them have been answered.`);
      const turn = turns.enter(caller.session, cancel);
      try {
        const answer = await unlessStopped(run(name, input, { ports, caller, turn }), turn.stop, ports);
        if (answer.ok) return { ok: true, text: answer.value };
        // It may name what stands in a file.
        return refused(short(await withoutSecrets(answer.error.message, ports.finder), REFUSAL_UNITS));
      } catch (error) {
        ports.trouble(`${name} failed`, error);
        return refused(`${name} failed unexpectedly. Nothing was changed. The log tells more.`);
      } finally {
        turn.leave();
      }
    },
    fileOf: (name, input) => (isToolName(name) ? fileOf(name, input) : undefined),
    beginTurn: (session) => turns.end(session),
    endTurn: (session) => turns.end(session),
    dispose: () => {
      turns.dispose();
      ports.dispose();
    },
  };
}

/** UTF-16 units of what is wrong. */
const REFUSAL_UNITS = 2_000;

const refused = (text: string): AgentAnswer => ({ ok: false, text });

async function run<N extends AgentToolName>(name: N, input: unknown, call: CallContext): Promise<Answered<string>> {
  const asked = READ_INPUT[name](input);
  return asked.ok ? RUN_TOOL[name](asked.value, call) : err({ message: `${name}: ${asked.error}` });
}

function fileOf(name: AgentToolName, input: unknown): string | undefined {
  const tool = AGENT_TOOLS.find((one) => one.name === name);
  if (tool?.reads !== "file" || !READ_INPUT[name](input).ok) return undefined;
  // Just checked: an object that has this member of its own, as a text.
  const { transcript, config } = input as { readonly transcript?: string; readonly config?: string };
  return name === "contextBudget_explainBudget" ? config : transcript;
}
