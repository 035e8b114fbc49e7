import * as vscode from "vscode";
import type { LanguageServer } from "./languageServer";
import { type Disposable, Lifetime } from "./lifetime";
import { isAgentConfig } from "./relevantDocuments";
import { EXPLAIN_COMMAND } from "./settings";

/** Rest after the last edit before the number is asked for again, milliseconds. */
const REST_MS = 400;

/** Shows the per-result cap of the active config in the status bar; a click explains it. */
export function showConfigStatus(server: LanguageServer, failed: (error: unknown) => void): Disposable {
  const lifetime = new Lifetime();
  let item: vscode.StatusBarItem | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let turn = 0;

  const update = async (): Promise<void> => {
    const mine = ++turn;
    const document = vscode.window.activeTextEditor?.document;
    const address = document !== undefined && isAgentConfig(document) ? document.uri.toString() : undefined;
    const summary = address === undefined ? undefined : await server.configSummary(address);
    // Another editor may have become active, or the document changed, while the server was asked.
    if (mine !== turn || lifetime.disposed) return;
    if (summary === undefined) {
      item?.hide();
      return;
    }
    item ??= lifetime.add(
      vscode.window.createStatusBarItem("contextBudget.config", vscode.StatusBarAlignment.Right, 90),
    );
    item.name = "Context Budget";
    item.text = `${summary.isBroken ? "$(warning)" : "$(dashboard)"} ${summary.text}`;
    item.tooltip = `${summary.detail}\nClick to explain this config.`;
    item.command = EXPLAIN_COMMAND;
    item.show();
  };
  const start = (): void => {
    update().catch(failed);
  };
  lifetime.add(vscode.window.onDidChangeActiveTextEditor(start));
  lifetime.add(server.onState(start));
  lifetime.add(
    vscode.workspace.onDidChangeTextDocument(({ document }) => {
      if (item === undefined || document !== vscode.window.activeTextEditor?.document) return;
      clearTimeout(timer);
      timer = setTimeout(start, REST_MS);
    }),
  );
  lifetime.add({ dispose: () => clearTimeout(timer) });
  start();
  return lifetime;
}
