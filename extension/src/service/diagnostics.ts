import { type Diagnostic, DiagnosticSeverity, DiagnosticTag } from "vscode-languageserver-types";
import type { ConfigProblem } from "../core/config/types";
import type { Severity } from "../core/model/problem";
import { inOneLine } from "../core/util/inOneLine";
import { plain } from "../core/util/plain";
import type { CheckedDocument } from "./context";

const SEVERITIES: Readonly<Record<Severity, DiagnosticSeverity>> = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  info: DiagnosticSeverity.Information,
  hint: DiagnosticSeverity.Hint,
};

/** Code of syntax errors in JSON, which every editor marks by itself. */
const MARKED_BY_THE_EDITOR = "json-syntax";

export interface DiagnosticOptions {
  readonly source: string;
  /** Address of a problem's documentation with `{code}` in it; undefined = diagnostics carry no link. */
  readonly docs: string | undefined;
}

/** The problems of a checked document, as the protocol has them. */
export function toDiagnostics(checked: CheckedDocument, options: DiagnosticOptions): Diagnostic[] {
  return checked.check.problems
    .filter((problem) => problem.code !== MARKED_BY_THE_EDITOR)
    .map((problem) => toDiagnostic(checked, problem, options));
}

export function toDiagnostic(checked: CheckedDocument, problem: ConfigProblem, options: DiagnosticOptions): Diagnostic {
  const { document } = checked;
  const range = { start: document.positionAt(problem.range.start), end: document.positionAt(problem.range.end) };
  const diagnostic: Diagnostic = {
    range,
    severity: SEVERITIES[problem.severity],
    code: problem.code,
    source: options.source,
    message: plain(inOneLine(problem.message)),
    data: { anchor: problem.code },
  };
  // Grey: what is written there has no effect.
  if (problem.code === "managed-override") diagnostic.tags = [DiagnosticTag.Unnecessary];
  if (options.docs !== undefined)
    diagnostic.codeDescription = { href: options.docs.replaceAll("{code}", problem.code) };
  return diagnostic;
}
