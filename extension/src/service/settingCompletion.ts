import { type CompletionItem, CompletionItemKind } from "vscode-languageserver-types";
import { jsonPlace } from "../core/config/jsonPlace";
import { FULL_KEY } from "../core/config/keys";
import { shownSetting } from "../core/config/settings/shown";
import { SETTINGS } from "../core/config/settings/table";
import type { Setting } from "../core/config/settings/types";
import type { ConfigLanguage } from "../core/config/types";
import type { LoaderId } from "../core/model/loader";

/** Where a key or value of a known section is being written. The half-open range is what a proposal replaces. */
export interface SettingPlace {
  /** Keys above, the one being written excluded. */
  readonly path: readonly string[];
  /** Set when a value is written: the key before the colon. */
  readonly key: string | undefined;
  /** Keys that stand in the same block. */
  readonly siblings: readonly string[];
  readonly start: number;
  readonly end: number;
}

/** Lines looked at to find the sections around the caret. */
const MAX_LINES = 5_000;

/** Where a key, or the value of one, is being written at a UTF-16 offset; undefined where neither can stand. */
export function settingPlace(text: string, offset: number, language: ConfigLanguage): SettingPlace | undefined {
  return language === "yaml" ? yamlPlace(text, offset) : jsonSettingPlace(text, offset);
}

function jsonSettingPlace(text: string, offset: number): SettingPlace {
  const { path, start, end, isKey } = jsonPlace(text, offset);
  const names = path.map(String);
  return { path: names.slice(0, -1), key: isKey ? undefined : names.at(-1), siblings: [], start, end };
}

/** By lines and indentation, because the file rarely parses while somebody types. */
function yamlPlace(text: string, offset: number): SettingPlace | undefined {
  const lineStart = text.lastIndexOf("\n", offset - 1) + 1;
  const before = /^([ ]*)(?:([\w-]+)[ ]*:[ ]+)?([\w.+-]*)$/.exec(text.slice(lineStart, offset));
  if (before === null) return undefined;
  const end = offset + (/^[\w.+-]*/.exec(text.slice(offset))?.[0].length ?? 0);
  const key = before[2];
  if (key === undefined && /^[ ]*:/.test(text.slice(end))) return undefined;
  const indent = before[1]?.length ?? 0;
  const above = text.slice(0, lineStart);
  const siblings = [
    ...siblingKeys(above.split("\n").slice(-MAX_LINES).toReversed(), indent),
    ...siblingKeys(text.slice(end).split("\n", MAX_LINES).slice(1), indent),
  ];
  return { path: sectionsAbove(above, indent), key, siblings, start: offset - (before[3]?.length ?? 0), end };
}

/** Keys of exactly this indentation up to the first line that is indented less. */
function siblingKeys(lines: readonly string[], indent: number): readonly string[] {
  const keys: string[] = [];
  for (const line of lines) {
    const match = /^( *)(?:["']?([\w-]+)["']?[ ]*:|[^#\s])/.exec(line);
    const depth = match?.[1]?.length;
    if (depth === undefined) continue;
    if (depth < indent) break;
    if (depth === indent && match?.[2] !== undefined) keys.push(match[2]);
  }
  return keys;
}

function sectionsAbove(above: string, indent: number): readonly string[] {
  const path: string[] = [];
  let depth = indent;
  const lines = above.split("\n").slice(-MAX_LINES);
  for (const line of lines.toReversed()) {
    if (depth === 0) break;
    const match = /^( *)(?:["']?([\w-]+)["']?[ ]*:[ \t]*(?:#.*)?\r?$|[^#\s])/.exec(line);
    const found = match?.[1]?.length;
    if (found === undefined || found >= depth) continue;
    path.unshift(match?.[2] ?? "?");
    depth = found;
  }
  return path;
}

/** Keys of the section that are not written yet, or values of the key. The persist threshold has proposals of its own. */
export function settingItems(
  place: SettingPlace,
  language: ConfigLanguage,
  loader: LoaderId,
): readonly CompletionItem[] {
  const quote = language === "yaml" ? "" : '"';
  const section = place.path.join(".");
  if (place.key !== undefined) {
    const key = place.key;
    const setting = SETTINGS.find(({ name }) => name === (section === "" ? key : `${section}.${key}`));
    if (setting === undefined || setting.name === FULL_KEY) return [];
    return values(setting, loader).map((label, index) => ({
      label: /^\w*[a-z]/i.test(label) && !/^(?:true|false|null)$/.test(label) ? `${quote}${label}${quote}` : label,
      kind: CompletionItemKind.Value,
      detail: index === 0 ? `Default. ${setting.does}` : setting.does,
      sortText: String(index),
    }));
  }
  if (section === "") return [];
  return SETTINGS.filter(({ name, path }) => path.slice(0, -1).join(".") === section && name !== FULL_KEY).flatMap(
    (setting): readonly CompletionItem[] => {
      const name = setting.path.at(-1) ?? "";
      if (place.siblings.includes(name)) return [];
      const fallback = setting.fallback[loader];
      const value = fallback.t === "NoneType" || fallback.t === "dict" ? "" : shownSetting(fallback);
      return [
        {
          label: name,
          kind: CompletionItemKind.Property,
          detail: setting.does,
          ...(setting.trap === undefined ? {} : { documentation: setting.trap }),
          insertText: `${quote}${name}${quote}: ${quote !== "" && fallback.t === "str" ? `"${value}"` : value}`,
        },
      ];
    },
  );
}

function values(setting: Setting, loader: LoaderId): readonly string[] {
  const fallback = setting.fallback[loader];
  const first = fallback.t === "NoneType" ? "null" : fallback.t === "dict" ? "{}" : shownSetting(fallback);
  const more = fallback.t === "bool" ? ["true", "false"] : setting.parser.kind === "choice" ? setting.parser.of : [];
  return [first, ...more.filter((one) => one !== first)];
}
