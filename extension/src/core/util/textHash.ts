/** 64 bits of a text, as two numbers in a text: with its length enough to tell millions of texts apart. No defence against forged ones. */
export function textHash(text: string): string {
  let low = 0x811c9dc5;
  let high = 0x2f0b4a87;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    low = Math.imul(low ^ unit, 0x01000193);
    high = Math.imul(high ^ unit, 0x5bd1e995) ^ (high >>> 13);
  }
  return `${low >>> 0} ${high >>> 0}`;
}
