import { html, nothing } from "lit";
import type { DetailMask } from "../../../extension/src/protocol/webview";
import type { MarkedPart } from "../searchMarks";
import { strings } from "../strings";
import { type TextPiece, visiblePieces } from "../visibleText";

const words = strings.detail;

/** A part of a text, its hidden characters made visible; a mask as a button that shows its secret, or masks it again. */
export function secretText(
  { text, hit, mask }: MarkedPart,
  isShown: (mask: DetailMask) => boolean,
  press: (mask: DetailMask, show: boolean) => void,
): unknown {
  const shown = mask === null || isShown(mask);
  const pieces = shown ? visiblePieces(text).map(renderPiece) : nothing;
  // One template for both, so that the button keeps the focus.
  const part =
    mask === null
      ? pieces
      : html`<span class="secret">${pieces}<button
            type="button"
            title=${shown ? words.hideSecret(mask.kind) : words.secretTip}
            aria-label=${shown ? words.hideSecret(mask.kind) : words.showSecret(text)}
            @click=${() => press(mask, !shown)}
          >${shown ? words.hide : text}</button></span>`;
  return hit ? html`<mark>${part}</mark>` : part;
}

const renderPiece = (piece: TextPiece): unknown =>
  piece.mark === null ? piece.text : html`<span class="mark" title=${words.mark(piece.mark)}>${piece.text}</span>`;
