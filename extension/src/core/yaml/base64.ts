/** `base64.decodebytes` of CPython 3.11: characters outside the alphabet are skipped, the padding must be right. */

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** Undefined where Python raises binascii.Error. */
export function decodeBase64(text: string): Uint8Array | undefined {
  const out: number[] = [];
  let position = 0;
  let left = 0;
  let pads = 0;
  for (const letter of text) {
    if (letter === "=") {
      if (position >= 2 && position + ++pads >= 4) return Uint8Array.from(out);
      continue;
    }
    const value = ALPHABET.indexOf(letter);
    if (value < 0) continue;
    pads = 0;
    if (position === 0) left = value;
    else if (position === 1) {
      out.push((left << 2) | (value >> 4));
      left = value & 0xf;
    } else if (position === 2) {
      out.push((left << 4) | (value >> 2));
      left = value & 3;
    } else out.push((left << 6) | value);
    position = (position + 1) % 4;
  }
  return position === 0 ? Uint8Array.from(out) : undefined;
}
