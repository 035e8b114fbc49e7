import type { Detail, DetailMask } from "../../extension/src/protocol/webview";
import { type Rpc, reasonOf } from "./rpc";
import { NONE_SHOWN, type ShownSecrets } from "./searchMarks";

export interface DetailState {
  readonly index: number;
  readonly detail: Detail | null;
  readonly loading: boolean;
  readonly error: string | null;
  /** Secrets in the text that the user asked to see. */
  readonly secrets: ShownSecrets;
}

export interface SecretActions {
  /** Shows a secret of the selected result instead of its mask, or the mask again. */
  showSecret(index: number, mask: DetailMask, show: boolean): void;
}

/** Asks for one result's detail at a time; a newer question cancels the older one. */
export class DetailLoader implements SecretActions {
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
    const kept = known === null ? NONE_SHOWN : (this.#state?.secrets ?? NONE_SHOWN);
    this.drop();
    const abort = new AbortController();
    this.#abort = abort;
    const settle = (change: Partial<DetailState>): void => {
      if (!abort.signal.aborted) {
        const detail = change.detail ?? known;
        const secrets = sameMasks(detail, known) ? (this.#state?.secrets ?? kept) : NONE_SHOWN;
        this.#state = { index, detail, loading: false, error: null, secrets, ...change };
        this.#changed();
      }
    };
    settle({ loading: true });
    this.#rpc.call("detail", { index }, abort.signal).then(
      (detail) => settle({ detail }),
      (error: unknown) => settle({ error: reasonOf(error) }),
    );
  }

  showSecret(index: number, mask: DetailMask, show: boolean): void {
    if (!show) {
      this.#put(index, mask, null);
      return;
    }
    const { at, units } = mask;
    this.#rpc.call("showSecret", { index, at, units }).then(
      ({ text }) => this.#put(index, mask, text),
      (error: unknown) => {
        const state = this.known(index) === null ? null : this.#state;
        if (state !== null) {
          this.#state = { ...state, error: reasonOf(error) };
          this.#changed();
        }
      },
    );
  }

  #put(index: number, { at }: DetailMask, text: string | null): void {
    const state = this.#state;
    if (state?.index !== index) {
      return;
    }
    const secrets = new Map(state.secrets);
    if (text === null) {
      secrets.delete(at);
    } else {
      secrets.set(at, text);
    }
    this.#state = { ...state, secrets };
    this.#changed();
  }

  drop(): void {
    this.#abort?.abort();
    this.#abort = null;
    this.#state = null;
  }
}

/** True while what was asked to be seen still stands where it stood. */
function sameMasks(one: Detail | null, other: Detail | null): boolean {
  return JSON.stringify(one?.masks ?? []) === JSON.stringify(other?.masks ?? []);
}
