import { stripForInt } from "../../config/pyInt";
import type { PythonJson } from "../../util/pythonJson";
import { countCodePoints } from "../../util/textSize";
import { imageParts, isImagePart, isMultimodal } from "./parts";
import { isDict, isTruthy, type PythonDict, pythonDumps, pythonRepr, pythonStr, textMember } from "./pythonText";

/**
 * Two generations of Hermes' estimators: release v2026.8.16.2, and main in September 2026 (@00067189). Both measure Python's
 * `str(dict)`; what they give are estimates in tokens.
 */
export type HermesEstimator = "v2026.8.16.2" | "2026-09";

/** Tokens per image in `agent/model_metadata.py` before a price is learned. */
const IMAGE_TOKENS = 1500;
/** Characters per image in the tail walk of `agent/context_compressor.py`. */
const IMAGE_CHARS = 6400;
const CHARS_PER_TOKEN = 4;

/** Fields of a message that the store adds and that never go out. */
const STORE_ONLY: ReadonlySet<string> = new Set([
  "_anthropic_content_blocks",
  "_compressed_summary",
  "_db_persisted",
  "display_kind",
  "display_metadata",
  "reasoning_details",
  "timestamp",
]);

/** Hangul, kana, ideographs and full-width forms, which count a token each. Source: `agent/model_metadata.py` @00067189. */
function isDense(unit: number): boolean {
  return (
    (unit >= 0x1100 && unit <= 0x11ff) ||
    (unit >= 0x2e80 && unit <= 0x9fff) ||
    (unit >= 0xa960 && unit <= 0xa97f) ||
    (unit >= 0xac00 && unit <= 0xd7af) ||
    (unit >= 0xf900 && unit <= 0xfaff) ||
    (unit >= 0xff00 && unit <= 0xffef)
  );
}

/** `estimate_tokens_rough`: dense characters count 1, the rest by characters or UTF-8 bytes ÷ 4, rounded up. */
export function estimateText(text: string, version: HermesEstimator): number {
  let dense = 0;
  let others = 0;
  let bytes = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (isDense(unit)) {
      dense++;
      continue;
    }
    others++;
    if ((unit & 0xfc00) === 0xd800 && (text.charCodeAt(i + 1) & 0xfc00) === 0xdc00) {
      bytes += 4;
      i++;
    } else if ((unit & 0xf800) === 0xd800) bytes += 1;
    else bytes += unit < 0x80 ? 1 : unit < 0x800 ? 2 : 3;
  }
  return dense + Math.ceil((version === "2026-09" ? bytes : others) / CHARS_PER_TOKEN);
}

/** The same of any value: nothing for what is false, otherwise of its `str`. */
export function estimateValue(value: PythonJson, version: HermesEstimator): number {
  return isTruthy(value) ? estimateText(pythonStr(value), version) : 0;
}

/** `estimate_messages_tokens_rough([message])`. */
export function estimateMessage(message: PythonDict, version: HermesEstimator): number {
  return estimateText(pythonRepr(wireShape(message, version)), version) + countImages(message) * IMAGE_TOKENS;
}

/**
 * `estimate_messages_tokens_rough`. Without stale thinking only the newest assistant message keeps its reasoning, as on
 * routes that send it for that one alone.
 */
export function estimateMessages(
  messages: readonly PythonDict[],
  version: HermesEstimator,
  staleThinking = true,
): number {
  const newest = messages.findLastIndex((message) => textMember(message, "role") === "assistant");
  let total = 0;
  for (const [index, message] of messages.entries()) {
    const strip = !staleThinking && index !== newest && textMember(message, "role") === "assistant";
    total += estimateMessage(strip ? without(message, ["reasoning", "reasoning_content"]) : message, version);
  }
  return total;
}

/** Tokens of the tool schemas of a request: names, descriptions and compact JSON parameters, characters ÷ 4. */
export function estimateTools(tools: readonly PythonJson[]): number {
  let chars = 0;
  for (const tool of tools) {
    if (!isDict(tool)) continue;
    const inner = tool.members.get("function");
    const source = isDict(inner) ? inner : tool;
    const parameters = source.members.get("parameters");
    chars +=
      countCodePoints(textMember(source, "name") ?? "") + countCodePoints(textMember(source, "description") ?? "");
    chars += isTruthy(parameters) ? countCodePoints(pythonDumps(parameters, { compact: true })) : 2;
  }
  return Math.ceil(chars / CHARS_PER_TOKEN);
}

/** What a request weighs: system prompt, messages and tool schemas. */
export function estimateRequest(
  messages: readonly PythonDict[],
  systemPrompt: string,
  tools: readonly PythonJson[],
  version: HermesEstimator,
): number {
  return estimateText(systemPrompt, version) + estimateMessages(messages, version) + estimateTools(tools);
}

