import { clip } from "../core/config/messages";

/** Inline code that survives any content: the fence is longer than every run of backticks inside. */
export function inlineCode(text: string, max?: number): string {
  const inner = clip(text, max).replaceAll("|", "¦");
  const longest = Math.max(0, ...[...inner.matchAll(/`+/g)].map((run) => run[0].length));
  const fence = "`".repeat(longest + 1);
  const pad = inner === "" || inner.startsWith("`") || inner.endsWith("`") ? " " : "";
  return `${fence}${pad}${inner}${pad}${fence}`;
}
