import type { SearchEnd, SearchHit, SearchProgress, SearchQuery } from "../../extension/src/core/model/search";
import type { Events } from "../../extension/src/protocol/webview";
import { type Rpc, RpcError, reasonOf } from "./rpc";

export interface SearchState {
  readonly query: SearchQuery;
  /** Results that the transcript had when it began; later ones were not looked at. */
  readonly rows: number;
  /** By index of the result; a new map with every step. */
  readonly hits: ReadonlyMap<number, SearchHit>;
  readonly count: number;
  readonly progress: SearchProgress | null;
  /** Null while it runs. */
  readonly end: SearchEnd | "cancelled" | null;
  readonly error: string | null;
}

/** Runs one search at a time; a newer query cancels the older one, whose late hits are not heard. */
export class SearchRunner {
  readonly #rpc: Rpc;
  readonly #changed: () => void;
  #state: SearchState | null = null;
  #abort: AbortController | null = null;
  #number = 0;

  constructor(rpc: Rpc, changed: () => void) {
    this.#rpc = rpc;
    this.#changed = changed;
  }

  get state(): SearchState | null {
    return this.#state;
  }

  /** Number of the search whose hits are shown; null = none. */
  get number(): number | null {
    return this.#state === null ? null : this.#number;
  }

  run(query: SearchQuery, rows: number): void {
    this.drop();
    const abort = new AbortController();
    const search = this.#number;
    this.#abort = abort;
    this.#set({ query, rows, hits: new Map(), count: 0, progress: null, end: null, error: null });
    const settle = (change: Partial<SearchState>): void => {
      if (search === this.#number && this.#state !== null) {
        this.#abort = null;
        this.#set({ ...this.#state, ...change });
      }
    };
    this.#rpc.call("search", { search, query }, abort.signal).then(
      ({ end }) => settle({ end }),
      (error: unknown) => {
        const cancelled = error instanceof RpcError && error.code === "cancelled";
        settle({ end: "cancelled", error: cancelled ? null : reasonOf(error) });
      },
    );
  }

  take({ search, hits, progress }: Events["search/hits"]): void {
    if (search !== this.#number || this.#state === null || this.#state.end !== null) {
      return;
    }
    const all = hits.length === 0 ? this.#state.hits : new Map(this.#state.hits);
    if (all instanceof Map) {
      for (const hit of hits) {
        all.set(hit.index, hit);
      }
    }
    const count = hits.reduce((sum, hit) => sum + hit.count, this.#state.count);
    this.#set({ ...this.#state, hits: all, count, progress });
  }

  /** Ends the search; what was found stays. */
  cancel(): void {
    this.#abort?.abort();
    this.#abort = null;
  }

  clear(): void {
    this.drop();
    this.#changed();
  }

  /** Ends the search and forgets it; what it still says is not heard. */
  drop(): void {
    this.#number++;
    this.cancel();
    this.#state = null;
  }

  #set(state: SearchState): void {
    this.#state = state;
    this.#changed();
  }
}
