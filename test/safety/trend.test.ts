import { describe, expect, it } from "vitest";
import { seeded } from "../bench/configText";
import { type Bounds, FEWEST_VALUES, trendOf } from "../soak/trend";

const BOUNDS: Bounds = { warmUp: 0.25, absolute: 2, share: 0.05 };
const made = (count: number, value: (n: number) => number) => Array.from({ length: count }, (_, n) => value(n));
const isFlat = (values: readonly number[], bounds = BOUNDS) => trendOf("x", values, bounds).isFlat;

describe("the soak's test for leaks", () => {
  it("sees a leak of a handle every now and then", () => {
    expect(isFlat(made(40, (n) => 20 + Math.floor(n / 8)))).toBe(false);
  });

  it("sees a slow rise below noise ten times as large", () => {
    const random = seeded(3);
    expect(isFlat(made(80, (n) => 100 + n * 0.2 + (random() - 0.5) * 2))).toBe(false);
  });

  it("lets noise, a sawtooth, single outliers, a fall and the warm-up pass", () => {
    const random = seeded(5);
    expect(isFlat(made(60, () => 100 + (random() - 0.5) * 8))).toBe(true);
    expect(isFlat(made(60, (n) => 100 + (n % 6) * 3))).toBe(true);
    expect(isFlat(made(60, (n) => (n === 55 ? 400 : 100)))).toBe(true);
    expect(isFlat(made(60, (n) => 300 - n))).toBe(true);
    expect(isFlat(made(60, (n) => Math.min(n, 14)))).toBe(true);
  });

  it("allows a share of a large value, and nothing on top of a bound of 0", () => {
    expect(isFlat(made(20, (n) => 1_000 + n))).toBe(true);
    expect(
      isFlat(
        made(20, (n) => 3 + (n > 10 ? 1 : 0)),
        { warmUp: 0, absolute: 0, share: 0 },
      ),
    ).toBe(false);
  });

  it("says nothing about too few values", () => {
    expect(() =>
      trendOf(
        "x",
        made(FEWEST_VALUES, () => 1),
        BOUNDS,
      ),
    ).toThrow("too few");
  });
});
