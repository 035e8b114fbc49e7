import { type Hover, MarkupKind, type Position } from "vscode-languageserver-types";
import type { TextRange } from "../core/model/problem";
import { lookup } from "../core/yaml/lookup";
import type { YamlPair } from "../core/yaml/types";
import { type BudgetColumn, budgetTable, columnsFor } from "./budgetTable";
import type { CheckedDocument } from "./context";
import { createFormat, type Format } from "./format";
import { settingAt, settingHover } from "./settingHover";
import { placeholderAt, variableLines } from "./variables";
import { verdictLines } from "./verdict";

export interface HoverOptions {
  readonly locale: string | undefined;
  /** Command that explains the document given as its argument; undefined where the client has none. */
  readonly explainCommand: string | undefined;
}

/** Everything about the setting or `${…}` at a position; null elsewhere. */
export function hover(checked: CheckedDocument, position: Position, options: HoverOptions): Hover | null {
  const { document } = checked;
  const found = hoverAt(checked, document.offsetAt(position), createFormat(options.locale));
  if (found === undefined) return null;
  return {
    contents: { kind: MarkupKind.Markdown, value: found.text + explainLink(checked, options.explainCommand) },
    range: { start: document.positionAt(found.start), end: document.positionAt(found.end) },
  };
}

function explainLink(checked: CheckedDocument, command: string | undefined): string {
  if (command === undefined || checked.options.isAgentConfig === false) return "";
  const argument = encodeURIComponent(JSON.stringify([checked.document.uri]));
  return `\n\n[Explain this config](command:${command}?${argument})`;
}

function hoverAt(
  checked: CheckedDocument,
  offset: number,
  format: Format,
): { readonly text: string; readonly start: number; readonly end: number } | undefined {
  const { pair } = checked.check;
  const range = pair === undefined ? undefined : rangeAt(pair, offset);
  if (range !== undefined) return { text: hoverText(checked, format), ...range };
  const setting = settingAt(checked, offset);
  const own = setting && rangeAt(setting.pair, offset);
  if (setting !== undefined && own !== undefined) return { text: settingHover(checked, setting, format), ...own };
  const place = checked.options.isAgentConfig === false ? undefined : placeholderAt(checked.text, offset);
  if (place === undefined) return undefined;
  const lines = variableLines({ t: "str", v: place.written }, checked.options.environment);
  return { text: lines.join("\n"), start: place.start, end: place.end };
}

/** The key or the value of a pair, if the offset is on it. A merged or aliased value may stand before its key. */
function rangeAt(pair: YamlPair, offset: number): TextRange | undefined {
  const { key, value } = pair;
  if (offset >= key.outerStart && offset <= key.end) return { start: key.outerStart, end: key.end };
  const onValue = offset >= value.outerStart && offset <= Math.max(value.end, key.end);
  return onValue ? { start: value.outerStart, end: value.end } : undefined;
}

function hoverText(checked: CheckedDocument, format: Format): string {
  const { check } = checked;
  const columns = columnsFor(check, format);
  return [
    ...verdictLines(checked, format),
    "",
    budgetTable(columns, check, format),
    "",
    "Read once when an agent starts; running conversations keep their value.  ",
    windowNote(checked, columns),
  ].join("\n");
}

function windowNote(checked: CheckedDocument, columns: readonly BudgetColumn[]): string {
  const { contextLength, load } = checked.check;
  const estimate = "≈ tok is an estimate: chars ÷ 4.";
  if (contextLength?.source === "setting") return `The context window comes from your settings. ${estimate}`;
  if (columns.length <= 1) return estimate;
  // Where a window is written, as in `256K`, it is none that counts.
  const isWritten = [["model", "context_length"], ["context_length"]].some((path) => {
    const found = lookup(load, path);
    return found.at === "value" && found.value.t !== "NoneType";
  });
  return `The file states no \`model.context_length\`${isWritten ? " that gives a window here" : ""}. ${estimate}`;
}
