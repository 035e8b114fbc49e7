import type { ToolResult } from "../../model/transcript";
import { textHash } from "../../util/textHash";
import { HANDLE_LIMITS } from "./handle";

/** Longer keys are kept as their length and two hashes, 32 bits each. UTF-16 units. */
const KEY_UNITS = 2_000;

/** Calls of the same tool with the same arguments in the same thread, of tools that left a handle. */
export class Repeats {
  private readonly rows = new Map<string, ToolResult[]>();
  private readonly keys = new Map<number, string>();
  private readonly sorted = new Set<string>();

  /** @param leaves the result is a handle: from here on its call is looked for */
  add(result: ToolResult, canonical: string, leaves: boolean): void {
    const key = keyOf(result, canonical);
    if (leaves) this.keys.set(result.index, key);
    const known = this.rows.get(key);
    if (known !== undefined) known.push(result);
    else if (leaves) this.rows.set(key, [result]);
  }

  /** Later ones; calls of the same request ran before anybody saw the preview. */
  of(result: ToolResult): { readonly rows: readonly number[]; readonly count: number } {
    const all = this.inOrder(this.keys.get(result.index) ?? "");
    let from = all.indexOf(result);
    if (from < 0) return { rows: [], count: 0 };
    from++;
    while (from < all.length && result.call !== undefined && all[from]?.call === result.call) from++;
    return {
      rows: all.slice(from, from + HANDLE_LIMITS.listed).map(({ index }) => index),
      count: all.length - from,
    };
  }

  /** By their requests: a call without a result may be told at the end of its session. */
  private inOrder(key: string): readonly ToolResult[] {
    const all = this.rows.get(key) ?? [];
    if (this.sorted.has(key)) return all;
    this.sorted.add(key);
    if (all.every(({ call }) => call !== undefined)) all.sort((a, b) => (a.call ?? 0) - (b.call ?? 0));
    return all;
  }
}

function keyOf({ threadId, tool }: ToolResult, canonical: string): string {
  const args = canonical.length <= KEY_UNITS ? canonical : `${canonical.length} ${textHash(canonical)}`;
  return JSON.stringify([threadId, tool ?? null, canonical.length > KEY_UNITS, args]);
}
