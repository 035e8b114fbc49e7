/** One quantity over a run, a value per quiet point. */
export interface Trend {
  readonly name: string;
  /** Values after the warm-up. */
  readonly values: readonly number[];
  /** What the line through the values rises from the first to the last of them. */
  readonly rise: number;
  /** Largest rise that counts as flat. */
  readonly allowed: number;
  readonly isFlat: boolean;
}

export interface Bounds {
  /** Share of the values at the beginning that are left out: caches fill, code is compiled. */
  readonly warmUp: number;
  /** Rise that is no leak, in the unit of the values. */
  readonly absolute: number;
  /** The same as a share of the value in the middle. */
  readonly share: number;
}

/** Fewer values than this say nothing about a trend. */
export const FEWEST_VALUES = 5;

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;

/**
 * Whether a quantity stays flat. The slope is the median of the slopes between all pairs of values (Theil–Sen), which a few
 * outliers do not move: a value that was met in the middle of a collection says nothing about a leak.
 */
export function trendOf(name: string, all: readonly number[], bounds: Bounds): Trend {
  const values = all.slice(Math.floor(all.length * bounds.warmUp));
  if (values.length < FEWEST_VALUES) throw new Error(`${name}: ${values.length} values are too few to tell a trend`);
  const slopes = values.flatMap((value, i) => values.slice(i + 1).map((later, j) => (later - value) / (j + 1)));
  const rise = median(slopes) * (values.length - 1);
  const allowed = Math.max(bounds.absolute, Math.abs(median(values)) * bounds.share);
  return { name, values, rise, allowed, isFlat: rise <= allowed };
}
