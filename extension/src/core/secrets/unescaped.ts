import { lastNotAfter } from "../util/lastNotAfter";

/** A text with the escapes of JSON, JavaScript, Python or Markdown undone once. Offsets are UTF-16 units. */
export interface Unescaped {
  readonly text: string;
  /** Where the unit at that offset of `text` stood; of its end, the original's end. */
  at(offset: number): number;
}

const CONTROLS: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", b: "\b", f: "\f" };
/** Punctuation of ASCII stands for itself: quotes in JSON and code, and whatever Markdown escapes (CommonMark 0.31, section 2.4). */
const THEMSELVES = /[!-/:-@[-`{-~]/;

/** Undefined where there is nothing to undo. Unknown escapes stay as they are. */
export function unescaped(text: string): Unescaped | undefined {
  const parts: string[] = [];
  /** Per piece that stands as it stood: its offset in the result, and in the original. */
  const [offsets, places] = [[0], [0]];
  let [from, length] = [0, 0];
  for (let next = text.indexOf("\\"); next >= 0; ) {
    const found = escapeAt(text, next);
    if (found === undefined) {
      next = text.indexOf("\\", next + 1);
      continue;
    }
    parts.push(text.slice(from, next), found.means);
    length += next - from + 1;
    // The escape itself stands at `next`, one unit before what follows it.
    offsets.push(length - 1, length);
    from = next + found.units;
    places.push(next, from);
    next = text.indexOf("\\", from);
  }
  if (parts.length === 0) return undefined;
  parts.push(text.slice(from));
  const at = (offset: number): number => {
    const piece = lastNotAfter(offsets, offset);
    return (places[piece] ?? 0) + offset - (offsets[piece] ?? 0);
  };
  return { text: parts.join(""), at };
}

/** What an escape stands for, one UTF-16 unit, and how many it takes. */
function escapeAt(text: string, at: number): { readonly means: string; readonly units: number } | undefined {
  const sign = text[at + 1] ?? "";
  const control = CONTROLS[sign];
  if (control !== undefined) return { means: control, units: 2 };
  if (THEMSELVES.test(sign)) return { means: sign, units: 2 };
  const digits = sign === "u" ? text.slice(at + 2, at + 6) : "";
  return /^[0-9a-f]{4}$/i.test(digits)
    ? { means: String.fromCharCode(Number.parseInt(digits, 16)), units: 6 }
    : undefined;
}
