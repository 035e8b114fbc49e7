import * as vscode from "vscode";
import type { FullOutputs } from "../views/fullOutputs";

/** Shows the page before or after the one in the editor. */
export function turnPage(outputs: FullOutputs, by: 1 | -1): (target?: unknown) => Promise<void> {
  return async (target) => {
    const uri = target instanceof vscode.Uri ? target : vscode.window.activeTextEditor?.document.uri;
    if (uri) await outputs.turn(uri, by);
  };
}
