import { PRUNE_MARKER } from "../../config/settings/prune";
import { countCodePoints, headCodePoints, tailCodePoints } from "../../util/textSize";

/** Sizes of one prune in code points. */
export interface PruneSizes {
  readonly threshold: number;
  readonly head: number;
  readonly tail: number;
}

/** Code points of a result after the prune; the same when it is not longer than the threshold. */
export function prunedChars(chars: number, sizes: PruneSizes): number {
  if (chars <= sizes.threshold) return chars;
  return Math.min(sizes.head, chars) + PRUNE_MARKER.length + Math.min(sizes.tail, chars);
}

/** Head, marker and tail of a longer text; the same text when it is not longer than the threshold. */
export function pruneText(text: string, sizes: PruneSizes): string {
  if (countCodePoints(text) <= sizes.threshold) return text;
  return headCodePoints(text, sizes.head) + PRUNE_MARKER + tailCodePoints(text, sizes.tail);
}
