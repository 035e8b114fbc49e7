/** Character classes of YAML 1.1 on UTF-16 code units. Code 0 is the end: real NULs are refused before scanning. */

export const TAB = 0x09;
const LF = 0x0a;
const CR = 0x0d;
export const SPACE = 0x20;
export const BOM = 0xfeff;

/** Line ends of YAML 1.1: LF, CR, NEL, LS, PS. */
export function isBreak(code: number): boolean {
  return code === LF || code === CR || code === 0x85 || code === 0x2028 || code === 0x2029;
}

export function isBlank(code: number): boolean {
  return code === SPACE || code === TAB;
}

/** Space, tab, line end or end of text. */
export function isSpaceOrEnd(code: number): boolean {
  return (
    code === SPACE ||
    code === LF ||
    code === TAB ||
    code === CR ||
    code === 0 ||
    code === 0x85 ||
    code === 0x2028 ||
    code === 0x2029
  );
}

export function isBreakOrEnd(code: number): boolean {
  return code === 0 || isBreak(code);
}

export function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

/** Characters of libyaml's names: ASCII letters, digits, `-` and `_`. */
export function isNameChar(code: number): boolean {
  return (
    (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a) || isDigit(code) || code === 0x2d || code === 0x5f
  );
}

/** `,` `[` `]` `{` `}`. */
export function isFlowIndicator(code: number): boolean {
  return code === 0x2c || code === 0x5b || code === 0x5d || code === 0x7b || code === 0x7d;
}

/** Length of the line end at `pos` in UTF-16 units (2 for CR LF). The caller has checked that there is one. */
export function breakLength(text: string, pos: number): number {
  return text.charCodeAt(pos) === CR && text.charCodeAt(pos + 1) === LF ? 2 : 1;
}

/** What a line end counts as inside a scalar: LS and PS stay, all others become LF. */
export function breakValue(code: number): string {
  if (code === 0x2028) return "\u2028";
  if (code === 0x2029) return "\u2029";
  return "\n";
}

const UNPRINTABLE =
  /[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\ud800-\udfff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;

/** UTF-16 offset of the first character that no loader lets into a file, or -1. */
export function findUnprintable(text: string): number {
  const match = UNPRINTABLE.exec(text);
  return match === null ? -1 : match.index;
}
