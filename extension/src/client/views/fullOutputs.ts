import { basename } from "node:path";
import * as vscode from "vscode";
import type { Result } from "../../core/model/problem";
import type { FileAccess, FileSource, Log, SecretFinder, Utf8 } from "../../core/ports";
import { withoutSecrets } from "../../core/secrets/mask";
import { type Disposable, Lifetime } from "../lifetime";
import { numbersFor } from "./numbers";
import {
  type ApprovedFile,
  approvedPage,
  filePage,
  type Page,
  pageCount,
  pageTitle,
  plainName,
  textPage,
} from "./pages";
import type { SecretDocuments } from "./secretDocuments";

/** Scheme of the read-only documents; an address holds only a number, never a path. */
export const OUTPUT_SCHEME = "context-budget";

/** Where a document's text comes from. A file was approved under its real path; when that changes it is not read any more. */
export type OutputSource =
  | ({ readonly kind: "file"; readonly name?: string } & ApprovedFile)
  | { readonly kind: "text"; readonly name: string; readonly read: () => Promise<Result<string>> }
  /** Part of a transcript, as a source of its own. */
  | { readonly kind: "range"; readonly name: string; readonly source: FileSource };

export interface FullOutputsParts {
  readonly files: FileAccess;
  readonly utf8: Utf8;
  readonly log: Log;
  readonly secrets: SecretFinder;
  readonly secretDocuments: SecretDocuments;
}

/** Outputs remembered for their open documents; the oldest are forgotten first. */
const MAX_REMEMBERED = 500;

/** Shows full outputs as read-only documents, large ones page by page. */
export class FullOutputs implements vscode.TextDocumentContentProvider, vscode.CodeLensProvider, Disposable {
  readonly #parts: FullOutputsParts;
  readonly #sources = new Map<number, OutputSource>();
  readonly #pages = new Map<string, Page>();
  readonly #lifetime = new Lifetime();
  readonly #numbers = numbersFor(vscode.env.language);
  readonly #lensesChanged = this.#lifetime.add(new vscode.EventEmitter<void>());
  readonly onDidChangeCodeLenses = this.#lensesChanged.event;
  readonly onDidChange: vscode.Event<vscode.Uri>;
  #next = 1;

