import { isBlank, isBreak, isBreakOrEnd, isDigit, isFlowIndicator, isSpaceOrEnd, SPACE, TAB } from "./chars";
import type { Cursor } from "./cursor";
import { type Token, token } from "./token";

/** Scanners for the text of plain, quoted and block scalars. Rules: libyaml src/scanner.c, ruamel.yaml scanner.py. */

/** `---` or `...` at the beginning of a line, followed by white space or the end. */
export function atDocumentMarker(c: Cursor): boolean {
  const code = c.code();
  if (code !== 0x2d && code !== 0x2e) return false;
  return c.code(1) === code && c.code(2) === code && isSpaceOrEnd(c.code(3)) && c.column() === 0;
}

/** A document marker right behind a line end. The pure parser has just passed any line end, LS and NEL included. */
function atMarkerAfterBreak(c: Cursor): boolean {
  if (!c.pure) return atDocumentMarker(c);
  const code = c.code();
  return (code === 0x2d || code === 0x2e) && c.code(1) === code && c.code(2) === code && isSpaceOrEnd(c.code(3));
}

function plainEnds(c: Cursor, code: number, next: number): boolean {
  if (code === 0x3a) {
    if (isSpaceOrEnd(next)) return true;
    if (c.flowLevel === 0) return false;
    if (c.pure) return false;
    if (c.modern ? isFlowIndicator(next) || next === 0x3f : true)
      c.fail("A plain text in brackets holds a ':' without a space behind it. Put the text in quotes.");
    return false;
  }
  if (c.flowLevel === 0) return false;
  if (isFlowIndicator(code)) return true;
  return code === 0x3f && !c.modern && (!c.pure || c.version.is11());
}

/** Joins what lies between two pieces of a folded text. */
function fold(spaces: string, firstBreak: string, moreBreaks: string): string {
  if (firstBreak === "") return spaces;
  if (firstBreak === "\n") return moreBreaks === "" ? " " : moreBreaks;
  return firstBreak + moreBreaks;
}

/** Reads a text without quotes, over several lines where they go on. */
export function scanPlain(c: Cursor): Token {
  const start = c.pos;
  const indent = c.indent + 1;
  let end = start;
  let value = "";
  let spaces = "";
  let firstBreak = "";
  let moreBreaks = "";
  c.keyAllowed = false;
  for (;;) {
    if (c.code() === 0x23) break;
    const from = c.pos;
    for (let code = c.code(); !isSpaceOrEnd(code); code = c.code()) {
      if ((code === 0x3a || code === 0x3f || c.flowLevel > 0) && plainEnds(c, code, c.code(1))) break;
      c.pos++;
    }
    if (c.pos === from) break;
    value += fold(spaces, firstBreak, moreBreaks) + c.text.slice(from, c.pos);
    end = c.pos;
    firstBreak = "";
    moreBreaks = "";
    const gap = c.pos;
    while (c.code() === SPACE || (!c.pure && c.code() === TAB)) c.pos++;
    spaces = c.text.slice(gap, c.pos);
    if (isBreak(c.code())) {
      firstBreak = c.takeBreak();
      const more = scanPlainBreaks(c, indent);
      if (more === undefined) break;
      moreBreaks = more;
    } else if (spaces === "") break;
    if (c.flowLevel === 0 && c.column() < indent) break;
  }
  if (firstBreak !== "") c.keyAllowed = true;
  return token("scalar", start, end, value);
}

/** Line ends and indentation before the next line of a plain text; undefined at a document marker. */
function scanPlainBreaks(c: Cursor, indent: number): string | undefined {
  let breaks = "";
  let afterBreak = true;
  for (;;) {
    if (afterBreak && atMarkerAfterBreak(c)) return undefined;
    const code = c.code();
    afterBreak = isBreak(code);
    if (code === SPACE || (code === TAB && !c.pure)) {
      if (code === TAB && c.column() < indent) c.fail("A tab stands where indentation is counted. Use spaces.");
      c.pos++;
    } else if (afterBreak) breaks += c.takeBreak();
    else return breaks;
  }
}

function isSurrogate(letter: string): boolean {
  return letter.length === 1 && letter >= "\ud800" && letter <= "\udfff";
}

