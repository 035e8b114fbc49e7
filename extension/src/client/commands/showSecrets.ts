import * as vscode from "vscode";
import { requestSides } from "../views/requestDiffs";
import type { SecretDocuments } from "../views/secretDocuments";

/** Shows the secrets in one of our read-only documents, or masks them again; of a request before and after, in both. */
export function showSecrets(documents: SecretDocuments, shown: boolean): (target?: unknown) => void {
  return (target) => {
    const uri = target instanceof vscode.Uri ? target : vscode.window.activeTextEditor?.document.uri;
    if (uri !== undefined) documents.show(requestSides(uri), shown);
  };
}
