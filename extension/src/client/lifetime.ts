/** Anything that must be let go of. Compatible with VS Code's own. */
export interface Disposable {
  dispose(): unknown;
}

/** Owns what is added to it; disposes in reverse order, once, and reports every failure together. */
export class Lifetime implements Disposable {
  #owned: Disposable[] = [];
  #disposed = false;

  get disposed(): boolean {
    return this.#disposed;
  }

  /** How many things are owned now; tests count this to find leaks. */
  get size(): number {
    return this.#owned.length;
  }

  /** Takes ownership. Something added after the end is disposed at once. */
  add<T extends Disposable>(owned: T): T {
    if (this.#disposed) owned.dispose();
    else this.#owned.push(owned);
    return owned;
  }

  dispose(): void {
    if (this.#disposed) return;
    this.#disposed = true;
    const owned = this.#owned.reverse();
    this.#owned = [];
    const failures: unknown[] = [];
    for (const one of owned) {
      try {
        one.dispose();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw new AggregateError(failures, "Some parts could not be disposed");
  }
}

/** Calls its listeners; a listener that throws does not keep the others from hearing. */
export class Signal<T> implements Disposable {
  readonly #listeners = new Set<(value: T) => void>();
  readonly #failed: (error: unknown) => void;

  /** @param failed hears what a listener threw */
  constructor(failed: (error: unknown) => void) {
    this.#failed = failed;
  }

  get listeners(): number {
    return this.#listeners.size;
  }

  readonly on = (listener: (value: T) => void): Disposable => {
    // A fresh closure per subscription, so that the same function can listen twice and be let go of once.
    const own = (value: T): void => listener(value);
    this.#listeners.add(own);
    return { dispose: () => this.#listeners.delete(own) };
  };

  fire(value: T): void {
    for (const listener of [...this.#listeners]) {
      try {
        listener(value);
      } catch (error) {
        this.#failed(error);
      }
    }
  }

  dispose(): void {
    this.#listeners.clear();
  }
}

/** A cancel token and the hand that pulls it. */
export class CancelSource implements Disposable {
  #requested = false;
  readonly #listeners = new Set<() => void>();

  get isCancellationRequested(): boolean {
    return this.#requested;
  }

  /** Calls back once on cancel, at once when it already happened. */
  onCancel(listener: () => void): Disposable {
    if (this.#requested) listener();
    else this.#listeners.add(listener);
    return { dispose: () => this.#listeners.delete(listener) };
  }

  cancel(): void {
    if (this.#requested) return;
    this.#requested = true;
    const listeners = [...this.#listeners];
    this.#listeners.clear();
    for (const listener of listeners) listener();
  }

  dispose(): void {
    this.cancel();
  }
}
