import { TextDocument } from "vscode-languageserver-textdocument";
import { KEY } from "../core/config/keys";
import {
  type LocalFiles,
  type Surroundings,
  SurroundingsFinder,
  type SurroundingsPorts,
} from "../core/config/surroundings";
import type { CheckOptions } from "../core/config/types";
import type { ConfigTextParams, ServerSettings } from "../protocol/lsp";
import { configPlace } from "../service/configPlace";
import { type CheckedDocument, checkDocument, configLanguage } from "../service/context";
import type { ConfigPlace } from "../service/explainConfig";
import { ConfigFiles, filePath } from "./configFiles";

/** Longest document that is looked at, in UTF-16 units; agent configs are a hundredth of it. */
const MAX_DOCUMENT = 4_000_000;

/** What the checks need of the world. */
export interface CheckPorts extends SurroundingsPorts {
  /** True where paths are compared without case. */
  readonly windows: boolean;
}

/** One look per version of each open document. */
export class Checks {
  readonly #done = new Map<string, CheckedDocument & { readonly version: number; readonly stamp: string }>();
  readonly #homes: readonly string[];
  readonly #windows: boolean;
  readonly #finder: SurroundingsFinder;
  readonly #local: LocalFiles;
  #settings: ServerSettings;
  #files: ConfigFiles;

  constructor(homes: readonly string[], settings: ServerSettings, ports: CheckPorts) {
    this.#homes = homes;
    this.#windows = ports.windows;
    this.#finder = new SurroundingsFinder(ports);
    this.#local = ports.local;
    this.#settings = settings;
    this.#files = new ConfigFiles(homes, settings.files, ports.windows);
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
    const around = options.isAgentConfig === false ? undefined : this.#surroundings(document);
    const stamp = around?.stamp ?? "";
    const known = this.#done.get(document.uri);
    if (known?.version === document.version && known.stamp === stamp) return known;
    const { environment, managed } = around ?? {};
    const checked = checkDocument(document, {
      ...options,
      ...(environment === undefined ? {} : { environment }),
      ...(managed === undefined ? {} : { managed }),
    });
    const done = { ...checked, version: document.version, stamp };
    this.#done.set(document.uri, done);
    return done;
  }

  /** A text that is known to be an agent's config, open or not; undefined where its language is none of ours, or it is too long. */
  asConfig({ uri, languageId, text }: ConfigTextParams): CheckedDocument | undefined {
    const language = configLanguage(languageId);
    if (language === undefined || text.length > MAX_DOCUMENT) return undefined;
    const document = TextDocument.create(uri, languageId, 0, text);
    const { loader, contextLength } = this.#settings;
    const { environment, managed } = this.#surroundings(document);
    return checkDocument(document, {
      loader,
      language,
      isAgentConfig: true,
      environment,
      ...(managed === undefined ? {} : { managed }),
      ...(contextLength === null ? {} : { contextLength }),
    });
  }

  /** What decides about an agent's config besides its text. */
  #surroundings(document: TextDocument): Surroundings {
    return this.#finder.of(filePath(document.uri), this.#settings.loader);
  }

  /** Where an agent's config lies and what lies around it. */
  placeOf(document: TextDocument): ConfigPlace {
    const path = filePath(document.uri);
    const { loader } = this.#settings;
    return configPlace(path, this.#finder.of(path, loader), this.#finder, this.#local, loader);
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
