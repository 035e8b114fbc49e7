import type { Overview } from "../../extension/src/protocol/webview";
import { type Rpc, RpcError, reasonOf } from "./rpc";

export interface OverviewState {
  readonly overview: Overview | null;
  readonly error: string | null;
}

/** Keeps the overview up to date with one question at a time: what changes meanwhile is asked for after the answer. */
export class OverviewLoader {
  readonly #rpc: Rpc;
  readonly #changed: () => void;
  #state: OverviewState = { overview: null, error: null };
  #abort: AbortController | null = null;
  #again = false;
  #thread: string | null = null;

  constructor(rpc: Rpc, changed: () => void) {
    this.#rpc = rpc;
    this.#changed = changed;
  }

  get state(): OverviewState {
    return this.#state;
  }

  load(thread: string | null): void {
    this.#thread = thread;
    if (this.#abort !== null) {
      this.#again = true;
      return;
    }
    const abort = new AbortController();
    this.#abort = abort;
    this.#again = false;
    const settle = (state: OverviewState): void => {
      if (abort.signal.aborted) {
        return;
      }
      this.#abort = null;
      this.#state = state;
      this.#changed();
      if (this.#again) {
        this.load(this.#thread);
      }
    };
    this.#rpc.call("overview", { thread }, abort.signal).then(
      (overview) => settle({ overview, error: null }),
      (error: unknown) => {
        if (!(error instanceof RpcError && error.code === "disposed")) {
          settle({ overview: this.#state.overview, error: reasonOf(error) });
        }
      },
    );
  }

  drop(): void {
    this.#abort?.abort();
    this.#abort = null;
    this.#again = false;
  }
}
