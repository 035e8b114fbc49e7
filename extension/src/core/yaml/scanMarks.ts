import { isBlank, isBreak, isBreakOrEnd, isDigit, isNameChar, isSpaceOrEnd, SPACE } from "./chars";
import type { Cursor } from "./cursor";
import { type Token, token } from "./token";

/** Scanners for directives, anchors, aliases and tags. Rules: libyaml src/scanner.c, ruamel.yaml scanner.py. */

function skipBlanks(c: Cursor): void {
  while (c.code() === SPACE || (!c.pure && isBlank(c.code()))) c.pos++;
}

/** Reads a line that begins with `%`. */
export function scanDirective(c: Cursor): Token {
  const start = c.pos;
  c.pos++;
  const from = c.pos;
  while (isNameChar(c.code()) || (c.pure && (c.code() === 0x3a || c.code() === 0x2e))) c.pos++;
  const name = c.text.slice(from, c.pos);
  if (name === "" || !endsWord(c))
    c.fail(
      "A line that begins with % is a directive, and this one has no valid name. Indent or quote the text.",
      start,
      c.pos + 1,
    );
  let result: Token;
  if (name === "YAML") result = scanVersion(c, start);
  else if (name === "TAG") result = scanTagDirective(c, start);
  else if (c.pure) {
    while (!isBreakOrEnd(c.code())) c.pos++;
    result = token("other-directive", start, c.pos);
  } else c.fail("This directive is not known; only %YAML and %TAG are. Remove the line.", start, c.pos);
  skipBlanks(c);
  if (c.code() === 0x23) while (!isBreakOrEnd(c.code())) c.pos++;
  if (!isBreakOrEnd(c.code())) c.fail("Only a comment may follow a directive on its line.");
  if (isBreak(c.code())) c.takeBreak();
  return result;
}

/** The pure parser does not end a directive's words at a tab. */
function endsWord(c: Cursor): boolean {
  return c.pure ? c.code() === SPACE || isBreakOrEnd(c.code()) : isSpaceOrEnd(c.code());
}

function scanVersion(c: Cursor, start: number): Token {
  skipBlanks(c);
  const major = scanVersionNumber(c, start);
  if (c.code() !== 0x2e) c.fail("%YAML needs a version such as 1.1.", start, c.pos + 1);
  c.pos++;
  const minor = scanVersionNumber(c, start);
  if (c.pure && !endsWord(c)) c.fail("%YAML needs a version such as 1.1.", start, c.pos + 1);
  c.version.onDirective(Number(major), Number(minor));
  return token("version-directive", start, c.pos, major, minor);
}

function scanVersionNumber(c: Cursor, start: number): string {
  const from = c.pos;
  while (isDigit(c.code())) c.pos++;
  const length = c.pos - from;
  if (length === 0 || (length > 9 && !c.pure)) c.fail("%YAML needs a version such as 1.1.", start, c.pos + 1);
  return c.text.slice(from, c.pos);
}

function scanTagDirective(c: Cursor, start: number): Token {
  skipBlanks(c);
  const handle = scanTagHandle(c, true);
  const blank = c.pure ? c.code() === SPACE : isBlank(c.code());
  if (!blank) c.fail("%TAG needs a handle and a prefix with a space between.", start, c.pos + 1);
  skipBlanks(c);
  const prefix = scanTagUri(c, true);
  if (prefix === "" || !endsWord(c)) c.fail("%TAG needs a handle and a valid prefix.", start, c.pos + 1);
  return token("tag-directive", start, c.pos, prefix, handle);
}

/** Reads `&name` or `*name`. */
export function scanAnchor(c: Cursor): Token {
  const start = c.pos;
  const alias = c.code() === 0x2a;
  c.pos++;
  while (c.pure ? isPureNameChar(c) : isNameChar(c.code())) c.pos++;
  const name = c.text.slice(start + 1, c.pos);
  const next = c.code();
  const ends =
    isSpaceOrEnd(next) ||
    "?:,]}%@`".includes(String.fromCharCode(next)) ||
    (c.pure && (next === 0x5b || next === 0x7b));
  if (name === "" || !ends)
    c.fail(
      alias
        ? "A text that begins with * is an alias, and this one has no valid name. Put the text in quotes."
        : "A text that begins with & is an anchor, and this one has no valid name. Put the text in quotes.",
      start,
      c.pos + 1,
    );
  return token(alias ? "alias" : "anchor", start, c.pos, name);
}

