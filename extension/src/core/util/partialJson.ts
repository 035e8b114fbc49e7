import { withoutTrailing } from "./withoutTrailing";

/**
 * The part of a cut-off JSON value that is there: members and elements up to the cut, a text that was cut kept as far as it goes.
 * Undefined when nothing of a value is there or the text is no JSON. Throws nothing.
 */
export function parsePartialJson(text: string): unknown {
  return parseJson(text) ?? parseJson(closed(text));
}

/** The value of a JSON text; undefined when it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

const QUOTE = 34;
const COMMA = 44;
const COLON = 58;
const OPEN_LIST = 91;
const BACKSLASH = 92;
const CLOSE_LIST = 93;
const OPEN_OBJECT = 123;
const CLOSE_OBJECT = 125;

/** Closes what is open at the cut, after leaving out what is not whole there. */
function closed(text: string): string {
  /** Closers of what is open, the innermost last. */
  const open: string[] = [];
  let end = 0;
  /** How many of them were open at `end`. */
  let kept = 0;
  /** A key stands next, not a value. */
  let isKeyNext = false;
  const keep = (at: number): void => {
    end = at;
    kept = open.length;
  };
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case QUOTE: {
        const close = endOfString(text, at);
        if (close !== undefined) {
          at = close;
          if (!isKeyNext) keep(close + 1);
          break;
        }
        return isKeyNext
          ? text.slice(0, end) + closers(open, kept)
          : `${withoutTornEscape(text)}"${closers(open, open.length)}`;
      }
      case OPEN_OBJECT:
        open.push("}");
        isKeyNext = true;
        keep(at + 1);
        break;
      case OPEN_LIST:
        open.push("]");
        isKeyNext = false;
        keep(at + 1);
        break;
      case CLOSE_OBJECT:
      case CLOSE_LIST:
        open.pop();
        isKeyNext = false;
        keep(at + 1);
        break;
      case COMMA:
        isKeyNext = open.at(-1) === "}";
        keep(at);
        break;
      case COLON:
        isKeyNext = false;
        break;
    }
  }
  return text.slice(0, end) + closers(open, kept);
}

/** Of the outermost so many, the innermost first. What opens or closes is kept at once, so that they are still the same. */
function closers(open: readonly string[], count: number): string {
  return open.slice(0, count).reverse().join("");
}

/** Place of the closing quote of the string that opens at `at`; undefined when it is cut off. */
function endOfString(text: string, at: number): number | undefined {
  for (let close = text.indexOf('"', at + 1); close >= 0; close = text.indexOf('"', close + 1)) {
    let slashes = 0;
    while (text.charCodeAt(close - 1 - slashes) === BACKSLASH) slashes++;
    if (slashes % 2 === 0) return close;
  }
  return undefined;
}

function withoutTornEscape(text: string): string {
  const torn = /\\(?:u[0-9a-fA-F]{0,3})?$/.exec(text);
  if (torn === null) return text;
  // An even number of backslashes before it is escaped backslashes, and the last one belongs to them.
  const before = torn.index - withoutTrailing(text.slice(0, torn.index), "\\").length;
  return before % 2 === 0 ? text.slice(0, torn.index) : text;
}
