import {
  type CompletionItem,
  CompletionItemKind,
  InsertTextFormat,
  type Position,
  type TextEdit,
} from "vscode-languageserver-types";
import { DOCUMENTED_VALUES } from "../core/config/defaults";
import { KEY, SECTION } from "../core/config/keys";
import type { ConfigLanguage } from "../core/config/types";
import { type CompletionPlace, completionPlace } from "./completionPlace";
import type { CheckedDocument } from "./context";
import { settingItems, settingPlace } from "./settingCompletion";

const KEY_MEANING = "Persist tool results longer than this many characters; unset scales with the context window.";

/** Proposals for the key inside `tools`, for the section itself, and for documented values. Works on text that does not parse. */
export function completion(checked: CheckedDocument, position: Position): CompletionItem[] {
  const { document, text, options } = checked;
  const language = options.language ?? "yaml";
  const offset = document.offsetAt(position);
  const place = completionPlace(text, offset, language);
  const settings = options.isAgentConfig === false ? [] : settingCompletion(checked, offset, language);
  if (place === undefined) return settings;
  const range = { start: document.positionAt(place.start), end: document.positionAt(place.end) };
  if (place.kind === "value")
    return DOCUMENTED_VALUES.map(({ value, meaning }, index) =>
      valueItem(value, meaning, index, { range, newText: value }),
    );
  const own = keyItems(place, language !== "yaml", options.isAgentConfig ?? true).map((item) => ({
    ...item,
    textEdit: { range, newText: item.insertText ?? item.label },
  }));
  return [...own, ...settings];
}

function settingCompletion(checked: CheckedDocument, offset: number, language: ConfigLanguage): CompletionItem[] {
  const { document, text, check } = checked;
  const place = settingPlace(text, offset, language);
  if (place === undefined) return [];
  const range = { start: document.positionAt(place.start), end: document.positionAt(place.end) };
  return settingItems(place, language, check.loader).map((item) => ({
    ...item,
    textEdit: { range, newText: item.insertText ?? item.label },
  }));
}

function valueItem(value: string, meaning: string, index: number, textEdit: TextEdit): CompletionItem {
  return { label: value, kind: CompletionItemKind.Value, detail: meaning, sortText: String(index), textEdit };
}

function keyItems(place: CompletionPlace, json: boolean, isAgentConfig: boolean): CompletionItem[] {
  const quote = json ? '"' : "";
  const common = { kind: CompletionItemKind.Property, insertTextFormat: InsertTextFormat.Snippet, detail: KEY_MEANING };
  if (place.kind === "key") {
    return [{ ...common, label: KEY, insertText: `${quote}${KEY}${quote}: \${1:20000}` }];
  }
  if (!isAgentConfig) return [];
  const insertText = json ? `"${SECTION}": {"${KEY}": \${1:20000}}` : `${SECTION}:\n  ${KEY}: \${1:20000}`;
  return [{ ...common, label: `${SECTION}: ${KEY}`, filterText: SECTION, insertText }];
}
