import { expect, it } from "vitest";
import { FileChecks } from "../../../extension/src/client/views/fileChecks";
import type { FileReport } from "../../../extension/src/core/results/fileCheck";
import { persisted, REPORT, result, settle } from "./fakes";

function checks() {
  const waiting = new Map<number, (report: FileReport | Error) => void>();
  const told: (readonly [number, string])[][] = [];
  const failures: unknown[] = [];
  const one = new FileChecks({
    check: (item) =>
      new Promise((done, fail) => {
        waiting.set(item.index, (outcome) => (outcome instanceof Error ? fail(outcome) : done(outcome)));
      }),
    found: (statuses) => told.push([...statuses]),
    failed: (error) => failures.push(error),
  });
  const answer = async (index: number, outcome: FileReport | Error = REPORT) => {
    const reply = waiting.get(index);
    waiting.delete(index);
    reply?.(outcome);
    await settle();
  };
  return { one, waiting, told, failures, answer };
}

it("looks at a few files at a time and leaves out results without a path", async () => {
  const { one, waiting, told, answer } = checks();
  one.add([result(0), ...[1, 2, 3, 4, 5].map((index) => persisted(index, "/h/x"))]);
  expect([...waiting.keys()]).toEqual([1, 2, 3, 4]);
  for (const index of [1, 2, 3, 4, 5]) await answer(index);
  expect(told.flat()).toEqual([1, 2, 3, 4, 5].map((index) => [index, "ok"]));
  expect(one.report(3)).toBe(REPORT);
});

it("goes on after one that cannot be looked at", async () => {
  const { one, told, failures, answer } = checks();
  one.add([persisted(0, "/h/x"), persisted(1, "/h/y")]);
  await answer(0, new Error("disk on fire"));
  await answer(1);
  expect(told.flat()).toEqual([
    [0, "unreadable"],
    [1, "ok"],
  ]);
  expect(failures).toHaveLength(1);
});

it("forgets on reset, and does not tell what an old look still finds", async () => {
  const { one, told, answer } = checks();
  one.add([persisted(0, "/h/x")]);
  one.reset();
  await answer(0);
  expect(told).toEqual([]);
  expect(one.report(0)).toBeUndefined();
});
