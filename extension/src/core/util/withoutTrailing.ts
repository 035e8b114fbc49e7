/** A text without the characters of a set at its end. A walk, because an expression anchored at the end is quadratic on long runs. */
export function withoutTrailing(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}
