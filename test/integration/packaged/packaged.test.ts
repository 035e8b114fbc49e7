import * as assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import * as vscode from "vscode";
import { activated, closeEditors, diagnostics, sampleFile } from "../support";

/** Runs on the package as a user installs it: everything it needs must have come along. */
describe("the installed package", () => {
  after(closeEditors);

  it("is not the source folder", async () => {
    const { extensionUri, packageJSON } = await activated();
    assert.match(
      extensionUri.fsPath.replaceAll("\\", "/"),
      /\/extensions\/context-budget\.context-budget-inspector-\d/,
    );
    assert.doesNotMatch(packageJSON.displayName, /%/);
    assert.throws(() => readFileSync(vscode.Uri.joinPath(extensionUri, "tsconfig.json").fsPath), /ENOENT/);
  });

  it("starts its server: the sample's mistake is underlined", async () => {
    const uri = sampleFile(".hermes", "config.yaml");
    await vscode.window.showTextDocument(uri);
    const found = await diagnostics(uri, (all) => all.length > 0, "a diagnostic");
    assert.equal(found[0]?.severity, vscode.DiagnosticSeverity.Error);
  });

  it("explains a problem out of the papers it came with", async () => {
    const uri = vscode.Uri.parse("context-budget-docs:/threshold-boolean.md");
    const text = (await vscode.workspace.openTextDocument(uri)).getText();
    assert.match(text, /^#+ threshold-boolean\n/);
    assert.ok(text.length < 1000, text);
  });

  it("opens a transcript in the inspector", async () => {
    const uri = sampleFile(".hermes", "sessions", "session_20261006_064512_b0a7ed.json");
    await vscode.commands.executeCommand("contextBudget.openInspector", uri);
    const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
    assert.ok(input instanceof vscode.TabInputCustom);
    assert.equal(input.viewType, "contextBudget.inspector");
  });
});
