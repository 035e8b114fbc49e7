import * as vscode from "vscode";
import { problemSection } from "./problemSection";

/**
 * Scheme of read-only documents that explain a problem code. A scheme of our own, because the links of diagnostics may not run
 * commands (VS Code opens them without that permission) and there is no network.
 */
const SCHEME = "context-budget-docs";

/** Address for the server; `{code}` is where the problem's code goes. */
export const DOCS_TEMPLATE = `${SCHEME}:/{code}.md`;

/** Address of the explanation of one code; anything that is no code leads to all of them. */
export function problemUri(code: unknown): vscode.Uri {
  const name = typeof code === "string" && /^[a-z0-9-]{1,60}$/.test(code) ? code : "problems";
  return vscode.Uri.from({ scheme: SCHEME, path: `/${name}.md` });
}

/** Serves the section of the README about a problem code. */
export function serveProblemDocs(extensionUri: vscode.Uri): vscode.Disposable {
  return vscode.workspace.registerTextDocumentContentProvider(SCHEME, {
    provideTextDocumentContent: async (uri) => {
      // The packager renames the file to lower case.
      const names = await vscode.workspace.fs.readDirectory(extensionUri);
      const name = names.map(([each]) => each).find((each) => each.toLowerCase() === "readme.md") ?? "README.md";
      const bytes = await vscode.workspace.fs.readFile(vscode.Uri.joinPath(extensionUri, name));
      return problemSection(new TextDecoder().decode(bytes), uri.path.slice(1).replace(/\.md$/, ""));
    },
  });
}
