import * as vscode from "vscode";
import type { Prompts } from "../prompts";
import type { OutputOpener } from "../views/outputOpener";
import { resultNode, transcriptOf } from "./treeArguments";

/** Shows a session, or the record of a result, in VS Code's text editor. */
export function revealInTranscript(opener: OutputOpener, prompts: Prompts): (target?: unknown) => Promise<void> {
  return async (target) => {
    const node = resultNode(target);
    if (node) {
      const opened = await opener.reveal(node.session, node.row.line);
      if (!opened.ok) await prompts.info(opened.error);
      return;
    }
    const transcript = transcriptOf(target);
    if (transcript)
      await vscode.commands.executeCommand("vscode.openWith", transcript.uri, "default", { preview: true });
  };
}
