import { type Hover, MarkupKind, type Position } from "vscode-languageserver-types";
import { type BudgetColumn, budgetTable, columnsFor } from "./budgetTable";
import type { CheckedDocument } from "./context";
import { createFormat, type Format } from "./format";
import { verdictLines } from "./verdict";

/** Everything about the key's value at a position on the key or its value; null elsewhere. */
export function hover(checked: CheckedDocument, position: Position, locale: string | undefined): Hover | null {
  const { document, check } = checked;
  const { pair } = check;
  if (pair === undefined) return null;
  const offset = document.offsetAt(position);
  const end = Math.max(pair.value.end, pair.key.end);
  // A merged or aliased value may stand before its key; only the pair's own places count.
  const onKey = offset >= pair.key.outerStart && offset <= pair.key.end;
  const onValue = offset >= pair.value.outerStart && offset <= end;
  if (!onKey && !onValue) return null;
  const [start, stop] = onKey ? [pair.key.outerStart, pair.key.end] : [pair.value.outerStart, pair.value.end];
  return {
    contents: { kind: MarkupKind.Markdown, value: hoverText(checked, createFormat(locale)) },
    range: { start: document.positionAt(start), end: document.positionAt(stop) },
  };
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
  const { contextLength } = checked.check;
  const estimate = "≈ tok is an estimate: chars ÷ 4.";
  if (contextLength?.source === "setting") return `The context window comes from your settings. ${estimate}`;
  return columns.length > 1 ? `The file states no \`model.context_length\`. ${estimate}` : estimate;
}
