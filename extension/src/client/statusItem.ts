import * as vscode from "vscode";
import { nodeFiles } from "../node/files";
import { peekFile } from "../node/peekFile";
import { isTranscript } from "../node/sessions/isTranscript";
import { readDetails } from "../node/sessions/sessionDetails";
import { nodeUtf8 } from "../node/utf8";
import type { LanguageServer } from "./languageServer";
import { type Disposable, Lifetime } from "./lifetime";
import { isAgentConfig } from "./relevantDocuments";
import { contextStatus } from "./sessions/contextStatus";
import type { Fill } from "./sessions/gauge";
import { sessionFill } from "./sessions/sessionGlance";
import { EXPLAIN_COMMAND, SECTION } from "./settings";
import { INSPECTOR_VIEW_TYPE, type InspectorProvider } from "./views/inspectorProvider";
import { numbersFor } from "./views/numbers";
import { fillOf } from "./views/sessionWords";

/** Rest after the last change before the item is made anew, milliseconds. */
const REST_MS = 400;

/** What the item shows; undefined = nothing, and it is hidden. */
interface Shown {
  readonly text: string;
  readonly tooltip: string;
  readonly command: string | vscode.Command;
}

export interface StatusItemParts {
  readonly server: LanguageServer;
  readonly inspector: Pick<InspectorProvider, "documents">;
  readonly failed: (error: unknown) => void;
}

/**
 * The one item in the status bar: for an agent's config the per-result cap in force, and a click explains it; for a transcript the
 * context in use, and a click shows the inspector. Hidden everywhere else.
 */
export class StatusItem implements Disposable {
  readonly #parts: StatusItemParts;
  readonly #lifetime = new Lifetime();
  #item: vscode.StatusBarItem | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Hears of changes of the transcript that is shown. */
  #heard: Disposable | undefined;
  #turn = 0;

  constructor(parts: StatusItemParts) {
    this.#parts = parts;
    const now = (): void => this.#update();
    this.#lifetime.add(vscode.window.tabGroups.onDidChangeTabs(now));
    this.#lifetime.add(vscode.window.tabGroups.onDidChangeTabGroups(now));
    this.#lifetime.add(vscode.window.onDidChangeActiveTextEditor(now));
    this.#lifetime.add(parts.server.onState(now));
    this.#lifetime.add(
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        if (this.#item !== undefined && document === vscode.window.activeTextEditor?.document) this.#updateLater();
      }),
    );
    this.#update();
  }

  /** What is shown now, for tests. */
  get shown(): Pick<vscode.StatusBarItem, "text" | "tooltip" | "command"> | undefined {
    return this.#isShown ? this.#item : undefined;
  }

  #isShown = false;

  dispose(): void {
    clearTimeout(this.#timer);
    this.#heard?.dispose();
    this.#lifetime.dispose();
  }

  #updateLater(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#update(), REST_MS);
  }

  #update(): void {
    clearTimeout(this.#timer);
    this.#show().catch(this.#parts.failed);
  }

  async #show(): Promise<void> {
    const mine = ++this.#turn;
    this.#heard?.dispose();
    this.#heard = undefined;
    const shown = await this.#wanted();
    // Another editor may have become active, or the document changed, meanwhile.
    if (mine !== this.#turn || this.#lifetime.disposed) return;
    this.#isShown = shown !== undefined;
    if (shown === undefined) {
      this.#item?.hide();
      return;
    }
    this.#item ??= this.#lifetime.add(
      vscode.window.createStatusBarItem("contextBudget.status", vscode.StatusBarAlignment.Right, 90),
    );
    this.#item.name = "Context Budget";
    this.#item.text = shown.text;
    this.#item.tooltip = shown.tooltip;
    this.#item.command = shown.command;
    this.#item.show();
  }

  async #wanted(): Promise<Shown | undefined> {
    const input: unknown = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
    if (input instanceof vscode.TabInputCustom && input.viewType === INSPECTOR_VIEW_TYPE) {
      const document = this.#parts.inspector.documents.find(({ uri }) => uri.toString() === input.uri.toString());
      if (document === undefined) return undefined;
      this.#heard = document.session.onEvent(() => this.#updateLater());
      return transcriptShown(input.uri, await sessionFill(document.session));
    }
    const document = vscode.window.activeTextEditor?.document;
    if (document === undefined) return undefined;
    if (isAgentConfig(document)) return this.#config(document.uri);
    const { scheme, fsPath } = document.uri;
    const mayBe = scheme === "file" && /\.(?:jsonl|ndjson|json)$/.test(fsPath);
    if (!mayBe || !(await isTranscript(fsPath, nodeFiles, nodeUtf8))) return undefined;
    return transcriptShown(document.uri, fillOf(await readDetails(fsPath, peekFile)));
  }

  async #config(uri: vscode.Uri): Promise<Shown | undefined> {
    const summary = await this.#parts.server.configSummary(uri.toString());
    if (summary === undefined) return undefined;
    return {
      text: `${summary.isBroken ? "$(warning)" : "$(dashboard)"} ${summary.text}`,
      tooltip: `${summary.detail}\nClick to explain this config.`,
      command: EXPLAIN_COMMAND,
    };
  }
}

function transcriptShown(uri: vscode.Uri, fill: Fill | undefined): Shown {
  const { text, detail } = contextStatus(fill, numbersFor(vscode.env.language));
  return {
    text: `$(dashboard) ${text}`,
    tooltip: `${detail}\nClick to show the transcript in the inspector.`,
    command: { command: `${SECTION}.openInspector`, title: "Open in Inspector", arguments: [uri] },
  };
}