/** ruamel's pure parser lets nearly everything visible into a name. */
function isPureNameChar(c: Cursor): boolean {
  const code = c.code();
  if (code === 0x2c || code === 0x5b || code === 0x5d || code === 0x7b || code === 0x7d) return false;
  return (code >= 0x21 && code <= 0x7e) || (code >= 0xa0 && code <= 0xfffd && code !== 0xfeff);
}

/** Reads a tag in any of its three forms. */
export function scanTag(c: Cursor): Token {
  const start = c.pos;
  const found = c.code(1) === 0x3c ? scanVerbatimTag(c) : c.pure ? scanPureTag(c) : scanShortTag(c);
  const next = c.code();
  const ends = c.pure ? endsWord(c) : isSpaceOrEnd(next) || (c.modern && c.flowLevel > 0 && next === 0x2c);
  if (!ends)
    c.fail("A tag must end with a space. Put the text in quotes if it only begins with '!'.", start, c.pos + 1);
  return token("tag", start, c.pos, found.suffix, found.handle);
}

interface FoundTag {
  /** Empty for a complete tag. */
  readonly handle: string;
  readonly suffix: string;
}

function needUri(c: Cursor, start: number, uri: string): string {
  if (uri === "") c.fail("A tag name is missing here.", start, c.pos + 1);
  return uri;
}

function scanVerbatimTag(c: Cursor): FoundTag {
  const start = c.pos;
  c.pos += 2;
  const suffix = needUri(c, start, scanTagUri(c, true));
  if (c.code() !== 0x3e) c.fail("A tag that begins with !< must end with >.", start, c.pos + 1);
  c.pos++;
  return { handle: "", suffix };
}

function scanShortTag(c: Cursor): FoundTag {
  const start = c.pos;
  const handle = scanTagHandle(c, false);
  if (handle.length > 1 && handle.endsWith("!")) return { handle, suffix: needUri(c, start, scanTagUri(c, false)) };
  const suffix = handle.slice(1) + scanTagUri(c, false);
  return suffix === "" ? { handle: "", suffix: "!" } : { handle: "!", suffix };
}

function scanPureTag(c: Cursor): FoundTag {
  const start = c.pos;
  if (isSpaceOrEnd(c.code(1))) {
    c.pos++;
    return { handle: "", suffix: "!" };
  }
  let ahead = 1;
  while (c.code(ahead) !== SPACE && !isBreakOrEnd(c.code(ahead)) && c.code(ahead) !== 0x21) ahead++;
  let handle = "!";
  if (c.code(ahead) === 0x21) handle = scanTagHandle(c, false);
  else c.pos++;
  return { handle, suffix: needUri(c, start, scanTagUri(c, false)) };
}

/** `!`, `!!` or `!name!`. libyaml takes `!name` too and sorts it out afterwards. */
function scanTagHandle(c: Cursor, directive: boolean): string {
  const start = c.pos;
  if (c.code() !== 0x21) c.fail("A tag handle begins with '!'.");
  c.pos++;
  if (c.pure && c.code() === SPACE) return "!";
  while (isNameChar(c.code())) c.pos++;
  if (c.code() === 0x21) c.pos++;
  else if (c.pure || (directive && c.pos > start + 1)) c.fail("A tag handle ends with '!'.", start, c.pos + 1);
  return c.text.slice(start, c.pos);
}

const URI = new Set("-;/?:@&=+$_.!~*'()");

function scanTagUri(c: Cursor, whole: boolean): string {
  let value = "";
  for (;;) {
    const code = c.code();
    const letter = String.fromCharCode(code);
    if (letter === "%") value += scanUriEscapes(c);
    else if (isNameChar(code) || URI.has(letter) || (",[]".includes(letter) && (whole || !c.modern))) {
      value += letter;
      c.pos++;
    } else if (letter === "#" && c.version.isAfter11()) {
      value += letter;
      c.pos++;
    } else {
      // Asking for the version is what makes the pure parser choose its rules.
      if (c.pure) c.version.isAfter11();
      return value;
    }
  }
}

function scanUriEscapes(c: Cursor): string {
  const start = c.pos;
  while (c.code() === 0x25) {
    if (!/^%[0-9A-Fa-f]{2}$/.test(c.text.slice(c.pos, c.pos + 3)))
      c.fail("A % in a tag needs two hexadecimal digits behind it.", c.pos, c.pos + 1);
    c.pos += 3;
  }
  try {
    return decodeURIComponent(c.text.slice(start, c.pos));
  } catch (error) {
    if (!(error instanceof URIError)) throw error;
    return c.fail("The % escapes in this tag are not UTF-8.", start, c.pos);
  }
}
