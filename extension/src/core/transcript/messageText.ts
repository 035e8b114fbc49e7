import type { Utf8 } from "../ports";
import { parseJson } from "../util/parseJson";
import { pushAll } from "../util/pushAll";
import { countCodePoints } from "../util/textSize";
import { flatten } from "./flatten";
import { isObject, type JsonObject, own, Texts } from "./json";

/** One tool call as a record holds it. */
export interface WrittenCall {
  readonly id: string | undefined;
  readonly tool: string | undefined;
  /** As written; compact JSON where the format keeps an object. */
  readonly args: string;
}

/** Members under which formats keep a message's text, the most specific first: looked at before all others. */
const TEXTS = [
  "api_content",
  "content",
  "text",
  "parts",
  "message",
  "value",
  "thought",
  "prompt",
  "system_prompt",
  "summary",
  "summaryContent",
];
/** Values of a record that are looked at. */
const MAX_VALUES = 20_000;
/** Shorter texts are not looked for in members of any name: too many words are of that length. Code points. */
const MIN_ANYWHERE = 8;
/** The most specific first: some formats give an item an id besides that of its call. */
const IDS = ["call_id", "callId", "callID", "tool_call_id", "toolCallId", "tool_use_id", "id"];
const ARGUMENTS = ["arguments", "input", "args", "parameters"];
const CALL_NAMES = ["name", "tool", "toolName", "tool_name"];
/** Trajectories for training hold their calls as text. */
const OPENING = "<tool_call>";
const CLOSING = "</tool_call>";
/** Nesting in which texts and calls are looked for; formats keep them no deeper than half of it. */
const MAX_DEPTH = 12;

/**
 * The text of a message whose record is given, found by its length: formats keep it in different members, and what was
 * measured tells which one it is. Undefined where none fits.
 * @param record the record as parsed from real text
 * @param chars what was measured of the message, code points
 */
export function messageText(record: unknown, chars: number, utf8: Utf8): string | undefined {
  const texts = new Texts("exact", utf8);
  const fits = (content: unknown): string | undefined => {
    const text = flatten(content, texts).parts.join("");
    return text !== "" && countCodePoints(text) === chars ? text : undefined;
  };
  const values = [...valuesIn(record)];
  for (const value of values) {
    for (const key of isObject(value) ? TEXTS : []) {
      const text = fits(own(value, key));
      if (text !== undefined) return text;
    }
  }
  if (chars < MIN_ANYWHERE && typeof record !== "string") return undefined;
  for (const value of values) {
    const text = fits(value);
    if (text !== undefined) return text;
  }
  return undefined;
}

/** A value and everything in it, outermost first. */
function* valuesIn(record: unknown): Generator<unknown> {
  const waiting: unknown[] = [record];
  for (let seen = 0; seen < waiting.length && seen < MAX_VALUES; seen++) {
    const value = waiting[seen];
    yield value;
    if (typeof value === "object" && value !== null && waiting.length < MAX_VALUES)
      pushAll(waiting, Object.values(value));
  }
}

/** The tool calls that a record holds, in its order, wherever its format keeps them. */
export function writtenCalls(record: unknown): readonly WrittenCall[] {
  const calls: WrittenCall[] = [];
  collect(record, calls, 0);
  return calls;
}

/** Objects between the tags. Found by a walk: no part of the text is looked at for more than one of them. */
function* taggedCalls(text: string): Generator<string> {
  for (let open = text.indexOf(OPENING); open >= 0; open = text.indexOf(OPENING, open)) {
    open += OPENING.length;
    const start = open + text.slice(open).search(/\S/);
    if (start < open || text.charAt(start) !== "{") continue;
    const end = endOfTagged(text, start);
    // What opens later could only end at the same closings.
    if (end === undefined) return;
    yield text.slice(start, end);
    open = end;
  }
}

/** Behind the first `}` that only white space parts from a closing tag. */
function endOfTagged(text: string, start: number): number | undefined {
  for (let close = text.indexOf(CLOSING, start); close >= 0; close = text.indexOf(CLOSING, close + 1)) {
    const end = text.slice(start, close).trimEnd().length;
    if (text.charAt(start + end - 1) === "}") return start + end;
  }
  return undefined;
}

function collect(value: unknown, calls: WrittenCall[], depth: number): void {
  if (depth > MAX_DEPTH) return;
  if (typeof value === "string") {
    for (const call of taggedCalls(value)) collect(parseJson(call), calls, depth + 1);
    return;
  }
  if (Array.isArray(value)) {
    for (const one of value) collect(one, calls, depth + 1);
    return;
  }
  if (!isObject(value)) return;
  const call = callIn(value);
  if (call !== undefined) {
    calls.push(call);
    return;
  }
  for (const [key, inner] of Object.entries(value)) {
    // Databases and their dumps keep the list as JSON text.
    if (key === "tool_calls" && typeof inner === "string") collect(parseJson(inner), calls, depth + 1);
    else collect(inner, calls, depth + 1);
  }
}

function callIn(value: JsonObject): WrittenCall | undefined {
  const inner = own(value, "function") ?? own(value, "functionCall");
  const body = isObject(inner) ? inner : value;
  const tool = firstText(body, CALL_NAMES);
  // opencode keeps them with the state of the call.
  const holders = [body, own(body, "state")];
  const args = holders
    .flatMap((holder) => ARGUMENTS.map((key) => own(holder, key)))
    .find((one) => one !== undefined && one !== null);
  if (tool === undefined || args === undefined) return undefined;
  return { id: firstText(value, IDS), tool, args: typeof args === "string" ? args : JSON.stringify(args) };
}

function firstText(value: JsonObject, keys: readonly string[]): string | undefined {
  for (const key of keys) {
    const found = own(value, key);
    if (typeof found === "string" && found !== "") return found;
  }
  return undefined;
}
