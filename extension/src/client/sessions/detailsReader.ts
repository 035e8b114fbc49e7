import type { Cancel, SecretFinder } from "../../core/ports";
import { type PeekFile, readDetails } from "../../node/sessions/sessionDetails";
import type { FoundSession } from "../../node/sessions/sessionScan";
import type { TimeSlices } from "../../node/sessions/timeSlices";
import type { DetailsStore } from "./detailsStore";

/** Files read at a time. */
const PARALLEL = 4;
/** Sessions that somebody looks at: a few levels of the tree. */
const MAX_FIRST = 1_000;

/**
 * Reads the details of sessions in the background, those asked for first, then in the order given. What was read stays read:
 * called off and run again, it goes on with the rest.
 */
export class DetailsReader {
  readonly #peek: PeekFile;
  readonly #store: DetailsStore;
  readonly #slices: TimeSlices;
  readonly #secrets: SecretFinder;
  #first: FoundSession[] = [];
  /** Files that could not be read in this state of theirs; they are not tried again. */
  readonly #failed = new Map<string, number>();

  constructor(parts: {
    readonly peek: PeekFile;
    readonly store: DetailsStore;
    readonly slices: TimeSlices;
    readonly secrets: SecretFinder;
  }) {
    this.#peek = parts.peek;
    this.#store = parts.store;
    this.#slices = parts.slices;
    this.#secrets = parts.secrets;
  }

  /** True when the details of this state of the session's file are not known and can be read. */
  needs(session: FoundSession): boolean {
    return (
      session.isDatabase !== true && !this.#store.isFresh(session) && this.#failed.get(session.path) !== session.mtimeMs
    );
  }

  /** Reads these before all others. */
  prefer(sessions: readonly FoundSession[]): void {
    const needed = sessions.filter((one) => this.needs(one));
    this.#first = [...needed, ...this.#first].slice(0, MAX_FIRST);
  }

  /** Reads what is needed; `heard` after each one that was read. Rejects only for a bug. */
  async run(sessions: readonly FoundSession[], cancel: Cancel, heard: () => void): Promise<void> {
    const rest = sessions[Symbol.iterator]();
    const next = (): FoundSession | undefined => this.#first.shift() ?? rest.next().value;
    const work = async (): Promise<void> => {
      for (let one = next(); one !== undefined; one = next()) {
        if (cancel.isCancellationRequested) return;
        if (this.needs(one)) {
          await this.#read(one);
          heard();
        }
        const pause = this.#slices.rest();
        if (pause !== undefined) await pause;
      }
    };
    await Promise.all(Array.from({ length: PARALLEL }, work));
  }

  async #read(session: FoundSession): Promise<void> {
    const details = await readDetails(session.path, this.#peek, this.#secrets);
    if (details === undefined) this.#failed.set(session.path, session.mtimeMs);
    // Kept for the state that the list knows: one that grew since is looked at again when the list learns of it.
    else this.#store.put(session.path, { ...details, bytes: session.bytes, mtimeMs: session.mtimeMs });
  }
}
