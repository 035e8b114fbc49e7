import { plain } from "./plain";

/**
 * Text from files as it can stand anywhere in Markdown, also in a table: nothing in it is markup, no address in it becomes a link by
 * itself, and it is one line.
 */
export function markdownText(text: string): string {
  return plain(text)
    .replace(/[\\`*_{}[\]<>|~&$:@!]/g, "\\$&")
    .replace(/(www)\./gi, "$1\\.")
    .replace(/^(\s*)([-+#=])/, "$1\\$2")
    .replace(/^(\s*\d+)([.)])/, "$1\\$2");
}

/** Text in a code span. */
export function markdownCode(text: string): string {
  const shown = plain(text).replace(/\|/g, "¦");
  const fence = codeFence(shown);
  const gap = shown.startsWith("`") || shown.endsWith("`") || shown.trim() === "" ? " " : "";
  return `${fence}${gap}${shown}${gap}${fence}`;
}

/** The backticks around a code span with a text in it: more than stand in it in a row. */
export function codeFence(text: string): string {
  let longest = 0;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  return "`".repeat(longest + 1);
}

/** A column of a table. */
export interface Column {
  readonly title: string;
  /** Right-aligned: numbers. */
  readonly right?: boolean;
}

/** A table; cells are Markdown already. Empty for no rows. */
export function markdownTable(columns: readonly Column[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return "";
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |\n`;
  const rule = columns.map(({ right }) => (right === true ? "---:" : "---"));
  return line(columns.map(({ title }) => title)) + line(rule) + rows.map(line).join("");
}
