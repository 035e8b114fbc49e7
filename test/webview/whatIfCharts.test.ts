import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { savedAt as coreSavedAt, type ThresholdCurve } from "../../extension/src/core/compaction/curve";
import { CANDIDATE_THRESHOLDS } from "../../extension/src/core/compaction/policy";
import { simulationSentence } from "../../extension/src/core/compaction/report/words";
import type { WhatIfCurve, WhatIfSeries } from "../../extension/src/protocol/whatIf";
import { formatFor, roundShort } from "../../webview/src/format";
import { readout } from "../../webview/src/whatIf/callsChart";
import {
  axisTop,
  callsChartOf,
  curveChartOf,
  namedThresholds,
  savedAt,
  savesBelow,
  spread,
  thresholdAtX,
  withoutOverlap,
  xOfThreshold,
} from "../../webview/src/whatIf/chartGeometry";
import { nearestStop, niceValues, stepFrom } from "../../webview/src/whatIf/niceValues";
import { reportLines, summaryOf } from "../../webview/src/whatIf/sentences";
import { INITIAL_SETUP, inputOf, reduceSetup, withFirstCard } from "../../webview/src/whatIf/whatIfSetup";
import { run, sampleFacts, sampleHost } from "./whatIfSamples";

const format = formatFor("en");
const spaces = (text: string) => text.replaceAll("\u00a0", " ");

const series = (before: readonly number[], more: Partial<WhatIfSeries> = {}): WhatIfSeries => ({
  call: before.map((_, at) => at + 1),
  before,
  beforeCached: before.map(() => 0),
  after: before,
  afterCached: before.map(() => 0),
  measured: before.map(() => null),
  breaks: before.map(() => 0),
  compactions: before.map(() => 0),
  ...more,
});

describe("stops of a slider", () => {
  test("ascend from the least to the most, and a step changes a value by a tenth at most", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 5 }), fc.integer({ min: 6, max: 2_000_000 }), (min, max) => {
        const stops = niceValues(min, max);
        expect([stops[0], stops.at(-1)]).toEqual([min, max]);
        stops.forEach((stop, at) => {
          const next = stops[at + 1];
          if (next !== undefined) {
            expect(next).toBeGreaterThan(stop);
            if (stop >= Math.max(20, max / 1000) && max > 300) expect(next / stop).toBeLessThanOrEqual(1.1);
          }
        });
        expect(stops.length).toBeLessThan(320);
      }),
    );
    expect(niceValues(0, 5)).toEqual([0, 1, 2, 3, 4, 5]);
    for (const candidate of CANDIDATE_THRESHOLDS) expect(niceValues(1, 200_000)).toContain(candidate);
  });

  test("the nearest stop is a stop no other is nearer than, by ratio", () => {
    const stops = niceValues(1, 200_000);
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 400_000 }), (value) => {
        const at = nearestStop(stops, value);
        const far = (stop: number) => Math.abs(Math.log(stop / value));
        expect(far(stops[at] ?? 0)).toBeLessThanOrEqual(Math.min(...stops.map(far)) + 1e-9);
      }),
    );
    expect(nearestStop([0, 10], 3)).toBe(0);
  });

  test("a step from between two stops goes to the neighbour, at the ends it stays", () => {
    const stops = [10, 20, 30];
    expect([stepFrom(stops, 20, 1), stepFrom(stops, 20, -1)]).toEqual([30, 10]);
    for (const between of [21, 24, 26, 29]) {
      expect([stepFrom(stops, between, 1), stepFrom(stops, between, -1)]).toEqual([30, 20]);
    }
    expect([stepFrom(stops, 30, 1), stepFrom(stops, 10, -1), stepFrom(stops, 25, 99)]).toEqual([30, 10, 30]);
  });
});

