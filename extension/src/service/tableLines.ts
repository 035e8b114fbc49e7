import { inOneLine } from "../core/util/inOneLine";
import { markdownTable } from "../core/util/markdown";

/** The lines of a Markdown table; cells are Markdown. `numbers`: all columns but the first are right-aligned. */
export function tableLines(
  titles: readonly string[],
  rows: readonly (readonly string[])[],
  numbers = false,
): readonly string[] {
  const columns = titles.map((title, index) => ({ title: cell(title), right: numbers && index > 0 }));
  return markdownTable(
    columns,
    rows.map((row) => row.map(cell)),
  )
    .split("\n")
    .slice(0, -1);
}

/** A bar would end the cell, even in a code span. */
function cell(text: string): string {
  return inOneLine(text).replaceAll("\\|", "¦").replaceAll("|", "¦");
}
