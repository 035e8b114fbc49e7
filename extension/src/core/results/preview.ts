import { countCodePoints, offsetAfterCodePoints } from "../util/textSize";

/** Code points of a preview: `PREVIEW_SIZE_CHARS` in NousResearch/hermes-agent tools/budget_config.py @09ffeaec. */
export const PREVIEW_CHARS = 1500;

export interface PreviewCut {
  readonly text: string;
  /** Code points of `text`. */
  readonly chars: number;
  /** True when the full text goes on after it. */
  readonly hasMore: boolean;
}

/**
 * Beginning of a text that stays in context. A text of at most `maxChars` code points stays whole; a longer one is cut
 * just after the last line feed among its first `maxChars`, provided that lies beyond their middle.
 * Source: NousResearch/hermes-agent tools/tool_result_storage.py @025d8a23.
 */
export function cutPreview(text: string, maxChars: number = PREVIEW_CHARS): PreviewCut {
  const stop = offsetAfterCodePoints(text, maxChars);
  if (stop === text.length) return { text, chars: countCodePoints(text), hasMore: false };
  const head = text.slice(0, stop);
  const lineFeed = head.lastIndexOf("\n");
  if (lineFeed >= 0 && countCodePoints(head.slice(0, lineFeed)) * 2 > maxChars) {
    const cut = head.slice(0, lineFeed + 1);
    return { text: cut, chars: countCodePoints(cut), hasMore: true };
  }
  return { text: head, chars: maxChars, hasMore: true };
}
