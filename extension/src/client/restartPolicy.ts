import type { Clock } from "../core/ports";

/** How often a crashed server may come back by itself. */
export interface RestartLimit {
  readonly restarts: number;
  readonly windowMs: number;
}

/** Four crashes in three minutes are no accident any more; a fifth start would only crash again. */
export const RESTART_LIMIT: RestartLimit = { restarts: 4, windowMs: 3 * 60_000 };

/** Counts crashes in a sliding window. */
export class RestartPolicy {
  readonly #limit: RestartLimit;
  readonly #clock: Clock;
  #crashes: number[] = [];

  constructor(limit: RestartLimit, clock: Clock) {
    this.#limit = limit;
    this.#clock = clock;
  }

  /** Notes a crash; true when the server may start again by itself. */
  crashed(): boolean {
    const now = this.#clock.now();
    this.#crashes = this.#crashes.filter((at) => now - at < this.#limit.windowMs);
    this.#crashes.push(now);
    return this.#crashes.length <= this.#limit.restarts;
  }

  /** Forgets the past, after a restart that the user asked for. */
  reset(): void {
    this.#crashes = [];
  }
}
