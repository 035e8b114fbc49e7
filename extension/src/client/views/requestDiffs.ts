import * as vscode from "vscode";
import type { SecretFinder } from "../../core/ports";
import { joined } from "../../core/secrets/knownSecrets";
import type { RequestTexts } from "../../protocol/simulation";
import { type Disposable, Lifetime } from "../lifetime";
import { numbersFor } from "./numbers";
import type { SecretDocuments } from "./secretDocuments";

/** Scheme of the read-only documents that hold one side of a request; an address holds a number, never a text. */
export const REQUEST_SCHEME = "context-budget-request";

/** Comparisons whose texts are kept; the oldest are forgotten first. */
const MAX_REMEMBERED = 4;

const FORGOTTEN = "This comparison was made earlier and is not kept. Open it again from the inspector's What if tab.";

const NOT_CHECKED =
  "This request could not be checked for secrets, so it is not shown. The log of Context Budget says why.";

export interface RequestDiffsParts {
  readonly secrets: SecretFinder;
  readonly secretDocuments: SecretDocuments;
  readonly failed: (error: unknown) => void;
}

/** Both sides of a request's document; of any other document, itself. */
export function requestSides(uri: vscode.Uri): readonly vscode.Uri[] {
  const match =
    uri.scheme === REQUEST_SCHEME ? /^(.*)(request \d+, )(?:as it was|with the policies)\.txt$/.exec(uri.path) : null;
  const id = /^\d+/.exec(uri.query)?.[0];
  return match === null || id === undefined
    ? [uri]
    : SIDES.map((side) => uri.with({ path: `${match[1]}${match[2]}${SIDE_NAMES[side]}.txt`, query: `${id}.${side}` }));
}

const SIDES = ["before", "after"] as const;
const SIDE_NAMES = { before: "as it was", after: "with the policies" } as const;

export interface RequestNames {
  /** Number of the request. */
  readonly call: number;
  /** The policies in a few words. */
  readonly policies: string;
}

/** Requests to the model before and after policies, in VS Code's diff editor. */
export class RequestDiffs implements vscode.TextDocumentContentProvider, vscode.CodeLensProvider, Disposable {
  readonly #parts: RequestDiffsParts;
  readonly #lifetime = new Lifetime();
  readonly #numbers = numbersFor(vscode.env.language);
  readonly onDidChange: vscode.Event<vscode.Uri>;
  readonly onDidChangeCodeLenses: vscode.Event<void>;
  readonly #texts = new Map<number, RequestTexts>();
  #next = 1;

  constructor(parts: RequestDiffsParts) {
    this.#parts = parts;
    this.onDidChange = parts.secretDocuments.onDidChange;
    const lenses = this.#lifetime.add(new vscode.EventEmitter<void>());
    this.onDidChangeCodeLenses = lenses.event;
    this.#lifetime.add(this.onDidChange(() => lenses.fire()));
    this.#lifetime.add(vscode.languages.registerCodeLensProvider({ scheme: REQUEST_SCHEME }, this));
    this.#lifetime.add(vscode.workspace.registerTextDocumentContentProvider(REQUEST_SCHEME, this));
  }

  async open(texts: RequestTexts, { call, policies }: RequestNames): Promise<void> {
    const id = this.#next++;
    this.#texts.set(id, texts);
    for (const old of this.#texts.keys()) {
      if (this.#texts.size <= MAX_REMEMBERED) break;
      this.#texts.delete(old);
    }
    const side = (which: (typeof SIDES)[number]): vscode.Uri =>
      vscode.Uri.from({
        scheme: REQUEST_SCHEME,
        path: `/${id}/request ${call}, ${SIDE_NAMES[which]}.txt`,
        query: `${id}.${which}`,
      });
    const shortened = texts.capped ? " (long texts shortened)" : "";
    const title = `Request ${call}: as it was ↔ ${policies}${shortened}`;
    await vscode.commands.executeCommand("vscode.diff", side("before"), side("after"), title, { preview: true });
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const { query } = uri;
    const match = /^(\d{1,9})\.(before|after)$/.exec(query);
    const texts = this.#texts.get(Number(match?.[1] ?? 0));
    if (texts === undefined) return FORGOTTEN;
    const side = match?.[2] === "before" ? "before" : "after";
    const text = texts[side];
    try {
      // Names in headings are not among those that were found where the texts were read.
      const spans = joined([...(await this.#parts.secrets.find(text)), ...texts.secrets[side]]);
      return this.#parts.secretDocuments.contentOf(uri, { text, start: 0, end: text.length, spans });
    } catch (error) {
      this.#parts.failed(error);
      return NOT_CHECKED;
    }
  }

  provideCodeLenses({ uri }: vscode.TextDocument): vscode.CodeLens[] {
    const command = this.#parts.secretDocuments.lens(uri, this.#numbers);
    return command === undefined ? [] : [new vscode.CodeLens(new vscode.Range(0, 0, 0, 0), command)];
  }

  dispose(): void {
    this.#lifetime.dispose();
    this.#texts.clear();
  }
}
