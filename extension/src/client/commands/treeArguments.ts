import * as vscode from "vscode";
import type { ResultNode, TreeNode } from "../views/sessionsTree";

/** The transcript that a menu's argument stands for: a file, or a node of the sessions tree. */
export function transcriptOf(
  argument: unknown,
): { readonly uri: vscode.Uri; readonly row: number | undefined; readonly thread: string | undefined } | undefined {
  const whole = { row: undefined, thread: undefined };
  if (argument instanceof vscode.Uri) return { uri: argument, ...whole };
  if (!isNode(argument)) return undefined;
  switch (argument.kind) {
    case "session":
      return { uri: vscode.Uri.file(argument.found.path), ...whole };
    case "thread":
      return { uri: vscode.Uri.file(argument.found.path), ...whole, thread: argument.thread.id };
    case "result":
      return { uri: vscode.Uri.file(argument.path), ...whole, row: argument.row.index };
    default:
      return undefined;
  }
}

/** The result node that a tree menu was opened on. */
export function resultNode(argument: unknown): ResultNode | undefined {
  return isNode(argument) && argument.kind === "result" ? argument : undefined;
}

function isNode(argument: unknown): argument is TreeNode {
  return typeof argument === "object" && argument !== null && "kind" in argument;
}
