import type { Log, SecretFinder } from "../../core/ports";
import { maskStrings } from "../../core/secrets/maskStrings";
import type { HostFrame } from "../../protocol/webview";

export interface MaskedPostParts {
  readonly post: (frame: HostFrame) => void;
  /** Undefined: nothing is masked, and frames go out at once. */
  readonly secrets: SecretFinder | undefined;
  readonly log: Log;
}

const NOT_CHECKED = "This could not be checked for secrets, so it is not shown. The log of Context Budget says why.";

/** The way to a page: masks the secrets in every frame, whatever it is about, and keeps the order of frames. */
export class MaskedPost {
  readonly #parts: MaskedPostParts;
  #last: Promise<void> = Promise.resolve();

  constructor(parts: MaskedPostParts) {
    this.#parts = parts;
  }

  /** Resolves when everything so far was posted. */
  get posted(): Promise<void> {
    return this.#last;
  }

  /** @param asked the user asked to see a secret, and this is the answer: it goes out as it is */
  send(frame: HostFrame, asked = false): void {
    const { secrets, post } = this.#parts;
    if (secrets === undefined) {
      post(frame);
      return;
    }
    // Looking starts at once, also while older frames wait.
    const masked = asked ? Promise.resolve(frame) : this.#masked(frame, secrets);
    this.#last = this.#last.then(async () => {
      const ready = await masked;
      if (ready !== undefined) post(ready);
    });
  }

  /** A frame that could not be checked is not posted; a call still gets its reply. */
  async #masked(frame: HostFrame, secrets: SecretFinder): Promise<HostFrame | undefined> {
    try {
      return await maskStrings(frame, secrets);
    } catch (error) {
      this.#parts.log.error("Looking for secrets failed", error);
      return frame.t === "event" ? undefined : { v: 1, id: frame.id, t: "err", code: "failed", message: NOT_CHECKED };
    }
  }
}
