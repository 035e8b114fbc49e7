import type { DetailMask, OutputPage } from "../../extension/src/protocol/webview";
import { type Rpc, reasonOf } from "./rpc";
import { NONE_SHOWN, type ShownSecrets } from "./searchMarks";

export interface PageState {
  /** Index of the result. */
  readonly index: number;
  /** Offset that was asked for, UTF-16 units. */
  readonly offset: number;
  /** The page at hand; while another is on its way, the one before. */
  readonly page: OutputPage | null;
  readonly loading: boolean;
  readonly error: string | null;
  /** Secrets in the page that the user asked to see. */
  readonly secrets: ShownSecrets;
}

/** What the user can do with the pages of an output. */
export interface PageActions {
  /** Shows the page in which an offset lies. */
  show(index: number, offset: number): void;
  turn(to: "first" | "previous" | "next" | "last"): void;
  /** Shows a secret of the page instead of its mask, or the mask again. */
  showSecret(mask: DetailMask, show: boolean): void;
  /** Back to the preview. */
  close(): void;
}

/** Pages of one full output, one at a time: the page that is shown is all that is kept. A newer question cancels the older one. */
export class PageLoader implements PageActions {
  readonly #rpc: Rpc;
  readonly #changed: (offset: number | null) => void;
  #state: PageState | null = null;
  #abort: AbortController | null = null;

  /** @param changed hears of every change, with the offset of the page that is shown or wanted; null = none */
  constructor(rpc: Rpc, changed: (offset: number | null) => void) {
    this.#rpc = rpc;
    this.#changed = changed;
  }

  get state(): PageState | null {
    return this.#state;
  }

  show(index: number, offset: number): void {
    const page = this.#state?.index === index ? this.#state.page : null;
    this.#abort?.abort();
    const abort = new AbortController();
    this.#abort = abort;
    const settle = (change: Partial<PageState>): void => {
      if (abort.signal.aborted) return;
      this.#state = { index, offset, page, loading: false, error: null, secrets: NONE_SHOWN, ...change };
      this.#changed(this.#state.offset);
    };
    settle({ loading: true });
    this.#rpc.call("outputPage", { index, offset }, abort.signal).then(
      (found) => settle({ page: found, offset: found.offset }),
      (error: unknown) => settle({ error: reasonOf(error) }),
    );
  }

  turn(to: "first" | "previous" | "next" | "last"): void {
    const { index, page } = this.#state ?? {};
    if (index === undefined || !page) return;
    // One unit before a page lies in the page before it, however that one is cut.
    const offset = { first: 0, previous: page.offset - 1, next: page.nextOffset, last: Math.max(0, page.length - 1) }[
      to
    ];
    if (offset < 0 || (to === "next" && page.page === page.pages - 1)) return;
    this.show(index, offset);
  }

  showSecret(mask: DetailMask, show: boolean): void {
    const page = this.#state?.page;
    if (!page) return;
    if (!show) {
      this.#put(page, mask, null);
      return;
    }
    this.#rpc.call("showOutputSecret", { index: page.index, at: mask.at }).then(
      ({ text }) => this.#put(page, mask, text),
      (error: unknown) => {
        if (this.#state?.page !== page) return;
        this.#state = { ...this.#state, error: reasonOf(error) };
        this.#changed(this.#state.offset);
      },
    );
  }

  #put(page: OutputPage, { at }: DetailMask, text: string | null): void {
    // Another page is shown by now.
    if (this.#state?.page !== page) return;
    const secrets = new Map(this.#state.secrets);
    if (text === null) secrets.delete(at);
    else secrets.set(at, text);
    this.#state = { ...this.#state, secrets };
    this.#changed(this.#state.offset);
  }

  /** The transcript was read anew: the text may be another one. */
  again(): void {
    if (this.#state !== null) this.show(this.#state.index, this.#state.offset);
  }

  /** The same result has another index now. */
  follow(from: number, to: number): void {
    if (this.#state?.index === from) this.show(to, this.#state.offset);
  }

  close(): void {
    if (this.#state === null) return;
    this.drop();
    this.#changed(null);
  }

  drop(): void {
    this.#abort?.abort();
    this.#abort = null;
    this.#state = null;
  }
}
