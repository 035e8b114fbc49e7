import * as vscode from "vscode";
import type { Prompts } from "../prompts";
import type { ConfigExplanations } from "../views/configExplanations";

/** Shows what of a config applies: of the one whose address is given, else of the active one. */
export function explainConfig(explanations: ConfigExplanations, prompts: Prompts) {
  return async (address?: unknown): Promise<void> => {
    const uri = configAt(address) ?? vscode.window.activeTextEditor?.document.uri;
    if (uri === undefined) {
      await prompts.info("Open an agent's config.yaml first; its explanation is made from it.");
      return;
    }
    await vscode.commands.executeCommand("markdown.showPreviewToSide", explanations.addressOf(uri));
  };
}

/** Only a document that is open is explained, so the address has to be that of one. */
function configAt(address: unknown): vscode.Uri | undefined {
  if (address instanceof vscode.Uri) return address;
  return vscode.workspace.textDocuments.find(({ uri }) => uri.toString() === address)?.uri;
}
