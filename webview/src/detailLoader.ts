import type { Detail } from "../../extension/src/protocol/webview";
import { type Rpc, reasonOf } from "./rpc";

export interface DetailState {
  readonly index: number;
  readonly detail: Detail | null;
  readonly loading: boolean;
  readonly error: string | null;
}

/** Asks for one result's detail at a time; a newer question cancels the older one. */
export class DetailLoader {
  readonly #rpc: Rpc;
  readonly #changed: () => void;
  #state: DetailState | null = null;
  #abort: AbortController | null = null;

  constructor(rpc: Rpc, changed: () => void) {
    this.#rpc = rpc;
    this.#changed = changed;
  }

  get state(): DetailState | null {
    return this.#state;
  }

  /** The detail of that result, if it is the one at hand. */
  known(index: number): Detail | null {
    return this.#state?.index === index ? this.#state.detail : null;
  }

  /** Keeps showing the same result's old detail until the answer is there. */
  load(index: number): void {
    const known = this.known(index);
    this.drop();
    const abort = new AbortController();
    this.#abort = abort;
    const settle = (change: Partial<DetailState>): void => {
      if (!abort.signal.aborted) {
        this.#state = { index, detail: known, loading: false, error: null, ...change };
        this.#changed();
      }
    };
    settle({ loading: true });
    this.#rpc.call("detail", { index }, abort.signal).then(
      (detail) => settle({ detail }),
      (error: unknown) => settle({ error: reasonOf(error) }),
    );
  }

  drop(): void {
    this.#abort?.abort();
    this.#abort = null;
    this.#state = null;
  }
}
