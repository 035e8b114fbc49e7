/**
 * White space that Python skips at either end of a number. `str.strip()` would also take U+001C–U+001F, which `int()` refuses in a
 * text of ASCII (recorded in the oracle of the normaliser).
 */
const IS_SPACE = /[\t-\r\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/;

/** The text without that white space. A walk, because an expression anchored at the end is quadratic on long runs of white space. */
export function pyStrip(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && IS_SPACE.test(text.charAt(start))) start++;
  while (end > start && IS_SPACE.test(text.charAt(end - 1))) end--;
  return text.slice(start, end);
}
