import { type Hover, MarkupKind, type Position } from "vscode-languageserver-types";
import { FULL_KEY } from "../core/config/keys";
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
  const columns = columnsFor(checked.check);
  return [
    ...verdictLines(checked, format),
    "",
    budgetTable(columns, format),
    "",
    ...notes(checked, columns, format),
  ].join("\n");
}

function notes(checked: CheckedDocument, columns: readonly BudgetColumn[], format: Format): readonly string[] {
  const { check } = checked;
  const lines = [
    `\`${FULL_KEY}\` is read once when an agent starts; running conversations keep their value. It changes the per-result threshold only.`,
    "",
    `Sizes in chars, ≈ tok = chars ÷ 4. A result of exactly the threshold stays inline. Terminal output is cut to ${format.chars(check.terminalOutput)} chars before this step.`,
  ];
  if (check.contextLength?.source === "setting")
    lines.push("", "The context window comes from your settings; the file states none.");
  if (check.contextLength === null && columns.length > 1) {
    lines.push("", "The file states no `model.context_length`, so the usual windows are shown.");
  }
  return lines;
}
