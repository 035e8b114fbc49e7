import * as vscode from "vscode";
import { problemUri } from "../problemDocs";

/** Shows what a problem code means. */
export async function explainProblem(code?: unknown): Promise<void> {
  await vscode.commands.executeCommand("markdown.showPreview", problemUri(code));
}
