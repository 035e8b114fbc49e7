import * as vscode from "vscode";
import type { SecretFinder } from "../../core/ports";
import { withoutSecrets } from "../../core/secrets/mask";
import { resultNode } from "./treeArguments";

/** Copies the path or the handle of a result in the tree. */
export function copyField(field: "path" | "handle", secrets: SecretFinder): (target?: unknown) => Promise<void> {
  return async (target) => {
    const text = resultNode(target)?.row[field];
    if (text) await vscode.env.clipboard.writeText(await withoutSecrets(text, secrets));
  };
}
