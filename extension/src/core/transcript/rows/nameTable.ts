const FIRST_SLOTS = 1024;
const MULTIPLIER = 0x9e3779b1;

/** Hash of a part of a text; the skimmer's hash of the same ASCII name is the same. */
export function hashOf(text: string, from = 0, length = text.length): number {
  let hash = length;
  const end = from + length;
  for (let at = from; at < end; at += 4) {
    let word = text.charCodeAt(at);
    if (at + 1 < end) word |= text.charCodeAt(at + 1) << 8;
    if (at + 2 < end) word |= text.charCodeAt(at + 2) << 16;
    if (at + 3 < end) word |= text.charCodeAt(at + 3) << 24;
    hash = Math.imul(hash ^ word, MULTIPLIER);
    hash ^= hash >>> 15;
  }
  return hash;
}

/** Numbers names in the order in which they come. Asked with a part of a text and its hash, it makes no string for it. */
export class NameTable {
  /** Slots of two words: hash, and number + 1; 0: free. */
  private slots = new Int32Array(FIRST_SLOTS * 2);
  private readonly names: string[] = [];

  /** The number of a name, or -1. */
  find(text: string, from: number, length: number, hash: number): number {
    const { slots, names } = this;
    const mask = slots.length - 2;
    for (let at = (hash << 1) & mask; ; at = (at + 2) & mask) {
      const number = (slots[at + 1] ?? 0) - 1;
      if (number < 0) return -1;
      if (slots[at] !== hash) continue;
      const name = names[number];
      if (name !== undefined && name.length === length && text.startsWith(name, from)) return number;
    }
  }

  /** Adds a name that is not there; its number. */
  add(name: string, hash: number): number {
    const number = this.names.push(name) - 1;
    if (number * 4 > this.slots.length) this.grow();
    put(this.slots, hash, number + 1);
    return number;
  }

  private grow(): void {
    const old = this.slots;
    this.slots = new Int32Array(old.length * 4);
    for (let at = 0; at < old.length; at += 2) {
      const number = old[at + 1] ?? 0;
      if (number > 0) put(this.slots, old[at] ?? 0, number);
    }
  }
}

function put(slots: Int32Array, hash: number, number: number): void {
  const mask = slots.length - 2;
  let at = (hash << 1) & mask;
  while (slots[at + 1] !== 0) at = (at + 2) & mask;
  slots[at] = hash;
  slots[at + 1] = number;
}