  constructor(parts: FullOutputsParts) {
    this.#parts = parts;
    this.onDidChange = parts.secretDocuments.onDidChange;
    this.#lifetime.add(vscode.workspace.registerTextDocumentContentProvider(OUTPUT_SCHEME, this));
    this.#lifetime.add(vscode.languages.registerCodeLensProvider({ scheme: OUTPUT_SCHEME }, this));
    this.#lifetime.add(
      vscode.workspace.onDidCloseTextDocument((document) => {
        if (document.uri.scheme === OUTPUT_SCHEME) this.#pages.delete(document.uri.toString());
      }),
    );
  }

  /** Opens the first page; a file's real path must have been approved by the caller. */
  async open(source: OutputSource): Promise<void> {
    const id = this.#remember(source);
    await this.#show(id, source, 0, await this.#pageCount(source));
  }

  /** Moves an open paged document by so many pages. */
  async turn(from: vscode.Uri, by: number): Promise<void> {
    const address = parseAddress(from);
    const source = address && this.#sources.get(address.id);
    if (!address || !source) return;
    const wanted = address.page + by;
    if (wanted < 0 || wanted >= address.pages) return;
    await this.#show(address.id, source, wanted, address.pages);
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const address = parseAddress(uri);
    const source = address && this.#sources.get(address.id);
    if (!address || !source) {
      return "This output was opened in an earlier window. Open it again from the inspector or from the Context Budget view.";
    }
    try {
      const page = await this.#read(source, address.page);
      if (typeof page === "string") return page;
      const { before, text, after } = page;
      const around = before + text + after;
      const spans = await this.#parts.secrets.find(around);
      const [start, end] = [before.length, before.length + text.length];
      const content = this.#parts.secretDocuments.contentOf(uri, { text: around, start, end, spans });
      this.#pages.set(uri.toString(), { ...page, text: "", before: "", after: "" });
      this.#lensesChanged.fire();
      return content;
    } catch (error) {
      this.#parts.log.error("Full output", error);
      return `The output could not be read: ${error instanceof Error ? error.message : String(error)}`;
    }
  }

  provideCodeLenses(document: vscode.TextDocument): vscode.CodeLens[] {
    const page = this.#pages.get(document.uri.toString());
    if (!page) return [];
    const top = new vscode.Range(0, 0, 0, 0);
    const lenses: vscode.CodeLens[] = [];
    const say = (title: string, command = "", ...args: readonly unknown[]): void => {
      lenses.push(new vscode.CodeLens(top, { title, command, arguments: [...args] }));
    };
    if (page.pages > 1) {
      const { count } = this.#numbers;
      say(
        `Page ${count(page.page + 1)} of ${count(page.pages)}: ${page.unit} ${count(page.start)} to ${count(page.end)} of ${count(page.total)}`,
      );
      if (page.page > 0) say("Previous page", "contextBudget.previousPage", document.uri);
      if (page.page < page.pages - 1) say("Next page", "contextBudget.nextPage", document.uri);
    }
    const secrets = this.#parts.secretDocuments.lens(document.uri, this.#numbers);
    if (secrets !== undefined) lenses.push(new vscode.CodeLens(top, secrets));
    if (!page.valid) say("Not all of this is UTF-8 text; what is not stands as \uFFFD");
    return lenses;
  }

  dispose(): void {
    this.#lifetime.dispose();
    this.#sources.clear();
    this.#pages.clear();
  }

  async #show(id: number, source: OutputSource, page: number, pages: number): Promise<void> {
    // Names of tools and ids of calls come from the transcript.
    const name = await withoutSecrets(nameOf(source), this.#parts.secrets);
    const uri = address(id, name, page, pages);
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document, { preview: true });
  }

  async #pageCount(source: OutputSource): Promise<number> {
    if (source.kind === "file") {
      const stat = await this.#parts.files.stat(source.path);
      return "bytes" in stat ? pageCount(stat.bytes) : 1;
    }
    if (source.kind === "range") return pageCount(source.source.bytes);
    const text = await source.read();
    return text.ok ? pageCount(text.value.length) : 1;
  }

  /** A page, or a sentence why there is none. */
  async #read(source: OutputSource, page: number): Promise<Page | string> {
    if (source.kind === "text") {
      const text = await source.read();
      return text.ok ? textPage(text.value, page) : text.error.message;
    }
    if (source.kind === "range") return filePage(source.source, this.#parts.utf8, page);
    return approvedPage(source, this.#parts, page);
  }

  #remember(source: OutputSource): number {
    const id = this.#next++;
    this.#sources.set(id, source);
    for (const old of this.#sources.keys()) {
      if (this.#sources.size <= MAX_REMEMBERED) break;
      this.#sources.delete(old);
    }
    return id;
  }
}

function nameOf(source: OutputSource): string {
  return source.name ?? (source.kind === "file" ? basename(source.path) : "output");
}

function address(id: number, name: string, page: number, pages: number): vscode.Uri {
  return vscode.Uri.from({
    scheme: OUTPUT_SCHEME,
    path: `/${id}/${pageTitle(plainName(name), page, pages)}`,
    query: `${id}.${page}.${pages}`,
  });
}

function parseAddress(
  uri: vscode.Uri,
): { readonly id: number; readonly page: number; readonly pages: number } | undefined {
  const match = /^(\d{1,9})\.(\d{1,9})\.(\d{1,9})$/.exec(uri.query);
  if (uri.scheme !== OUTPUT_SCHEME || !match) return undefined;
  return { id: Number(match[1]), page: Number(match[2]), pages: Number(match[3]) };
}
