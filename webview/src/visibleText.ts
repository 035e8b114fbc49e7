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
/** Combining marks behind the eighth of a letter: more of them only paint over what stands above and below. */
const TOWER = /(?<=\p{M}{8})\p{M}+/gu;
const IS_MARK = /^\p{M}/u;
const HIDDEN_OR_TOWER = new RegExp(`${HIDDEN.source}|${TOWER.source}`, "gu");
/** Letters that read from right to left (Unicode's classes R and AL lie in these blocks), with what stands between them. */
const RIGHT_TO_LEFT =
  /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]+(?:[^\p{L}\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]+[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]+)*/gu;
/** Carriage returns before a line feed are plain line ends. */
const CRLF = /\r\n/gu;

export function visiblePieces(text: string): readonly TextPiece[] {
  const source = text.replace(CRLF, "\n");
  const pieces: TextPiece[] = [];
  let from = 0;
  for (const match of source.matchAll(HIDDEN_OR_TOWER)) {
    if (match.index > from) {
      pieces.push({ text: source.slice(from, match.index), mark: null });
    }
    const text = IS_MARK.test(match[0]) ? moreMarks(match[0]) : shortName(match[0]);
    pieces.push({ text, mark: codeName(match[0]) });
    from = match.index + match[0].length;
  }
  if (from < source.length) {
    pieces.push({ text: source.slice(from), mark: null });
  }
  return pieces;
}

/**
 * The same as one line of text, for names, paths and tooltips. What reads from right to left is isolated (U+2068, U+2069), so that it
 * cannot move the numbers and words beside it.
 */
export function visibleLine(text: string): string {
  return text
    .replace(/[\t\r\n]+/gu, " ")
    .replace(HIDDEN, (char) => `‹${shortName(char)}›`)
    .replace(TOWER, (marks) => `‹${moreMarks(marks)}›`)
    .replace(RIGHT_TO_LEFT, (run) => `\u2068${run}\u2069`);
}

function moreMarks(marks: string): string {
  return `+${[...marks].length} marks`;
}

/** Names of the C0 controls, by code (ISO 6429 abbreviations). */
const C0 =
  "NUL SOH STX ETX EOT ENQ ACK BEL BS HT LF VT FF CR SO SI DLE DC1 DC2 DC3 DC4 NAK SYN ETB CAN EM SUB ESC FS GS RS US".split(
    " ",
  );

function shortName(char: string): string {
  const code = char.codePointAt(0) ?? 0;
  return C0[code] ?? (code === 0x7f ? "DEL" : codeName(char));
}

function codeName(char: string): string {
  return `U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}
