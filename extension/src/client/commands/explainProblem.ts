import * as vscode from "vscode";

/** Opens the README at the section about a problem code. */
export function explainProblem(extensionUri: vscode.Uri): (code?: unknown) => Promise<void> {
  return async (code) => {
    const readme = vscode.Uri.joinPath(extensionUri, "README.md");
    const section = typeof code === "string" && /^[a-z0-9-]{1,60}$/.test(code) ? code : "problems";
    await vscode.commands.executeCommand("markdown.showPreview", readme.with({ fragment: section }));
  };
}