describe("the chart of calls", () => {
  test("is zero-based, ends at a round number, and draws the window only where it fits", () => {
    expect(callsChartOf(series([10, 90]), null, 500)).toMatchObject({ top: 100, marks: [0, 50, 100], window: "none" });
    expect(callsChartOf(series([10, 90]), 150, 500)).toMatchObject({ top: 160, window: "drawn" });
    expect(callsChartOf(series([10, 90]), 200, 500)).toMatchObject({ top: 100, window: "above" });
    expect(callsChartOf(series([]), null, 500)).toMatchObject({ top: 1, columns: [[0], [null], [null], [null], []] });
  });

  test("holds the last value to the end, and has a column for what was measured only where something was", () => {
    const chart = callsChartOf(series([5, 7], { measured: [null, 8] }), null, 500);
    expect(chart.columns).toEqual([
      [0, 1, 2],
      [5, 7, 7],
      [5, 7, 7],
      [0, 0, 0],
      [null, 8, 8],
    ]);
    expect(chart.hasMeasured).toBe(true);
  });

  test("points too narrow to be seen are drawn as the largest of their stretch, and none is lost", () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat(1_000_000), { minLength: 1, maxLength: 3_000 }),
        fc.integer({ min: 40, max: 2_000 }),
        (values, width) => {
          const { columns } = callsChartOf(series(values), null, width);
          const [x = [], before = []] = columns;
          expect(x.length).toBe(before.length);
          expect(x.length - 1).toBeLessThanOrEqual(Math.max(1, width / 2));
          for (let at = 0; at < x.length - 1; at++) {
            expect(before[at]).toBe(Math.max(...values.slice(x[at] ?? 0, x[at + 1] ?? 0)));
          }
          expect(x.at(-1)).toBe(values.length);
        },
      ),
    );
  });

  test("any finite number can be drawn and read", () => {
    const number = fc.double({ noNaN: true, noDefaultInfinity: true });
    fc.assert(
      fc.property(fc.array(number, { maxLength: 50 }), fc.option(number), (values, window) => {
        const { top, columns } = callsChartOf(series(values, { after: values.map((value) => -value) }), window, 300);
        expect(top > 0 && Number.isFinite(top)).toBe(true);
        expect(columns[0]?.length).toBe(columns[1]?.length);
        for (const { text } of readout(series(values), 0, format)) expect(text).not.toContain("NaN");
      }),
    );
  });

  test("marks keep their distance, and many compactions lose their lines", () => {
    const flags = Array.from({ length: 1_000 }, () => 1);
    const chart = callsChartOf(series(flags, { breaks: flags, compactions: flags }), null, 700);
    expect(chart.breaks.length).toBe(100);
    expect(chart.crowded).toBe(true);
    expect(callsChartOf(series([1, 2], { compactions: [0, 1] }), null, 700)).toMatchObject({
      compactions: [1],
      crowded: false,
    });
  });

  test("the cursor reads every value of its point, the unknown left out", () => {
    const one = series([100], { after: [80], afterCached: [60], measured: [99], breaks: [1], compactions: [1] });
    expect(readout(one, 0, format).map(({ text }) => text)).toEqual([
      "call 1",
      "≈ 100 before",
      "≈ 80 after",
      "≈ 60 cached (≈\u00a075%)",
      "99 measured",
      "cache break",
      "compaction",
    ]);
    expect(readout(series([100]), 0, format)).toHaveLength(4);
  });

  test("labels spread to their height within the drawing, in their order", () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 190, noNaN: true }), { maxLength: 4 }), (wanted) => {
        const placed = spread(wanted, 14, 190);
        const sorted = [...placed].sort((a, b) => a - b);
        sorted.forEach((y, at) => {
          if (at > 0) expect(y - (sorted[at - 1] ?? 0)).toBeGreaterThanOrEqual(14 - 1e-9);
        });
        expect(Math.max(0, ...placed)).toBeLessThanOrEqual(190);
        for (const [a, first] of wanted.entries())
          for (const [b, second] of wanted.entries())
            if (first < second) expect(placed[a] ?? 0).toBeLessThan(placed[b] ?? 0);
      }),
    );
  });

  test("round tops are at or just above the value", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e12 }), (value) => {
        expect(axisTop(value)).toBeGreaterThanOrEqual(value);
        expect(axisTop(value)).toBeLessThanOrEqual(value * 1.4);
      }),
    );
    expect(axisTop(0)).toBe(1);
  });
});

const curve = sampleHost.answer("whatIfCurve", { thread: sampleFacts.thread, policy: null }) as WhatIfCurve;

