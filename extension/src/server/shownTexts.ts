import type { SecretFinder } from "../core/ports";
import { type KnownSecret, maskPieces, secretsIn } from "../core/secrets/knownSecrets";
import { maskStrings } from "../core/secrets/maskStrings";
import type { CheckedDocument } from "../service/context";

/**
 * What is said about a document, with the secrets in it masked. The document itself shows them; but hovers, problems and explanations
 * are read aloud, photographed and pasted elsewhere.
 */
export class ShownTexts {
  readonly #finder: SecretFinder;
  /** Secrets of documents. They are looked for once, since what is said about a value is often a piece of it. */
  readonly #known = new WeakMap<CheckedDocument, Promise<readonly KnownSecret[]>>();

  constructor(finder: SecretFinder) {
    this.#finder = finder;
  }

  /** Rejects where it could not be looked for secrets: then nothing is said. */
  async masked<T>(said: T, about: CheckedDocument): Promise<T> {
    let known = this.#known.get(about);
    if (known === undefined) {
      known = this.#secretsOf(about.text);
      this.#known.set(about, known);
    }
    return maskStrings(maskPieces(said, await known), this.#finder);
  }

  async #secretsOf(text: string): Promise<readonly KnownSecret[]> {
    return secretsIn(text, await this.#finder.find(text));
  }
}
