import { describe, expect, test } from "vitest";
import type { WhatIfCalls } from "../../extension/src/protocol/whatIf";
import { eventGuards, replyGuards } from "../../webview/src/guards";
import { INITIAL_SETUP, inputOf, withFirstCard } from "../../webview/src/whatIf/whatIfSetup";
import { sampleFacts, sampleHost } from "./whatIfSamples";

const input = inputOf(withFirstCard(INITIAL_SETUP, sampleFacts), sampleFacts);
const samples: { readonly [M in keyof WhatIfCalls]: unknown } = {
  whatIfOpen: sampleFacts,
  whatIfRun: sampleHost.answer("whatIfRun", {
    ...input,
    assumptions: { ...input.assumptions, prices: { write: 1, read: 0 } },
  }),
  whatIfAffected: sampleHost.answer("whatIfAffected", { input, order: "saved", from: 0, count: 3 }),
  whatIfCurve: sampleHost.answer("whatIfCurve", { thread: sampleFacts.thread, policy: null }),
  whatIfDiff: { opened: true },
  whatIfApply: { applied: false },
  whatIfExport: { opened: true },
};
const names = Object.keys(samples) as (keyof WhatIfCalls)[];

/** Every copy of a value in which one leaf is replaced, with the path to it. Long lists: their first item stands for all. */
function* broken(value: unknown, by: unknown, path = ""): Generator<readonly [path: string, copy: unknown]> {
  if (typeof value !== "object" || value === null) {
    yield [path, by];
    return;
  }
  for (const [key, one] of Array.isArray(value) ? [...value.entries()].slice(0, 1) : Object.entries(value)) {
    for (const [inner, copy] of broken(one, by, `${path}.${key}`)) {
      yield [inner, Array.isArray(value) ? value.with(Number(key), copy) : { ...value, [key]: copy }];
    }
  }
}

describe.each(names)("answers to %s", (name) => {
  const guard = replyGuards[name];

  test("pass as the simulator gives them, also with more than is known, and after the crossing", () => {
    expect(guard(samples[name])).toBe(true);
    expect(guard({ ...(samples[name] as object), later: null })).toBe(true);
    expect(guard(structuredClone(samples[name]))).toBe(true);
  });

  test.each([
    ["not a number", Number.NaN],
    ["endless", Number.POSITIVE_INFINITY],
    ["nothing", undefined],
    ["an object", {}],
  ])("fail where one part is %s", (_, by) => {
    let count = 0;
    for (const [path, copy] of broken(samples[name], by)) {
      count++;
      expect([path, guard(copy)]).toEqual([path, false]);
    }
    expect(count).toBeGreaterThan(0);
    for (const other of [null, undefined, [], 3, "text"]) expect(guard(other)).toBe(false);
  });
});

test("columns of different lengths are refused", () => {
  const outcome = samples.whatIfRun as WhatIfCalls["whatIfRun"]["out"];
  for (const [key, column] of Object.entries(outcome.series)) {
    const series = { ...outcome.series, [key]: column.slice(1) };
    expect([key, replyGuards.whatIfRun({ ...outcome, series })]).toEqual([key, false]);
  }
  const series = { ...outcome.series, later: 3 };
  expect(replyGuards.whatIfRun({ ...outcome, series })).toBe(true);
  const curve = samples.whatIfCurve as WhatIfCalls["whatIfCurve"]["out"];
  for (const key of ["steps", "saved", "savedFirst", "results"] as const)
    expect([key, replyGuards.whatIfCurve({ ...curve, [key]: curve[key].slice(1) })]).toEqual([key, false]);
});

test("events of the tab", () => {
  expect(eventGuards["whatIf/progress"]({ what: "reading", done: 1, total: 2 })).toBe(true);
  expect(eventGuards["whatIf/progress"]({ what: "sleeping", done: 1, total: 2 })).toBe(false);
  expect(eventGuards["whatIf/progress"]({ what: "reading", done: Number.NaN, total: 2 })).toBe(false);
  expect(eventGuards["whatIf/stale"]({})).toBe(true);
  expect(eventGuards["whatIf/stale"](null)).toBe(false);
});
