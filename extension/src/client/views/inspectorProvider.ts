import * as vscode from "vscode";
import type { Log } from "../../core/ports";
import { type Disposable, Lifetime } from "../lifetime";
import { notOnDisk } from "../prompts";
import type { InspectorSession } from "./inspectorSession";
import { pageHtml } from "./pageHtml";
import { type PageActions, PageLink } from "./pageLink";

export const INSPECTOR_VIEW_TYPE = "contextBudget.inspector";

export interface InspectorProviderParts {
  readonly extensionUri: vscode.Uri;
  readonly openSession: (path: string) => InspectorSession;
  readonly actions: PageActions;
  readonly log: Log;
}

/** What an editor shows when it opens. */
export interface ShownFirst {
  /** Index of a result. */
  readonly row?: number | undefined;
  /** Id of a thread. */
  readonly thread?: string | undefined;
}

/** One transcript that is open in one or more editors. */
export class InspectorDocument implements vscode.CustomDocument {
  readonly uri: vscode.Uri;
  readonly session: InspectorSession;
  readonly #closed: () => void;

  constructor(uri: vscode.Uri, session: InspectorSession, closed: () => void) {
    this.uri = uri;
    this.session = session;
    this.#closed = closed;
  }

  dispose(): void {
    this.session.dispose();
    this.#closed();
  }
}

/** The read-only editor for transcripts. Every way to the inspector ends here. */
export class InspectorProvider implements vscode.CustomReadonlyEditorProvider<InspectorDocument>, Disposable {
  readonly #parts: InspectorProviderParts;
  readonly #lifetime = new Lifetime();
  readonly #documents = new Map<string, InspectorDocument>();
  readonly #links = new Map<vscode.WebviewPanel, { readonly link: PageLink; readonly uri: string }>();
  /** What to show in editors that are only being made. */
  readonly #wanted = new Map<string, ShownFirst>();

  constructor(parts: InspectorProviderParts) {
    this.#parts = parts;
    this.#lifetime.add(
      vscode.window.registerCustomEditorProvider(INSPECTOR_VIEW_TYPE, this, {
        supportsMultipleEditorsPerDocument: true,
      }),
    );
  }

  /** Open documents, for tests. */
  get documents(): readonly InspectorDocument[] {
    return [...this.#documents.values()];
  }

  /** What pages can make the host do, for tests. */
  get actions(): PageActions {
    return this.#parts.actions;
  }

  /** Open pages, for tests. */
  get links(): readonly PageLink[] {
    return [...this.#links.values()].map((one) => one.link);
  }

  /** Opens a transcript, or brings its editor to the front; selects a row or shows a thread when one is named. */
  async open(uri: vscode.Uri, first: ShownFirst = {}): Promise<void> {
    const key = uri.toString();
    if (first.row !== undefined || first.thread !== undefined) this.#wanted.set(key, first);
    await vscode.commands.executeCommand("vscode.openWith", uri, INSPECTOR_VIEW_TYPE, { preview: true });
    this.#showWanted(key);
  }

  openCustomDocument(uri: vscode.Uri): InspectorDocument {
    if (uri.scheme !== "file") {
      throw new Error(notOnDisk(uri.toString(true)));
    }
    const key = uri.toString();
    const document = new InspectorDocument(uri, this.#parts.openSession(uri.fsPath), () => this.#documents.delete(key));
    this.#documents.set(key, document);
    document.session.follow();
    document.session.read();
    return document;
  }

  resolveCustomEditor(document: InspectorDocument, panel: vscode.WebviewPanel): void {
    const dist = vscode.Uri.joinPath(this.#parts.extensionUri, "dist");
    const { webview } = panel;
    const lifetime = new Lifetime();
    const link = lifetime.add(
      new PageLink({
        session: document.session,
        actions: this.#parts.actions,
        log: this.#parts.log,
        // False when the page is gone; then nobody waits for the message either.
        post: (frame) => {
          webview.postMessage(frame).then(undefined, (error: unknown) => this.#parts.log.error("Inspector", error));
        },
      }),
    );
    lifetime.add(webview.onDidReceiveMessage((raw: unknown) => link.receive(raw)));
    const shown = (): void => {
      const key = document.uri.toString();
      document.session.setShown([...this.#links.values()].some((one) => one.uri === key && one.link.visible));
    };
    lifetime.add(
      panel.onDidChangeViewState(() => {
        link.setVisible(panel.visible);
        shown();
      }),
    );
    panel.onDidDispose(() => {
      this.#links.delete(panel);
      shown();
      lifetime.dispose();
    });
    this.#links.set(panel, { link, uri: document.uri.toString() });
    shown();
    webview.options = { enableScripts: true, localResourceRoots: [dist] };
    webview.html = pageHtml({
      cspSource: webview.cspSource,
      script: webview.asWebviewUri(vscode.Uri.joinPath(dist, "webview.js")).toString(),
      codicons: webview.asWebviewUri(vscode.Uri.joinPath(dist, "codicon.css")).toString(),
      language: vscode.env.language,
    });
    this.#showWanted(document.uri.toString());
  }

  dispose(): void {
    this.#lifetime.dispose();
    for (const { link } of this.#links.values()) link.dispose();
    this.#links.clear();
    for (const document of this.documents) document.dispose();
  }

  #showWanted(key: string): void {
    const first = this.#wanted.get(key);
    if (first === undefined) return;
    for (const { link, uri } of this.#links.values()) {
      if (uri !== key) continue;
      this.#wanted.delete(key);
      if (first.thread !== undefined) link.selectThread(first.thread);
      if (first.row !== undefined) link.select(first.row);
    }
  }
}
