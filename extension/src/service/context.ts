import type { TextDocument } from "vscode-languageserver-textdocument";
import { checkConfig } from "../core/config/check";
import type { CheckOptions, ConfigCheck, ConfigLanguage } from "../core/config/types";

/** A document with what was found in it, and how to look at it again. */
export interface CheckedDocument {
  readonly document: TextDocument;
  readonly text: string;
  readonly check: ConfigCheck;
  readonly options: CheckOptions;
}

const LANGUAGES: Readonly<Record<string, ConfigLanguage>> = { yaml: "yaml", json: "json", jsonc: "jsonc" };

/** The language the key may be written in; undefined for every other document. */
export function configLanguage(languageId: string): ConfigLanguage | undefined {
  return Object.hasOwn(LANGUAGES, languageId) ? LANGUAGES[languageId] : undefined;
}

/** Checks a document as it stands now. */
export function checkDocument(document: TextDocument, options: CheckOptions): CheckedDocument {
  const text = document.getText();
  return { document, text, check: checkConfig(text, options), options };
}
