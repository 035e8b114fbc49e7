/**
 * The part of a Markdown text that explains a problem code: the section whose heading names it, else the table row or list item
 * that begins with it (under its table's head), else everything.
 */
export function problemSection(markdown: string, code: string): string {
  const lines = markdown.split(/\r?\n/);
  return headed(lines, code) ?? tabled(lines, code) ?? markdown;
}

function headed(lines: readonly string[], code: string): string | undefined {
  const at = lines.findIndex((line) => levelOf(line) > 0 && names(line, code));
  if (at < 0) return undefined;
  const level = levelOf(lines[at] ?? "");
  const after = lines.findIndex((line, index) => index > at && levelOf(line) > 0 && levelOf(line) <= level);
  return lines
    .slice(at, after < 0 ? undefined : after)
    .join("\n")
    .trimEnd();
}

function tabled(lines: readonly string[], code: string): string | undefined {
  const at = lines.findIndex((line) => /^\s*(?:\||[-*] )/.test(line) && names(line.split("|")[1] ?? line, code));
  const line = lines[at];
  if (line === undefined) return undefined;
  const title = `# ${code}\n\n`;
  if (!line.trimStart().startsWith("|")) return `${title}${line}`;
  let first = at;
  while ((lines[first - 1] ?? "").trimStart().startsWith("|")) first--;
  return `${title}${[...lines.slice(first, Math.min(first + 2, at)), line].join("\n")}`;
}

/** 1 to 6 for a heading, 0 for any other line. */
function levelOf(line: string): number {
  return /^(#{1,6})\s/.exec(line)?.[1]?.length ?? 0;
}

/** Codes are kebab-case, so a code may be the beginning of another one. */
function names(text: string, code: string): boolean {
  const at = text.indexOf(code);
  return at >= 0 && !/[\w-]/.test(text[at - 1] ?? " ") && !/[\w-]/.test(text[at + code.length] ?? " ");
}
