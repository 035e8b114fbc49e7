import { markdownTable } from "../../util/markdown";
import { grouped } from "../../util/numbers";
import type { ReportTable } from "./tables";

/** A table of a report whose names are Markdown already, and how many rows were left out. */
export function markdownOf({ columns, rows, more }: ReportTable): string {
  return `${markdownTable(columns, rows)}${more > 0 ? `\n… and ${grouped(more)} more; the JSON lists all.\n` : ""}`;
}
