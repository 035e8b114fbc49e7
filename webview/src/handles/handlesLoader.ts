import type { HandlesPage, MomentAsked } from "../../../extension/src/core/model/handlesPage";
import type { HandleUse } from "../../../extension/src/core/model/resultHandle";
import { HANDLE_PAGE } from "../../../extension/src/protocol/handles";
import type { WhatIfEvents } from "../../../extension/src/protocol/whatIf";
import { type EventMessage, type Rpc, RpcError, reasonOf } from "../rpc";

/** What the user has chosen; kept while the page is hidden and reloaded. */
export interface HandlesSetup {
  readonly moment: MomentAsked;
  readonly use: HandleUse | null;
}

export const INITIAL_HANDLES: HandlesSetup = { moment: { kind: "now" }, use: null };

export interface HandlesState extends HandlesSetup {
  readonly page: HandlesPage | null;
  readonly loading: boolean;
  readonly error: string | null;
  /** The transcript grew or was written anew since the page was made. */
  readonly stale: boolean;
  readonly progress: WhatIfEvents["whatIf/progress"] | null;
}

export interface HandlesActions {
  setMoment(moment: MomentAsked): void;
  setUse(use: HandleUse | null): void;
  /** Shows the handles from that place in the list on. */
  showFrom(from: number): void;
  lookAgain(): void;
}

/** Asks for handles while their tab is looked at; a newer question cancels the older one. */
export class HandlesLoader implements HandlesActions {
  readonly #rpc: Rpc;
  readonly #changed: () => void;
  readonly #keep: (setup: HandlesSetup) => void;
  #state: HandlesState;
  #from = 0;
  #visible = false;
  #abort: AbortController | null = null;

  constructor(rpc: Rpc, changed: () => void, setup: HandlesSetup, keep: (setup: HandlesSetup) => void) {
    this.#rpc = rpc;
    this.#changed = changed;
    this.#keep = keep;
    this.#state = { ...setup, page: null, loading: false, error: null, stale: false, progress: null };
  }

  get state(): HandlesState {
    return this.#state;
  }

  setVisible(visible: boolean): void {
    const shown = visible && !this.#visible;
    this.#visible = visible;
    if (shown && (this.#state.page === null || this.#state.stale) && !this.#state.loading) this.#load();
  }

  take(message: EventMessage): void {
    if (message.e === "whatIf/progress") {
      if (this.#state.loading) this.#set({ progress: message.body });
    } else if (message.e === "whatIf/stale") {
      if (this.#state.page !== null && !this.#state.stale) this.#set({ stale: true });
    }
  }

  setMoment(moment: MomentAsked): void {
    this.#choose({ moment });
  }

  setUse(use: HandleUse | null): void {
    this.#from = 0;
    this.#choose({ use });
  }

  showFrom(from: number): void {
    this.#from = from;
    this.#load();
  }

  lookAgain(): void {
    this.#load();
  }

  drop(): void {
    this.#abort?.abort();
    this.#abort = null;
  }

  #choose(change: Partial<HandlesSetup>): void {
    const { moment, use } = { ...this.#state, ...change };
    this.#keep({ moment, use });
    this.#set({ moment, use });
    this.#load();
  }

  #load(): void {
    this.drop();
    const abort = new AbortController();
    this.#abort = abort;
    const { moment, use } = this.#state;
    this.#set({ loading: true, error: null, stale: false, progress: null });
    const settle = (change: Partial<HandlesState>): void => {
      if (!abort.signal.aborted) this.#set({ loading: false, progress: null, ...change });
    };
    this.#rpc.call("handles", { moment, use, from: this.#from, count: HANDLE_PAGE.rows }, abort.signal).then(
      (page) => {
        // What was there is gone: back to the last handles that are.
        if (page.rows.length === 0 && page.total > 0 && this.#from > 0) this.showFrom(0);
        else settle({ page });
      },
      (error: unknown) => {
        if (error instanceof RpcError && error.code === "disposed") return;
        settle({ error: reasonOf(error) });
      },
    );
  }

  #set(change: Partial<HandlesState>): void {
    this.#state = { ...this.#state, ...change };
    this.#changed();
  }
}
