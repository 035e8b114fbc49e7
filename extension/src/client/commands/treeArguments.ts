import * as vscode from "vscode";
import type { ResultNode, TreeNode } from "../views/sessionsTree";

/** The transcript that a menu's argument stands for: a file, or a node of the sessions tree. */
export function transcriptOf(
  argument: unknown,
): { readonly uri: vscode.Uri; readonly row: number | undefined } | undefined {
  if (argument instanceof vscode.Uri) return { uri: argument, row: undefined };
  if (!isNode(argument)) return undefined;
  if (argument.kind === "session") return { uri: vscode.Uri.file(argument.found.path), row: undefined };
  if (argument.kind === "result") return { uri: vscode.Uri.file(argument.path), row: argument.row.index };
  return undefined;
}

/** The result node that a tree menu was opened on. */
export function resultNode(argument: unknown): ResultNode | undefined {
  return isNode(argument) && argument.kind === "result" ? argument : undefined;
}

function isNode(argument: unknown): argument is TreeNode {
  return typeof argument === "object" && argument !== null && "kind" in argument;
}
