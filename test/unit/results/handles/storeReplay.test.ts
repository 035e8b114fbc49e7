import { describe, expect, it } from "vitest";
import type { Handle } from "../../../../extension/src/core/results/handles/handle";
import { type SizeEnd, StoreReplay } from "../../../../extension/src/core/results/handles/storeReplay";
import type { RedactedText } from "../../../../extension/src/core/results/store/redacted";
import { ResultStore, STORE_LIMITS } from "../../../../extension/src/core/results/store/resultStore";
import { storeHandle } from "./samples";

/** A small generator of numbers, the same in every run. */
function numbers(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

interface Saving {
  readonly owner: string;
  readonly at: number;
  readonly text: string;
}

const START = 1_786_636_800_000;
const CHARS = ["x", "é", "界", "😀"];

function history(seed: number, owners: number, saves: number, most: number): readonly Saving[] {
  const below = numbers(seed);
  let at = START;
  return Array.from({ length: saves }, () => {
    at += below(4) === 0 ? 0 : below(240_000);
    const char = CHARS[below(CHARS.length)] ?? "x";
    return { owner: `t${below(owners)}`, at, text: char.repeat(Math.floor((1 + below(most)) / char.length)) };
  });
}

const handlesOf = (saves: readonly Saving[], known: boolean): readonly Handle[] =>
  saves.map(({ owner, at, text }, row) => {
    const bytes = Buffer.byteLength(text);
    const size = { minUnits: text.length, maxUnits: text.length, minBytes: bytes, maxBytes: bytes };
    const most = STORE_LIMITS.textUnits;
    const open = {
      minUnits: Math.min(text.length, 16_000),
      maxUnits: most,
      minBytes: Math.min(text.length, 16_000),
      maxBytes: 3 * most,
    };
    return storeHandle(row, { owner, savedAt: at, kept: known ? size : open });
  });

/** The real store with the real texts, from the first save on. */
function truth(saves: readonly Saving[], at: number): ReadonlySet<number> {
  let now = 0;
  let number = 0;
  const store = new ResultStore({ clock: { now: () => now }, newId: () => String(number++) });
  for (const { owner, at: time, text } of saves) {
    if (time > at) continue;
    now = time;
    store.beginTurn({ session: "", transcript: owner }).save(text as RedactedText);
  }
  now = at;
  const kept = saves.flatMap(({ owner }, row) =>
    store.beginTurn({ session: "", transcript: owner }).read(String(row), 0) === undefined ? [] : [row],
  );
  return new Set(kept);
}

const storedAt = (handles: readonly Handle[], at: number, sizes: SizeEnd): ReadonlySet<number> =>
  new StoreReplay(handles).storedAt(at, sizes);

describe("replaying the store of a transcript", () => {
  it("holds what the store holds, whatever the owners, sizes and times", () => {
    let pushed = 0;
    let held = 0;
    for (let seed = 1; seed <= 6; seed++) {
      const saves = history(seed, 1 + (seed % 12), 60 + seed * 30, seed % 3 === 0 ? 131_072 : 30_000);
      const handles = handlesOf(saves, true);
      const moments = [
        START - 1,
        START,
        ...saves.filter((_, at) => at % 61 === 0).map(({ at }) => at),
        (saves.at(-1)?.at ?? 0) + 1_800_000,
        (saves.at(-1)?.at ?? 0) + STORE_LIMITS.keepMs,
      ];
      for (const at of moments) {
        const expected = truth(saves, at);
        expect(storedAt(handles, at, "min"), `seed ${seed} at ${at}`).toEqual(expected);
        expect(storedAt(handles, at, "max"), `seed ${seed} at ${at}`).toEqual(expected);
        held += expected.size;
        pushed += saves.filter(
          (one, row) => one.at <= at && one.at + STORE_LIMITS.keepMs > at && !expected.has(row),
        ).length;
      }
    }
    expect(held).toBeGreaterThan(100);
    expect(pushed).toBeGreaterThan(0);
  });

  it("brackets what the store holds where sizes are not stated", () => {
    let open = 0;
    for (let seed = 50; seed < 53; seed++) {
      const saves = history(seed, 1, 40, 131_072);
      const handles = handlesOf(saves, false);
      for (const { at } of saves.filter((_, row) => row % 7 === 6)) {
        const expected = truth(saves, at);
        const certain = storedAt(handles, at, "max");
        const possible = storedAt(handles, at, "min");
        for (const row of certain) expect(expected.has(row)).toBe(true);
        for (const row of expected) expect(possible.has(row)).toBe(true);
        open += possible.size - certain.size;
      }
    }
    expect(open).toBeGreaterThan(0);
  });

  it("keeps an entry until exactly one hour after it was saved", () => {
    const handles = [storeHandle(0, { savedAt: START })];
    expect(storedAt(handles, START + STORE_LIMITS.keepMs - 1, "max").size).toBe(1);
    expect(storedAt(handles, START + STORE_LIMITS.keepMs, "min").size).toBe(0);
  });

  it("lets an entry without a time push others out only where that is possible", () => {
    const full = Array.from({ length: STORE_LIMITS.ownerEntries }, (_, row) =>
      storeHandle(row, { savedAt: START + row }),
    );
    const handles = [...full, storeHandle(16, { savedAt: null })];
    expect(storedAt(handles, START + 60_000, "min").has(0)).toBe(true);
    expect(storedAt(handles, START + 60_000, "max").has(0)).toBe(false);
  });
});
