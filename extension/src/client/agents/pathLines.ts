/** Characters (code points) that fit into a line of the chat at its usual width. */
const LINE_CHARS = 30;

/** A path in lines that are short enough for a narrow view, broken after separators where they can be. Together they are the path. */
export function linesOf(path: string): readonly string[] {
  const pieces = (path.match(/[^/\\]*[/\\]|[^/\\]+/g) ?? []).flatMap(cut);
  const lines: string[] = [];
  for (const piece of pieces) {
    const last = lines.at(-1);
    if (last !== undefined && [...last, ...piece].length <= LINE_CHARS) lines[lines.length - 1] = last + piece;
    else lines.push(piece);
  }
  return lines;
}

function cut(piece: string): readonly string[] {
  const characters = [...piece];
  const count = Math.ceil(characters.length / LINE_CHARS);
  return Array.from({ length: count }, (_, n) => characters.slice(n * LINE_CHARS, (n + 1) * LINE_CHARS).join(""));
}
