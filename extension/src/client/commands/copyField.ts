import * as vscode from "vscode";
import { resultNode } from "./treeArguments";

/** Copies the path or the handle of a result in the tree. */
export function copyField(field: "path" | "handle"): (target?: unknown) => Promise<void> {
  return async (target) => {
    const text = resultNode(target)?.row[field];
    if (text) await vscode.env.clipboard.writeText(text);
  };
}
