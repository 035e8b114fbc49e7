import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { boundText, SAVE_PATIENCE_MS } from "../../../../extension/src/core/results/store/boundText";
import { pageAt } from "../../../../extension/src/core/results/store/page";
import type { RedactedText } from "../../../../extension/src/core/results/store/redacted";
import {
  type Owner,
  ResultStore,
  type StoreLimits,
  type StoreTurn,
} from "../../../../extension/src/core/results/store/resultStore";

const bounded = async (...asked: Parameters<typeof boundText>) => (await boundText(...asked)).text;

/** Nothing in these texts is a secret. */
const clean = (text: string): RedactedText => text as RedactedText;

/** Texts in which surrogates stand whole, halved and the wrong way round. */
const texts = fc
  .array(fc.constantFrom("a", "é", "日", "😀", "\ud83d", "\ude00", "\n"), { maxLength: 60 })
  .map((units) => units.join(""));

describe("pages", () => {
  it("give the text again, whatever their length, and always go on", () => {
    fc.assert(
      fc.property(texts, fc.integer({ min: 2, max: 9 }), (text, units) => {
        let joined = "";
        for (let offset = 0; offset < text.length; ) {
          const page = pageAt(text, offset, units);
          if (page === undefined) throw new Error("no page");
          expect(page.nextOffset).toBeGreaterThan(offset);
          joined += page.text.slice(offset - page.offset);
          offset = page.nextOffset;
        }
        expect(joined).toBe(text);
      }),
      { numRuns: 2000 },
    );
  });

  it("split no character, whatever offset is asked", () => {
    fc.assert(
      fc.property(texts, fc.integer({ min: -2, max: 64 }), fc.integer({ min: 2, max: 9 }), (text, offset, units) => {
        const page = pageAt(text, offset, units);
        if (offset < 0 || offset > text.length) {
          expect(page).toBeUndefined();
          return;
        }
        if (page === undefined) throw new Error("no page");
        for (const cut of [page.offset, page.nextOffset]) {
          const around = text.slice(cut - 1, cut + 1);
          expect(cut === 0 || !/^[\ud800-\udbff][\udc00-\udfff]$/.test(around)).toBe(true);
        }
        expect(text.slice(page.offset, page.nextOffset)).toBe(page.text);
        expect(offset - page.offset).toBeLessThanOrEqual(1);
      }),
      { numRuns: 2000 },
    );
  });
});

const LIMITS: StoreLimits = { textUnits: 40, ownerEntries: 3, ownerBytes: 90, entries: 6, bytes: 160, keepMs: 100 };
const OWNERS: readonly Owner[] = [
  { session: "a", transcript: "b" },
  { session: "a", transcript: "c" },
  { session: "c", transcript: "b" },
  // Joined carelessly these two are one.
  { session: 'a","b', transcript: "" },
  { session: "a", transcript: 'b",""' },
];

type Step =
  | { readonly do: "save"; readonly owner: number; readonly text: string; readonly truncated: boolean }
  | { readonly do: "read"; readonly owner: number; readonly id: number; readonly offset: number }
  | { readonly do: "wait"; readonly ms: number }
  | { readonly do: "stop"; readonly owner: number };

const owner = fc.nat({ max: OWNERS.length - 1 });
const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({ do: fc.constant("save" as const), owner, text: texts, truncated: fc.boolean() }),
    },
    {
      weight: 5,
      arbitrary: fc.record({
        do: fc.constant("read" as const),
        owner,
        id: fc.nat({ max: 30 }),
        offset: fc.nat({ max: 45 }),
      }),
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constant("wait" as const), ms: fc.constantFrom(1, 50, 99, 100) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant("stop" as const), owner }) },
  ),
  { maxLength: 60 },
);

interface Kept {
  readonly id: number;
  readonly owner: number;
  readonly text: string;
  readonly truncated: boolean;
  readonly until: number;
}

/** The rules in their plainest form: a list that is filtered again and again. */
class Model {
  private list: readonly Kept[] = [];
  private next = 0;

