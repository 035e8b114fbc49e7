import { SECRET_SLACK_UNITS } from "../secrets/mask";
import { parseJson, parsePartialJson } from "../util/partialJson";
import { isObject, type JsonObject, own } from "./json";
import { isWrittenByPerson } from "./readers/claudePrompt";

/** What the first bytes of a session's file say about it; undefined = not said there. */
export interface Glance {
  /** Folder that the agent worked in, as the record has it. */
  readonly project: string | undefined;
  /** SHA-256 of that folder's path, where the agent keeps only that (Gemini CLI). */
  readonly projectHash: string | undefined;
  /** The agent's own title, else the first prompt: one line, at most `TITLE_UNITS`. */
  readonly title: string | undefined;
  readonly model: string | undefined;
}

/** What the last bytes say about the newest call. */
export interface TailGlance {
  /** Input + cache read + cache write of the newest call of the session itself; null: a compaction came after it. */
  readonly tokens: number | null;
  readonly model: string | undefined;
  /** Context window as the agent states it, tokens. */
  readonly window: number | undefined;
}

/** UTF-16 units of a title. */
export const TITLE_UNITS = 80;
/** Codex begins with messages of its own; so do other agents with what they were told to remember. */
const INJECTED = /^\s*(?:<|# AGENTS\.md )/;

type Found = { -readonly [K in keyof Glance]: Glance[K] } & { named: boolean };

/** Looks at the beginning of a transcript: lines of JSON or one value, the last of them cut off where the bytes end. */
export function glance(head: string): Glance {
  const { title, ...more } = glanceText(head);
  return { ...more, title: titleLine(title) };
}

/** The same, with the text that the title is taken from, so that secrets can be masked before it is cut: `titleLine` cuts it. */
export function glanceText(head: string): Glance {
  const found: Found = { project: undefined, projectHash: undefined, title: undefined, model: undefined, named: false };
  for (const record of records(head)) {
    look(record, found);
    if (found.project !== undefined && found.named && found.model !== undefined) break;
  }
  const { project, projectHash, title, model } = found;
  return { project, projectHash, title, model };
}

/** Looks at the end of a transcript of lines, from its last line backwards. The first line of `tail` may be torn. */
export function glanceTail(tail: string): TailGlance | undefined {
  const lines = tail.split("\n");
  for (let at = lines.length - 1; at >= 0; at--) {
    const line = lines[at] ?? "";
    // Cheap tests first: most lines of a transcript are results.
    if (!TELLS_CONTEXT.test(line)) continue;
    // Whole lines only: a torn one may lack a part of the sum.
    const value = parseJson(line);
    const told = isObject(value) ? toldBy(value) : undefined;
    if (told === undefined) continue;
    const isCurrent = !isRepeated(value, lines.slice(0, at)) && !isLeft(value, lines, at);
    return isCurrent ? told : { ...told, tokens: null };
  }
  return undefined;
}

/** Messages that a compaction kept may be written again after its boundary, with the time that they had. */
function isRepeated(record: unknown, before: readonly string[]): boolean {
  const boundary = before.findLast((line) => line.includes('"compact_boundary"'));
  const compactedAt = boundary === undefined ? undefined : textOf(own(parseJson(boundary), "timestamp"));
  const writtenAt = textOf(own(record, "timestamp"));
  return compactedAt !== undefined && writtenAt !== undefined && writtenAt < compactedAt;
}

/**
 * True when the newest record goes on from before this answer of Claude Code: the user went back, and what is in context only the
 * next call tells. Records form a tree by `parentUuid`; results of parallel calls hang on any line of one message.
 */
function isLeft(record: unknown, lines: readonly string[], at: number): boolean {
  const message = own(own(record, "message"), "id");
  const answer = textOf(own(record, "uuid"));
  if (answer === undefined) return false;
  const parents = new Map<string, string | undefined>();
  let newest: string | undefined;
  for (const line of lines.slice(at + 1)) {
    const value = parseJson(line);
    const uuid = textOf(own(value, "uuid"));
    if (uuid === undefined || own(value, "isSidechain") === true) continue;
    parents.set(uuid, textOf(own(value, "parentUuid")));
    newest = uuid;
  }
  let place = newest;
  for (let steps = parents.size; place !== undefined && parents.has(place) && steps > 0; steps--)
    place = parents.get(place);
  if (place === undefined || place === answer || parents.has(place)) return false;
  const parent = lines.slice(0, at).findLast((line) => line.includes(`"uuid":"${place}"`));
  const of = parent === undefined ? undefined : parseJson(parent);
  return of !== undefined && (message === undefined || own(own(of, "message"), "id") !== message);
}

const TELLS_CONTEXT = /"usage"|"token_count"|"compact_boundary"|"microcompact_boundary"|"compacted"|"tokens"/;

function* records(head: string): Generator<JsonObject> {
  const text = head.startsWith("\uFEFF") ? head.slice(1) : head;
  // A value over several lines is one document.
  const isDocument = /^\s*\{\s*\n|^\s*\[/.test(text);
  for (const line of isDocument ? [text] : text.split("\n")) {
    const value = line.trim() === "" ? undefined : parsePartialJson(line);
    if (isObject(value)) yield value;
    else if (Array.isArray(value)) for (const one of value) if (isObject(one)) yield one;
  }
}

function look(record: JsonObject, found: Found): void {
  const payload = own(record, "payload");
  const data = own(record, "data");
  const type = own(record, "type");
  if (isObject(payload)) codex(type, payload, found);
  else if (typeof type === "string" && type.includes(".") && isObject(data)) copilotEvent(type, data, found);
  else if (own(record, "kind") === 0 && isObject(own(record, "v"))) document(own(record, "v") as JsonObject, found);
  else if (own(record, "kind") === 1) renamed(record, found);
  else if (isObject(own(record, "info"))) document(own(record, "info") as JsonObject, found);
  else if (type === "custom-title") name(found, own(record, "customTitle"));
  else {
    document(record, found);
    message(record, found);
  }
}

/** The first `session_meta` identifies a rollout; a fork repeats its source's after it. */
function codex(type: unknown, payload: JsonObject, found: Found): void {
  if (type === "session_meta" || type === "turn_context") {
    found.project ??= textOf(own(payload, "cwd"));
    found.model ??= textOf(own(payload, "model"));
  } else if (own(payload, "type") === "user_message") {
    // What the person wrote, without what Codex put around it.
    name(found, own(payload, "message"));
  } else if (type === "response_item" && own(payload, "role") === "user") {
    title(found, own(payload, "content"));
  }
}

function copilotEvent(type: string, data: JsonObject, found: Found): void {
  if (type === "session.start") found.project ??= textOf(own(own(data, "context"), "cwd"));
  else if (type === "session.model_change") found.model ??= textOf(own(data, "newModel"));
  else if (type === "user.message") title(found, own(data, "content"));
}

/** `{kind: 1, k: ["customTitle"], v}`: a session of VS Code's chat was given a name. */
function renamed(record: JsonObject, found: Found): void {
  const keys = own(record, "k");
  if (Array.isArray(keys) && keys.length === 1 && keys[0] === "customTitle") name(found, own(record, "v"));
}

/** Facts that stand beside the messages, and the first message that a person wrote. */
function document(value: JsonObject, found: Found): void {
  found.project ??= textOf(own(value, "cwd")) ?? textOf(own(value, "directory"));
  found.projectHash ??= textOf(own(value, "projectHash"));
  found.model ??= modelOf(own(value, "model")) ?? textOf(own(value, "modelID"));
  const patch = own(value, "$set");
  for (const named of [own(value, "customTitle"), own(value, "title"), own(value, "summary"), own(patch, "summary")]) {
    // The summary lines of Claude Code may be about another session.
    if (own(value, "leafUuid") === undefined) name(found, named);
  }
  const [request] = listOf(own(value, "requests"));
  title(found, own(own(request, "message"), "text"));
  for (const one of listOf(own(value, "messages"))) if (isObject(one)) message(one, found);
}

/** A message of any of the agents: Claude Code, Gemini CLI, chat messages, OpenMausBot. */
function message(record: JsonObject, found: Found): void {
  const inner = own(record, "message");
  const body = isObject(inner) ? inner : record;
  const role = own(body, "role") ?? own(record, "type");
  if (role === "assistant" || role === "gemini" || role === "session_meta") found.model ??= modelOf(own(body, "model"));
  if (role !== "user" || own(record, "isMeta") === true || own(record, "isCompactSummary") === true) return;
  title(found, own(record, "displayContent") ?? own(body, "content") ?? own(body, "text"));
}

/** A title that the agent gave; it wins over the first prompt. */
function name(found: Found, value: unknown): void {
  if (titleLine(value) === undefined) return;
  found.title = titleText(value);
  found.named = true;
}

function title(found: Found, content: unknown): void {
  if (found.title !== undefined) return;
  for (const text of textsOf(content)) {
    if (INJECTED.test(text) || !isWrittenByPerson(text)) continue;
    found.title = titleLine(text) === undefined ? undefined : titleText(text);
    return;
  }
}

function* textsOf(content: unknown): Generator<string> {
  if (typeof content === "string") yield content;
  for (const part of listOf(content)) {
    const text = own(part, "text");
    if (typeof text === "string") yield text;
  }
}

function toldBy(record: JsonObject): TailGlance | undefined {
  const payload = own(record, "payload");
  const type = own(record, "type");
  if (isObject(payload)) {
    if (type === "compacted") return { tokens: null, model: undefined, window: undefined };
    const info = own(payload, "type") === "token_count" ? own(payload, "info") : undefined;
    const tokens = countOf(own(own(info, "last_token_usage"), "input_tokens"));
    return tokens === undefined
      ? undefined
      : { tokens, model: undefined, window: countOf(own(info, "model_context_window")) };
  }
  const subtype = own(record, "subtype");
  if (type === "system" && (subtype === "compact_boundary" || subtype === "microcompact_boundary"))
    return { tokens: null, model: undefined, window: undefined };
  if (type === "gemini") {
    const tokens = countOf(own(own(record, "tokens"), "input"));
    // A cancelled call states zeros.
    return tokens === undefined || tokens === 0
      ? undefined
      : { tokens, model: textOf(own(record, "model")), window: undefined };
  }
  return type === "assistant" && own(record, "isSidechain") !== true ? claude(own(record, "message")) : undefined;
}

function claude(body: unknown): TailGlance | undefined {
  const model = modelOf(own(body, "model"));
  const usage = own(body, "usage");
  const parts = ["input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens"].map((key) =>
    countOf(own(usage, key)),
  );
  if (model === undefined || parts.every((part) => part === undefined)) return undefined;
  return { tokens: parts.reduce<number>((sum, part) => sum + (part ?? 0), 0), model, window: undefined };
}

/** Names in angle brackets stand for lines that the program made itself. */
function modelOf(value: unknown): string | undefined {
  const text = textOf(value);
  return text?.startsWith("<") ? undefined : text;
}

function titleText(value: unknown): string | undefined {
  return typeof value === "string" ? value.slice(0, TITLE_UNITS * 8 + SECRET_SLACK_UNITS) : undefined;
}

/** A title on one line, at most `TITLE_UNITS` long; undefined where nothing of it can be seen. */
export function titleLine(value: unknown): string | undefined {
  if (typeof value !== "string") return undefined;
  const line = value
    .slice(0, TITLE_UNITS * 8)
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\uFFFD\s]+/gu, " ")
    .trim();
  if (line === "") return undefined;
  return line.length <= TITLE_UNITS ? line : `${line.slice(0, TITLE_UNITS - 1).replace(/[\uD800-\uDBFF]$/, "")}…`;
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

function countOf(value: unknown): number | undefined {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
