import { isImageType } from "./imageType";
import { isObject, type JsonObject, own, type Texts } from "./json";

/** What one part of a content list adds. */
export interface PartContent {
  readonly parts: readonly string[];
  readonly images: number;
}

const SILENT: PartContent = { parts: [], images: 0 };
const IMAGE: PartContent = { parts: [], images: 1 };
/** Serialised prompt trees of VS Code; nothing real is nested like that. */
const MAX_NODE_DEPTH = 200;

/**
 * Parts without a `type`: Gemini's (`functionResponse`, `inlineData`, `fileData`), those that are named by their only key
 * (tinyagents: `json`, `image`, `thinking`, …) and VS Code's serialised objects (`$mid`). Undefined: none of these.
 */
export function untypedPart(part: JsonObject, texts: Texts): PartContent | undefined {
  const response = own(part, "functionResponse");
  if (isObject(response)) return functionResponse(own(response, "response"), texts);
  const data = own(part, "inlineData") ?? own(part, "fileData");
  if (isObject(data)) return media(own(data, "mimeType"));
  if (own(part, "$mid") !== undefined) return serialised(part);
  const keys = Object.keys(part);
  return keys.length === 1 ? named(keys[0] ?? "", own(part, keys[0] ?? ""), texts) : undefined;
}

function functionResponse(response: unknown, texts: Texts): PartContent {
  const text = own(response, "output") ?? own(response, "error") ?? response;
  if (text === undefined || text === null) return SILENT;
  return { parts: [typeof text === "string" ? text : texts.compact(text)], images: 0 };
}

function media(mimeType: unknown): PartContent {
  return isImageType(mimeType) ? IMAGE : SILENT;
}

function named(key: string, value: unknown, texts: Texts): PartContent | undefined {
  switch (key) {
    case "json":
    case "provider_extension":
      return { parts: [texts.compact(value)], images: 0 };
    case "image":
      return isObject(value) ? IMAGE : undefined;
    case "thinking":
    case "redacted_thinking":
      return isObject(value) ? SILENT : undefined;
    default:
      return undefined;
  }
}

function serialised(part: JsonObject): PartContent {
  const value = own(part, "value");
  if (typeof value === "string") return { parts: [value], images: 0 };
  if (isObject(value)) {
    const parts: string[] = [];
    collectText(own(value, "node") ?? value, parts, 0);
    return { parts, images: 0 };
  }
  return media(own(part, "mimeType"));
}

/** Text nodes hold `text`; `lineBreakBefore` puts each on a line of its own. */
function collectText(node: unknown, into: string[], depth: number): void {
  if (!isObject(node) || depth > MAX_NODE_DEPTH) return;
  const text = own(node, "text");
  if (typeof text === "string") {
    if (own(node, "lineBreakBefore") && into.length > 0) into.push("\n");
    into.push(text);
  }
  const children = own(node, "children");
  if (Array.isArray(children)) for (const child of children) collectText(child, into, depth + 1);
}
