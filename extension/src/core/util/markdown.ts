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
  let longest = 0;
  for (const [run] of shown.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  const fence = "`".repeat(longest + 1);
  const gap = shown.startsWith("`") || shown.endsWith("`") || shown.trim() === "" ? " " : "";
  return `${fence}${gap}${shown}${gap}${fence}`;
}
