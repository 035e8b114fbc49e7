import { jsonPlace } from "../core/config/jsonPlace";
import { KEY, SECTION } from "../core/config/keys";
import type { ConfigLanguage } from "../core/config/types";

/** `key`: a key inside `tools` · `section`: a key at the root · `value`: the key's value. The range is what a proposal replaces. */
export interface CompletionPlace {
  readonly kind: "key" | "section" | "value";
  readonly start: number;
  readonly end: number;
}

/** What can be completed at a UTF-16 offset; undefined where nothing of ours can stand. */
export function completionPlace(text: string, offset: number, language: ConfigLanguage): CompletionPlace | undefined {
  return language === "yaml" ? yamlPlace(text, offset) : jsonCompletionPlace(text, offset);
}

const VALUE = new RegExp(`^(\\s*["']?${KEY}["']?\\s*:[ \\t]+)([^\\s#]*)$`);
const FLOW_KEY = new RegExp(`^${SECTION}\\s*:\\s*\\{(?:[^}]*,)?\\s*([\\w-]*)$`);
const WORD = /^(\s*)([\w-]*)$/;

/** Goes by lines and indentation, because the file rarely parses while somebody types. */
function yamlPlace(text: string, offset: number): CompletionPlace | undefined {
  const lineStart = text.lastIndexOf("\n", offset - 1) + 1;
  const before = text.slice(lineStart, offset);
  const after = /^[\w.+-]*/.exec(text.slice(offset))?.[0] ?? "";
  const end = offset + after.length;
  const value = VALUE.exec(before);
  if (value !== null) return { kind: "value", start: lineStart + (value[1]?.length ?? 0), end };
  const flow = FLOW_KEY.exec(before);
  if (flow !== null) return { kind: "key", start: offset - (flow[1]?.length ?? 0), end };
  const word = WORD.exec(before);
  if (word === null || /^\s*:/.test(text.slice(end))) return undefined;
  const indent = word[1] ?? "";
  const start = lineStart + indent.length;
  if (indent === "") return hasRootKey(text, SECTION) ? undefined : { kind: "section", start, end };
  return isInside(text.slice(0, lineStart), indent.length) && !hasKey(text) ? { kind: "key", start, end } : undefined;
}

/** True when the nearest line above that is indented less opens the section. */
function isInside(above: string, indent: number): boolean {
  const lines = above.split(/\r?\n/);
  for (const line of lines.toReversed()) {
    const content = line.trimStart();
    if (content === "" || content.startsWith("#")) continue;
    if (line.length - content.length < indent) return new RegExp(`^["']?${SECTION}["']?\\s*:\\s*(?:#.*)?$`).test(line);
  }
  return false;
}

function hasRootKey(text: string, name: string): boolean {
  return new RegExp(`^["']?${name}["']?\\s*:`, "m").test(text);
}

function hasKey(text: string): boolean {
  return new RegExp(`^[ \\t]+["']?${KEY}["']?\\s*:`, "m").test(text);
}

function jsonCompletionPlace(text: string, offset: number): CompletionPlace | undefined {
  const place = jsonPlace(text, offset);
  const { path, start, end } = place;
  if (!place.isKey) return path.join(".") === `${SECTION}.${KEY}` ? { kind: "value", start, end } : undefined;
  if (path.length === 1) return { kind: "section", start, end };
  return path.length === 2 && path[0] === SECTION ? { kind: "key", start, end } : undefined;
}
