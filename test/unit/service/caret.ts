import { TextDocument } from "vscode-languageserver-textdocument";
import type { Position } from "vscode-languageserver-types";
import type { CheckOptions } from "../../../extension/src/core/config/types";
import { type CheckedDocument, checkDocument } from "../../../extension/src/service/context";

/** A document from text with a caret written as `¶`, checked, and the caret's position. */
export function caret(
  marked: string,
  options: Partial<CheckOptions> = {},
): { readonly checked: CheckedDocument; readonly position: Position } {
  const offset = marked.indexOf("¶");
  if (offset < 0) throw new Error("the sample text needs a caret ¶");
  const language = options.language ?? "yaml";
  const document = TextDocument.create("file:///home/user/.hermes/config.yaml", language, 1, marked.replace("¶", ""));
  return { checked: checkDocument(document, { loader: "ruamel", ...options }), position: document.positionAt(offset) };
}
