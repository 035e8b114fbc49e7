import { type CodeAction, CodeActionKind, type Range, type TextEdit } from "vscode-languageserver-types";
import { type ConfigFix, configFixes, unquoteFix } from "../core/config/fixes";
import type { TextRange } from "../core/model/problem";
import type { Cancel } from "../core/ports";
import type { CheckedDocument } from "./context";
import { type DiagnosticOptions, toDiagnostic } from "./diagnostics";

function touches(a: TextRange, b: TextRange): boolean {
  return a.start <= b.end && b.start <= a.end;
}

function toEdits(checked: CheckedDocument, fix: ConfigFix): TextEdit[] {
  const { document } = checked;
  return fix.edits.map(({ range, newText }) => ({
    range: { start: document.positionAt(range.start), end: document.positionAt(range.end) },
    newText,
  }));
}

/** Quick fixes for the problems that touch `range`, and the offer to unquote an accepted number there. */
export function codeActions(
  checked: CheckedDocument,
  range: Range,
  options: DiagnosticOptions,
  cancel: Cancel,
): CodeAction[] {
  const { document, text, check } = checked;
  const asked = { start: document.offsetAt(range.start), end: document.offsetAt(range.end) };
  const edit = (fix: ConfigFix) => ({ changes: { [document.uri]: toEdits(checked, fix) } });
  const actions: CodeAction[] = [];
  for (const problem of check.problems) {
    if (cancel.isCancellationRequested) return [];
    if (!touches(problem.range, asked)) continue;
    for (const fix of configFixes(text, check, problem, checked.options)) {
      actions.push({
        title: fix.title,
        kind: CodeActionKind.QuickFix,
        diagnostics: [toDiagnostic(checked, problem, options)],
        isPreferred: fix.isPreferred,
        edit: edit(fix),
      });
    }
  }
  if (check.pair !== undefined && touches({ start: check.pair.value.outerStart, end: check.pair.value.end }, asked)) {
    const fix = unquoteFix(text, check, checked.options);
    if (fix !== undefined) actions.push({ title: fix.title, kind: CodeActionKind.RefactorRewrite, edit: edit(fix) });
  }
  return actions;
}
