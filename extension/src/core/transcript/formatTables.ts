import type { FileFormatId } from "../model/transcript";
import { isObject, type JsonObject, own, scalarText } from "./json";

export interface Detected {
  readonly format: FileFormatId;
}

const format = (id: FileFormatId): Detected => ({ format: id });

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);
const isText = (value: unknown): value is string => typeof value === "string";
const has = (value: JsonObject, ...keys: readonly string[]): boolean =>
  keys.every((key) => own(value, key) !== undefined);

const GEMINI_TYPES = new Set(["user", "gemini", "info", "warning", "error"]);
const LANGCHAIN_TYPES = new Set(["human", "ai", "tool", "system"]);
const RESPONSES_TYPES = new Set(["message", "function_call", "function_call_output", "reasoning", "compaction"]);
const BOOKKEEPING_TYPES = new Set(["summary", "file-history-snapshot", "queue-operation", "custom-title"]);

/** True when some message of the list has Anthropic's tool blocks. */
function hasToolBlocks(messages: readonly unknown[]): boolean {
  return messages.some((message) => {
    const content = own(message, "content");
    return (
      isList(content) &&
      content.some((block) => {
        const type = own(block, "type");
        return isText(type) && (/tool_use$/.test(type) || /tool_result$/.test(type) || type === "thinking");
      })
    );
  });
}

const hasChatTools = (messages: readonly unknown[]): boolean =>
  messages.some((message) => own(message, "role") === "tool" || isList(own(message, "tool_calls")));

const everyObject = (list: readonly unknown[], test: (item: JsonObject) => boolean): boolean =>
  list.length > 0 && list.every((item) => isObject(item) && test(item));

/**
 * One JSON object, or the part of it that was seen. First match wins; the order matters, because later rules are less
 * specific. Undefined: no known format.
 */
export function detectObject(value: JsonObject): Detected | undefined {
  const messages = own(value, "messages");
  const list = isList(messages) ? messages : undefined;
  if (isList(own(value, "requests"))) {
    if (has(value, "responderUsername") || own(value, "version") === 3 || has(value, "initialLocation")) {
      return format("copilot-chat");
    }
  }
  if (list !== undefined && has(value, "sessionId")) {
    if (has(value, "projectHash") || everyObject(list, (m) => GEMINI_TYPES.has(scalarText(own(m, "type"))))) {
      return format("gemini-cli");
    }
  }
  if (list !== undefined && has(value, "info") && everyObject(list, (m) => has(m, "info", "parts"))) {
    return format("opencode-export");
  }
  if (list !== undefined && isOpencodeTwo(own(value, "info"), list)) return format("opencode-export");
  if (list !== undefined && everyObject(list, (m) => has(m, "kind", "at"))) return format("openmausbot-thread");
  if (list !== undefined && has(value, "session_id") && (has(value, "session_start") || has(value, "platform"))) {
    return format("hermes-snapshot");
  }
  if (list !== undefined && has(value, "id") && has(value, "started_at") && Object.hasOwn(value, "source")) {
    return format("hermes-export");
  }
  if (has(value, "session_id", "role", "text", "index") && list === undefined) return format("hermes-export");
  if (has(value, "session_id", "reason", "request")) return format("hermes-request");
  const turns = own(value, "conversations");
  if (isList(turns) && everyObject(turns, (turn) => has(turn, "from", "value"))) return format("hermes-trajectory");
  if (
    has(value, "sessionID", "role", "time") ||
    has(value, "projectID", "directory", "time") ||
    has(value, "worktree", "time")
  ) {
    return format("opencode-storage");
  }
  if (has(value, "messageID", "type") && has(value, "sessionID")) return format("opencode-storage");
  // Older part files name neither their session nor their message; the folder they lie in does.
  const id = own(value, "id");
  if (isText(id) && /^(?:prt|part)_/.test(id) && isText(own(value, "type"))) return format("opencode-storage");
  if (has(value, "execution_status", "agent")) return format("openhands");
  const trajectory = own(value, "trajectory_format");
  if (isText(trajectory) && trajectory.startsWith("mini-swe-agent")) return format("mini-swe-agent");
  const history = own(value, "history");
  const steps = own(value, "trajectory");
  if (isList(history) && everyObject(history, (m) => has(m, "role"))) return format("swe-agent");
  if (isList(steps) && everyObject(steps, (m) => has(m, "action"))) return format("swe-agent");
  if (own(value, "type") === "message" && own(value, "role") === "assistant" && isList(own(value, "content"))) {
    if (has(value, "usage") || has(value, "stop_reason") || has(value, "model")) return format("anthropic-messages");
  }
  const output = own(value, "output");
  if (own(value, "object") === "response" || (isList(output) && everyObject(output, (m) => isText(own(m, "type"))))) {
    return format("openai-responses");
  }
  if (own(value, "object") === "chat.completion" || isList(own(value, "choices"))) {
    if (list === undefined) return format("openai-chat");
  }
  if (list !== undefined) {
    if (list.some(isLangchain)) return format("langchain");
    const chat = hasChatTools(list) || isList(own(own(value, "response"), "choices"));
    const system = own(value, "system");
    if (!chat && (hasToolBlocks(list) || isText(system) || isList(system) || has(value, "context_management"))) {
      return format("anthropic-messages");
    }
    if (list.some((message) => isText(own(message, "role"))) || list.length === 0) return format("openai-chat");
  }
  if (isList(own(value, "traj"))) return format("openai-chat");
  if (isLangchain(value)) return format("langchain");
  return undefined;
}

const OPENCODE_TYPES = new Set([
  "agent-switched",
  "model-switched",
  "location-switched",
  "user",
  "synthetic",
  "system",
  "skill",
  "shell",
  "assistant",
  "compaction",
  "idle",
]);

