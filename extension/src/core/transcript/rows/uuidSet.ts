const FIRST_SLOTS = 16_384;
const WORDS = 4;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** A set of record ids. Those that are UUIDs in lower case take 16 bytes each, however many there are. */
export class UuidSet {
  /** Slots of four words each; all zero: free. */
  private slots = new Int32Array(FIRST_SLOTS * WORDS);
  private used = 0;
  private hasZero = false;
  private readonly texts = new Set<string>();

  /** False when it was there already. */
  add(id: string): boolean {
    const words = wordsOf(id);
    if (words !== undefined) return this.addWords(...words);
    const before = this.texts.size;
    return this.texts.add(id).size > before;
  }

  has(id: string): boolean {
    const words = wordsOf(id);
    return words === undefined ? this.texts.has(id) : this.hasWords(...words);
  }

  /** Like `add`, for the 16 bytes of a UUID as four little-endian words. */
  addWords(a: number, b: number, c: number, d: number): boolean {
    if ((a | b | c | d) === 0) {
      const isNew = !this.hasZero;
      this.hasZero = true;
      return isNew;
    }
    const slot = this.find(a, b, c, d);
    if (slot < 0) return false;
    put(this.slots, slot, a, b, c, d);
    this.used++;
    if (this.used * 2 * WORDS > this.slots.length) this.grow();
    return true;
  }

  hasWords(a: number, b: number, c: number, d: number): boolean {
    return (a | b | c | d) === 0 ? this.hasZero : this.find(a, b, c, d) < 0;
  }

  /** The free slot where the words belong, or -1 when they are there. */
  private find(a: number, b: number, c: number, d: number): number {
    const { slots } = this;
    const mask = slots.length - WORDS;
    for (let at = (hash(a, b, c, d) * WORDS) & mask; ; at = (at + WORDS) & mask) {
      const first = slots[at];
      if (first === a && slots[at + 1] === b && slots[at + 2] === c && slots[at + 3] === d) return -1;
      if (first === 0 && slots[at + 1] === 0 && slots[at + 2] === 0 && slots[at + 3] === 0) return at;
    }
  }

  private grow(): void {
    const old = this.slots;
    this.slots = new Int32Array(old.length * 4);
    for (let at = 0; at < old.length; at += WORDS) {
      const [a = 0, b = 0, c = 0, d = 0] = [old[at], old[at + 1], old[at + 2], old[at + 3]];
      if ((a | b | c | d) !== 0) put(this.slots, this.find(a, b, c, d), a, b, c, d);
    }
  }
}

type Words = readonly [number, number, number, number];

/** The 16 bytes as little-endian words, as they lie in memory. */
function wordsOf(id: string): Words | undefined {
  if (!UUID.test(id)) return undefined;
  const hex = id.replaceAll("-", "");
  const word = (at: number): number => {
    const big = Number.parseInt(hex.slice(at, at + 8), 16);
    return ((big & 0xff) << 24) | ((big & 0xff00) << 8) | ((big >>> 8) & 0xff00) | (big >>> 24);
  };
  return [word(0), word(8), word(16), word(24)];
}

function put(slots: Int32Array, at: number, a: number, b: number, c: number, d: number): void {
  slots[at] = a;
  slots[at + 1] = b;
  slots[at + 2] = c;
  slots[at + 3] = d;
}

/** The random bits of a UUID are all over it, but ids that count up differ in the last word only. */
function hash(a: number, b: number, c: number, d: number): number {
  const mixed = Math.imul(a ^ Math.imul(d, 0x85ebca6b), 0x9e3779b1) ^ Math.imul(b ^ c, 0xc2b2ae35);
  return mixed ^ (mixed >>> 15);
}
