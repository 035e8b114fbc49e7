/** Sums over the beginning of a list whose values change: both take a logarithm of its length. */
export class Fenwick {
  private readonly tree: Float64Array;

  constructor(count: number) {
    this.tree = new Float64Array(count + 1);
  }

  add(index: number, amount: number): void {
    if (amount === 0) return;
    for (let i = index + 1; i < this.tree.length; i += i & -i) this.tree[i] = (this.tree[i] ?? 0) + amount;
  }

  /** Sum of the values before `end`. */
  sum(end: number): number {
    let total = 0;
    for (let i = Math.min(end, this.tree.length - 1); i > 0; i -= i & -i) total += this.tree[i] ?? 0;
    return total;
  }

  /** The largest number of values from the beginning whose sum is below `limit`. For values that are not negative. */
  countBelow(limit: number): number {
    let at = 0;
    let total = 0;
    for (let step = 2 ** Math.floor(Math.log2(this.tree.length)); step >= 1; step /= 2) {
      const next = at + step;
      if (next >= this.tree.length || total + (this.tree[next] ?? 0) >= limit) continue;
      at = next;
      total += this.tree[next] ?? 0;
    }
    return at;
  }
}
