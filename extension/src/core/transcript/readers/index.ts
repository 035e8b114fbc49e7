import type { AgentId, CharUnit, FileFormatId } from "../../model/transcript";
import { AnthropicMessagesReader } from "./anthropicMessages";
import { ClaudeCodeReader } from "./claudeCode";
import { CodexReader } from "./codex";
import { CodexExecReader } from "./codexExec";
import { CopilotChatReader } from "./copilotChat";
import { CopilotDebugReader } from "./copilotDebug";
import { CopilotEventsReader } from "./copilotEvents";
import { GeminiCliReader } from "./geminiCli";
import { HermesExportReader, HermesGatewayReader, HermesSnapshotReader } from "./hermes";
import { HermesRequestReader } from "./hermesRequest";
import { HermesTrajectoryReader } from "./hermesTrajectory";
import { LangchainReader } from "./langchain";
import { MiniSweAgentReader } from "./miniSweAgent";
import { OpenaiChatReader } from "./openaiChat";
import { OpenaiResponsesReader } from "./openaiResponses";
import { OpencodeExportReader, OpencodeStorageReader } from "./opencode";
import { OpenhandsReader } from "./openhands";
import { OpenmausbotNativeReader } from "./openmausbotNative";
import { OpenmausbotThreadReader } from "./openmausbotThread";
import type { Reader, ReaderContext } from "./reader";
import { SweAgentReader } from "./sweAgent";
import { OpenhumanReader, TinyagentsMessagesReader, TinyagentsRunReader } from "./tinyagents";

interface FormatFacts {
  readonly agent: AgentId;
  readonly unit: CharUnit;
  /** Lines may stand before their cause. */
  readonly lateCalls: boolean;
  readonly create: (context: ReaderContext) => Reader;
}

/** Every format of a file that is read, in one table; databases have their own (transcript/database). */
export const FORMATS: Readonly<Record<FileFormatId, FormatFacts>> = {
  "hermes-snapshot": {
    agent: "hermes",
    unit: "codePoints",
    lateCalls: false,
    create: (context) => new HermesSnapshotReader(context),
  },
  "hermes-gateway": {
    agent: "hermes",
    unit: "codePoints",
    lateCalls: false,
    create: (context) => new HermesGatewayReader(context),
  },
  "hermes-export": {
    agent: "hermes",
    unit: "codePoints",
    lateCalls: false,
    create: (context) => new HermesExportReader(context),
  },
  "claude-code": {
    agent: "claude-code",
    unit: "utf16",
    lateCalls: true,
    create: (context) => new ClaudeCodeReader(context),
  },
  "openai-chat": {
    agent: "unknown",
    unit: "codePoints",
    lateCalls: false,
    create: (context) => new OpenaiChatReader(context),
  },
  "anthropic-messages": {
    agent: "unknown",
    unit: "codePoints",
    lateCalls: false,
    create: (context) => new AnthropicMessagesReader(context),
  },
  "openmausbot-thread": {
    agent: "openmausbot",
    unit: "utf16",
    lateCalls: false,
    create: (context) => new OpenmausbotThreadReader(context),
  },
  "hermes-trajectory": of("hermes", "codePoints", HermesTrajectoryReader),
  "hermes-request": of("hermes", "codePoints", HermesRequestReader),
  codex: of("codex", "codePoints", CodexReader),
  "codex-exec": of("codex", "codePoints", CodexExecReader),
  "openai-responses": of("unknown", "codePoints", OpenaiResponsesReader),
  "gemini-cli": of("gemini-cli", "utf16", GeminiCliReader),
  "opencode-export": of("opencode", "utf16", OpencodeExportReader),
  "opencode-storage": of("opencode", "utf16", OpencodeStorageReader),
  "copilot-chat": of("copilot", "utf16", CopilotChatReader),
  "copilot-debug": of("copilot", "utf16", CopilotDebugReader),
  "copilot-events": of("copilot", "utf16", CopilotEventsReader),
  "openmausbot-native": of("openmausbot", "utf16", OpenmausbotNativeReader),
  "tinyagents-messages": of("openhuman", "codePoints", TinyagentsMessagesReader),
  "tinyagents-run": of("openhuman", "codePoints", TinyagentsRunReader),
  openhuman: of("openhuman", "codePoints", OpenhumanReader),
  langchain: of("langchain", "codePoints", LangchainReader),
  "swe-agent": of("swe-agent", "codePoints", SweAgentReader),
  "mini-swe-agent": of("mini-swe-agent", "codePoints", MiniSweAgentReader),
  openhands: of("openhands", "codePoints", OpenhandsReader),
};

function of(agent: AgentId, unit: CharUnit, Format: new (context: ReaderContext) => Reader): FormatFacts {
  return { agent, unit, lateCalls: false, create: (context) => new Format(context) };
}

export function isFormatId(name: string): name is FileFormatId {
  return Object.hasOwn(FORMATS, name);
}
