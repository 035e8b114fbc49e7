import type { AgentId, CharUnit, FileFormatId } from "../../model/transcript";
import { AnthropicMessagesReader } from "./anthropicMessages";
import { ClaudeCodeReader } from "./claudeCode";
import { HermesExportReader, HermesGatewayReader, HermesSnapshotReader } from "./hermes";
import { OpenaiChatReader } from "./openaiChat";
import { OpenmausbotThreadReader } from "./openmausbotThread";
import type { Reader, ReaderContext } from "./reader";

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
};

export function isFormatId(name: string): name is FileFormatId {
  return Object.hasOwn(FORMATS, name);
}