/** Reads a text in single or double quotes. */
export function scanQuoted(c: Cursor): Token {
  const start = c.pos;
  const quote = c.code();
  const double = quote === 0x22;
  let value = "";
  let apart = "";
  c.pos++;
  for (;;) {
    if (c.code() === 0) c.fail("The quotes opened here are never closed. Add the closing quote.", start, start + 1);
    let escapedBreak = false;
    for (let code = c.code(); !isSpaceOrEnd(code); code = c.code()) {
      if (code === quote) {
        if (double || c.code(1) !== quote) break;
        value += "'";
        c.pos += 2;
      } else if (double && code === 0x5c) {
        if (isBreak(c.code(1))) {
          c.pos++;
          takeQuotedBreak(c, start);
          escapedBreak = true;
          break;
        }
        const letter = scanEscape(c);
        if (isSurrogate(letter)) apart += `${apart === "" ? "" : ","}${value.length}`;
        value += letter;
      } else {
        const from = c.pos;
        do c.pos++;
        while (!isSpaceOrEnd(c.code()) && c.code() !== quote && c.code() !== 0x5c);
        value += c.text.slice(from, c.pos);
      }
    }
    if (!escapedBreak && c.code() === quote) break;
    value += scanQuotedGap(c, escapedBreak, start);
  }
  c.pos++;
  return token("scalar", start, c.pos, value, apart, double ? "double" : "single");
}

function takeQuotedBreak(c: Cursor, start: number): string {
  const value = c.takeBreak();
  if (atMarkerAfterBreak(c))
    c.fail("A document marker stands inside quotes. Close the quotes before it, or indent the line.", start, c.pos + 3);
  return value;
}

function scanQuotedGap(c: Cursor, escapedBreak: boolean, start: number): string {
  const from = c.pos;
  while (isBlank(c.code())) c.pos++;
  const spaces = escapedBreak ? "" : c.text.slice(from, c.pos);
  if (!isBreak(c.code())) return spaces;
  const firstBreak = escapedBreak ? "" : takeQuotedBreak(c, start);
  let moreBreaks = "";
  while (isBlank(c.code()) || isBreak(c.code())) {
    if (isBreak(c.code())) moreBreaks += takeQuotedBreak(c, start);
    else c.pos++;
  }
  return escapedBreak ? moreBreaks : fold(spaces, firstBreak, moreBreaks);
}

const ESCAPES: Readonly<Record<string, string>> = {
  "0": "\0",
  a: "\x07",
  b: "\b",
  t: "\t",
  "\t": "\t",
  n: "\n",
  v: "\v",
  f: "\f",
  r: "\r",
  e: "\x1b",
  " ": " ",
  '"': '"',
  "/": "/",
  "\\": "\\",
  N: "\x85",
  _: "\xa0",
  L: "\u2028",
  P: "\u2029",
};

function scanEscape(c: Cursor): string {
  const start = c.pos;
  const letter = c.text.charAt(start + 1);
  const simple = ESCAPES[letter];
  if (simple !== undefined) {
    c.pos += 2;
    return simple;
  }
  const length = letter === "x" ? 2 : letter === "u" ? 4 : letter === "U" ? 8 : 0;
  if (length === 0)
    c.fail("This escape is not known in double quotes. Double the backslash, or use single quotes.", start, start + 2);
  const digits = c.text.slice(start + 2, start + 2 + length);
  if (!/^[0-9A-Fa-f]+$/.test(digits) || digits.length < length)
    c.fail(`\\${letter} needs ${length} hexadecimal digits behind it.`, start, start + 2);
  const code = Number.parseInt(digits, 16);
  if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff && !c.pure))
    c.fail(
      "This escape names no character. A character beyond U+FFFF is written \\U and eight digits, not as two \\u.",
      start,
      start + 2 + length,
    );
  c.pos += 2 + length;
  return String.fromCodePoint(code);
}

interface BlockHeader {
  readonly chomp: "clip" | "strip" | "keep";
  readonly increment: number;
}

