import * as vscode from "vscode";

/** Paths of the files in this window's tabs: what the user opened, also where nothing else may be read. */
export function openFiles(): readonly string[] {
  const uris = vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .flatMap(({ input }) =>
      input instanceof vscode.TabInputText || input instanceof vscode.TabInputCustom ? [input.uri] : [],
    );
  return [...new Set(uris.filter(({ scheme }) => scheme === "file").map(({ fsPath }) => fsPath))];
}
