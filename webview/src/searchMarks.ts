import type { HitRange } from "../../extension/src/core/model/search";
import type { Detail } from "../../extension/src/protocol/webview";

export interface MarkedPart {
  readonly text: string;
  readonly hit: boolean;
}

/** The shown text cut at its hits. Ranges count in the whole text, of which the detail shows a part from `textStart`. */
export function marked(
  { text, textStart }: Pick<Detail, "text" | "textStart">,
  ranges: readonly HitRange[],
): readonly MarkedPart[] {
  const parts: MarkedPart[] = [];
  let from = 0;
  for (const [start, end] of ranges) {
    const first = Math.max(from, start - textStart);
    const last = Math.min(text.length, end - textStart);
    if (first >= last) {
      continue;
    }
    if (first > from) {
      parts.push({ text: text.slice(from, first), hit: false });
    }
    parts.push({ text: text.slice(first, last), hit: true });
    from = last;
  }
  if (from < text.length) {
    parts.push({ text: text.slice(from), hit: false });
  }
  return parts;
}
