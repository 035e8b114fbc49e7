import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readGraph } from "../../../extension/src/core/util/graph/readGraph";
import { writeGraph, writingGraph } from "../../../extension/src/core/util/graph/writeGraph";

class Counter {
  count = 0;
  self: Counter | undefined;
  add(): number {
    this.count++;
    return this.count;
  }
}

const CLASSES = { Counter };

function copied(value: unknown): unknown {
  const bytes = writeGraph(value, CLASSES);
  if (!bytes.ok) throw new Error(bytes.error);
  const back = readGraph(bytes.value, CLASSES);
  if (!back.ok) throw new Error(back.error);
  return back.value;
}

const anything = fc.anything({ withMap: true, withSet: true, withNullPrototype: false, withSparseArray: true });

describe("a stored graph", () => {
  it("gives back any value", () => {
    fc.assert(
      fc.property(anything, (value) => {
        expect(copied(value)).toStrictEqual(value);
      }),
      { seed: 11, numRuns: 1_000 },
    );
  });

  it("comes in pieces of which all but the last have a multiple of 16 bytes, whatever stands at their ends", () => {
    for (const shift of [0, 1, 7, 15, 16]) {
      const value = {
        shift: "s".repeat(shift),
        many: Array.from({ length: 30_000 }, (_, i) => ({ i, text: `text ${i}`, half: i / 2 })),
        long: "潮".repeat(400_000),
        list: new Float64Array(70_000).fill(0.25),
        after: ["é", new Map([["key", [shift]]])],
      };
      expect(copied(value)).toStrictEqual(value);
      const pieces: Uint8Array[] = [];
      let first = 0;
      for (const some of writingGraph(value)) {
        pieces.push(...some);
        if (pieces.length === some.length) first = pieces.length;
      }
      expect(pieces.length).toBeGreaterThan(3);
      expect(first).toBeLessThan(pieces.length);
      for (const piece of pieces.slice(0, -1)) expect(piece.length % 16).toBe(0);
      const whole = writeGraph(value);
      expect(whole.ok && Buffer.compare(Buffer.concat(pieces), whole.value)).toBe(0);
    }
  });

  it("gives back numbers and texts of every kind", () => {
    const values = [
      0,
      -0,
      -1,
      127,
      128,
      2 ** 31,
      2 ** 53 - 1,
      -(2 ** 53 - 1),
      2 ** 60,
      0.1,
      Number.NaN,
      "\ud800",
      "é潮",
    ];
    expect(copied(values)).toStrictEqual(values);
    const lists = [new Int32Array([1, -2]), new Float64Array([0.5]), new Uint8Array(0), new Uint16Array([65_535])];
    expect(copied(lists)).toStrictEqual(lists);
    expect(Object.keys(copied(JSON.parse('{"__proto__":{"a":1}}')) as object)).toEqual(["__proto__"]);
  });

  it("keeps what is shared, circles and classes", () => {
    const counter = new Counter();
    counter.self = counter;
    counter.count = 4;
    const shared = { n: 1 };
    const value = copied({ counter, map: new Map<unknown, unknown>([[shared, shared]]), list: [shared, counter] }) as {
      readonly counter: Counter;
      readonly map: Map<unknown, unknown>;
      readonly list: readonly unknown[];
    };
    expect(value.counter).toBeInstanceOf(Counter);
    expect(value.counter.self).toBe(value.counter);
    expect(value.counter.add()).toBe(5);
    expect(value.list[1]).toBe(value.counter);
    expect([...value.map][0]).toEqual([value.list[0], value.list[0]]);
    expect([...value.map.keys()][0]).toBe(value.list[0]);
  });

  it("puts back what the reading side has itself", () => {
    const sink = () => 7;
    const bytes = writeGraph({ sink, again: [sink] }, {}, new Map([[sink, "sink"]]));
    const other = () => 8;
    const back = bytes.ok && readGraph(bytes.value, {}, new Map([["sink", other]]));
    expect(back).toEqual({ ok: true, value: { sink: other, again: [other] } });
    expect(bytes.ok && readGraph(bytes.value)).toEqual({ ok: false, error: "sink is not known" });
  });

  it("says what cannot be stored, and where", () => {
    expect(writeGraph({ a: [{ b: () => 1 }] })).toEqual({ ok: false, error: "a function at Object.b" });
    expect(writeGraph({ a: new Counter() })).toEqual({
      ok: false,
      error: "an object of the class Counter at Object.a",
    });
    expect(writeGraph([new Date(0)])).toEqual({ ok: false, error: "an object of the class Date at Array.0" });
    expect(writeGraph(() => 1)).toEqual({ ok: false, error: "a function" });
  });

  it("stores chains of any length", () => {
    interface Link {
      readonly next: Link | null;
    }
    let chain: Link | null = null;
    for (let i = 0; i < 100_000; i++) chain = { next: chain };
    let length = 0;
    for (let at = copied(chain) as Link | null; at !== null; at = at.next) length++;
    expect(length).toBe(100_000);
  });

  it("damaged bytes never throw, and cut ones are noticed", () => {
    fc.assert(
      fc.property(anything, fc.nat(), fc.nat(255), (value, at, byte) => {
        const written = writeGraph(value, CLASSES);
        if (!written.ok) throw new Error(written.error);
        const bytes = written.value;
        expect(readGraph(bytes.subarray(0, at % bytes.length), CLASSES).ok).toBe(false);
        bytes[at % bytes.length] = byte;
        readGraph(bytes, CLASSES);
      }),
      { seed: 12, numRuns: 2_000 },
    );
  });
});
