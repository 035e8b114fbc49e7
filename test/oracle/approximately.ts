import { isDict } from "../../extension/src/core/compaction/hermes/pythonText";
import { approximateTokens, TINYAGENTS_PRICES } from "../../extension/src/core/compaction/inputWeight";
import { type PythonJson, parsePythonJson } from "../../extension/src/core/util/pythonJson";
import { countCodePoints } from "../../extension/src/core/util/textSize";
import { pythonDumps } from "./pythonDumps";
import { textMember } from "./textMember";

/** Names of the roles; each is the only key of a message. */
const ROLES = ["system", "user", "assistant", "tool"] as const;

/**
 * tinyagents' `count_tokens_approximately` over stored messages (tinyhumansai/tinyagents): per message, characters of content,
 * tool calls or call id, and role, ÷ 4 rounded up, plus 3. Numbers in JSON count as Python writes them, which differs from Rust
 * for exponents only. Undefined when the text is no list of such messages.
 */
export function countTokensApproximately(json: string): number | undefined {
  const messages = parsePythonJson(json);
  if (messages?.kind !== "array") return undefined;
  let tokens = 0;
  for (const message of messages.items) {
    const chars = messageChars(message);
    if (chars === undefined) return undefined;
    tokens += approximateTokens(chars);
  }
  return tokens;
}

function messageChars(message: PythonJson): number | undefined {
  if (!isDict(message)) return undefined;
  const role = ROLES.find((name) => message.members.has(name));
  const body = role === undefined ? undefined : message.members.get(role);
  if (role === undefined || !isDict(body)) return undefined;
  let chars = role.length;
  const content = body.members.get("content");
  for (const block of content?.kind === "array" ? content.items : []) chars += blockCharsOf(block);
  const calls = body.members.get("tool_calls");
  if (role === "assistant" && calls?.kind === "array" && calls.items.length > 0) {
    const shown: PythonJson = { kind: "array", items: calls.items.map(sentCall) };
    chars += countCodePoints(pythonDumps(shown, { compact: true }));
  }
  return chars + (role === "tool" ? countCodePoints(textMember(body, "tool_call_id") ?? "") : 0);
}

/** Id, name and arguments of a call, in that order. */
function sentCall(call: PythonJson): PythonJson {
  const absent: PythonJson = { kind: "literal", text: "null" };
  const member = (key: string): PythonJson => (isDict(call) ? (call.members.get(key) ?? absent) : absent);
  return {
    kind: "object",
    members: new Map(["id", "name", "arguments"].map((key) => [key, member(key)])),
  };
}

function blockCharsOf(block: PythonJson): number {
  if (!isDict(block)) return 0;
  const text = textMember(block, "text");
  if (text !== undefined) return countCodePoints(text);
  const thinking = block.members.get("thinking");
  if (thinking !== undefined) return countCodePoints(textMember(thinking, "text") ?? "");
  const redacted = block.members.get("redacted_thinking");
  if (redacted !== undefined) return countCodePoints(textMember(redacted, "data") ?? "");
  if (block.members.has("image")) return TINYAGENTS_PRICES.imageChars;
  const json = block.members.get("json") ?? block.members.get("provider_extension");
  return json === undefined ? 0 : countCodePoints(pythonDumps(json, { compact: true }));
}
