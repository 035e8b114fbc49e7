import type { FileFormatId } from "../model/transcript";
import { isObject, own } from "./json";

const has = (value: unknown, ...keys: readonly string[]): boolean => keys.some((key) => own(value, key) !== undefined);

/**
 * True when a root object is one record of a format that also comes as a document: a file with a single line, or one that
 * is cut off in its second.
 */
export function isRecordOf(format: FileFormatId, value: unknown): boolean {
  if (!isObject(value)) return false;
  switch (format) {
    case "copilot-chat":
      return typeof own(value, "kind") === "number";
    case "gemini-cli":
      return !has(value, "messages") && has(value, "id", "$set", "$rewindTo");
    case "openai-responses":
      return !has(value, "output", "object", "input") && has(value, "type", "role");
    case "langchain":
      return !has(value, "messages");
    case "mini-swe-agent":
    case "swe-agent":
      return has(value, "role");
    case "openhands":
      return typeof own(value, "kind") === "string" || has(value, "action", "observation");
    case "tinyagents-messages":
      return !has(value, "messages");
    default:
      return false;
  }
}
