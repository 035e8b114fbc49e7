import type { ReportTable } from "../core/compaction/report/tables";
import type { Severity } from "../core/model/problem";
import type { Column } from "../core/util/markdown";
import { grouped } from "../core/util/numbers";

export type { Column } from "../core/util/markdown";
export { counted, grouped, shortNumber } from "../core/util/numbers";
export { plain } from "../core/util/plain";

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

/** A table of a report whose names are `plain` already, and how many rows were left out. */
export function tableText({ columns, rows, more }: ReportTable): string {
  return table(columns, rows) + (more > 0 ? `… and ${grouped(more)} more; --json lists all\n` : "");
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
