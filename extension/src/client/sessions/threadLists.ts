import { err, ok, type Result } from "../../core/model/problem";
import type { Thread } from "../../core/model/transcript";
import type { Log, SecretFinder } from "../../core/ports";
import { maskStrings } from "../../core/secrets/maskStrings";
import type { FoundSession } from "../../node/sessions/sessionScan";
import type { ThreadsAnswer } from "../../protocol/worker";
import type { Disposable } from "../lifetime";
import { Pace } from "./pace";

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
  readonly pace: Pace;
}

/** Databases that stay known; the one used longest ago is let go of. */
const MAX_KNOWN = 10;

/**
 * The sessions inside databases, listed when somebody asks and again when the file changed. Listing copies the database: one that
 * is written all the time is listed again after a rest.
 */
export class ThreadLists implements Disposable {
  readonly #open: (path: string) => ThreadSource;
  readonly #log: Log;
  readonly #known = new Map<string, Known>();

  readonly #secrets: SecretFinder;
  readonly #now: () => number;

  constructor(
    open: (path: string) => ThreadSource,
    log: Log,
    secrets: SecretFinder,
    now: () => number = () => performance.now(),
  ) {
    this.#now = now;
    this.#open = open;
    this.#secrets = secrets;
    this.#log = log;
  }

  /** Newest first; those without a time last. The error is a sentence for people. */
  of({ path, bytes, mtimeMs }: FoundSession): Promise<Result<readonly Thread[], string>> {
    const known = this.#known.get(path);
    if (known !== undefined && (isOf(known, { bytes, mtimeMs }) || known.pace.restMs > 0)) return known.list;
    const source = known?.source ?? this.#open(path);
    const list = this.#list(path, source);
    this.#known.delete(path);
    this.#known.set(path, { source, bytes, mtimeMs, list, pace: new Pace(list, this.#now) });
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= MAX_KNOWN) break;
      this.#forget(oldest);
    }
    return list;
  }

  /** Until what `of` gives can be newer, milliseconds; 0 = it stands for the file as it is. */
  restMs(found: FoundSession): number {
    const known = this.#known.get(found.path);
    return known === undefined || isOf(known, found) ? 0 : known.pace.restMs;
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

function isOf(known: Known, file: Pick<FoundSession, "bytes" | "mtimeMs">): boolean {
  return known.bytes === file.bytes && known.mtimeMs === file.mtimeMs;
}

function newestFirst(a: Thread, b: Thread): number {
  const [left, right] = [a.startedAt ?? "", b.startedAt ?? ""];
  return left < right ? 1 : left > right ? -1 : 0;
}
