import * as vscode from "vscode";
import type { ConfigExplanations } from "../views/configExplanations";

/** Shows what of a config applies: of the one whose address is given, else of the active one. */
export function explainConfig(explanations: ConfigExplanations) {
  return async (address?: unknown): Promise<void> => {
    const uri =
      typeof address === "string"
        ? vscode.Uri.parse(address)
        : address instanceof vscode.Uri
          ? address
          : vscode.window.activeTextEditor?.document.uri;
    if (uri === undefined) {
      await vscode.window.showInformationMessage("Open an agent's config.yaml first; its explanation is made from it.");
      return;
    }
    await vscode.commands.executeCommand("markdown.showPreviewToSide", explanations.addressOf(uri));
  };
}
