import * as assert from "node:assert/strict";
import * as vscode from "vscode";
import { activated, closeEditors, diagnostics, hoverText, sampleFile } from "./support";

const KEY = "tool_result_persist_threshold_chars";

describe("a config file", () => {
  const uri = () => sampleFile(".hermes", "config.yaml");
  let editor: vscode.TextEditor;
  let value: vscode.Range;

  before(async () => {
    await activated();
    editor = await vscode.window.showTextDocument(uri());
    const text = editor.document.getText();
    const start = text.indexOf("1e4");
    value = new vscode.Range(editor.document.positionAt(start), editor.document.positionAt(start + 3));
  });
  after(async () => {
    await vscode.commands.executeCommand("workbench.action.files.revert");
    await closeEditors();
  });

  it("has its wrong value underlined, with a code that leads to the explanation", async () => {
    const [problem] = await diagnostics(uri(), (all) => all.length > 0, "a diagnostic");
    assert.ok(problem);
    assert.equal(problem.severity, vscode.DiagnosticSeverity.Error);
    assert.deepEqual(problem.range, value);
    assert.ok(typeof problem.code === "object", "the code has no link");
    assert.match(String(problem.code.value), /^[a-z]+(-[a-z0-9]+)*$/);
  });

  it("explains the value and the key in a hover", async () => {
    const onValue = await hoverText(uri(), value.start);
    assert.match(onValue, /1e4/);
    assert.match(onValue, /39,321/);
    const key = editor.document.positionAt(editor.document.getText().indexOf(KEY) + 2);
    assert.match(await hoverText(uri(), key), /39,321/);
  });

  it("follows an edit, in both directions", async () => {
    await editor.edit((edit) => edit.replace(value, "20000"));
    await diagnostics(uri(), (all) => all.length === 0, "the diagnostic to go");
    await vscode.commands.executeCommand("undo");
    await diagnostics(uri(), (all) => all.length === 1, "the diagnostic to come back");
  });

  it("is put right by the quick fix, which touches nothing else", async () => {
    await diagnostics(uri(), (all) => all.length === 1, "the diagnostic");
    const before = editor.document.getText();
    const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
      "vscode.executeCodeActionProvider",
      uri(),
      value,
      vscode.CodeActionKind.QuickFix.value,
    );
    const fix = actions.find((action) => action.title.includes("10000"));
    assert.ok(fix, `no fix to 10000 among: ${actions.map((action) => action.title).join(" | ")}`);
    if (fix.edit) assert.equal(await vscode.workspace.applyEdit(fix.edit), true);
    if (fix.command) await vscode.commands.executeCommand(fix.command.command, ...(fix.command.arguments ?? []));
    await diagnostics(uri(), (all) => all.length === 0, "the diagnostic to go");
    assert.equal(editor.document.getText(), before.replace("1e4", "10000"));
  });

  it("completes the key", async () => {
    const end = editor.document.lineAt(value.start.line).range.end;
    await editor.edit((edit) =>
      edit.replace(new vscode.Range(new vscode.Position(value.start.line, 0), end), "  tool_res"),
    );
    const list = await vscode.commands.executeCommand<vscode.CompletionList>(
      "vscode.executeCompletionItemProvider",
      uri(),
      new vscode.Position(value.start.line, 10),
    );
    const labels = list.items.map((item) => (typeof item.label === "string" ? item.label : item.label.label));
    assert.ok(labels.includes(KEY), labels.slice(0, 20).join(", "));
  });
});

describe("explaining a config", () => {
  const uri = () => sampleFile(".hermes", "config.yaml");

  before(async () => {
    await activated();
    await vscode.window.showTextDocument(uri());
  });
  after(closeEditors);

  it("opens a read-only document beside it that names what applies and from where", async () => {
    await vscode.commands.executeCommand("contextBudget.explainConfig");
    const address = vscode.Uri.from({
      scheme: "context-budget-explain",
      path: "/config.yaml explained.md",
      query: uri().toString(),
    });
    const document = await vscode.workspace.openTextDocument(address);
    const text = document.getText();
    assert.match(text, /^# Context budget: this config explained/);
    assert.match(text, /\| `tool_output\.max_bytes` \| `50000` \| `50000` \| 50,000 characters \| this file \|/);
    assert.match(text, /\| per result \| 39,321/);
    assert.equal(vscode.workspace.fs.isWritableFileSystem(address.scheme), undefined);
  });

  it("is linked from hovers", async () => {
    const document = await vscode.workspace.openTextDocument(uri());
    const key = document.positionAt(document.getText().indexOf("context_length") + 2);
    const text = await hoverText(uri(), key);
    assert.match(text, /65,536 tokens/);
    assert.match(text, /command:contextBudget\.explainConfig/);
  });
});
