import type { Severity } from "../core/model/problem";

const NAMED: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/**
 * Makes text from files fit for a terminal line: control characters (C0, DEL, C1), bidirectional overrides, zero-width and
 * line-separator characters and lone surrogates become visible escapes, so that nothing in a transcript can move the cursor,
 * recolour the screen or reorder what is read.
 */
export function plain(text: string): string {
  return text.replace(
    /[\u0000-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g,
    (character) => NAMED[character] ?? `\\u{${character.charCodeAt(0).toString(16)}}`,
  );
}

/** `41203` → `41,203`. The command line always groups by commas, whatever the locale. */
export function grouped(value: number | bigint): string {
  return String(value).replace(/\B(?=(\d{3})+(?!\d))/g, ",");
}

/** `10,300` → `10.3k`, `15,000,000` → `15.0M`; small numbers stay exact. */
export function shortTokens(tokens: number): string {
  if (tokens < 1_000) return String(tokens);
  const [unit, letter] = tokens < 1_000_000 ? [1_000, "k"] : [1_000_000, "M"];
  return `${grouped(Math.floor(tokens / unit))}.${Math.floor((tokens % unit) / (unit / 10))}${letter}`;
}

/** `1 result`, `2 results`, `1,024 results`. */
export function counted(value: number, one: string, many = `${one}s`): string {
  return `${grouped(value)} ${value === 1 ? one : many}`;
}

/** Cells a text takes on a terminal: East Asian wide characters and emoji count 2, combining marks 0. An estimate good enough to align. */
export function width(text: string): number {
  let cells = 0;
  for (const character of text) {
    if (/\p{Mn}|\p{Me}|\u200d|\ufe0f/u.test(character)) continue;
    cells +=
      /\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|[\u{20000}-\u{3fffd}]/u.test(
        character,
      )
        ? 2
        : 1;
  }
  return cells;
}

/** Shortens in the middle to `limit` characters, so that both ends of a path stay readable. */
export function middle(text: string, limit: number): string {
  const characters = [...text];
  if (characters.length <= limit) return text;
  const front = Math.floor((limit - 1) / 2);
  return `${characters.slice(0, front).join("")}…${characters.slice(characters.length - (limit - 1 - front)).join("")}`;
}

export interface Column {
  readonly title: string;
  /** Right-aligned: numbers. */
  readonly right?: boolean;
}

/** Aligned table with a heading, two spaces between columns, nothing behind the last one. Cells must already be `plain`. */
export function table(columns: readonly Column[], rows: readonly (readonly string[])[]): string {
  const widths = columns.map((column, index) =>
    rows.reduce((most, row) => Math.max(most, width(row[index] ?? "")), width(column.title)),
  );
  const line = (cells: readonly string[]): string =>
    columns
      .map((column, index) => {
        const cell = cells[index] ?? "";
        const gap = " ".repeat(Math.max(0, (widths[index] ?? 0) - width(cell)));
        return column.right === true ? gap + cell : cell + gap;
      })
      .join("  ")
      .trimEnd();
  return [columns.map((column) => column.title), ...rows].map((row) => `${line(row)}\n`).join("");
}

const COLOURS: Readonly<Record<Severity | "dim" | "bold", string>> = {
  error: "31",
  warning: "33",
  info: "36",
  hint: "2",
  dim: "2",
  bold: "1",
};

/** Colours our own words; `on` is false off a terminal. */
export function paint(text: string, style: Severity | "dim" | "bold", on: boolean): string {
  return on ? `\u001b[${COLOURS[style]}m${text}\u001b[0m` : text;
}
