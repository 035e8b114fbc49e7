import { basename, dirname } from "node:path";
import * as vscode from "vscode";
import { err, ok, type Result } from "../../core/model/problem";
import type { Log } from "../../core/ports";
import type { SetThresholdResult } from "../../protocol/lsp";
import type { HermesConfigs } from "../hermesConfigs";
import type { LanguageServer } from "../languageServer";
import type { Prompts } from "../prompts";
import { isAgentConfig } from "../relevantDocuments";
import type { CallFailure } from "./hostRpc";
import { keepInspector } from "./outputOpener";

export interface WhatIfApplyParts {
  readonly configs: Pick<HermesConfigs, "list">;
  readonly server: Pick<LanguageServer, "setThreshold">;
  readonly prompts: Prompts;
  readonly log: Log;
}

interface Choice extends vscode.QuickPickItem {
  readonly uri?: vscode.Uri;
}

const KEY = "tools.tool_result_persist_threshold_chars";

/** Writes a threshold into a config that the user picks: as an edit that shows in its editor, can be undone, and is not saved. */
export class WhatIfApply {
  readonly #parts: WhatIfApplyParts;

  constructor(parts: WhatIfApplyParts) {
    this.#parts = parts;
  }

  /** False = the user chose no file. */
  async apply(threshold: number): Promise<Result<boolean, CallFailure>> {
    const uri = await this.#choose(threshold);
    return uri === undefined ? ok(false) : this.applyTo(uri, threshold);
  }

  /** The same in a config that is known. */
  async applyTo(uri: vscode.Uri, threshold: number): Promise<Result<boolean, CallFailure>> {
    await keepInspector();
    let document: vscode.TextDocument;
    try {
      document = await vscode.workspace.openTextDocument(uri);
    } catch (error) {
      // VS Code refuses what is no text, and says why.
      return failure(`${name(uri)} cannot be opened: ${error instanceof Error ? error.message : String(error)}`);
    }
    const { version, languageId } = document;
    const answer = await this.#parts.server.setThreshold({
      uri: uri.toString(),
      languageId,
      text: document.getText(),
      threshold,
    });
    if (answer === undefined)
      return failure(`${name(uri)} is neither YAML nor JSON, or the config checker does not run.`);
    const editor = await vscode.window.showTextDocument(document, { preview: false });
    if (document.version !== version) return failure(`${name(uri)} was changed meanwhile. Try again.`);
    return this.#write(editor, threshold, answer);
  }

  async #write(
    editor: vscode.TextEditor,
    threshold: number,
    { edits, notes }: SetThresholdResult,
  ): Promise<Result<boolean, CallFailure>> {
    const { document } = editor;
    const because = notes.length === 0 ? "" : ` ${notes.join(" ")}`;
    if (edits === null) {
      return failure(
        `${KEY} cannot be set in ${name(document.uri)} without breaking something.${because} Write it by hand: ${threshold}.`,
      );
    }
    const change = new vscode.WorkspaceEdit();
    for (const { start, end, newText } of edits)
      change.replace(document.uri, new vscode.Range(at(start), at(end)), newText);
    if (!(await vscode.workspace.applyEdit(change))) return failure(`${name(document.uri)} cannot be edited.`);
    const [first] = edits;
    if (first !== undefined) {
      const line = at(first.start).line + first.newText.replace(/\r?\n$/, "").split("\n").length - 1;
      const place = document.lineAt(Math.min(line, document.lineCount - 1)).range;
      editor.selection = new vscode.Selection(place.end, place.end);
      editor.revealRange(place, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
    }
    const message = `${KEY} is ${threshold.toLocaleString("en")} in ${name(document.uri)} now. Save the file to keep it; agents read it when they start.${because}`;
    // A notification can stay unanswered for ever.
    this.#parts.prompts.info(message).catch((error: unknown) => this.#parts.log.error("What if", error));
    return ok(true);
  }

  async #choose(threshold: number): Promise<vscode.Uri | undefined> {
    const { prompts } = this.#parts;
    const placeholder = `Config in which ${KEY} becomes ${threshold.toLocaleString("en")}`;
    const choice = await prompts.pick(this.#choices(), placeholder);
    if (choice === undefined) return undefined;
    if (choice.uri !== undefined) return choice.uri;
    const path = await prompts.pickFile("Config to change", ["yaml", "yml", "json", "jsonc"], "Configs");
    return path === undefined ? undefined : vscode.Uri.file(path);
  }

  async #choices(): Promise<readonly Choice[]> {
    const open = vscode.workspace.textDocuments.filter((document) => !document.isClosed && isAgentConfig(document));
    const known = (await this.#parts.configs.list()).map((path) => vscode.Uri.file(path));
    const listed = new Map<string, Choice>();
    const add = (uri: vscode.Uri, description: string): void => {
      const key = uri.toString();
      if (listed.has(key)) return;
      const folder = dirname(uri.fsPath);
      const label = `${basename(folder)}/${basename(uri.fsPath)}`;
      listed.set(key, { label, description, detail: uri.fsPath, iconPath: new vscode.ThemeIcon("settings-gear"), uri });
    };
    for (const { uri } of open) add(uri, "open");
    for (const uri of known) add(uri, "");
    return [...listed.values(), { label: "Choose a File…", iconPath: new vscode.ThemeIcon("folder-opened") }];
  }
}

function at({ line, character }: { readonly line: number; readonly character: number }): vscode.Position {
  return new vscode.Position(line, character);
}

function name(uri: vscode.Uri): string {
  return uri.scheme === "file" ? uri.fsPath : uri.path;
}

function failure(message: string): Result<boolean, CallFailure> {
  return err({ code: "failed", message });
}
