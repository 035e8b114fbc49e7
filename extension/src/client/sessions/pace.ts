/** Rest after work, as a multiple of how long it took. */
const REST = 20;
/** Least rest, milliseconds. */
const LEAST_REST_MS = 2_000;

/** When something is read again that an agent keeps writing: reading may take a twentieth of the time, whatever its size. */
export class Pace {
  readonly #now: () => number;
  readonly #began: number;
  /** Undefined while the work goes on. */
  #ended: number | undefined;

  /** @param now milliseconds, from any beginning */
  constructor(work: Promise<unknown>, now: () => number) {
    this.#now = now;
    this.#began = now();
    const end = (): void => {
      this.#ended = now();
    };
    work.then(end, end);
  }

  /** Until it has rested, milliseconds; 0 = it is due. While the work goes on, the least that it will be. */
  get restMs(): number {
    if (this.#ended === undefined) return LEAST_REST_MS;
    const rest = Math.max(LEAST_REST_MS, (this.#ended - this.#began) * REST);
    return Math.max(0, this.#ended + rest - this.#now());
  }
}
