import type { FormatFacts, Tells } from "../model/formatFacts";
import type { FormatId } from "../model/transcript";

export interface Capabilities extends FormatFacts {
  readonly name: string;
}

const [Y, P, N]: readonly [Tells, Tells, Tells] = ["yes", "partly", "no"];

function tells(
  name: string,
  [usage, cache, threads, times, compaction, turns, results]: readonly [
    Tells,
    Tells,
    Tells,
    Tells,
    Tells,
    Tells,
    Tells,
  ],
  note = "",
): Capabilities {
  return { name, usage, cache, threads, times, compaction, turns, results, note };
}

/** One row per format; tested against what the readers tell of the corpus and of the samples. */
export const CAPABILITIES: Readonly<Record<FormatId, Capabilities>> = {
  //                                                     usage cache thr. time comp turn result
  "hermes-db": tells("Hermes state.db", [N, N, Y, Y, Y, Y, Y], "tokens are totals of a session"),
  "hermes-web-ui-db": tells(
    "Hermes web UI database",
    [N, N, Y, Y, N, Y, Y],
    "a room is a thread; tokens are totals of its runs; contexts are in state.db",
  ),
  "hermes-snapshot": tells("Hermes session snapshot", [N, N, N, N, Y, Y, Y], "no usage and no times of messages"),
  "hermes-gateway": tells("Hermes gateway log", [N, N, N, P, Y, Y, Y], "no usage"),
  "hermes-export": tells("Hermes sessions export", [N, N, Y, Y, Y, Y, Y], "tokens are totals of a session"),
  "hermes-trajectory": tells("Hermes trajectory", [N, N, Y, N, N, Y, Y], "several conversations in one file; no usage"),
  "hermes-request": tells("Hermes request dump", [N, N, N, N, Y, Y, Y], "what was sent in one request; no answer"),
  "claude-code": tells(
    "Claude Code",
    [Y, Y, Y, Y, Y, Y, Y],
    "results cleared on the way out stay whole; no system prompt, no tool schemas",
  ),
  codex: tells(
    "Codex session",
    [P, P, P, Y, Y, Y, Y],
    "no usage before autumn 2025; no tool schemas or reasoning; sub-agents: own files",
  ),
  "codex-exec": tells(
    "Codex exec stream",
    [N, N, N, N, N, Y, P],
    "usage per turn only; edits and searches have no result text",
  ),
  "openai-chat": tells("OpenAI chat messages", [P, P, N, P, N, Y, Y], "usage and time only where a response is kept"),
  "openai-responses": tells("OpenAI Responses", [P, P, N, P, Y, Y, Y], "usage and time only where a response is kept"),
  "anthropic-messages": tells("Anthropic messages", [P, P, N, P, Y, Y, Y], "usage only where a response is kept"),
  "gemini-cli": tells(
    "Gemini CLI chat",
    [Y, Y, P, Y, P, Y, Y],
    "a compressed history is only shorter; rewinds are told",
  ),
  "opencode-db": tells("opencode database", [Y, Y, Y, Y, Y, Y, Y], "also of version 2, whose copy of a session counts"),
  "opencode-export": tells("opencode export", [Y, Y, P, Y, Y, Y, Y], "a child session is an export of its own"),
  "opencode-storage": tells(
    "opencode storage file",
    [N, N, N, N, N, N, P],
    "one record of a session; open the session",
  ),
  "copilot-chat": tells(
    "VS Code Copilot chat",
    [P, N, N, Y, Y, Y, P],
    "tokens of a request's last round; nothing of a cancelled one",
  ),
  "copilot-debug": tells("VS Code Copilot debug log", [Y, N, P, Y, N, Y, P], "texts are cut at 500 characters"),
  "copilot-events": tells(
    "Copilot event log",
    [P, N, Y, Y, Y, Y, Y],
    "output tokens only; input is a total of the session",
  ),
  "openmausbot-db": tells(
    "OpenMausBot database",
    [N, N, Y, N, P, Y, P],
    "activity rows hold no result texts; of compactions only branches taken back",
  ),
  "openmausbot-thread": tells(
    "OpenMausBot thread",
    [N, N, N, N, P, Y, P],
    "activity rows hold no result texts; of compactions only branches taken back",
  ),
  "openmausbot-native": tells(
    "OpenMausBot native log",
    [P, P, P, P, P, Y, Y],
    "what the wrapped agent's protocol says",
  ),
  "tinyagents-messages": tells(
    "tinyagents messages",
    [P, P, N, N, N, Y, Y],
    "usage where the provider gave it; no times",
  ),
  "tinyagents-run": tells("tinyagents run log", [Y, Y, Y, Y, Y, P, P], "texts only where the run captured them"),
  openhuman: tells(
    "openhuman session",
    [P, P, N, P, N, Y, P],
    "usage on the last answer of a turn; calls may be plain text",
  ),
  langchain: tells("LangChain messages", [Y, Y, N, N, N, Y, Y], "no times; edits of the context are not stored"),
  "swe-agent": tells("SWE-agent trajectory", [N, N, N, N, N, Y, Y], "tokens are totals of the run"),
  "mini-swe-agent": tells("mini-SWE-agent trajectory", [P, P, N, P, N, Y, Y], "usage and time in newer versions"),
  openhands: tells(
    "OpenHands events",
    [P, P, N, Y, Y, Y, Y],
    "newer versions keep usage apart from the events; left branches are told",
  ),
};
