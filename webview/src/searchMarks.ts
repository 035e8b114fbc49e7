import type { HitRange } from "../../extension/src/core/model/search";
import type { Detail, DetailMask } from "../../extension/src/protocol/webview";

export interface MarkedPart {
  readonly text: string;
  readonly hit: boolean;
  /** Set where a secret stands: `text` is its mask, or the secret itself once the user asked for it. */
  readonly mask: DetailMask | null;
}

/** Secrets that the user asked to see, by where they begin. */
export type ShownSecrets = ReadonlyMap<number, string>;

export const NONE_SHOWN: ShownSecrets = new Map();

/**
 * The shown text cut at its hits and masks. Ranges count in the whole text, of which the detail shows a part from `textStart`. A hit
 * inside a secret marks all of it, so that it does not tell where in the secret something stands.
 */
export function marked(
  { text, textStart, masks }: Pick<Detail, "text" | "textStart" | "masks">,
  ranges: readonly HitRange[],
  shown: ShownSecrets = NONE_SHOWN,
): readonly MarkedPart[] {
  const parts: MarkedPart[] = [];
  let [from, at] = [0, textStart];
  for (const mask of masks) {
    parts.push(...cutAtHits(text.slice(from, mask.start), at, ranges));
    const begin = textStart + mask.at;
    at = begin + mask.units;
    parts.push({
      text: shown.get(mask.at) ?? text.slice(mask.start, mask.end),
      hit: ranges.some(([start, end]) => start < at && end > begin),
      mask,
    });
    from = mask.end;
  }
  parts.push(...cutAtHits(text.slice(from), at, ranges));
  return parts;
}

/** @param at where the text begins in the unit of the ranges */
function cutAtHits(text: string, at: number, ranges: readonly HitRange[]): readonly MarkedPart[] {
  const parts: MarkedPart[] = [];
  let from = 0;
  for (const [start, end] of ranges) {
    const first = Math.max(from, start - at);
    const last = Math.min(text.length, end - at);
    if (first >= last) {
      continue;
    }
    if (first > from) {
      parts.push({ text: text.slice(from, first), hit: false, mask: null });
    }
    parts.push({ text: text.slice(first, last), hit: true, mask: null });
    from = last;
  }
  if (from < text.length) {
    parts.push({ text: text.slice(from), hit: false, mask: null });
  }
  return parts;
}
