import { plain } from "../../util/plain";

/** Text from files as it can stand anywhere in Markdown, also in a table: nothing in it is markup, and it is one line. */
export function markdownText(text: string): string {
  return plain(text)
    .replace(/[\\`*_{}[\]<>|~&$]/g, "\\$&")
    .replace(/^(\s*)([-+#=])/, "$1\\$2")
    .replace(/^(\s*\d+)([.)])/, "$1\\$2");
}

/** Text in a code span. */
export function markdownCode(text: string): string {
  const shown = plain(text).replace(/\|/g, "¦");
  const longest = Math.max(0, ...[...shown.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  const gap = shown.startsWith("`") || shown.endsWith("`") || shown.trim() === "" ? " " : "";
  return `${fence}${gap}${shown}${gap}${fence}`;
}

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
