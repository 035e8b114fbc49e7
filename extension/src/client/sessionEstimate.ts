import type { Log } from "../core/ports";
import type { SavedByThread } from "../protocol/simulation";
import { CancelSource, type Disposable, Lifetime, Signal } from "./lifetime";

export interface EstimatedFile {
  readonly path: string;
  readonly bytes: number;
  readonly mtimeMs: number;
  /** Another file holds the same session. */
  readonly isTwin?: true;
}

export interface SessionEstimateParts {
  /** Files with Hermes sessions, newest first. */
  readonly files: () => Promise<readonly EstimatedFile[]>;
  /** Its newest sessions; undefined = cancelled or unreadable. */
  readonly curves: (path: string, cancel: CancelSource) => Promise<readonly SavedByThread[] | undefined>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Runs once, later; disposing calls it off. */
  readonly after: (ms: number, run: () => void) => Disposable;
  readonly log: Log;
}

export const ESTIMATE_LIMITS = {
  /** Newest sessions that count. */
  sessions: 20,
  /** Files that are read for them, and the bytes of one above which it is passed over. */
  files: 20,
  bytes: 200_000_000,
} as const;

/** Between two files, so that other work comes first, milliseconds. */
const PAUSE_MS = 100;
/** Until files are looked at again, milliseconds. */
const FRESH_MS = 600_000;

/** idle: never asked for · stopped: by the user. */
export type EstimatePhase = "idle" | "running" | "stopped" | "done";

interface Session extends SavedByThread {
  /** Milliseconds since the epoch of its newest request, or of its file where that is not stated. */
  readonly at: number;
}

/**
 * What thresholds would have saved in the newest Hermes sessions of this machine. Files are read one after the other in a
 * thread of their own, and again only when they changed.
 */
export class SessionEstimate implements Disposable {
  readonly #parts: SessionEstimateParts;
  readonly #lifetime = new Lifetime();
  readonly #changed: Signal<void>;
  readonly #known = new Map<string, { readonly identity: string; readonly sessions: readonly Session[] }>();
  #cancel: CancelSource | undefined;
  #phase: EstimatePhase = "idle";
  #progress = { done: 0, total: 0 };
  #sessions: readonly Session[] = [];
  #at = 0;

  constructor(parts: SessionEstimateParts) {
    this.#parts = parts;
    this.#changed = this.#lifetime.add(new Signal<void>((error) => parts.log.error("Estimate", error)));
  }

  get onChanged(): (listener: () => void) => Disposable {
    return this.#changed.on;
  }

  get phase(): EstimatePhase {
    return this.#phase;
  }

  /** Files read, of how many. */
  get progress(): { readonly done: number; readonly total: number } {
    return this.#progress;
  }

  /** Share of the input over all sessions that count; undefined while none does. An upper bound. */
  shareAt(threshold: number): { readonly sessions: number; readonly share: number } | undefined {
    const total = this.#sessions.reduce((sum, { totalChars }) => sum + totalChars, 0);
    if (total === 0) return undefined;
    const saved = this.#sessions.reduce((sum, session) => sum + savedAt(session, threshold), 0);
    return { sessions: this.#sessions.length, share: saved / total };
  }

  /** Begins unless it runs, was stopped, or was done a short while ago. */
  refresh(): void {
    const isFresh = this.#phase === "done" && this.#parts.now() - this.#at < FRESH_MS;
    if (!isFresh && this.#phase !== "running" && this.#phase !== "stopped") this.start();
  }

  start(): void {
    if (this.#phase === "running" || this.#lifetime.disposed) return;
    const cancel = new CancelSource();
    this.#cancel = cancel;
    this.#tell("running", { done: 0, total: 0 });
    this.#run(cancel).catch((error: unknown) => {
      this.#parts.log.error("Estimating on sessions failed", error);
      if (!cancel.isCancellationRequested) this.#tell("stopped", this.#progress);
    });
  }

  stop(): void {
    if (this.#phase !== "running") return;
    this.#cancel?.cancel();
    this.#tell("stopped", this.#progress);
  }

  dispose(): void {
    this.#cancel?.cancel();
    this.#lifetime.dispose();
  }

  async #run(cancel: CancelSource): Promise<void> {
    const found = await this.#parts.files();
    const files = found
      .filter(({ bytes, isTwin }) => isTwin !== true && bytes <= ESTIMATE_LIMITS.bytes)
      .slice(0, ESTIMATE_LIMITS.files);
    const sessions: Session[] = [];
    for (const [done, file] of files.entries()) {
      if (cancel.isCancellationRequested) return;
      this.#tell("running", { done, total: files.length });
      sessions.push(...(await this.#sessionsOf(file, cancel)));
    }
    if (cancel.isCancellationRequested) return;
    const paths = new Set(files.map(({ path }) => path));
    for (const path of this.#known.keys()) if (!paths.has(path)) this.#known.delete(path);
    this.#sessions = newest(sessions);
    this.#at = this.#parts.now();
    this.#tell("done", { done: files.length, total: files.length });
  }

  async #sessionsOf(file: EstimatedFile, cancel: CancelSource): Promise<readonly Session[]> {
    const identity = `${file.bytes} ${file.mtimeMs}`;
    const known = this.#known.get(file.path);
    if (known?.identity === identity) return known.sessions;
    await new Promise<void>((go) => this.#parts.after(PAUSE_MS, go));
    const curves = await this.#parts.curves(file.path, cancel);
    if (curves === undefined) return [];
    const sessions = curves.map((curve): Session => ({ ...curve, at: curve.newest ?? file.mtimeMs }));
    this.#known.set(file.path, { identity, sessions });
    return sessions;
  }

  #tell(phase: EstimatePhase, progress: { readonly done: number; readonly total: number }): void {
    this.#phase = phase;
    this.#progress = progress;
    this.#changed.fire();
  }
}

/** The newest sessions, each once: a session of a database can stand in a file of its own too. */
function newest(sessions: readonly Session[]): readonly Session[] {
  const byThread = new Map<string, Session>();
  for (const session of [...sessions].sort((a, b) => b.at - a.at))
    if (!byThread.has(session.thread)) byThread.set(session.thread, session);
  return [...byThread.values()].slice(0, ESTIMATE_LIMITS.sessions);
}

function savedAt({ steps, saved, always }: SavedByThread, threshold: number): number {
  const at = steps.findIndex((step) => step > threshold);
  return at < 0 ? always : (saved[at] ?? 0);
}
