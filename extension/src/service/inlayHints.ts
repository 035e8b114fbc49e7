import type { InlayHint, Range } from "vscode-languageserver-types";
import type { CheckedDocument } from "./context";
import { createFormat } from "./format";

/** What an accepted value means, behind it: `≈ 5k tok`, with the number first where the text hides it. */
export function inlayHints(checked: CheckedDocument, range: Range, locale: string | undefined): InlayHint[] {
  const { document, check } = checked;
  const { pair, threshold } = check;
  if (pair === undefined || threshold === null || pair.value.end <= pair.value.outerStart) return [];
  const { end } = pair.value;
  if (end < document.offsetAt(range.start) || end > document.offsetAt(range.end)) return [];
  const format = createFormat(locale);
  const plain = check.value?.text === String(threshold);
  const label = plain ? format.tokens(threshold) : `= ${format.chars(threshold)} chars ${format.tokens(threshold)}`;
  return [{ position: document.positionAt(end), label, paddingLeft: true }];
}
