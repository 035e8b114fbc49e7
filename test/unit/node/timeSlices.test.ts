import fc from "fast-check";
import { expect, it } from "vitest";
import { SLICE_MS, sortInSlices, TimeSlices } from "../../../extension/src/node/sessions/timeSlices";
import { HandTime } from "./scanFakes";

it("sorts as the platform does, whatever the number of elements", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(50), { maxLength: 3_000 }), async (numbers) => {
      const items = numbers.map((key, at) => ({ key, at }));
      const compare = (a: { readonly key: number }, b: { readonly key: number }) => a.key - b.key;
      const sorted = await sortInSlices(items, compare, new TimeSlices(new HandTime()));
      expect(sorted).toEqual([...items].sort(compare));
    }),
    { numRuns: 60 },
  );
});

it("rests while it sorts", async () => {
  const time = new HandTime();
  const compare = (a: number, b: number) => {
    time.work(0.01);
    return a - b;
  };
  const items = Array.from({ length: 10_000 }, (_, n) => (n * 7919) % 10_007);
  const sorted = await sortInSlices(items, compare, new TimeSlices(time));
  time.end();
  expect(sorted).toEqual([...items].sort((a, b) => a - b));
  // One run of 512 takes about 4,600 comparisons.
  expect(time.longest).toBeLessThan(SLICE_MS + 50);
  expect(time.turns).toBeGreaterThan(20);
});

it("gives all who work one rest together", async () => {
  const time = new HandTime();
  const slices = new TimeSlices(time);
  expect(slices.rest()).toBeUndefined();
  time.work(SLICE_MS);
  const [one, other] = [slices.rest(), slices.rest()];
  expect(one).toBeInstanceOf(Promise);
  expect(other).toBe(one);
  await one;
  expect(slices.rest()).toBeUndefined();
  expect(time.turns).toBe(1);
});
