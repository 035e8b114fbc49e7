import { grouped } from "../../util/numbers";
import type { Column, ReportTable } from "./tables";

/** A table; cells are Markdown already. Empty for no rows. */
export function markdownTable(columns: readonly Column[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return "";
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |\n`;
  const rule = columns.map(({ right }) => (right === true ? "---:" : "---"));
  return line(columns.map(({ title }) => title)) + line(rule) + rows.map(line).join("");
}

/** A table of a report whose names are Markdown already, and how many rows were left out. */
export function markdownOf({ columns, rows, more }: ReportTable): string {
  return `${markdownTable(columns, rows)}${more > 0 ? `\n… and ${grouped(more)} more; the JSON lists all.\n` : ""}`;
}
