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
