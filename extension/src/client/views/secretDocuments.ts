import * as vscode from "vscode";
import type { SecretSpan } from "../../core/ports";
import { maskedPart } from "../../core/secrets/mask";
import { type Disposable, Lifetime } from "../lifetime";
import type { Numbers } from "./numbers";

/** What menus test: documents in which secrets are masked, and those in which the user asked to see them. */
const MASKED_KEY = "contextBudget:maskedDocuments";
const SHOWN_KEY = "contextBudget:documentsWithSecrets";

/** Part of a text with the secrets that lie in it or go across its ends. */
export interface PartWithSecrets {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly spans: readonly SecretSpan[];
}

export interface SecretDocumentsParts {
  readonly isMasking: () => boolean;
  readonly failed: (error: unknown) => void;
}

/**
 * Which of our read-only documents show their secrets. All mask them until the user asks, one document at a time; a document that was
 * closed masks them again.
 */
export class SecretDocuments implements Disposable {
  readonly #lifetime = new Lifetime();
  readonly #changed = this.#lifetime.add(new vscode.EventEmitter<vscode.Uri>());
  /** Secrets in open documents, by address. */
  readonly #found = new Map<string, number>();
  readonly #shown = new Set<string>();
  readonly #parts: SecretDocumentsParts;

  constructor(parts: SecretDocumentsParts) {
    this.#parts = parts;
    this.#lifetime.add(
      vscode.workspace.onDidCloseTextDocument(({ uri }) => {
        const key = uri.toString();
        if (this.#found.delete(key) || this.#shown.delete(key)) this.#tellMenus();
        this.#shown.delete(key);
      }),
    );
  }

  /** The text of a document has to be made again. */
  get onDidChange(): vscode.Event<vscode.Uri> {
    return this.#changed.event;
  }

  /** What a document shows of a text. */
  contentOf(uri: vscode.Uri, part: PartWithSecrets): string {
    const { text, start, end, spans } = part;
    const { text: masked, masks } = maskedPart(text, this.#parts.isMasking() ? spans : [], start, end);
    const key = uri.toString();
    this.#found.set(key, masks.length);
    this.#tellMenus();
    return this.#shown.has(key) ? text.slice(start, end) : masked;
  }

  /** Shows the secrets of these documents, or masks them again. */
  show(documents: readonly vscode.Uri[], shown: boolean): void {
    for (const uri of documents) {
      const key = uri.toString();
      if (!this.#found.has(key)) continue;
      if (shown) this.#shown.add(key);
      else this.#shown.delete(key);
      this.#changed.fire(uri);
    }
    this.#tellMenus();
  }

  /** Masks everything again and makes it anew: what is masked is another question now. */
  reset(): void {
    this.#shown.clear();
    for (const key of this.#found.keys()) this.#changed.fire(vscode.Uri.parse(key));
    this.#tellMenus();
  }

  /** The lens that says what is masked and shows it. */
  lens(uri: vscode.Uri, numbers: Numbers): vscode.Command | undefined {
    const count = this.#found.get(uri.toString()) ?? 0;
    if (count === 0) return undefined;
    const secrets = numbers.of(count, "secret");
    return this.#shown.has(uri.toString())
      ? { title: `${secrets} shown: mask again`, command: "contextBudget.maskSecrets", arguments: [uri] }
      : { title: `${secrets} masked: show`, command: "contextBudget.showSecrets", arguments: [uri] };
  }

  dispose(): void {
    this.#lifetime.dispose();
    this.#found.clear();
    this.#shown.clear();
  }

  #tellMenus(): void {
    const withSecrets = [...this.#found].filter(([, count]) => count > 0).map(([key]) => key);
    const tell = (name: string, keys: readonly string[]): void => {
      vscode.commands.executeCommand("setContext", name, keys).then(undefined, this.#parts.failed);
    };
    tell(
      MASKED_KEY,
      withSecrets.filter((key) => !this.#shown.has(key)),
    );
    tell(
      SHOWN_KEY,
      withSecrets.filter((key) => this.#shown.has(key)),
    );
  }
}
