/** Geometry and values of the what-if charts. Pure; lengths are pixels from the left and the top of the drawing. */
import type { WhatIfCurve, WhatIfFacts, WhatIfSeries } from "../../../extension/src/protocol/whatIf";

/** Characters per token of an estimate. */
export const CHARS_PER_TOKEN = 4;

/** Ends of an axis are these times a power of ten: half of each is a round number too. */
const TOPS = [1, 1.2, 1.6, 2, 2.4, 3, 4, 5, 6, 8, 10];

/** The next round number at or above a value. */
export function axisTop(value: number): number {
  if (value < 1) {
    return 1;
  }
  const power = 10 ** Math.floor(Math.log10(value));
  return Math.min(Number.MAX_VALUE, (TOPS.find((step) => step * power >= value) ?? 10) * power);
}

/** Where an axis is marked: both ends and the middle; of a drawing without anything in it only the bottom. */
function axisMarks(top: number, most: number): readonly number[] {
  if (most <= 0) {
    return [0];
  }
  // Labels are whole numbers, and half of one is none.
  return top < 2 ? [0, top] : [0, top / 2, top];
}

export interface CallsChart {
  /** Top of the axis, tokens; the bottom is 0. */
  readonly top: number;
  readonly marks: readonly number[];
  /** Whether the window is within the axis; it is left out where it would flatten all the rest. */
  readonly window: "none" | "drawn" | "above";
  /** Columns for the drawing: x, then before, after, cached share after, measured; the last point is held to the end. */
  readonly columns: readonly (readonly (number | null)[])[];
  readonly hasMeasured: boolean;
  /** Points with a mark, as places in the series; marks that would lie on one another stand once. */
  readonly breaks: readonly number[];
  readonly compactions: readonly number[];
  /** True where there are so many compactions that lines through the drawing would hide it. */
  readonly crowded: boolean;
}

/** How many times higher than the data the axis may get so that the window can be seen. */
const WINDOW_ROOM = 1.8;
/** Narrower steps are drawn together, pixels. */
const LEAST_STEP = 2;
/** Marks keep this distance, pixels. */
const MARK_GAP = 7;
/** Closer compactions lose their lines, pixels. */
const LINE_GAP = 24;

export function callsChartOf(series: WhatIfSeries, windowTokens: number | null, width: number): CallsChart {
  const { before, after, measured } = series;
  const most = Math.max(largest(before), largest(after), largest(measured));
  const drawn = windowTokens !== null && windowTokens <= most * WINDOW_ROOM;
  const top = axisTop(drawn ? Math.max(most, windowTokens * 1.04) : most);
  const hasMeasured = measured.some((value) => value !== null);
  const { places, starts } = drawnPoints(before, width);
  const column = (values: readonly (number | null)[]): readonly (number | null)[] => {
    const drawn = places.map((place) => values[place] ?? null);
    return [...drawn, drawn.at(-1) ?? null];
  };
  const step = width / Math.max(1, before.length);
  const compactions = marked(series.compactions, step);
  return {
    top,
    marks: axisMarks(top, Math.max(most, drawn ? windowTokens : 0)),
    window: windowTokens === null ? "none" : drawn ? "drawn" : "above",
    columns: [
      [...starts, before.length],
      column(before),
      column(after),
      column(series.afterCached),
      hasMeasured ? column(measured) : [],
    ],
    hasMeasured,
    breaks: marked(series.breaks, step),
    compactions,
    crowded: compactions.length * LINE_GAP > width,
  };
}

/** Of points too narrow to be seen one by one, the one with the largest input of each stretch. */
function drawnPoints(before: readonly number[], width: number) {
  const each = Math.max(1, Math.ceil((before.length * LEAST_STEP) / Math.max(1, width)));
  const places: number[] = [];
  const starts: number[] = [];
  for (let from = 0; from < before.length; from += each) {
    let most = from;
    for (let at = from + 1; at < Math.min(before.length, from + each); at++) {
      if ((before[at] ?? 0) > (before[most] ?? 0)) {
        most = at;
      }
    }
    places.push(most);
    starts.push(from);
  }
  return { places, starts };
}

function marked(flags: readonly number[], step: number): readonly number[] {
  const places: number[] = [];
  for (let at = 0; at < flags.length; at++) {
    if (flags[at] === 1 && (at - (places.at(-1) ?? Number.NEGATIVE_INFINITY)) * step >= MARK_GAP) {
      places.push(at);
    }
  }
  return places;
}

function largest(values: readonly (number | null)[]): number {
  return values.reduce<number>((most, value) => Math.max(most, value ?? 0), 0);
}

