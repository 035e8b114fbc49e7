import type { Glance } from "../../extension/src/protocol/webview";
import type { Rpc } from "./rpc";
import type { Model } from "./state";

const UNKNOWN: Glance = { title: null, window: null, windows: [] };

/** Asks for what stands above the totals when the page opens, and again whenever what decides about it has changed. */
export class GlanceLoader {
  readonly #rpc: Rpc;
  readonly #changed: () => void;
  #glance: Glance = UNKNOWN;
  #asked = "";
  #abort: AbortController | null = null;

  constructor(rpc: Rpc, changed: () => void) {
    this.#rpc = rpc;
    this.#changed = changed;
  }

  get state(): Glance {
    return this.#glance;
  }

  follow(model: Model): void {
    // While the transcript is read its totals grow with every message; what its end says is known from the beginning.
    const key =
      model === null || model.phase === "reading"
        ? "reading"
        : `${model.phase} ${model.header?.model} ${model.header?.measuredTokens} ${model.threads.map(({ measuredTokens }) => measuredTokens).join()}`;
    if (key === this.#asked) {
      return;
    }
    this.#asked = key;
    this.drop();
    const abort = new AbortController();
    this.#abort = abort;
    this.#rpc.call("glance", {}, abort.signal).then(
      (glance) => {
        if (!abort.signal.aborted) {
          this.#glance = glance;
          this.#changed();
        }
      },
      // The header then names the transcript by its id, and no window.
      () => undefined,
    );
  }

  drop(): void {
    this.#abort?.abort();
    this.#abort = null;
  }
}
