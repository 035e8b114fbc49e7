/** Geometry of the context timeline. Pure; lengths are pixels, x from the left and y from the top of the drawing. */
import type { CompactionTick, Overview, TimelinePoint } from "../../extension/src/protocol/webview";

export interface ChartSize {
  readonly width: number;
  readonly height: number;
}

export interface Chart {
  /** tokens: measured · chars: no call states usage. */
  readonly unit: "tokens" | "chars";
  /** Top of the axis; the bottom is always 0. */
  readonly top: number;
  /** Axis values with a line, from 0 up. */
  readonly marks: readonly number[];
  /** SVG path of what stood in context. */
  readonly total: string;
  /** SVG path of the part that came from the cache; empty when none is stated. */
  readonly cached: string;
  /** Height of the context window on the axis, pixels from the top; null: it lies above the drawing, or is not known. */
  readonly window: number | null;
  readonly ticks: readonly { readonly x: number; readonly tick: CompactionTick }[];
}

/** Tokens in context: input + cache read + cache write; null when the call states none of them. */
export function contextOf(point: TimelinePoint): number | null {
  const { input, cacheRead, cacheWrite } = point;
  if (input === null && cacheRead === null && cacheWrite === null) {
    return null;
  }
  return (input ?? 0) + (cacheRead ?? 0) + (cacheWrite ?? 0);
}

/** Tokens before and after a compaction: as stated, else as the neighbouring calls measured them; null = unknown. */
export function aroundTick(tick: CompactionTick): { readonly before: number | null; readonly after: number | null } {
  return { before: tick.tokensBefore ?? tick.measuredBefore, after: tick.tokensAfter ?? tick.measuredAfter };
}

export function unitOf(points: readonly TimelinePoint[]): Chart["unit"] {
  return points.some((point) => contextOf(point) !== null) ? "tokens" : "chars";
}

/** Height of a point on the axis; null where the transcript does not say. */
export function heightOf(point: TimelinePoint, unit: Chart["unit"]): number | null {
  return unit === "tokens" ? contextOf(point) : point.chars;
}

/** The next of 1, 2, 2.5, 5 times a power of ten. */
export function axisTop(value: number): number {
  if (value <= 0) {
    return 1;
  }
  const power = 10 ** Math.floor(Math.log10(value));
  return ([1, 2, 2.5, 5, 10].find((step) => step * power >= value) ?? 10) * power;
}

/** @param windowTokens the context window; the axis reaches up to it unless that would press the drawing into its lower half */
export function chartOf(
  { points, compactions }: Overview,
  { width, height }: ChartSize,
  windowTokens: number | null = null,
): Chart {
  const unit = unitOf(points);
  const values = points.map((point) => heightOf(point, unit));
  const most = values.reduce<number>((max, value) => Math.max(max, value ?? 0), 0);
  const window = unit === "tokens" ? windowTokens : null;
  const top = axisTop(window !== null && window <= 2 * most ? Math.max(most, window) : most);
  const step = points.length === 0 ? width : width / points.length;
  const cached = points.map((point) => (unit === "tokens" ? point.cacheRead : null));
  return {
    unit,
    top,
    marks: [0, top / 2, top],
    total: area(values, step, height, top),
    cached: cached.some((value) => value !== null && value > 0) ? area(cached, step, height, top) : "",
    window: window === null || window > top ? null : round(height - (window / top) * height),
    ticks: compactions.map((tick) => ({ x: tickX(points, tick.afterCall, step), tick })),
  };
}

/** Where a call's stretch ends: compactions stand between two calls. */
function tickX(points: readonly TimelinePoint[], afterCall: number, step: number): number {
  const next = points.findIndex((point) => point.call > afterCall);
  return (next < 0 ? points.length : next) * step;
}

/** Steps from the axis; where nothing is known the area ends. */
function area(values: readonly (number | null)[], step: number, height: number, top: number): string {
  const parts: string[] = [];
  let open = false;
  values.forEach((value, at) => {
    const x = round(at * step);
    if (value === null) {
      parts.push(open ? `V${height}Z` : "");
      open = false;
      return;
    }
    const y = round(height - (value / top) * height);
    parts.push(open ? `V${y}` : `M${x} ${height}V${y}`, `H${round(x + step)}`);
    open = true;
  });
  return parts.join("") + (open ? `V${height}Z` : "");
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

/** Place of the point under a pixel. */
export function placeAt(x: number, count: number, width: number): number {
  return Math.min(count - 1, Math.max(0, Math.floor((x / width) * count)));
}
