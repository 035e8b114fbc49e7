import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ModelCall } from "../../../extension/src/core/model/transcript";
import type { WasmInstance } from "../../../extension/src/core/ports";
import { RowBooks, RowThread } from "../../../extension/src/core/transcript/rows/rowBooks";
import { RowState } from "../../../extension/src/core/transcript/rows/rowState";
import { SKIM_MODULE } from "../../../extension/src/core/transcript/rows/skimModule";
import { nodeWasm } from "../../../extension/src/node/wasm";

const RUNS = { seed: 20260201, numRuns: 60 };
const BASE = 0x40000;
/** Expected records: too few, about right, far more than come. */
const EXPECTED = [0, 3000, 20_000];

function instance(): WasmInstance {
  const wasm = nodeWasm.instantiate(SKIM_MODULE, BASE);
  if (wasm === undefined) throw new Error("no WebAssembly here");
  return wasm;
}

const open = (records = 0): RowState => RowState.open(instance(), BASE, records);

// --- Hashes as in extension/wasm, to make texts and ids that meet in one place ---------------------------------------

const MASK = (1n << 64n) - 1n;
const MIX = 0x9e3779b97f4a7c15n;
/** MIX times this is 1, modulo 2^64 (Newton's iteration doubles the bits that are right). */
const UNMIX = [0, 0, 0, 0, 0, 0].reduce((inverse) => (inverse * (2n - MIX * inverse)) & MASK, MIX);

/** The four words of the `n`th of many ids that have the same hash. */
function collidingUuid(n: number): readonly [number, number, number, number] {
  const b = BigInt(n + 1) * 0x1234567n;
  const a = (0xfeedfacecafebeefn ^ (b * MIX)) & MASK;
  return [Number(a & 0xffffffffn) | 0, Number(a >> 32n) | 0, Number(b & 0xffffffffn) | 0, Number(b >> 32n) | 0];
}

/** The `n`th of many texts of four UTF-16 units, eight bytes, that have the same hash. */
function collidingText(n: number): string {
  const high = (BigInt(n + 1) * 0x01030507n) & 0xffffffffn;
  const wanted = 0x2badcafen;
  const upper = (wanted ^ (high << 3n)) & 0xffffffffn;
  const low = upper ^ (upper >> 29n);
  const mixed = (high << 32n) | low;
  const word = (((mixed ^ (mixed >> 32n)) * UNMIX) & MASK) ^ ((8n * MIX) & MASK);
  return String.fromCharCode(...[0n, 16n, 32n, 48n].map((shift) => Number((word >> shift) & 0xffffn)));
}

describe("the state's tables", () => {
  it("tell ids with the same hash apart, also while they grow", () => {
    expect((MIX * UNMIX) & MASK).toBe(1n);
    for (const records of EXPECTED) {
      const state = open(records);
      // More than the smallest table has room for, and every one in the same place of it.
      const count = 2100;
      for (let n = 0; n < count; n++) {
        expect(state.call("findUuidWords", ...collidingUuid(n))).toBe(0);
        expect(state.call("putUuidWords", ...collidingUuid(n))).toBe(1);
        if (n % 100 === 0) expect(state.call("putUuidWords", ...collidingUuid(n >> 1))).toBe(0);
      }
      for (let n = 0; n < count; n++) expect(state.call("findUuidWords", ...collidingUuid(n))).toBe(n + 1);
    }
  });

  it("tell texts with the same hash apart, also while they grow", () => {
    for (const records of EXPECTED) {
      const state = open(records);
      const count = 1100;
      const places = new Set<number>();
      for (let n = 0; n < count; n++) {
        const text = collidingText(n);
        expect(state.find(0, text)).toBe(0);
        const place = state.intern(0, text);
        places.add(place);
        expect(state.intern(0, text)).toBe(place);
        state.setValue(place, n);
      }
      expect(places.size).toBe(count);
      for (let n = 0; n < count; n++) {
        const place = state.find(0, collidingText(n));
        expect(state.value(place)).toBe(n);
        expect(state.text(place)).toBe(collidingText(n));
        expect(state.find(4, collidingText(n))).toBe(0);
      }
    }
  });

  it("hold what maps hold", () => {
    const text = fc.oneof(
      fc.string({ maxLength: 40 }),
      fc.constantFrom("", "a", "toolu_01abc", "toolu_01abd", "ä", "é"),
    );
    const step = fc.tuple(fc.constantFrom(0, 1, 4, -4), text, fc.nat(1000));
    fc.assert(
      fc.property(fc.array(step, { maxLength: 400 }), fc.constantFrom(...EXPECTED), (steps, records) => {
        const state = open(records);
        const plain = new Map<string, number>();
        for (const [space, one, value] of steps) {
          const key = `${space} ${one}`;
          const found = state.find(space, one);
          expect(found === 0 ? undefined : state.value(found)).toBe(plain.get(key));
          state.setValue(state.intern(space, one), value);
          plain.set(key, value);
        }
      }),
      RUNS,
    );
  });
});

describe("a snapshot of the state", () => {
  const place = (line: number) => ({ line, start: line * 100, end: line * 100 + 99 });
  const step = fc.oneof(
    fc.record({ kind: fc.constant("call" as const), id: fc.nat(30) }),
    fc.record({ kind: fc.constant("answer" as const), id: fc.nat(30) }),
    fc.record({ kind: fc.constant("request" as const), id: fc.nat(20) }),
    fc.record({ kind: fc.constant("uuid" as const), id: fc.nat(4000) }),
  );
  type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

  function take(books: RowBooks, { kind, id }: Step, line: number): unknown {
    const [thread] = books.threads;
    if (thread === undefined) throw new Error("a thread is missing");
    switch (kind) {
      case "call":
        return thread.pairing.called({ id: `t-${id}`, tool: `Tool${id % 3}`, call: line, turn: 1, place: place(line) });
      case "answer":
        return thread.pairing.answered(`t-${id}`);
      case "request": {
        const key = `msg-${id}`;
        const known = thread.callsByKey.get(key);
        const call: ModelCall = {
          number: known?.number ?? ++thread.calls,
          threadId: thread.id,
          turn: undefined,
          model: "m",
          at: "2026-01-02T03:04:05.000Z",
          usage: { input: line, cacheRead: undefined, cacheWrite: 1, output: undefined },
          place: place(line),
        };
        thread.callsByKey.set(key, call);
        return [known, thread.callsByKey.get(key)];
      }
      case "uuid":
        return books.state.call("putUuidWords", id, id * 7, 1, 2);
    }
  }

  it("goes on as the state itself does", () => {
    const steps = fc.array(step, { maxLength: 300 });
    fc.assert(
      fc.property(steps, steps, fc.constantFrom(...EXPECTED), (before, after, records) => {
        const books = new RowBooks(open(records));
        books.thread("main");
        for (const [line, one] of before.entries()) take(books, one, line);
        // At another address, in another memory.
        const again = new RowBooks(RowState.open(instance(), BASE + 0x1230, 0, books.state.snapshot()));
        again.threads.push(new RowThread(again.state, 0, "main"));
        expect(Buffer.compare(again.state.snapshot(), books.state.snapshot())).toBe(0);
        for (const [i, one] of after.entries()) {
          const line = 1000 + i;
          expect(take(again, one, line)).toStrictEqual(take(books, one, line));
        }
        expect([...(again.threads[0]?.pairing.missing() ?? [])]).toStrictEqual([
          ...(books.threads[0]?.pairing.missing() ?? []),
        ]);
      }),
      RUNS,
    );
  });
});