describe("the threshold curve", () => {
  test("reads as the simulator's own does, at, below and above every step", () => {
    const core = {
      steps: Float64Array.from(curve.steps),
      saved: Float64Array.from(curve.saved),
      savedFirst: Float64Array.from(curve.savedFirst),
      results: Int32Array.from(curve.results),
      always: curve.always,
    } satisfies ThresholdCurve;
    expect(curve.steps.length).toBeGreaterThan(10);
    for (const step of curve.steps)
      for (const at of [step - 1, step, step + 1])
        expect(savedAt(curve, at)).toMatchObject({
          saved: coreSavedAt(core, at).saved,
          results: coreSavedAt(core, at).results,
        });
  });

  test("is drawn with a value that holds from the previous step on", () => {
    const { columns, from, until } = curveChartOf(curve);
    const [x = [], y = []] = columns;
    expect([x[0], x.at(-1)]).toEqual([from, until]);
    for (let at = 1; at < x.length; at++) {
      const before = x[at - 1] ?? 0;
      expect(x[at]).toBeGreaterThan(before);
      expect(y[at]).toBe(savedAt(curve, before).saved / 4);
    }
  });

  test("without any step it is level", () => {
    const level = { ...curve, steps: [], saved: [], savedFirst: [], results: [] };
    expect(curveChartOf(level).columns).toEqual([
      [1_000, 200_000],
      [curve.always.saved / 4, curve.always.saved / 4],
    ]);
  });

  test("of a curve that saves nothing only the bottom is marked, and no two marks read the same", () => {
    const nothing = { ...curve, saved: curve.saved.map(() => 0), always: { saved: 0, savedFirst: 0, results: 0 } };
    expect(curveChartOf(nothing).marks).toEqual([0]);
    for (const tokens of [0.25, 1, 1.5, 2, 3, 100, 12_345]) {
      const level = { ...nothing, steps: [2_000], saved: [tokens * 4] };
      const read = curveChartOf(level).marks.map((mark) => roundShort(mark, format));
      expect(new Set(read).size).toBe(read.length);
    }
  });

  test("names the largest threshold below which something is saved", () => {
    const all = [...curve.steps, 1, 500, 1_000_000];
    for (const threshold of all) {
      const below = all.filter((at) => at <= threshold && savedAt(curve, at - 1).saved > 0);
      if (savedAt(curve, threshold).saved > 0) continue;
      expect(savesBelow(curve, threshold)).toBe(below.length === 0 ? null : Math.max(...below));
    }
    expect(savesBelow({ ...curve, saved: curve.saved.map(() => 0) }, 1_000_000)).toBeNull();
  });

  test("a pixel and its threshold agree", () => {
    const chart = curveChartOf(curve);
    fc.assert(
      fc.property(fc.integer({ min: 1_000, max: 200_000 }), (chars) => {
        const back = thresholdAtX(chart, xOfThreshold(chart, chars, 800), 800);
        expect(Math.abs(back - chars)).toBeLessThanOrEqual(1);
      }),
    );
    expect([xOfThreshold(chart, 1, 800), xOfThreshold(chart, 1e9, 800)]).toEqual([0, 800]);
    expect(thresholdAtX(chart, Number.NEGATIVE_INFINITY, 800)).toBe(1_000);
  });

  test("names the candidates, the config's value, the chosen one and the interval, each value once", () => {
    expect(namedThresholds([8_000, 30_000], sampleFacts, 30_000)).toEqual([
      { chars: 8_000, names: [] },
      { chars: 30_000, names: ["chosen", "config"] },
      { chars: 39_200, names: ["inForceFrom"] },
      { chars: 48_120, names: ["inForceTo"] },
    ]);
    expect(namedThresholds([], { ...sampleFacts, inferred: null, configThreshold: null }, null)).toEqual([]);
  });

  test("of labels that would touch, the first named stays", () => {
    const at = (x: number) => ({ x, width: 20 });
    expect(withoutOverlap([at(50), at(60), at(0), at(74)]).map(({ x }) => x)).toEqual([50, 0, 74]);
  });
});

