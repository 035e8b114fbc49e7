import { basename, dirname, sep } from "node:path";
import * as vscode from "vscode";
import { allHermesHomes } from "../node/homes";
import { CONFIG_LANGUAGES } from "./configLanguages";
import { type Disposable, Lifetime } from "./lifetime";
import { homesInput, SECTION, serverSettings } from "./settings";

/** Part of the key's name that also the usual misspellings keep. */
const KEY_MARK = "persist_threshold";

/**
 * Calls back when a document that may be agent config is opened, written, or becomes one by a changed setting. Cheap on purpose, and
 * nothing at all unless `wanted`: this runs for each YAML and JSON document before the server exists.
 */
export function watchRelevantDocuments(wanted: () => boolean, found: () => void): Disposable {
  const lifetime = new Lifetime();
  const check = (document: vscode.TextDocument): void => {
    if (wanted() && isRelevant(document)) found();
  };
  const checkAll = (): void => {
    for (const document of vscode.workspace.textDocuments) check(document);
  };
  lifetime.add(vscode.workspace.onDidOpenTextDocument(check));
  lifetime.add(
    vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      if (wanted() && isConfigLanguage(document) && contentChanges.some((one) => mentionsKey(document, one))) found();
    }),
  );
  lifetime.add(
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration(SECTION)) checkAll();
    }),
  );
  checkAll();
  return lifetime;
}

function isRelevant(document: vscode.TextDocument): boolean {
  return isConfigLanguage(document) && (isAgentConfig(document) || document.getText().includes(KEY_MARK));
}

/** True for documents that are an agent's config by their place, or because a setting says so. */
export function isAgentConfig(document: vscode.TextDocument): boolean {
  if (!isConfigLanguage(document)) return false;
  if (document.uri.scheme === "file" && isHomeConfig(document.uri.fsPath)) return true;
  // In a folder that is not on disk the names have to do.
  if (document.uri.scheme !== "file" && /\/\.hermes\/(?:profiles\/[^/]+\/)?config\.ya?ml$/.test(document.uri.path))
    return true;
  return serverSettings().files.some((pattern) => vscode.languages.match({ pattern }, document) > 0);
}

function isConfigLanguage(document: vscode.TextDocument): boolean {
  return CONFIG_LANGUAGES.some((language) => document.languageId === language);
}

/** `config.yaml` in a Hermes home or in one of its profiles. */
function isHomeConfig(path: string): boolean {
  if (!/^config\.ya?ml$/.test(basename(path))) return false;
  const folder = dirname(path);
  return allHermesHomes(homesInput()).some(
    (home) =>
      folder === home || (folder.startsWith(`${home}${sep}profiles${sep}`) && dirname(dirname(folder)) === home),
  );
}

/** Looks only at the lines that an edit touched: a keystroke must not cost a walk over the document. */
function mentionsKey(document: vscode.TextDocument, change: vscode.TextDocumentContentChangeEvent): boolean {
  if (change.text.includes(KEY_MARK)) return true;
  const line = change.range.start.line;
  return line < document.lineCount && document.lineAt(line).text.includes(KEY_MARK);
}
