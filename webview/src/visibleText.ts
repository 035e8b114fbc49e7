/** Makes untrusted text safe to look at: what would be invisible, move the cursor or turn the reading direction becomes a visible mark. */

export interface TextPiece {
  readonly text: string;
  /** Set for a mark that stands for one character; names it (`U+202E`). */
  readonly mark: string | null;
}

/**
 * C0 controls except tab and line feed, DEL, C1, bidirectional controls, zero-width and other invisible format characters,
 * line and paragraph separators, the byte order mark, interlinear marks, tags, and lone surrogates.
 */
const HIDDEN =
  /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u00AD\u061C\u180E\u200B-\u200F\u2028-\u202E\u2060-\u206F\uFEFF\uFFF9-\uFFFB\u{E0000}-\u{E007F}\p{Surrogate}]/gu;
/** Carriage returns before a line feed are plain line ends. */
const CRLF = /\r\n/gu;

export function visiblePieces(text: string): readonly TextPiece[] {
  const source = text.replace(CRLF, "\n");
  const pieces: TextPiece[] = [];
  let from = 0;
  for (const match of source.matchAll(HIDDEN)) {
    if (match.index > from) {
      pieces.push({ text: source.slice(from, match.index), mark: null });
    }
    pieces.push({ text: markFor(match[0]), mark: codeName(match[0]) });
    from = match.index + match[0].length;
  }
  if (from < source.length) {
    pieces.push({ text: source.slice(from), mark: null });
  }
  return pieces;
}

/** The same as one line of text, for names, paths and tooltips. */
export function visibleLine(text: string): string {
  return text.replace(/[\t\r\n]+/gu, " ").replace(HIDDEN, markFor);
}

function markFor(char: string): string {
  const code = char.codePointAt(0) ?? 0;
  if (code < 0x20) {
    return String.fromCodePoint(0x2400 + code); // Unicode "control pictures"
  }
  return code === 0x7f ? "\u2421" : `\u2039${codeName(char)}\u203A`;
}

function codeName(char: string): string {
  return `U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}
