/** Work between two rests, milliseconds: far below what anybody notices, long enough that resting costs nothing. */
export const SLICE_MS = 10;

export interface Time {
  /** Milliseconds, from any beginning, never going back. */
  now(): number;
  /** Resolves after everybody else who waits had a turn. */
  turn(): Promise<void>;
}

export const systemTime: Time = {
  now: () => performance.now(),
  turn: () => new Promise((done) => setImmediate(done)),
};

/**
 * Cuts long work into slices, so that the thread's other work is never kept waiting: whoever works asks `rest` between two
 * steps and waits when it gives a promise. Several workers share one slice and rest together.
 */
export class TimeSlices {
  readonly #time: Time;
  #began: number;
  #resting: Promise<void> | undefined;

  constructor(time: Time = systemTime) {
    this.#time = time;
    this.#began = time.now();
  }

  /** Undefined while there is time left. */
  rest(): Promise<void> | undefined {
    if (this.#resting === undefined && this.#time.now() - this.#began >= SLICE_MS) {
      this.#resting = this.#time.turn().then(() => {
        this.#resting = undefined;
        this.#began = this.#time.now();
      });
    }
    return this.#resting;
  }
}

/** Elements sorted in one go. */
const RUN = 512;

/** A sorted copy, in slices; equal elements keep their order. */
export async function sortInSlices<T>(
  items: readonly T[],
  compare: (a: T, b: T) => number,
  slices: TimeSlices,
): Promise<readonly T[]> {
  let sorted: T[] = [];
  for (let at = 0; at < items.length; at += RUN) {
    sorted.push(...items.slice(at, at + RUN).sort(compare));
    const rest = slices.rest();
    if (rest !== undefined) await rest;
  }
  for (let width = RUN; width < items.length; width *= 2) {
    const merged: T[] = [];
    for (let from = 0; from < sorted.length; from += 2 * width) {
      const [middle, end] = [Math.min(from + width, sorted.length), Math.min(from + 2 * width, sorted.length)];
      let [left, right] = [from, middle];
      while (left < middle || right < end) {
        const [a, b] = [sorted[left], sorted[right]];
        const takeLeft = right >= end || (left < middle && a !== undefined && b !== undefined && compare(a, b) <= 0);
        const next = takeLeft ? a : b;
        if (takeLeft) left++;
        else right++;
        if (next !== undefined) merged.push(next);
        const rest = merged.length % RUN === 0 ? slices.rest() : undefined;
        if (rest !== undefined) await rest;
      }
    }
    sorted = merged;
  }
  return sorted;
}
