import * as vscode from "vscode";
import { nodeFiles } from "../node/files";
import { isTranscript } from "../node/sessions/isTranscript";
import { nodeUtf8 } from "../node/utf8";
import { type Disposable, Lifetime } from "./lifetime";

/** Context key: the file in the active text editor is a transcript, so its title offers the inspector. */
const KEY = "contextBudget:activeIsTranscript";

/** Keeps the context key. Only `.json` needs a look inside; line files get the button by their name. */
export function watchActiveEditor(failed: (error: unknown) => void): Disposable {
  const lifetime = new Lifetime();
  let turn = 0;
  const update = async (editor: vscode.TextEditor | undefined): Promise<void> => {
    const mine = ++turn;
    const uri = editor?.document.uri;
    const found =
      uri?.scheme === "file" && uri.fsPath.endsWith(".json") && (await isTranscript(uri.fsPath, nodeFiles, nodeUtf8));
    // Another editor may have become active while this file was looked at.
    if (mine === turn) await vscode.commands.executeCommand("setContext", KEY, found);
  };
  const start = (editor: vscode.TextEditor | undefined): void => {
    update(editor).catch(failed);
  };
  lifetime.add(vscode.window.onDidChangeActiveTextEditor(start));
  start(vscode.window.activeTextEditor);
  return lifetime;
}
