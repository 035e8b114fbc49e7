/** The lines of a text behind one another, without empty ones and without white space at their ends. */
export function inOneLine(text: string): string {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .join(" ");
}
