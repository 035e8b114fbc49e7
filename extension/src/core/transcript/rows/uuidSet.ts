const FIRST_SLOTS = 4096;
/** Ids of one block of the list. */
const BLOCK_IDS = 4096;
const WORDS = 4;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** What a reader asks of a set of record ids. */
export type RecordIds = Pick<UuidSet, "size" | "add" | "addWords" | "numberOf" | "numberOfWords">;

/** A set of record ids. Those that are UUIDs in lower case take some 30 bytes each. */
export class UuidSet {
  /** Number of the id in `blocks`, from 1 on; 0: free. Small, so that looking up ids that are new stays in the cache. */
  private slots = new Int32Array(FIRST_SLOTS);
  private readonly blocks: Int32Array[] = [];
  private used = 0;
  /** Other ids, each with its number. */
  private readonly texts = new Map<string, number>();

  /** Ids that are in it. */
  get size(): number {
    return this.used + this.texts.size;
  }

  /** False when it was there already. */
  add(id: string): boolean {
    const words = wordsOf(id);
    if (words !== undefined) return this.addWords(...words);
    if (this.texts.has(id)) return false;
    this.texts.set(id, this.size + 1);
    return true;
  }

  /** Its 1-based number in the order they were added; undefined when it is not there, or when both kinds of ids are. */
  numberOf(id: string): number | undefined {
    const words = wordsOf(id);
    if (words === undefined) return this.used === 0 ? this.texts.get(id) : undefined;
    return this.numberOfWords(...words);
  }

  /** `numberOf` for a UUID's words. */
  numberOfWords(a: number, b: number, c: number, d: number): number | undefined {
    const found = this.texts.size === 0 ? this.slotOf(a, b, c, d) : -1;
    return found < 0 ? undefined : this.slots[found];
  }

  has(id: string): boolean {
    const words = wordsOf(id);
    return words === undefined ? this.texts.has(id) : this.hasWords(...words);
  }

  /** Like `add`, for the 16 bytes of a UUID as four little-endian words. */
  addWords(a: number, b: number, c: number, d: number): boolean {
    const slot = this.find(a, b, c, d);
    if (slot < 0) return false;
    const at = (this.used % BLOCK_IDS) * WORDS;
    if (at === 0) this.blocks.push(new Int32Array(BLOCK_IDS * WORDS));
    const block = this.blocks.at(-1) as Int32Array;
    block[at] = a;
    block[at + 1] = b;
    block[at + 2] = c;
    block[at + 3] = d;
    this.slots[slot] = ++this.used;
    if (this.used * 2 > this.slots.length) this.grow();
    return true;
  }

  hasWords(a: number, b: number, c: number, d: number): boolean {
    return this.find(a, b, c, d) < 0;
  }

  /** The free slot where the words belong, or -1 when they are there. */
  private find(a: number, b: number, c: number, d: number): number {
    const { slots, blocks } = this;
    const mask = slots.length - 1;
    for (let slot = hash(a, b, c, d) & mask; ; slot = (slot + 1) & mask) {
      const number = (slots[slot] ?? 0) - 1;
      if (number < 0) return slot;
      const block = blocks[Math.trunc(number / BLOCK_IDS)] as Int32Array;
      const at = (number % BLOCK_IDS) * WORDS;
      if (block[at] === a && block[at + 1] === b && block[at + 2] === c && block[at + 3] === d) return -1;
    }
  }

  /** The slot that holds the words, or -1. */
  private slotOf(a: number, b: number, c: number, d: number): number {
    const { slots, blocks } = this;
    const mask = slots.length - 1;
    for (let slot = hash(a, b, c, d) & mask; ; slot = (slot + 1) & mask) {
      const number = (slots[slot] ?? 0) - 1;
      if (number < 0) return -1;
      const block = blocks[Math.trunc(number / BLOCK_IDS)] as Int32Array;
      const at = (number % BLOCK_IDS) * WORDS;
      if (block[at] === a && block[at + 1] === b && block[at + 2] === c && block[at + 3] === d) return slot;
    }
  }

  private grow(): void {
    const slots = new Int32Array(this.slots.length * 4);
    const mask = slots.length - 1;
    let number = 0;
    for (const block of this.blocks) {
      for (let at = 0; at < block.length && number < this.used; at += WORDS) {
        let slot = hash(block[at] ?? 0, block[at + 1] ?? 0, block[at + 2] ?? 0, block[at + 3] ?? 0) & mask;
        while (slots[slot] !== 0) slot = (slot + 1) & mask;
        slots[slot] = ++number;
      }
    }
    this.slots = slots;
  }
}

export type Words = readonly [number, number, number, number];

/** The 16 bytes as little-endian words, as they lie in memory; undefined for an id that is no UUID in lower case. */
export function wordsOf(id: string): Words | undefined {
  if (!UUID.test(id)) return undefined;
  const hex = id.replaceAll("-", "");
  const word = (at: number): number => {
    const big = Number.parseInt(hex.slice(at, at + 8), 16);
    return ((big & 0xff) << 24) | ((big & 0xff00) << 8) | ((big >>> 8) & 0xff00) | (big >>> 24);
  };
  return [word(0), word(8), word(16), word(24)];
}

/** The random bits of a UUID are all over it, but ids that count up differ in the last word only. */
function hash(a: number, b: number, c: number, d: number): number {
  const mixed = Math.imul(a ^ Math.imul(d, 0x85ebca6b), 0x9e3779b1) ^ Math.imul(b ^ c, 0xc2b2ae35);
  return mixed ^ (mixed >>> 15);
}
