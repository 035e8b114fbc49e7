import type { StageInput } from "./stage";

/** Results in a thread's requests, in the order in which they came, and which of them are still there. */
export class ResultOrder {
  /** Items, in order of arrival; those that left keep their place until `tidy`. */
  readonly items: number[] = [];
  private readonly alive: Uint8Array;
  /** Results in the request. */
  count = 0;

  constructor(private readonly input: StageInput) {
    this.alive = new Uint8Array(input.thread.items.count);
  }

  /** True when the item is a tool result. */
  arrive(item: number): boolean {
    if ((this.input.thread.items.result[item] ?? -1) < 0) return false;
    this.items.push(item);
    this.alive[item] = 1;
    this.count++;
    return true;
  }

  leave(item: number): void {
    if (this.alive[item] !== 1) return;
    this.alive[item] = 0;
    this.count--;
  }

  isAlive(item: number): boolean {
    return this.alive[item] === 1;
  }

  /** More results have left than are there. */
  get isSparse(): boolean {
    return this.items.length > 2 * this.count + 32;
  }

  /** Drops those that left; gives back where each of some positions has gone. */
  tidy(positions: readonly number[]): readonly number[] {
    const moved = positions.map(() => 0);
    let kept = 0;
    for (const [at, item] of this.items.entries()) {
      if (!this.isAlive(item)) continue;
      this.items[kept++] = item;
      for (const [index, position] of positions.entries()) if (at < position) moved[index] = kept;
    }
    this.items.length = kept;
    return moved;
  }

  /** Position in `items` before which all but the newest `keep` results lie. Steps over those that left at the end. */
  beforeNewest(keep: number): number {
    if (this.count <= keep) return 0;
    if (this.count === this.items.length) return this.count - keep;
    let at = this.items.length;
    for (let left = keep; left > 0 && at > 0; ) {
      at--;
      if (this.isAlive(this.items[at] ?? -1)) left--;
    }
    return at;
  }
}

/** Messages in a thread's requests, in order. */
export class MessageOrder {
  private readonly positions: number[] = [];
  private readonly parts: Int32Array;
  /** Messages in the request. */
  count = 0;

  constructor(private readonly input: StageInput) {
    this.parts = new Int32Array(this.size());
  }

  private size(): number {
    const { items } = this.input.thread;
    return items.count === 0 ? 0 : (items.message[items.count - 1] ?? 0) + 1;
  }

  arrive(item: number): void {
    const message = this.input.thread.items.message[item] ?? 0;
    if (this.positions.at(-1) !== message) this.positions.push(message);
    if (this.parts[message] === 0) this.count++;
    this.parts[message] = (this.parts[message] ?? 0) + 1;
  }

  leave(item: number): void {
    const message = this.input.thread.items.message[item] ?? 0;
    this.parts[message] = (this.parts[message] ?? 0) - 1;
    if (this.parts[message] === 0) this.count--;
  }

  /** True while the item's message is in the request. */
  holds(item: number): boolean {
    return (this.parts[this.input.thread.items.message[item] ?? 0] ?? 0) > 0;
  }

  /** Message at which the newest `keep` messages begin; those before it have a smaller position. */
  tailStart(keep: number): number {
    if (keep > 0 && this.count <= keep) return this.positions[0] ?? this.size();
    const allThere = this.count === this.positions.length;
    let at = allThere ? Math.max(0, this.positions.length - keep) : this.positions.length;
    for (let left = allThere ? 0 : keep; left > 0 && at > 0; ) {
      at--;
      if ((this.parts[this.positions[at] ?? 0] ?? 0) > 0) left--;
    }
    return at >= this.positions.length ? this.size() : (this.positions[at] ?? 0);
  }
}
