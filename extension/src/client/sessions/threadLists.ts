import { err, ok, type Result } from "../../core/model/problem";
import type { Thread } from "../../core/model/transcript";
import type { Log, SecretFinder } from "../../core/ports";
import { maskStrings } from "../../core/secrets/maskStrings";
import type { FoundSession } from "../../node/sessions/sessionScan";
import type { ThreadsAnswer } from "../../protocol/worker";
import type { Disposable } from "../lifetime";

/** An open database. */
export interface ThreadSource {
  threads(): Promise<ThreadsAnswer>;
  dispose(): Promise<void>;
}

interface Known {
  readonly source: ThreadSource;
  readonly bytes: number;
  readonly mtimeMs: number;
  readonly list: Promise<Result<readonly Thread[], string>>;
}

/** Databases that stay known; the one used longest ago is let go of. */
const MAX_KNOWN = 10;

/** The sessions inside databases, listed when somebody asks and again when the file changed. */
export class ThreadLists implements Disposable {
  readonly #open: (path: string) => ThreadSource;
  readonly #log: Log;
  readonly #known = new Map<string, Known>();

  readonly #secrets: SecretFinder;

  constructor(open: (path: string) => ThreadSource, log: Log, secrets: SecretFinder) {
    this.#open = open;
    this.#secrets = secrets;
    this.#log = log;
  }

  /** Newest first; those without a time last. The error is a sentence for people. */
  of({ path, bytes, mtimeMs }: FoundSession): Promise<Result<readonly Thread[], string>> {
    const known = this.#known.get(path);
    if (known !== undefined && known.bytes === bytes && known.mtimeMs === mtimeMs) return known.list;
    const source = known?.source ?? this.#open(path);
    const list = this.#list(path, source);
    this.#known.delete(path);
    this.#known.set(path, { source, bytes, mtimeMs, list });
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= MAX_KNOWN) break;
      this.#forget(oldest);
    }
    return list;
  }

  dispose(): void {
    for (const path of [...this.#known.keys()]) this.#forget(path);
  }

  async #list(path: string, source: ThreadSource): Promise<Result<readonly Thread[], string>> {
    try {
      const answer = await source.threads();
      return answer.ok ? ok((await this.#masked(answer.value)).sort(newestFirst)) : err(answer.error.message);
    } catch (error) {
      this.#log.error(`Listing the sessions of ${path} failed`, error);
      return err(`Listing the sessions of ${path} failed; see the log.`);
    }
  }

  /** Ids stay as they are: the session is found by them. */
  async #masked(threads: readonly Thread[]): Promise<Thread[]> {
    const masked = await maskStrings(
      threads.map(({ id, ...shown }) => shown),
      this.#secrets,
    );
    return threads.map((thread, index) => ({ ...thread, ...masked[index] }));
  }

  #forget(path: string): void {
    const known = this.#known.get(path);
    this.#known.delete(path);
    known?.source.dispose().catch((error: unknown) => this.#log.error(`Closing ${path} failed`, error));
  }
}

function newestFirst(a: Thread, b: Thread): number {
  const [left, right] = [a.startedAt ?? "", b.startedAt ?? ""];
  return left < right ? 1 : left > right ? -1 : 0;
}
