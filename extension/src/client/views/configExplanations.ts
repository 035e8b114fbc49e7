import { basename } from "node:path";
import * as vscode from "vscode";
import { type Disposable, Lifetime } from "../lifetime";

/** Scheme of read-only documents that explain an agent's config. The config's address is the query. */
const SCHEME = "context-budget-explain";

const CLOSED =
  "# Nothing to explain\n\nThe config is not open, or it is no agent config. Open it and run **Context Budget: Explain This Config** again.\n";

/** Explanations of configs, made by the config checker and made again whenever their config changes. */
export class ConfigExplanations implements Disposable {
  readonly #lifetime = new Lifetime();

  /** @param explain Markdown for the config at an address; undefined where there is nothing to say. */
  constructor(explain: (uri: string) => Promise<string | undefined>) {
    const changed = this.#lifetime.add(new vscode.EventEmitter<vscode.Uri>());
    const provider = vscode.workspace.registerTextDocumentContentProvider(SCHEME, {
      onDidChange: changed.event,
      provideTextDocumentContent: async ({ query }) => (await explain(query)) ?? CLOSED,
    });
    this.#lifetime.add(provider);
    this.#lifetime.add(
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        // Nearly every keystroke is in some other document, and without an explanation in sight there is nothing to do.
        const address = document.uri.toString();
        const shown = vscode.workspace.textDocuments.find(({ uri }) => uri.scheme === SCHEME && uri.query === address);
        if (shown !== undefined) changed.fire(shown.uri);
      }),
    );
  }

  addressOf(config: vscode.Uri): vscode.Uri {
    return vscode.Uri.from({
      scheme: SCHEME,
      path: `/${basename(config.path)} explained.md`,
      query: config.toString(),
    });
  }

  dispose(): void {
    this.#lifetime.dispose();
  }
}
