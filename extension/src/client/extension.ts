import type * as vscode from "vscode";
import type { TestHandles } from "./activate";

/**
 * What VS Code loads by its name, as CommonJS. Everything else is an ES module (dist/host.mjs), which shares code with the server,
 * the command line and the reading threads.
 */
export async function activate(context: vscode.ExtensionContext): Promise<TestHandles | undefined> {
  return (await import("./activate")).activate(context);
}
