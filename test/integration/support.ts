import * as assert from "node:assert/strict";
import { join } from "node:path";
import * as vscode from "vscode";

export const EXTENSION_ID = "context-budget.context-budget-inspector";
/** `Diagnostic.source` of the extension; also in extension/src/protocol/lsp.ts. */
export const SOURCE = "context-budget";

/** Longest wait for something that an event announces, milliseconds. */
const WAIT_MS = 30_000;

export async function activated(): Promise<vscode.Extension<unknown>> {
  const extension = vscode.extensions.getExtension(EXTENSION_ID);
  assert.ok(extension, `${EXTENSION_ID} is not there`);
  await extension.activate();
  return extension;
}

/** A file of the opened copy of the sample workspace. */
export function sampleFile(...parts: readonly string[]): vscode.Uri {
  const folder = vscode.workspace.workspaceFolders?.[0];
  assert.ok(folder, "no folder is open");
  return vscode.Uri.file(join(folder.uri.fsPath, ...parts));
}

/** Resolves with the first value that is not undefined: asked now and each time the event fires. */
export function eventually<T, E>(event: vscode.Event<E>, ask: () => T | undefined, what: string): Promise<T> {
  const now = ask();
  if (now !== undefined) return Promise.resolve(now);
  return new Promise<T>((done, fail) => {
    const timer = setTimeout(() => {
      subscription.dispose();
      fail(new Error(`waited ${WAIT_MS / 1000} s for ${what}`));
    }, WAIT_MS);
    const subscription = event(() => {
      const value = ask();
      if (value === undefined) return;
      clearTimeout(timer);
      subscription.dispose();
      done(value);
    });
  });
}

/** The extension's diagnostics on a document, hints left out, once they satisfy `enough`. */
export function diagnostics(
  uri: vscode.Uri,
  enough: (found: readonly vscode.Diagnostic[]) => boolean,
  what: string,
): Promise<readonly vscode.Diagnostic[]> {
  return eventually(
    vscode.languages.onDidChangeDiagnostics,
    () => {
      const found = vscode.languages.getDiagnostics(uri).filter(isProblem);
      return enough(found) ? found : undefined;
    },
    what,
  );
}

function isProblem({ source, severity }: vscode.Diagnostic): boolean {
  return source === SOURCE && severity !== vscode.DiagnosticSeverity.Hint;
}

/** All text of the hovers at a position. */
export async function hoverText(uri: vscode.Uri, position: vscode.Position): Promise<string> {
  const hovers = await vscode.commands.executeCommand<vscode.Hover[]>("vscode.executeHoverProvider", uri, position);
  return hovers
    .flatMap((hover) => hover.contents)
    .map((content) => (typeof content === "string" ? content : content.value))
    .join("\n");
}

export const closeEditors = () => vscode.commands.executeCommand("workbench.action.closeAllEditors");
