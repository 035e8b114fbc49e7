/** Entries read from one file; a home's `.env` has dozens. */
const MAX_ENTRIES = 10_000;
const LINE = /^[ \t]*(?:export[ \t]+)?([^\s=#'"]+)[ \t]*=[ \t]*/;
const ESCAPES: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", f: "\f", b: "\b", v: "\v", a: "\x07" };

/**
 * Variables of a `.env` file, as python-dotenv reads it: `export` in front, quotes with escapes and line breaks inside, comments
 * behind white space, the last of equal names wins. Lines that hold no assignment are skipped. `${NAME}` in double quotes or without
 * quotes is replaced by an earlier entry.
 */
export function parseDotenv(source: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const text = source.replace(/^\uFEFF/, "").replaceAll(/\r\n?/g, "\n");
  for (let at = 0, entries = 0; at < text.length && entries < MAX_ENTRIES; ) {
    const lineEnd = endOfLine(text, at);
    const match = LINE.exec(text.slice(at, lineEnd));
    const name = match?.[1];
    if (match === null || name === undefined) {
      at = lineEnd + 1;
      continue;
    }
    const value = readValue(text, at + match[0].length, lineEnd);
    found.set(name, value.literal ? value.text : interpolate(value.text, found));
    entries += 1;
    at = endOfLine(text, value.end) + 1;
  }
  return found;
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf("\n", from);
  return end < 0 ? text.length : end;
}

interface Value {
  readonly text: string;
  readonly end: number;
  /** Single quotes: nothing is replaced. */
  readonly literal: boolean;
}

function readValue(text: string, start: number, lineEnd: number): Value {
  const quote = text.charAt(start);
  const close = quote === "'" || quote === '"' ? closingQuote(text, start + 1, quote) : undefined;
  if (close === undefined) {
    const plain = text
      .slice(start, lineEnd)
      .replace(/(?:^|[ \t])#.*$/s, "")
      .trim();
    return { text: plain, end: lineEnd, literal: false };
  }
  const inner = text.slice(start + 1, close);
  return quote === "'"
    ? { text: inner.replaceAll(/\\([\\'])/g, "$1"), end: close, literal: true }
    : {
        text: inner.replaceAll(/\\([\\'"abfnrtv])/g, (_, one: string) => ESCAPES[one] ?? one),
        end: close,
        literal: false,
      };
}

function closingQuote(text: string, from: number, quote: string): number | undefined {
  for (let at = from; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (char === "\\") at += 1;
    else if (char === quote) return at;
  }
  return undefined;
}

function interpolate(text: string, known: ReadonlyMap<string, string>): string {
  return text.replaceAll(/\$\{([A-Za-z_]\w*)\}/g, (written, name: string) => known.get(name) ?? written);
}
