import { STORE_LIMITS } from "../store/resultStore";
import { type Retained, Retention } from "../store/retention";
import type { Handle } from "./handle";

/** Which of the sizes between which a text may lie. */
export type SizeEnd = "min" | "max";

/**
 * Which handles OpenMausBot's store holds at any moment: the store's own bounds with the transcript's clock, texts of the smallest or
 * of the greatest possible size, and no other owners than the transcript's.
 */
export class StoreReplay {
  private readonly savings: Readonly<Record<SizeEnd, readonly Saving[]>>;

  constructor(handles: readonly Handle[]) {
    this.savings = { min: savings(handles, "min"), max: savings(handles, "max") };
  }

  /**
   * Rows of the handles that are kept at a moment, milliseconds since the epoch.
   *
   * Only the newest entries are played, as many as the store ever holds: what is pushed out goes oldest first, so whether an entry
   * stays depends on those saved after it and on none before.
   */
  storedAt(at: number, sizes: SizeEnd): ReadonlySet<number> {
    const all = this.savings[sizes];
    const end = countUntil(all, at);
    const played = all.slice(Math.max(0, end - STORE_LIMITS.entries), end);
    const store = new Retention<Saving>(STORE_LIMITS);
    for (const one of played) store.add(String(one.row), one, one.time);
    return new Set(played.flatMap(({ row }) => (store.get(String(row), at) === undefined ? [] : [row])));
  }
}

interface Saving extends Retained {
  readonly row: number;
  readonly time: number;
}

/** In the order in which they were saved. One without a time may have been saved right after the one before it, or not yet. */
function savings(handles: readonly Handle[], sizes: SizeEnd): readonly Saving[] {
  const found: Saving[] = [];
  let last: number | undefined;
  for (const { row, owner, kind, kept, savedAt } of handles) {
    if (kind !== "store" || kept === undefined) continue;
    const time = savedAt ?? (sizes === "max" ? last : undefined);
    if (time === undefined) continue;
    last = time;
    const bytes = sizes === "min" ? kept.minBytes : kept.maxBytes;
    found.push({ row, owner, time, bytes, expiresAt: time + STORE_LIMITS.keepMs });
  }
  return found.sort((a, b) => a.time - b.time || a.row - b.row);
}

/** How many were saved by then. */
function countUntil(all: readonly Saving[], at: number): number {
  let low = 0;
  let high = all.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((all[middle]?.time ?? 0) > at) high = middle;
    else low = middle + 1;
  }
  return low;
}