  save(owner: number, text: string, truncated: boolean, now: number): Kept {
    this.expire(now);
    let kept = text.slice(0, LIMITS.textUnits);
    if (/[\ud800-\udbff]$/.test(kept)) kept = kept.slice(0, -1);
    const one = {
      id: this.next++,
      owner,
      text: kept,
      truncated: truncated || kept !== text,
      until: now + LIMITS.keepMs,
    };
    this.list = [...this.list, one];
    const mine = () => this.list.filter((entry) => entry.owner === owner);
    while (mine().length > LIMITS.ownerEntries || bytesOf(mine()) > LIMITS.ownerBytes) this.drop(mine()[0]);
    while (this.list.length > LIMITS.entries || bytesOf(this.list) > LIMITS.bytes) this.drop(this.list[0]);
    return one;
  }

  find(owner: number, id: number, now: number): Kept | undefined {
    this.expire(now);
    return this.list.find((entry) => entry.id === id && entry.owner === owner);
  }

  private expire(now: number): void {
    this.list = this.list.filter(({ until }) => until > now);
  }

  private drop(entry: Kept | undefined): void {
    this.list = this.list.filter((one) => one !== entry);
  }
}

const bytesOf = (list: readonly Kept[]): number => list.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);

describe("the store", () => {
  it("does what a plain list would, over any operations", () => {
    fc.assert(
      fc.property(steps, (operations) => {
        let now = 1_000;
        let number = 0;
        const store = new ResultStore({ clock: { now: () => now }, newId: () => `r-${number++}` }, LIMITS);
        const model = new Model();
        const turns = new Map<number, StoreTurn>();
        const turnOf = (who: number): StoreTurn => {
          const known = turns.get(who) ?? store.beginTurn(OWNERS[who] ?? { session: "", transcript: "" });
          turns.set(who, known);
          return known;
        };
        for (const step of operations) {
          if (step.do === "wait") now += step.ms;
          else if (step.do === "stop") {
            const stopped = turnOf(step.owner);
            stopped.end();
            expect(stopped.save(clean("late"))).toBeUndefined();
            for (let id = 0; id < number; id++) expect(stopped.read(`r-${id}`, 0)).toBeUndefined();
            turns.delete(step.owner);
          } else if (step.do === "save") {
            const { id, text, truncated, until } = model.save(step.owner, step.text, step.truncated, now);
            const saved = turnOf(step.owner).save(clean(step.text), step.truncated);
            expect(saved).toEqual({ id: `r-${id}`, length: text.length, truncated, expiresAt: until });
          } else {
            const kept = model.find(step.owner, step.id, now);
            const page = turnOf(step.owner).read(`r-${step.id}`, step.offset);
            if (kept === undefined || step.offset > kept.text.length) expect(page).toBeUndefined();
            else {
              expect(page?.text).toBe(kept.text.slice(page?.offset, page?.nextOffset));
              expect(page).toMatchObject({
                length: kept.text.length,
                truncated: kept.truncated,
                expiresAt: kept.until,
              });
            }
          }
          const { entries, bytes } = store.held;
          expect(entries).toBeLessThanOrEqual(LIMITS.entries);
          expect(bytes).toBeLessThanOrEqual(LIMITS.bytes);
        }
      }),
      { numRuns: 1500 },
    );
  });
});

describe("a saving that takes too long", () => {
  it("leaves the preview with its reason, and is asked once", async () => {
    let saves = 0;
    const output = await bounded("x".repeat(24_001), {
      redact: async (text) => clean(text),
      save: () => {
        saves++;
        return new Promise(() => undefined);
      },
      after: (ms, run) => {
        expect(ms).toBe(SAVE_PATIENCE_MS);
        queueMicrotask(run);
        return { dispose: () => undefined };
      },
    });
    expect(output).toContain("could not be saved. The original operation was not retried.");
    expect(saves).toBe(1);
  });

  it("stops waiting once it was saved", async () => {
    let disposed = 0;
    await bounded("x".repeat(24_001), {
      redact: async (text) => clean(text),
      save: () => Promise.resolve({ id: `r-${"0".repeat(36)}`, truncated: false }),
      after: () => ({ dispose: () => disposed++ }),
    });
    expect(disposed).toBe(1);
  });
});