/** What the provider is sent of a stored message. */
function wireShape(message: PythonDict, version: HermesEstimator): PythonDict {
  const role = textMember(message, "role");
  const sent = textMember(message, "api_content");
  const replaced = sent !== undefined && sent !== "" && (role === "user" || role === "assistant");
  const spoken = textMember(message, "reasoning_content");
  const twice = version === "2026-09" && spoken !== undefined && stripForInt(spoken) !== "";
  const members = new Map<string, PythonJson>();
  for (const [key, value] of message.members) {
    if (STORE_ONLY.has(key) || (key === "reasoning" && twice)) continue;
    if (key === "api_content") {
      if (replaced) members.set("content", value);
    } else if (key === "content") {
      if (!replaced) members.set(key, withoutImages(value));
    } else if (key === "codex_reasoning_items" && version === "2026-09") members.set(key, withoutCipher(value));
    else members.set(key, value);
  }
  return { kind: "object", members };
}

function withoutImages(content: PythonJson): PythonJson {
  if (isMultimodal(content)) return content.members.get("text_summary") ?? { kind: "string", text: "" };
  if (content.kind !== "array") return content;
  const items = content.items.map((part): PythonJson => {
    if (!isImagePart(part)) return part;
    const type = part.members.get("type") ?? { kind: "literal", text: "null" };
    return {
      kind: "object",
      members: new Map<string, PythonJson>([
        ["type", type],
        ["image", { kind: "string", text: "[stripped]" }],
      ]),
    };
  });
  return { kind: "array", items };
}

function withoutCipher(items: PythonJson): PythonJson {
  if (items.kind !== "array") return items;
  return {
    kind: "array",
    items: items.items.map((item) => {
      if (!isDict(item) || !item.members.has("encrypted_content")) return item;
      return { kind: "object", members: new Map(item.members).set("encrypted_content", { kind: "string", text: "" }) };
    }),
  };
}

function countImages(message: PythonDict): number {
  const content = message.members.get("content");
  // In the envelope and among stashed blocks fewer spellings count than in a plain part list.
  const envelope = isMultimodal(content) ? content.members.get("content") : undefined;
  const stashed = message.members.get("_anthropic_content_blocks");
  return imageParts(content) + ofType(envelope, ["image", "image_url"]) + ofType(stashed, ["image"]);
}

function ofType(parts: PythonJson | undefined, types: readonly string[]): number {
  if (parts?.kind !== "array") return 0;
  return parts.items.filter((part) => types.includes(textMember(part, "type") ?? "")).length;
}

function without(message: PythonDict, keys: readonly string[]): PythonDict {
  return { kind: "object", members: new Map([...message.members].filter(([key]) => !keys.includes(key))) };
}

/**
 * Estimate of one message in the walks that protect the tail (`_estimate_msg_budget_tokens`, v2026.8.16.2).
 * @param staleThinking false leaves out the reasoning, as for every assistant message but the newest.
 */
export function tailTokens(message: PythonDict, staleThinking = true): number {
  const version = "v2026.8.16.2";
  const content = message.members.get("content");
  let tokens = 10;
  if (content?.kind === "string") tokens += estimateText(content.text, version);
  else if (isTruthy(content)) tokens += Math.floor(contentChars(content) / CHARS_PER_TOKEN);
  const calls = message.members.get("tool_calls");
  for (const call of calls?.kind === "array" ? calls.items : [])
    if (isDict(call)) tokens += estimateText(pythonRepr(call), version);
  const replayed = (key: string) => Math.floor(serializedChars(message.members.get(key)) / CHARS_PER_TOKEN);
  tokens += replayed("codex_reasoning_items") + replayed("codex_message_items");
  if (!staleThinking) return tokens;
  tokens += replayed("reasoning") + replayed("reasoning_content");
  if (isTruthy(message.members.get("reasoning")) || isTruthy(message.members.get("reasoning_content"))) return tokens;
  return tokens + Math.floor(thinkingChars(message.members.get("reasoning_details")) / CHARS_PER_TOKEN);
}

function contentChars(content: PythonJson): number {
  if (content.kind !== "array") return countCodePoints(pythonStr(content));
  let chars = 0;
  for (const part of content.items) {
    if (!isDict(part)) chars += countCodePoints(pythonStr(part));
    else chars += isImagePart(part) ? IMAGE_CHARS : countCodePoints(textMember(part, "text") ?? "");
  }
  return chars;
}

function serializedChars(value: PythonJson | undefined): number {
  if (value === undefined || (value.kind === "literal" && value.text === "null")) return 0;
  return countCodePoints(value.kind === "string" ? value.text : pythonDumps(value, { sortKeys: true }));
}

function thinkingChars(value: PythonJson | undefined): number {
  if (value === undefined || value.kind === "literal") return 0;
  if (value.kind === "string") return countCodePoints(value.text);
  const parts = value.kind === "array" ? value.items : [value];
  let chars = 0;
  for (const part of parts) {
    if (part.kind === "string") chars += countCodePoints(part.text);
    else for (const key of ["thinking", "text", "summary"]) chars += countCodePoints(textMember(part, key) ?? "");
  }
  return chars;
}