/** An export of opencode 2 lists messages by type; its info is the session's (packages/schema/src/session-message.ts). */
function isOpencodeTwo(info: unknown, messages: readonly unknown[]): boolean {
  return (
    /^ses_/.test(scalarText(own(info, "id"))) &&
    everyObject(messages, (m) => has(m, "id", "time") && OPENCODE_TYPES.has(scalarText(own(m, "type"))))
  );
}

function isLangchain(value: unknown): boolean {
  if (!isObject(value)) return false;
  if (has(value, "lc", "kwargs") && own(value, "type") === "constructor") return true;
  const type = own(value, "type");
  return (
    isText(type) && LANGCHAIN_TYPES.has(type) && !has(value, "role") && (has(value, "content") || has(value, "data"))
  );
}

/** One part of a recorded LangGraph stream: `["values", state]`, `["messages", [chunk, metadata]]`. */
function isStreamPart(value: unknown): boolean {
  if (!isList(value)) return false;
  const mode = value.findIndex((entry) => entry === "values" || entry === "messages" || entry === "updates");
  const body = value[mode + 1];
  return mode >= 0 && mode < 2 && (isList(body) ? isLangchain(body[0]) : isObject(body));
}

/** A JSON list, by its first elements. */
export function detectList(list: readonly unknown[]): Detected | undefined {
  if (list.some(isStreamPart)) return format("langchain");
  const objects = list.filter(isObject);
  if (objects.length === 0) return undefined;
  if (objects.some((m) => detectsClaudeLine(m) === "strong")) return format("claude-code");
  if (objects.some((m) => (has(m, "action") || has(m, "observation")) && has(m, "source"))) return format("openhands");
  if (objects.some((m) => isText(own(m, "kind")) && /Event$/.test(scalarText(own(m, "kind")))))
    return format("openhands");
  if (objects.some(isLangchain)) return format("langchain");
  if (everyObject(objects, (m) => has(m, "kind", "at"))) return format("openmausbot-thread");
  if (objects.some((m) => isText(own(m, "role")))) {
    const mini = objects.some((m) => {
      const content = own(m, "content");
      return own(m, "role") === "user" && isText(content) && content.startsWith("<returncode>");
    });
    if (mini && !hasChatTools(objects)) return format("mini-swe-agent");
    if (objects.some((m) => isText(own(m, "type")) && RESPONSES_TYPES.has(scalarText(own(m, "type"))))) {
      if (objects.some((m) => own(m, "type") === "function_call")) return format("openai-responses");
    }
    return format(hasToolBlocks(objects) && !hasChatTools(objects) ? "anthropic-messages" : "openai-chat");
  }
  if (objects.some((m) => RESPONSES_TYPES.has(scalarText(own(m, "type"))))) return format("openai-responses");
  if (everyObject(objects, isTinyagents)) return format("tinyagents-messages");
  if (objects.some((m) => has(m, "requests"))) return format("copilot-chat");
  return undefined;
}

function isTinyagents(message: JsonObject): boolean {
  const keys = Object.keys(message);
  return (
    keys.length === 1 && /^(?:system|user|assistant|tool)$/.test(keys[0] ?? "") && isObject(message[keys[0] ?? ""])
  );
}

function detectsClaudeLine(value: JsonObject): "strong" | "weak" | undefined {
  const type = own(value, "type");
  if (has(value, "uuid", "sessionId") && (Object.hasOwn(value, "parentUuid") || Object.hasOwn(value, "isSidechain"))) {
    return "strong";
  }
  if (isText(type) && BOOKKEEPING_TYPES.has(type)) return "weak";
  if ((type === "user" || type === "assistant") && isObject(own(value, "message"))) return "weak";
  return undefined;
}

/** Rules that one line of a line format can fulfil, in order. */
function detectLine(value: JsonObject): Detected | "weak-claude" | undefined {
  const type = own(value, "type");
  const kind = own(value, "kind");
  if (isText(type) && has(value, "payload", "timestamp")) return format("codex");
  if (own(value, "record_type") === "state") return format("codex");
  if (has(value, "id", "timestamp") && Object.hasOwn(value, "instructions")) return format("codex");
  if (isText(type) && /^(?:thread\.started|turn\.completed|item\.completed)$/.test(type)) return format("codex-exec");
  const claude = detectsClaudeLine(value);
  if (claude === "strong") return format("claude-code");
  if (typeof kind === "number" && has(value, "v")) return format("copilot-chat");
  if (isText(type) && type.includes(".") && has(value, "data")) return format("copilot-events");
  if (has(value, "ts", "sid", "type", "spanId")) return format("copilot-debug");
  if (has(value, "sessionId", "projectHash") || has(value, "$set")) return format("gemini-cli");
  if (isObject(own(value, "_meta"))) return format("openhuman");
  if (has(value, "offset", "value", "created_at_ms")) return format("tinyagents-run");
  if (has(value, "at", "dir", "source", "msg")) return format("openmausbot-native");
  if (isText(kind) && /Event$/.test(kind)) return format("openhands");
  return claude === "weak" ? "weak-claude" : undefined;
}

/** Lines of a line format, by the first parseable ones. A weak sign (bookkeeping lines) yields to any strong one. */
export function detectLines(lines: readonly unknown[]): Detected | undefined {
  const objects = lines.filter(isObject);
  let weak = false;
  for (const value of objects) {
    const found = detectLine(value);
    if (found === "weak-claude") weak = true;
    else if (found !== undefined) return found;
  }
  if (objects.some((value) => own(value, "role") === "session_meta")) return format("hermes-gateway");
  for (const value of objects) {
    const found = detectObject(value);
    if (found !== undefined) return found;
  }
  if (weak) return format("claude-code");
  return detectList(lines);
}
