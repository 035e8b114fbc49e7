/** Units that are made into a text at once; engines bound the arguments of a call. */
const STEP = 4096;

/** A text that is kept with one byte per UTF-16 unit, in the half-open range of bytes. */
export function latinText(bytes: Uint8Array, from: number, to: number): string {
  // A list of numbers is what it takes, of whatever kind.
  const make = (part: Uint8Array) => String.fromCharCode.apply(null, part as unknown as number[]);
  if (to - from <= STEP) return make(bytes.subarray(from, to));
  let text = "";
  for (let at = from; at < to; at += STEP) text += make(bytes.subarray(at, Math.min(to, at + STEP)));
  return text;
}

/** A text that is kept with two bytes per UTF-16 unit, the lower one first. */
export function wideText(bytes: Uint8Array, from: number, to: number): string {
  const units: number[] = [];
  let text = "";
  for (let at = from; at < to; at += 2) {
    units.push((bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8));
    if (units.length < STEP) continue;
    text += String.fromCharCode(...units);
    units.length = 0;
  }
  return text + String.fromCharCode(...units);
}
