import type { CharUnit, FileFormatId } from "../../model/transcript";
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
import { OpencodeExportReader } from "./opencode";
import { OpencodeStorageReader } from "./opencodePart";
import { OpenhandsReader } from "./openhands";
import { OpenmausbotNativeReader } from "./openmausbotNative";
import { OpenmausbotThreadReader } from "./openmausbotThread";
import type { Reader, ReaderContext } from "./reader";
import { SweAgentReader } from "./sweAgent";
import { OpenhumanReader, TinyagentsMessagesReader, TinyagentsRunReader } from "./tinyagents";

interface FormatFacts {
  readonly unit: CharUnit;
  /** Lines may stand before their cause. */
  readonly lateCalls: boolean;
  readonly create: (context: ReaderContext) => Reader;
}

/** Every format of a file that is read, in one table; databases have their own (transcript/database). */
export const FORMATS: Readonly<Record<FileFormatId, FormatFacts>> = {
  "hermes-snapshot": of("codePoints", HermesSnapshotReader),
  "hermes-gateway": of("codePoints", HermesGatewayReader),
  "hermes-export": of("codePoints", HermesExportReader),
  "claude-code": of("utf16", ClaudeCodeReader, true),
  "openai-chat": of("codePoints", OpenaiChatReader),
  "anthropic-messages": of("codePoints", AnthropicMessagesReader),
  "openmausbot-thread": of("utf16", OpenmausbotThreadReader),
  "hermes-trajectory": of("codePoints", HermesTrajectoryReader),
  "hermes-request": of("codePoints", HermesRequestReader),
  codex: of("codePoints", CodexReader),
  "codex-exec": of("codePoints", CodexExecReader),
  "openai-responses": of("codePoints", OpenaiResponsesReader),
  "gemini-cli": of("utf16", GeminiCliReader),
  "opencode-export": of("utf16", OpencodeExportReader),
  "opencode-storage": of("utf16", OpencodeStorageReader),
  "copilot-chat": of("utf16", CopilotChatReader),
  "copilot-debug": of("utf16", CopilotDebugReader),
  "copilot-events": of("utf16", CopilotEventsReader),
  "openmausbot-native": of("utf16", OpenmausbotNativeReader),
  "tinyagents-messages": of("codePoints", TinyagentsMessagesReader),
  "tinyagents-run": of("codePoints", TinyagentsRunReader),
  openhuman: of("codePoints", OpenhumanReader),
  langchain: of("codePoints", LangchainReader),
  "swe-agent": of("codePoints", SweAgentReader),
  "mini-swe-agent": of("codePoints", MiniSweAgentReader),
  openhands: of("codePoints", OpenhandsReader),
};

function of(unit: CharUnit, Format: new (context: ReaderContext) => Reader, lateCalls = false): FormatFacts {
  return { unit, lateCalls, create: (context) => new Format(context) };
}

export function isFormatId(name: string): name is FileFormatId {
  return Object.hasOwn(FORMATS, name);
}
