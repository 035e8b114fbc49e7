import type { AgentId, PersistedInfo, ResultState, TextSize } from "../model/transcript";
import { recognise } from "../results/recognise";
import { pushAll } from "../util/pushAll";
import { addSizes } from "../util/textSize";
import { isImageType } from "./imageType";
import { isObject, type JsonObject, type Texts } from "./json";
import type { Ends } from "./skim";
import { untypedPart } from "./untypedParts";

/** One content value as flat text. `parts` are joined without a separator, so their sizes add up. */
export interface Flat {
  readonly parts: readonly string[];
  readonly images: number;
  /** `type` of parts that hold neither text nor an image, for the problem list. */
  readonly unknown: readonly string[];
}

const EMPTY: Flat = { parts: [], images: 0, unknown: [] };
/** Hermes keeps structured content in a text column behind this prefix (hermes_state_messages.py @01e8a2d0). */
const HERMES_JSON = "\u0000json:";
const IMAGE_TYPES = new Set(["image", "image_url", "input_image", "computer_screenshot"]);
/** Parts that carry no text into the context, by design. */
const SILENT_TYPES = new Set(["thinking", "redacted_thinking", "reasoning", "tool_use", "tool_reference"]);

/**
 * Text of a message's or result's content: a string, a list of parts, or a structured value (then its compact JSON, which
 * is what the tools of those formats send). Null and missing content have no text. Images are counted, never measured.
 */
export function flatten(content: unknown, texts: Texts): Flat {
  if (typeof content === "string") {
    if (content.startsWith(HERMES_JSON)) return flattenSentinel(content, texts);
    return content === "" ? EMPTY : { parts: [content], images: 0, unknown: [] };
  }
  if (content === null || content === undefined) return EMPTY;
  if (!Array.isArray(content)) {
    if (typeof content !== "object") return { parts: [String(content)], images: 0, unknown: [] };
    return flattenParts([content], texts, true);
  }
  return flattenParts(content, texts, false);
}

function flattenSentinel(content: string, texts: Texts): Flat {
  try {
    return flatten(JSON.parse(content.slice(HERMES_JSON.length)), texts);
  } catch {
    // Not the structured form after all: the text stands for itself.
    return { parts: [content], images: 0, unknown: [] };
  }
}

/** `lone`: the content is one structured value, not a list of parts; then only a typed part is more than a value. */
function flattenParts(list: readonly unknown[], texts: Texts, lone: boolean): Flat {
  const parts: string[] = [];
  const unknown: string[] = [];
  let images = 0;
  for (const part of list) {
    if (typeof part === "string") parts.push(part);
    else if (typeof part === "number" || typeof part === "boolean") parts.push(String(part));
    else if (isObject(part)) {
      const type = part["type"];
      const untyped = type === undefined && !lone ? untypedPart(part, texts) : undefined;
      if (untyped !== undefined) {
        pushAll(parts, untyped.parts);
        images += untyped.images;
      } else if (typeof type === "string" && IMAGE_TYPES.has(type)) images += imagesIn(part);
      else if (typeof type === "string" && SILENT_TYPES.has(type)) continue;
      else if (typeof part["text"] === "string") parts.push(part["text"]);
      else if (typeof part["refusal"] === "string") parts.push(part["refusal"]);
      // opencode 2 puts every kind of file into a part of one type.
      else if (type === "file" && isImageType(part["mime"])) images++;
      else if (type === "logs" && typeof part["logs"] === "string") parts.push(part["logs"]);
      else if (type === undefined || (typeof type === "string" && /_result$/.test(type)))
        parts.push(texts.compact(part));
      else unknown.push(typeof type === "string" ? type : typeof type);
    } else if (part !== null && part !== undefined) unknown.push("list");
  }
  return { parts, images, unknown };
}

/** OpenHands puts several images into one part. */
function imagesIn(part: JsonObject): number {
  const urls = part["image_urls"];
  return Array.isArray(urls) ? urls.length : 1;
}

/** Size of the parts joined. */
export function measureParts(parts: readonly string[], texts: Texts): TextSize {
  return texts.measureAll(parts);
}

/** Size of a tool call's arguments: a text as it stands, anything else as compact JSON. */
export function measureArguments(values: readonly unknown[], texts: Texts): TextSize {
  let size: TextSize = { codePoints: 0, utf16: 0, bytes: 0 };
  for (const value of values) {
    if (value === undefined || value === null) continue;
    const own = typeof value === "string" ? texts.measure(value) : texts.measure(texts.compact(value));
    size = addSizes(size, own);
  }
  return size;
}

export interface Measured {
  readonly size: TextSize;
  readonly state: ResultState;
  readonly persisted: PersistedInfo | undefined;
}

/**
 * Size and form of one result. A notice may be one part among several (Hermes spills the largest part of a list), so
 * when the joined text shows none each part is asked, and its preview range is moved to where the part lies.
 */
export function measureResult(
  flat: Flat,
  texts: Texts,
  context: { readonly agent: AgentId; readonly tool: string | undefined },
): Measured {
  const size = texts.measureAll(flat.parts);
  const { parts } = flat;
  if (context.agent === "claude-code" && parts.length === 1 && !couldBeNotice(texts.ends(parts[0] ?? ""))) {
    return { size, state: "inline", persisted: undefined };
  }
  const decoded = parts.map((part) => texts.decode(part));
  const found = recognise(decoded.length === 1 ? (decoded[0] ?? "") : decoded.join(""), context);
  if (found.state !== "inline" || decoded.length < 2) return { size, state: found.state, persisted: found.persisted };
  let offset = 0;
  for (const part of decoded) {
    const inPart = recognise(part, context);
    if (inPart.persisted !== undefined) {
      const { preview } = inPart.persisted;
      const moved = preview === undefined ? undefined : { start: preview.start + offset, end: preview.end + offset };
      return { size, state: inPart.state, persisted: { ...inPart.persisted, preview: moved } };
    }
    offset += part.length;
  }
  return { size, state: found.state, persisted: found.persisted };
}

/**
 * False when a Claude Code result is certainly no notice, by its two ends: every notice that `recognise` knows for this
 * agent begins with a tag, a bracket or `Error:`, or ends with a bracket. Saves making texts that are plainly inline;
 * checked against `recognise` by a test.
 */
export function couldBeNotice(ends: Ends): boolean {
  return /^[<E[]?$/.test(ends.first) || /^\]?$/.test(ends.last);
}
