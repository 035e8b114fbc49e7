import { describe, expect, it } from "vitest";
import { TextDocument } from "vscode-languageserver-textdocument";
import { DiagnosticSeverity } from "vscode-languageserver-types";
import { NEVER_CANCELLED } from "../../../extension/src/core/ports";
import { codeActions } from "../../../extension/src/service/codeActions";
import { toDiagnostics } from "../../../extension/src/service/diagnostics";
import { KEY, withValue } from "../config/samples";
import { caret } from "./caret";

const OPTIONS = { source: "test", docs: "https://example.invalid/#{code}" };

describe("diagnostics", () => {
  it("carry code, source, place and link", () => {
    const { checked } = caret(`tools:\r\n  ${KEY}: 1e4¶\r\n`);
    const start = { line: 1, character: KEY.length + 4 };
    expect(toDiagnostics(checked, OPTIONS)).toMatchObject([
      {
        code: "threshold-non-whole-string",
        codeDescription: { href: "https://example.invalid/#threshold-non-whole-string" },
        source: "test",
        severity: DiagnosticSeverity.Error,
        range: { start, end: { line: 1, character: start.character + 3 } },
        data: { anchor: "threshold-non-whole-string" },
      },
    ]);
  });

  it("leave JSON syntax to the editor", () => {
    const { checked } = caret("{¶", { language: "json" });
    expect(checked.check.problems).toHaveLength(1);
    expect(toDiagnostics(checked, OPTIONS)).toEqual([]);
  });
});

describe("code actions", () => {
  it("fix the problem at the caret", () => {
    const { checked, position } = caret(`tools:\n  ${KEY}: 1¶e4\n`);
    const [preferred] = codeActions(checked, { start: position, end: position }, OPTIONS, NEVER_CANCELLED);
    expect(preferred).toMatchObject({ title: "Write 10000", kind: "quickfix", isPreferred: true });
    const edits = preferred?.edit?.changes?.[checked.document.uri] ?? [];
    expect(TextDocument.applyEdits(checked.document, edits)).toBe(withValue("10000"));
  });

  it("are silent elsewhere and when cancelled", () => {
    const { checked, position } = caret(`¶a: 1\ntools:\n  ${KEY}: 1e4\n`);
    expect(codeActions(checked, { start: position, end: position }, OPTIONS, NEVER_CANCELLED)).toEqual([]);
    const all = { start: position, end: checked.document.positionAt(1000) };
    expect(codeActions(checked, all, OPTIONS, { isCancellationRequested: true })).toEqual([]);
  });

  it("offer to unquote an accepted number", () => {
    const { checked, position } = caret(`tools:\n  ${KEY}: "20¶000"\n`);
    expect(codeActions(checked, { start: position, end: position }, OPTIONS, NEVER_CANCELLED)).toMatchObject([
      { title: "Remove the quotes", kind: "refactor.rewrite" },
    ]);
  });
});
