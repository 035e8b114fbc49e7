import {
  isDict,
  isTruthy,
  type PythonDict,
  pythonRepr,
  pythonStr,
} from "../../../extension/src/core/compaction/hermes/pythonText";
import type { PythonJson } from "../../../extension/src/core/util/pythonJson";
import { countCodePoints } from "../../../extension/src/core/util/textSize";
import { pythonDumps } from "../pythonDumps";
import { textMember } from "../textMember";
import { isImagePart } from "./parts";

/** Characters per image in the tail walk of `agent/context_compressor.py`. */
const IMAGE_CHARS = 6400;
const CHARS_PER_TOKEN = 4;

/** Hangul, kana, ideographs and full-width forms, which count a token each. Source: `agent/model_metadata.py`. */
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

/** `estimate_tokens_rough` of v2026.8.16.2: dense characters count 1, the rest by characters ÷ 4, rounded up. */
function estimateText(text: string): number {
  let dense = 0;
  for (let i = 0; i < text.length; i++) if (isDense(text.charCodeAt(i))) dense++;
  return dense + Math.ceil((countCodePoints(text) - dense) / CHARS_PER_TOKEN);
}

/**
 * Estimate of one message in the walks that protect the tail (`_estimate_msg_budget_tokens`, v2026.8.16.2).
 * @param staleThinking false leaves out the reasoning, as for every assistant message but the newest.
 */
export function tailTokens(message: PythonDict, staleThinking = true): number {
  const content = message.members.get("content");
  let tokens = 10;
  if (content?.kind === "string") tokens += estimateText(content.text);
  else if (isTruthy(content)) tokens += Math.floor(contentChars(content) / CHARS_PER_TOKEN);
  const calls = message.members.get("tool_calls");
  for (const call of calls?.kind === "array" ? calls.items : [])
    if (isDict(call)) tokens += estimateText(pythonRepr(call));
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
