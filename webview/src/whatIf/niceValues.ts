/** Whole numbers that a slider stops at. Pure. */

/** Decades that a slider with a logarithmic scale spans. */
const DECADES = 3;
/** Up to here every whole number is a stop. */
const LINEAR_UP_TO = 200;

/**
 * Stops of a slider, ascending: every whole number where there are few, else the numbers of two leading digits over the last
 * three decades below `max`, so that a step changes a value by one to ten per cent. `min` and `max` are stops too.
 */
export function niceValues(min: number, max: number): readonly number[] {
  if (max - min <= LINEAR_UP_TO) {
    return Array.from({ length: Math.max(0, max - min) + 1 }, (_, at) => min + at);
  }
  const stops = new Set([min]);
  const least = Math.max(min, max / 10 ** DECADES);
  for (let power = 10 ** Math.floor(Math.log10(Math.max(1, least))); power <= max; power *= 10) {
    for (let digits = 10; digits < 100; digits++) {
      const value = Math.round((digits * power) / 10);
      if (value >= least && value <= max) {
        stops.add(value);
      }
    }
  }
  stops.add(max);
  return [...stops].sort((a, b) => a - b);
}

/** Place of the stop nearest to a value, by ratio where both are positive. */
export function nearestStop(stops: readonly number[], value: number): number {
  let low = 0;
  let high = stops.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((stops[middle] ?? 0) < value) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  const above = stops[low] ?? 0;
  const below = stops[low - 1];
  if (below === undefined || above <= value) {
    return Math.max(0, low);
  }
  return below > 0 ? (value * value < below * above ? low - 1 : low) : value - below < above - value ? low - 1 : low;
}

/** The next stop above or below a value that need not be a stop itself. */
export function stepFrom(stops: readonly number[], value: number, by: number): number {
  const last = stops.length - 1;
  const at = nearestStop(stops, value);
  const stop = stops[at] ?? value;
  // From between two stops, one step goes to the neighbour on that side.
  const between = by > 0 ? stop > value : stop < value;
  const to = at + by - (between ? Math.sign(by) : 0);
  return stops[Math.min(last, Math.max(0, to))] ?? value;
}
