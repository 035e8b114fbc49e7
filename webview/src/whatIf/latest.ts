import { RpcError, reasonOf } from "../rpc";

/** Starts a wait and returns what ends it early. Tests pass their own. */
export type Wait = (ms: number, then: () => void) => () => void;

export const waitByTimer: Wait = (ms, then) => {
  const timer = setTimeout(then, ms);
  return () => clearTimeout(timer);
};

/**
 * How long an answer that is no longer wanted may still take, milliseconds: an answer that comes at once shows the way while a
 * slider moves, a slow one only keeps the newest question waiting.
 */
export const PATIENCE_MS = 120;

export interface LatestOptions<I, O> {
  readonly call: (input: I, signal: AbortSignal) => Promise<O>;
  readonly answered: (input: I, output: O) => void;
  /** Not called for what was cancelled or for a page that closes. */
  readonly failed: (reason: string) => void;
  /** The other end cancelled a question that is still wanted. */
  readonly dropped?: () => void;
  /** True: an outdated question is never cancelled, the newest waits for its answer. */
  readonly patient?: boolean;
  readonly wait?: Wait;
}

/** One question at a time. The newest wins: those between are never asked, and one that is asked but outdated is cancelled. */
export class Latest<I, O> {
  readonly #options: LatestOptions<I, O>;
  #abort: AbortController | null = null;
  #next: { readonly input: I } | null = null;
  #endWait: (() => void) | null = null;

  constructor(options: LatestOptions<I, O>) {
    this.#options = options;
  }

  /** True while an answer is due. */
  get busy(): boolean {
    return this.#abort !== null;
  }

  /** True when the running question is outdated already. */
  get superseded(): boolean {
    return this.#next !== null;
  }

  ask(input: I): void {
    if (this.#abort === null) {
      this.#start(input);
      return;
    }
    this.#next = { input };
    if (this.#options.patient === true) {
      return;
    }
    this.#endWait ??= (this.#options.wait ?? waitByTimer)(PATIENCE_MS, () => {
      const { input: newest } = this.#next ?? { input };
      this.drop();
      this.#start(newest);
    });
  }

  /** Cancels what runs and forgets what waits. */
  drop(): void {
    this.#endWait?.();
    this.#endWait = null;
    this.#next = null;
    const abort = this.#abort;
    this.#abort = null;
    abort?.abort();
  }

  #start(input: I): void {
    const abort = new AbortController();
    this.#abort = abort;
    this.#options.call(input, abort.signal).then(
      (output) => this.#settle(abort, () => this.#options.answered(input, output)),
      (error: unknown) =>
        this.#settle(abort, () => {
          const code = error instanceof RpcError ? error.code : null;
          if (code === "cancelled") {
            this.#options.dropped?.();
          } else if (code !== "disposed") {
            this.#options.failed(reasonOf(error));
          }
        }),
    );
  }

  #settle(abort: AbortController, tell: () => void): void {
    if (this.#abort !== abort) {
      return;
    }
    const next = this.#next;
    this.#endWait?.();
    this.#endWait = null;
    this.#next = null;
    this.#abort = null;
    if (next !== null) {
      this.#start(next.input);
    }
    tell();
  }
}
