export interface MarkdownColumn {
  readonly title: string;
  /** Right-aligned: numbers. */
  readonly right?: boolean;
}

/** A table; cells are Markdown already. Empty for no rows. */
export function markdownTable(columns: readonly MarkdownColumn[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return "";
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |\n`;
  const rule = columns.map(({ right }) => (right === true ? "---:" : "---"));
  return line(columns.map(({ title }) => title)) + line(rule) + rows.map(line).join("");
}