describe("the sentence", () => {
  const first = withFirstCard(INITIAL_SETUP, sampleFacts);
  const input = inputOf(first, sampleFacts);
  const outcome = run(input);
  const say = (change: Partial<typeof outcome>, policies = input.policies) =>
    spaces(summaryOf({ ...input, policies }, { ...outcome, ...change }, 1, format));
  const saved = (all: number, cached: number) => ({ input: all, cached, uncached: all - cached, cost: null });
  const before = { ...outcome.before, input: 37_000_000 };

  test("says what a threshold would have kept out, and how much of it the cache would have held", () => {
    const persist = input.policies.map((policy) => ({ ...policy, threshold: 20_000 }) as typeof policy);
    expect(say({ before, saved: saved(1_600_000, 1_472_000) }, persist)).toBe(
      "Persisting above 20,000 chars would have kept ≈ 1.60M of ≈ 37.00M input tokens out of this transcript (≈ 4.3%, upper bound); ≈ 92% of that would have been cache reads.",
    );
  });

  test.each([
    ["saved", saved(1_600_000, 1_400_000)],
    ["saved, but the cache lost", saved(1_000_000, 1_200_000)],
    ["added", saved(-1_200, 0)],
    ["nothing", saved(0, 0)],
  ] as const)(
    "says in the words of the command line what was %s, and every number in it is marked as an estimate",
    (_, of) => {
      const here = say({ before, saved: of, affected: of.input === 0 ? 0 : 3 });
      const policies = input.policies.map((parameters) => ({
        parameters: { ...parameters, threshold: 30_000 },
        preset: null,
        replaced: of.input === 0 ? 0 : 3,
      }));
      const there = simulationSentence({ policies, totals: { before, saved: of } } as never);
      const plain = (text: string): string =>
        text
          .replaceAll(/\d[\d.,]*[kM]?/g, "N")
          .replaceAll("N %", "N%")
          .replace(/(?<=\.) .*/, "");
      expect(plain(here)).toBe(plain(there));
      for (const text of [here, there]) {
        const told = text.slice(text.indexOf("would have"));
        expect(told.match(/(?<!≈ )(?<![\d.,])\d/g), text).toBeNull();
      }
    },
  );

  test("does not round to all what is not all", () => {
    expect(say({ before, saved: saved(1_000_000, 999_999) })).toContain("; ≈ 99% of that would");
    expect(say({ before, saved: saved(1_000_000, 1_000_000) })).toContain("; ≈ 100% of that would");
  });

  test("says when nothing changed, when it cost more, and when the cache lost", () => {
    expect(say({ affected: 0, saved: saved(0, 0) })).toBe(
      "Persisting above 30,000 chars would have changed nothing in this transcript.",
    );
    expect(say({ before, saved: saved(-1_200, 0) })).toContain("would have added ≈ 1.2k to the ≈ 37.00M input tokens");
    expect(say({ before, saved: saved(1_000_000, 1_200_000) })).toContain(
      ": ≈ 1.20M cache reads fewer, but ≈ 200.0k uncached tokens more.",
    );
    expect(say({}, [])).toBe("No policy is on, so nothing changes.");
  });

  test("says what breaks of the cache cost", () => {
    const breaks = { count: 3, lost: 9, paysBackAfter: 5, paysBackAfterPrice: null };
    expect(say({ breaks })).toContain(
      "Rewriting history breaks the cache 3 times; that pays back after 5 further calls.",
    );
    expect(say({ breaks: { ...breaks, count: 1, paysBackAfter: null } })).toContain(
      "breaks the cache once; that is not paid back in this thread.",
    );
    expect(say({ breaks: { ...breaks, paysBackAfter: 0 } })).toContain("that pays back at once.");
  });

  test("names each kind of policy, and several by their number", () => {
    const setup = [
      "hermes-prune",
      "tinyagents",
      "anthropic-clear-tool-uses",
      "opencode-prune",
      "hermes-proactive",
    ].reduce((cards, preset) => reduceSetup(cards, { t: "add", preset, windowTokens: null }), {
      ...first,
      cards: [],
    } as typeof first);
    const { policies } = inputOf(setup, sampleFacts);
    const starts = policies.map((policy) => say({}, [policy]).split(" would have")[0]);
    expect(starts).toEqual([
      "Pruning old results above 8,192 chars",
      "Blanking all but the newest 5 results",
      "Clearing old tool uses above 100,000 input tokens",
      "Masking tool results older than the newest 40,000 tokens",
      "Pruning early, from 48,000 tokens on,",
    ]);
    expect(say({}, policies)).toMatch(/^These 5 policies together would have kept/u);
  });
});

describe("why a policy did nothing", () => {
  test("is said in words, the most frequent reason first", () => {
    expect(
      reportLines(
        { replaced: 0, idle: { "below-budget": 3, "not-enough-results": 40 }, kept: { pinned: 2, "below-budget": 7 } },
        null,
        format,
      ),
    ).toEqual([
      "Changed nothing.",
      "Did nothing before 40 calls: not enough results; 3 calls: the request is at or below the budget or trigger.",
      "Left alone: 7 (the request is at or below the budget or trigger); 2 (the tool is never persisted).",
    ]);
    expect(reportLines({ replaced: 1, idle: {}, kept: {} }, 9, format)).toEqual(["1 result replaced."]);
    expect(reportLines({ replaced: 0, idle: {}, kept: {} }, 9, format)).toEqual([
      "No result holds its replacement at the end.",
    ]);
    expect(reportLines({ replaced: 0, idle: { "nothing-eligible": 9 }, kept: {} }, 9, format)[0]).toBe(
      "Changed nothing.",
    );
  });
});
