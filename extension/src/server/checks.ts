import type { TextDocument } from "vscode-languageserver-textdocument";
import { KEY } from "../core/config/keys";
import type { CheckOptions } from "../core/config/types";
import type { ServerSettings } from "../protocol/lsp";
import { type CheckedDocument, checkDocument, configLanguage } from "../service/context";
import { ConfigFiles } from "./configFiles";

/** Longest document that is looked at, in UTF-16 units; agent configs are a hundredth of it. */
export const MAX_DOCUMENT = 4_000_000;

/** One look per version of each open document. */
export class Checks {
  readonly #done = new Map<string, CheckedDocument & { readonly version: number }>();
  readonly #homes: readonly string[];
  readonly #windows: boolean;
  #settings: ServerSettings;
  #files: ConfigFiles;

  constructor(homes: readonly string[], settings: ServerSettings, windows: boolean) {
    this.#homes = homes;
    this.#windows = windows;
    this.#settings = settings;
    this.#files = new ConfigFiles(homes, settings.files, windows);
  }

  use(settings: ServerSettings): void {
    this.#settings = settings;
    this.#files = new ConfigFiles(this.#homes, settings.files, this.#windows);
    this.#done.clear();
  }

  forget(uri: string): void {
    this.#done.delete(uri);
  }

  /** What is found in a document; undefined for documents that are none of ours. */
  of(document: TextDocument): CheckedDocument | undefined {
    const options = this.#optionsFor(document);
    if (options === undefined) return undefined;
    const known = this.#done.get(document.uri);
    if (known?.version === document.version) return known;
    const checked = { ...checkDocument(document, options), version: document.version };
    this.#done.set(document.uri, checked);
    return checked;
  }

  #optionsFor(document: TextDocument): CheckOptions | undefined {
    const language = configLanguage(document.languageId);
    if (language === undefined) return undefined;
    const text = document.getText();
    if (text.length > MAX_DOCUMENT) return undefined;
    const isAgentConfig = this.#files.includes(document.uri);
    if (!isAgentConfig && !text.includes(KEY)) return undefined;
    const { loader, contextLength } = this.#settings;
    return { loader, language, isAgentConfig, ...(contextLength === null ? {} : { contextLength }) };
  }
}
