/** Reads bits from the beginning on, lowest bit of each byte first. Behind the end `bad` is set and zeros come. */
export class ForwardBits {
  bad = false;
  private bit = 0;

  constructor(
    private readonly bytes: Uint8Array,
    private readonly from: number,
    private readonly to: number,
  ) {}

  /** At most 16 bits. */
  read(count: number): number {
    const at = this.from + (this.bit >> 3);
    this.bit += count;
    if (this.from + ((this.bit + 7) >> 3) > this.to) this.bad = true;
    const { bytes } = this;
    const word = (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8) | ((bytes[at + 2] ?? 0) << 16);
    return (word >> ((this.bit - count) & 7)) & ((1 << count) - 1);
  }

  back(count: number): void {
    this.bit -= count;
  }

  /** Offset of the first byte of which nothing was read. */
  get next(): number {
    return this.from + ((this.bit + 7) >> 3);
  }
}

/** Reads bits from the end on, as Zstandard's entropy streams are read. The highest bit that is set marks the end. */
export class BackwardBits {
  /** Bits that are left; negative when more were read than there were. */
  left: number;

  constructor(
    private readonly bytes: Uint8Array,
    private readonly from: number,
    to: number,
  ) {
    const last = to > from ? (bytes[to - 1] ?? 0) : 0;
    // Without a mark there is no stream; then nothing can be read from it.
    this.left = last === 0 ? -1 : (to - from) * 8 - (Math.clz32(last) - 24) - 1;
  }

  /** The next bits without taking them, at most 24; zeros stand in for those that are missing. */
  peek(count: number): number {
    const begin = this.left - count;
    if (begin < 0) return this.left <= 0 ? 0 : (this.word(0) & ((1 << this.left) - 1)) << -begin;
    return (this.word(begin) >>> (begin & 7)) & ((1 << count) - 1);
  }

  /** At most 32 bits. */
  read(count: number): number {
    if (count > 16) {
      const high = this.read(count - 16);
      return high * 65_536 + this.read(16);
    }
    const value = this.peek(count);
    this.left -= count;
    return value;
  }

  private word(bit: number): number {
    const { bytes } = this;
    const at = this.from + (bit >> 3);
    return (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8) | ((bytes[at + 2] ?? 0) << 16) | ((bytes[at + 3] ?? 0) << 24);
  }
}
