import type { FileFormatId } from "../../../extension/src/core/model/transcript";
import {
  COPILOT_CHAT,
  COPILOT_DEBUG,
  COPILOT_EVENTS,
  COPILOT_LOG,
  COPILOT_SENT,
  GEMINI,
  GEMINI_LOG,
  OPENCODE,
  OPENCODE_PART,
  OPENCODE_TWO,
} from "./samplesApps";
import {
  ANTHROPIC,
  CLAUDE,
  HERMES_EXPORT,
  HERMES_GATEWAY,
  HERMES_SNAPSHOT,
  MAUSBOT_THREAD,
  OPENAI_CHAT,
} from "./samplesChats";
import { CODEX, CODEX_EXEC } from "./samplesCodex";
import {
  LANGCHAIN,
  LANGCHAIN_FLAT,
  LANGCHAIN_STREAM,
  MAUSBOT_NATIVE,
  MINI,
  MINI_NEW,
  OPENHANDS,
  OPENHANDS_OLD,
  OPENHANDS_TREE,
  OPENHUMAN,
  REQUEST,
  RESPONSES,
  RESPONSES_ITEMS,
  SWE_OLD,
  SWE_STEPS,
  TINYAGENTS,
  TINYAGENTS_RUN,
  TRAJECTORY,
} from "./samplesLibraries";
import { jsonLines } from "./support";

export { LONG } from "./longText";
export * from "./samplesApps";
export * from "./samplesChats";
export * from "./samplesCodex";
export * from "./samplesLibraries";

/** One small transcript per format (two where it has two forms), with everything that the format can say about results. */
export const SAMPLES: readonly (readonly [name: string, format: FileFormatId, content: string])[] = [
  ["a Hermes snapshot", "hermes-snapshot", HERMES_SNAPSHOT],
  ["a Hermes gateway log", "hermes-gateway", HERMES_GATEWAY],
  ["a Hermes export", "hermes-export", HERMES_EXPORT],
  ["a Claude Code session", "claude-code", CLAUDE],
  ["an OpenAI request and its response", "openai-chat", OPENAI_CHAT],
  ["an Anthropic request", "anthropic-messages", ANTHROPIC],
  ["an OpenMausBot thread", "openmausbot-thread", MAUSBOT_THREAD],
  ["a Codex rollout", "codex", CODEX],
  ["a Codex exec stream", "codex-exec", CODEX_EXEC],
  ["an OpenAI response", "openai-responses", RESPONSES],
  ["Responses items in a list", "openai-responses", JSON.stringify(RESPONSES_ITEMS)],
  ["Responses items as lines", "openai-responses", jsonLines(...RESPONSES_ITEMS)],
  ["a Gemini chat", "gemini-cli", GEMINI],
  ["a Gemini log", "gemini-cli", GEMINI_LOG],
  ["an opencode export", "opencode-export", OPENCODE],
  ["an export of opencode 2", "opencode-export", OPENCODE_TWO],
  ["an opencode part", "opencode-storage", OPENCODE_PART],
  ["a VS Code chat", "copilot-chat", COPILOT_CHAT],
  ["a VS Code chat as it was sent", "copilot-chat", COPILOT_SENT],
  ["a VS Code chat log", "copilot-chat", COPILOT_LOG],
  ["a Copilot debug log", "copilot-debug", COPILOT_DEBUG],
  ["Copilot events", "copilot-events", COPILOT_EVENTS],
  ["an OpenMausBot native log", "openmausbot-native", MAUSBOT_NATIVE],
  ["tinyagents messages", "tinyagents-messages", TINYAGENTS],
  ["a tinyagents run log", "tinyagents-run", TINYAGENTS_RUN],
  ["an openhuman session", "openhuman", OPENHUMAN],
  ["a LangChain state", "langchain", LANGCHAIN],
  ["LangChain messages", "langchain", LANGCHAIN_FLAT],
  ["a LangGraph stream", "langchain", LANGCHAIN_STREAM],
  ["a SWE-agent trajectory", "swe-agent", SWE_OLD],
  ["SWE-agent steps without a history", "swe-agent", SWE_STEPS],
  ["mini-SWE-agent messages", "mini-swe-agent", MINI],
  ["a mini-SWE-agent trajectory", "mini-swe-agent", MINI_NEW],
  ["OpenHands V0 events", "openhands", OPENHANDS_OLD],
  ["OpenHands V1 events", "openhands", OPENHANDS],
  ["an OpenHands conversation with branches", "openhands", OPENHANDS_TREE],
  ["a Hermes trajectory", "hermes-trajectory", TRAJECTORY],
  ["a Hermes request dump", "hermes-request", REQUEST],
];
