import { ownWords } from "../store/redacted";
import { ResultStore, STORE_LIMITS } from "../store/resultStore";
import type { Handle } from "./handle";

/** Which of the sizes between which a text may lie. */
export type SizeEnd = "min" | "max";

/**
 * Rows of the handles that OpenMausBot's store holds at a moment, milliseconds since the epoch: the store itself with the
 * transcript's clock, texts of the smallest or of the greatest possible size, and no other owners than the transcript's.
 *
 * Only the newest entries are played, as many as the store ever holds: what is pushed out goes oldest first, so whether an entry
 * stays depends on those saved after it and on none before.
 */
export function storedAt(handles: readonly Handle[], at: number, sizes: SizeEnd): ReadonlySet<number> {
  const clock = { time: 0, now: (): number => clock.time };
  let number = 0;
  const store = new ResultStore({ clock, newId: () => String(number++) });
  const saved: { readonly row: number; readonly id: string; readonly owner: string }[] = [];
  for (const { row, owner, time, units, bytes } of savings(handles, at, sizes).slice(-STORE_LIMITS.entries)) {
    clock.time = time;
    const entry = store.beginTurn({ session: "", transcript: owner }).save(ownWords(textOf(units, bytes)));
    if (entry !== undefined) saved.push({ row, id: entry.id, owner });
  }
  clock.time = at;
  const kept = new Set<number>();
  for (const { row, id, owner } of saved) {
    if (store.beginTurn({ session: "", transcript: owner }).read(id, 0) !== undefined) kept.add(row);
  }
  return kept;
}

interface Saving {
  readonly row: number;
  readonly owner: string;
  readonly time: number;
  readonly units: number;
  readonly bytes: number;
}

/** In the order in which they were saved. One without a time may have been saved right after the one before it, or not yet. */
function savings(handles: readonly Handle[], at: number, sizes: SizeEnd): readonly Saving[] {
  const found: Saving[] = [];
  let last: number | undefined;
  for (const { row, owner, kind, kept, savedAt } of handles) {
    if (kind !== "store" || kept === undefined) continue;
    const time = savedAt ?? (sizes === "max" ? last : undefined);
    if (time === undefined) continue;
    last = time;
    if (time > at) continue;
    const min = sizes === "min";
    found.push({
      row,
      owner,
      time,
      units: min ? kept.minUnits : kept.maxUnits,
      bytes: min ? kept.minBytes : kept.maxBytes,
    });
  }
  return found.sort((a, b) => a.time - b.time || a.row - b.row);
}

/** Any text of so many UTF-16 units and UTF-8 bytes; a unit takes one to three of them. */
function textOf(units: number, bytes: number): string {
  const more = Math.max(0, Math.min(bytes, 3 * units) - units);
  const wide = Math.floor(more / 2);
  const middle = more % 2;
  return "\u0800".repeat(wide) + "\u0080".repeat(middle) + "x".repeat(Math.max(0, units - wide - middle));
}
