import * as vscode from "vscode";
import { InspectorSession } from "../views/inspectorSession";
import type { ResultNode, TreeNode } from "../views/sessionsTree";

/** Nodes that stand for a transcript or a part of one. */
type Target = Extract<TreeNode, { readonly kind: "session" | "thread" | "result" }>;

/** The transcript that a menu's argument stands for: a file, or a node of the sessions tree. */
export function transcriptOf(
  argument: unknown,
): { readonly uri: vscode.Uri; readonly row: number | undefined; readonly thread: string | undefined } | undefined {
  const whole = { row: undefined, thread: undefined };
  if (argument instanceof vscode.Uri) return { uri: argument, ...whole };
  if (!isTarget(argument)) return undefined;
  switch (argument.kind) {
    case "session":
      return { uri: vscode.Uri.file(argument.found.path), ...whole };
    case "thread":
      return { uri: vscode.Uri.file(argument.found.path), ...whole, thread: argument.thread.id };
    case "result":
      return { uri: vscode.Uri.file(argument.path), ...whole, row: argument.row.index };
  }
}

/** The result node that a tree menu was opened on. */
export function resultNode(argument: unknown): ResultNode | undefined {
  return isTarget(argument) && argument.kind === "result" ? argument : undefined;
}

/** Commands are run by keybindings, links and other extensions as well, with whatever arguments those have. */
function isTarget(argument: unknown): argument is Target {
  const { kind, path, found, thread, row, session } = fieldsOf(argument);
  if (kind === "result") {
    const { index, line } = fieldsOf(row);
    return session instanceof InspectorSession && typeof path === "string" && isCount(index) && isCount(line);
  }
  if (typeof fieldsOf(found)["path"] !== "string") return false;
  return kind === "session" || (kind === "thread" && typeof fieldsOf(thread)["id"] === "string");
}

/** True for 0, 1, 2 and so on. */
export function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}
