import * as vscode from "vscode";
import type { Disposable } from "./lifetime";
import { Lifetime } from "./lifetime";
import { isAgentConfig } from "./relevantDocuments";

/** Context key: the active editor shows an agent's config, so that its explanation is offered. */
const KEY = "contextBudget:activeIsConfig";

/** Keeps the context key by the document's place; its text is not looked at. */
export function watchConfigEditor(failed: (error: unknown) => void): Disposable {
  const lifetime = new Lifetime();
  const update = (editor: vscode.TextEditor | undefined): void => {
    const found = editor !== undefined && isAgentConfig(editor.document);
    vscode.commands.executeCommand("setContext", KEY, found).then(undefined, failed);
  };
  lifetime.add(vscode.window.onDidChangeActiveTextEditor(update));
  lifetime.add(vscode.workspace.onDidChangeConfiguration(() => update(vscode.window.activeTextEditor)));
  update(vscode.window.activeTextEditor);
  return lifetime;
}