function scanBlockHeader(c: Cursor): BlockHeader {
  const start = c.pos;
  let chomp: BlockHeader["chomp"] = "clip";
  let increment = 0;
  c.pos++;
  const takeChomp = (): void => {
    if (c.code() !== 0x2b && c.code() !== 0x2d) return;
    chomp = c.code() === 0x2b ? "keep" : "strip";
    c.pos++;
  };
  const takeIncrement = (): void => {
    if (!isDigit(c.code())) return;
    increment = c.code() - 0x30;
    if (increment === 0) c.fail("The indentation of a block text is a digit from 1 to 9, not 0.", start, c.pos + 1);
    c.pos++;
  };
  if (isDigit(c.code())) {
    takeIncrement();
    takeChomp();
  } else {
    takeChomp();
    if (c.pos > start + 1) takeIncrement();
  }
  const what =
    "Only a comment may follow | or > and its indicators on the line. Put the text on the next line, indented.";
  if (c.pure && c.code() !== SPACE && !isBreakOrEnd(c.code())) c.fail(what, start, c.pos + 1);
  while (c.code() === SPACE || (!c.pure && c.code() === TAB)) c.pos++;
  if (c.code() === 0x23) while (!isBreakOrEnd(c.code())) c.pos++;
  if (!isBreakOrEnd(c.code())) c.fail(what, start, c.pos + 1);
  if (isBreak(c.code())) c.takeBreak();
  return { chomp, increment };
}

/** Reads a text that begins with `|` or `>`. */
export function scanBlockText(c: Cursor): Token {
  const start = c.pos;
  const folded = c.code() === 0x3e;
  const { chomp, increment } = scanBlockHeader(c);
  const gaps = new BlockGaps(c, increment);
  let value = "";
  let firstBreak = "";
  let breaks = gaps.first();
  let end = gaps.end;
  let afterBlank = false;
  let started = false;
  while (c.column() === gaps.indent && c.code() !== 0) {
    const blank = isBlank(c.code());
    if (started) {
      if (folded && firstBreak === "\n" && !afterBlank && !blank) value += breaks === "" ? " " : "";
      else value += firstBreak;
    }
    value += breaks;
    afterBlank = blank;
    started = true;
    const from = c.pos;
    while (!isBreakOrEnd(c.code())) c.pos++;
    value += c.text.slice(from, c.pos);
    end = c.pos;
    firstBreak = isBreak(c.code()) ? c.takeBreak() : "";
    breaks = gaps.next();
    // Text without indentation, which only the pure parser takes, ends at a document marker.
    if (c.pure && gaps.indent === 0 && atDocumentMarker(c)) break;
  }
  if (chomp !== "strip") value += firstBreak;
  if (chomp === "keep") value += breaks;
  c.keyAllowed = true;
  return token("scalar", start, Math.max(end, start + 1), value, "", folded ? "folded" : "literal");
}

/** Passes indentation and empty lines between the lines of a block text; finds its indentation if it is not stated. */
class BlockGaps {
  /** Column of the text; -1 until known. */
  indent: number;
  end: number;

  constructor(
    private readonly c: Cursor,
    increment: number,
  ) {
    this.end = c.pos;
    this.indent = -1;
    if (increment > 0)
      this.indent = c.pure ? Math.max(c.indent + 1, 1) + increment - 1 : Math.max(c.indent, 0) + increment;
  }

  first(): string {
    const c = this.c;
    this.end = c.pos;
    if (this.indent >= 0) return this.next();
    let breaks = "";
    let deepest = 0;
    for (;;) {
      if (c.code() === SPACE) {
        while (c.code() === SPACE) c.pos++;
        deepest = Math.max(deepest, c.column());
      }
      if (c.code() === TAB && !c.pure)
        c.fail("A tab stands where the indentation of a block text is counted. Use spaces.");
      if (!isBreak(c.code())) break;
      breaks += c.takeBreak();
    }
    this.indent = Math.max(deepest, c.indent + 1, c.pure ? 0 : 1);
    return breaks;
  }

  next(): string {
    const c = this.c;
    let breaks = "";
    for (;;) {
      while (c.code() === SPACE && c.column() < this.indent) c.pos++;
      if (c.code() === TAB && !c.pure && c.column() < this.indent)
        c.fail("A tab stands where the indentation of a block text is counted. Use spaces.");
      if (!isBreak(c.code())) return breaks;
      breaks += c.takeBreak();
    }
  }
}