export interface CurveChart {
  /** Ends of the logarithmic axis, code points. */
  readonly from: number;
  readonly until: number;
  /** Top of the axis, tokens. */
  readonly top: number;
  readonly marks: readonly number[];
  /** x and tokens saved: a value holds from the previous x on. */
  readonly columns: readonly (readonly number[])[];
}

/** Ends of the axis at least; what is longer widens it. */
const LEAST = 1_000;
const MOST = 200_000;

export function curveChartOf(curve: WhatIfCurve): CurveChart {
  const from = LEAST;
  const until = Math.max(MOST, (curve.steps.at(-1) ?? 0) * 1.05);
  const xs: number[] = [from];
  const ys: number[] = [tokensOf(savedAt(curve, from).saved)];
  curve.steps.forEach((step, at) => {
    if (step > from) {
      xs.push(step);
      ys.push(tokensOf(curve.saved[at] ?? 0));
    }
  });
  xs.push(until);
  ys.push(tokensOf(curve.always.saved));
  const most = largest(ys);
  const top = axisTop(most);
  return { from, until, top, marks: axisMarks(top, most), columns: [xs, ys] };
}

export function tokensOf(chars: number): number {
  return chars / CHARS_PER_TOKEN;
}

export interface CurveValue {
  readonly saved: number;
  readonly results: number;
}

/** What one threshold saves. Code points. */
export function savedAt(curve: WhatIfCurve, threshold: number): CurveValue {
  let low = 0;
  let high = curve.steps.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((curve.steps[middle] ?? 0) > threshold) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low === curve.steps.length ? curve.always : { saved: curve.saved[low] ?? 0, results: curve.results[low] ?? 0 };
}

/** The largest threshold below which something is saved, where nothing is at this one and above; null = nowhere below. */
export function savesBelow(curve: WhatIfCurve, threshold: number): number | null {
  const at = curve.steps.findLastIndex((step, place) => step <= threshold && (curve.saved[place] ?? 0) > 0);
  return curve.steps[at] ?? null;
}

export function xOfThreshold(chart: CurveChart, threshold: number, width: number): number {
  const share = Math.log(Math.max(1, threshold) / chart.from) / Math.log(chart.until / chart.from);
  return Math.min(1, Math.max(0, share)) * width;
}

export function thresholdAtX(chart: CurveChart, x: number, width: number): number {
  const share = Math.min(1, Math.max(0, x / Math.max(1, width)));
  return Math.round(chart.from * (chart.until / chart.from) ** share);
}

/** A threshold worth naming beside the curve. */
export interface NamedThreshold {
  readonly chars: number;
  /** Empty for a candidate that is nothing else. */
  readonly names: readonly ("config" | "chosen" | "inForceFrom" | "inForceTo")[];
}

/** Rows of the curve's table, ascending; a value with several names stands once. */
export function namedThresholds(
  candidates: readonly number[],
  facts: WhatIfFacts,
  chosen: number | null,
): readonly NamedThreshold[] {
  const named = new Map<number, NamedThreshold["names"]>(candidates.map((chars) => [chars, []]));
  const { inferred, configThreshold } = facts;
  for (const [chars, name] of [
    [chosen, "chosen"],
    [configThreshold?.chars, "config"],
    [inferred?.atLeast, "inForceFrom"],
    [inferred?.below, "inForceTo"],
  ] as const) {
    if (chars !== null && chars !== undefined) {
      named.set(chars, [...(named.get(chars) ?? []), name]);
    }
  }
  return [...named].map(([chars, names]) => ({ chars, names })).sort((a, b) => a.chars - b.chars);
}

/** Labels with a place along an axis; of two that would touch, the later in the list is left out. */
export function withoutOverlap<T extends { readonly x: number; readonly width: number }>(
  labels: readonly T[],
  gap = 4,
): readonly T[] {
  const kept: T[] = [];
  for (const label of labels) {
    if (kept.every((other) => Math.abs(other.x - label.x) * 2 >= other.width + label.width + gap * 2)) {
      kept.push(label);
    }
  }
  return kept;
}

/** Spreads labels that want to stand at `y` so that each has `height`, in their order, within the drawing. */
export function spread(wanted: readonly number[], height: number, bottom: number): readonly number[] {
  const order = wanted.map((y, at) => ({ y, at })).sort((a, b) => a.y - b.y || a.at - b.at);
  let floor = 0;
  for (const label of order) {
    label.y = Math.max(label.y, floor);
    floor = label.y + height;
  }
  let ceiling = bottom;
  for (const label of order.toReversed()) {
    label.y = Math.min(label.y, ceiling);
    ceiling = label.y - height;
  }
  const placed = wanted.map(() => 0);
  for (const { y, at } of order) {
    placed[at] = y;
  }
  return placed;
}
