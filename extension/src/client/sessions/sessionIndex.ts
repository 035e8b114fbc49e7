import type { Log, SecretFinder } from "../../core/ports";
import { pushAll } from "../../core/util/pushAll";
import { tellError } from "../../core/util/tellError";
import type { ScanFiles } from "../../node/scanFiles";
import type { PeekFile, SessionDetails } from "../../node/sessions/sessionDetails";
import {
  type Found,
  type FoundSession,
  NOTHING_FOUND,
  newestFirst,
  SessionScan,
} from "../../node/sessions/sessionScan";
import { sortInSlices, type Time, type TimeSlices } from "../../node/sessions/timeSlices";
import type { Step } from "../../node/sessions/walk";
import { CancelSource, type Disposable, Lifetime, Signal } from "../lifetime";
import { DetailsReader } from "./detailsReader";
import type { DetailsStore } from "./detailsStore";
import { byFolder, byProject, type Place } from "./sessionPlaces";

/** One agent's sessions, or the transcripts in the open folders. */
export interface SessionSource {
  readonly id: string;
  readonly label: string;
  /** project: as the records state it · folder: a folder per project, whose name says less · place: home or folder. */
  readonly gather: "project" | "folder" | "place";
  /** A search from its beginning. */
  find(): AsyncIterable<Step>;
}

export interface SessionIndexParts {
  readonly sources: readonly SessionSource[];
  readonly files: ScanFiles;
  readonly peek: PeekFile;
  /** Titles are kept with their secrets masked, whatever the settings say. */
  readonly secrets: SecretFinder;
  readonly store: DetailsStore;
  readonly slices: TimeSlices;
  readonly time: Time;
  readonly log: Log;
  /** Folders that are projects, whatever the records say: those that are open. */
  readonly openFolders: () => readonly string[];
  /** SHA-256 of a text, lower-case hex. */
  readonly sha256Hex: (text: string) => string;
  /** Runs once, later; disposing calls it off. */
  after(ms: number, run: () => void): Disposable;
}

/** searching: more may be found · stopped: somebody called it off, `goOn` continues · failed: see the log. */
export type SearchPhase = "searching" | "stopped" | "done" | "failed";

interface SourceState {
  readonly source: SessionSource;
  /** The last search that came to its end; shown until a newer one does. */
  shown: SessionScan | undefined;
  /** The search under way. */
  next: SessionScan | undefined;
  isFailed: boolean;
  places: readonly Place[];
}

/** Changes are told at most this often while work goes on, milliseconds. */
const TELL_EVERY_MS = 400;
/** Longest time in which changes are not told, milliseconds. */
const TELL_AT_LEAST_EVERY_MS = 3_000;
/** Details read between two writes of the store. */
const SAVE_EVERY = 2_000;
/** Until a file that appeared or changed is looked at: writers write in bursts. Milliseconds. */
const SETTLE_MS = 600;
/** Rest between a search and another one for files that are new, as a multiple of how long it took. */
const SEARCH_REST = 4;
/** Files remembered as none. */
const MAX_UNFOUND = 10_000;
const NO_PROJECTS: ReadonlyMap<string, string> = new Map();
/** A search takes at most this share of the time when it is repeated by itself, and waits at least so long, milliseconds. */
const REPEAT = { share: 0.02, atLeast: 15_000, atMost: 300_000 } as const;

/** The sessions of all sources: searched once asked for, looked at in the background, and kept up to date. */
export class SessionIndex implements Disposable {
  readonly #parts: SessionIndexParts;
  readonly #lifetime = new Lifetime();
  readonly #changed: Signal<void>;
  readonly #states: readonly SourceState[];
  readonly #reader: DetailsReader;
  #cancel = new CancelSource();
  #work: Promise<void> | undefined;
  #isStopped = false;
  /** Nothing is searched or read, and nothing is left to be. */
  #isIdle = true;
  /** What goes on was not asked for by the user, who need not see it. */
  #isQuiet = false;
  #isLoaded = false;
  #tell: Disposable | undefined;
  #telling: Promise<void> | undefined;
  #tellAgain = false;
  /** What telling of changes took last time, milliseconds. */
  #tellMs = 0;
  #settle: Disposable | undefined;
  #repeat: Disposable | undefined;
  readonly #touched = new Set<string>();
  /** Files that the search under way is for. */
  readonly #sought = new Set<string>();
  /** Files that a search was for and did not find: named like sessions, and none of their own (sub-agents', indexes). */
  readonly #unfound = new Set<string>();
  /** Of paths of projects. */
  readonly #hashes = new Map<string, string>();
  #searchMs = 0;
  #searchedAt = Number.NEGATIVE_INFINITY;
  #isWatched = false;

  constructor(parts: SessionIndexParts) {
    this.#parts = parts;
    this.#changed = this.#lifetime.add(new Signal<void>((error) => parts.log.error("Sessions", error)));
    this.#reader = new DetailsReader(parts);
    this.#states = parts.sources.map((source) => ({
      source,
      shown: undefined,
      next: undefined,
      isFailed: false,
      places: [],
    }));
  }

  get onChanged(): (listener: () => void) => Disposable {
    return this.#changed.on;
  }

  found(id: string): Found {
    const state = this.#state(id);
    return (state?.shown ?? state?.next)?.found ?? NOTHING_FOUND;
  }

  /** The sessions of all sources, newest first. */
  async all(): Promise<readonly FoundSession[]> {
    for (const { shown, next } of this.#states) await (shown ?? next)?.show();
    const lists = this.#states.map(({ source }) => this.found(source.id).sessions).filter(({ length }) => length > 0);
    const [only = []] = lists;
    return lists.length < 2 ? only : sortInSlices(lists.flat(), newestFirst, this.#parts.slices);
  }

  /** The sessions of a source by project or home, the place with the newest one first. */
  places(id: string): readonly Place[] {
    return this.#state(id)?.places ?? [];
  }

  phase(id: string): SearchPhase {
    const state = this.#state(id);
    if (state?.isFailed === true) return "failed";
    if (state?.next === undefined || (state.shown !== undefined && this.#isQuiet)) return "done";
    return this.#isStopped ? "stopped" : "searching";
  }

  /** searching: sessions or their details are being looked for · stopped: somebody called that off. */
  get activity(): "searching" | "stopped" | "idle" {
    if (this.#isIdle || this.#isQuiet) return "idle";
    return this.#isStopped ? "stopped" : "searching";
  }

  /** What was last read of a session; undefined when nothing was. */
  details(path: string): SessionDetails | undefined {
    return this.#parts.store.last(path);
  }

  /** Begins the first search, once. */
  start(): void {
    if (this.#work === undefined) this.refresh();
  }

  /** Resolves when nothing is searched or read any more, also when that was called off. */
  async settled(): Promise<void> {
    this.start();
    for (let work = this.#work; work !== undefined; work = this.#work) {
      await work;
      if (work === this.#work) return;
    }
  }

  /** Resolves when the first search of every source has ended, or after so many milliseconds. */
  async firstLook(ms: number): Promise<void> {
    this.start();
    if (this.#states.every((state) => state.shown !== undefined)) return;
    await new Promise<void>((done) => {
      const timer = this.#lifetime.add(this.#parts.after(ms, done));
      const heard = this.onChanged(() => {
        if (this.#states.some((state) => state.next !== undefined && !this.#isStopped)) return;
        heard.dispose();
        timer.dispose();
        done();
      });
    });
  }

  /** Searches again, from the beginning; what was found stays until the new search is through. */
  refresh(): void {
    this.#unfound.clear();
    this.#searchAgain(false);
  }

  #searchAgain(isQuiet: boolean): void {
    for (const state of this.#states) {
      const { files, slices } = this.#parts;
      state.next = new SessionScan(state.source.find(), { files, slices });
      state.isFailed = false;
    }
    this.#isStopped = false;
    this.#isQuiet = isQuiet;
    this.#restart();
  }

  /** Calls off what is being searched and read; what was found stays. */
  stop(): void {
    if (this.activity !== "searching") return;
    this.#isStopped = true;
    this.#cancel.cancel();
    void this.#tellNow();
  }

  /** Goes on where it was stopped. */
  goOn(): void {
    if (!this.#isStopped) return;
    this.#isStopped = false;
    this.#restart();
    void this.#tellNow();
  }

  /** Reads the details of these before all others. */
  prefer(sessions: readonly FoundSession[]): void {
    this.#reader.prefer(sessions);
  }

  /** A file appeared, changed or went away. */
  touched(path: string): void {
    this.#touched.add(path);
    this.#lookIn(SETTLE_MS);
  }

  #lookIn(ms: number): void {
    this.#settle ??= this.#parts.after(ms, () => {
      this.#settle = undefined;
      this.#lookAtTouched().catch((error: unknown) =>
        this.#parts.log.error("Looking at changed sessions failed", error),
      );
    });
  }

  /** While somebody looks at the sessions, the search is repeated now and then: not every file system tells of changes. */
  setWatched(isWatched: boolean): void {
    this.#isWatched = isWatched;
    if (!isWatched) this.#repeat?.dispose();
    else if (this.#isIdle && this.#work !== undefined) this.#repeatLater();
  }

  dispose(): void {
    this.#cancel.cancel();
    for (const timer of [this.#tell, this.#settle, this.#repeat]) timer?.dispose();
    this.#lifetime.dispose();
  }

  #state(id: string): SourceState | undefined {
    return this.#states.find((state) => state.source.id === id);
  }

  #restart(): void {
    this.#cancel.cancel();
    this.#repeat?.dispose();
    const cancel = new CancelSource();
    this.#cancel = cancel;
    const before = this.#work ?? Promise.resolve();
    this.#isIdle = false;
    this.#work = before
      .then(() => this.#run(cancel))
      .catch((error: unknown) => {
        this.#parts.log.error("Looking for sessions failed", error);
      });
  }

  async #run(cancel: CancelSource): Promise<void> {
    const { store, time, log } = this.#parts;
    if (!this.#isLoaded) {
      this.#isLoaded = true;
      await store.load();
    }
    const began = time.now();
    await Promise.all(this.#states.map((state) => this.#search(state, cancel)));
    if (cancel.isCancellationRequested) {
      await this.#tellNow();
      return;
    }
    this.#searchedAt = time.now();
    this.#searchMs = this.#searchedAt - began;
    this.#noteUnfound();
    let read = 0;
    await this.#reader.run(await this.all(), cancel, () => {
      this.#tellSoon();
      if (++read % SAVE_EVERY === 0) store.save().catch(notSaved);
    });
    await store.save().catch(notSaved);
    if (!cancel.isCancellationRequested) this.#isIdle = true;
    await this.#tellNow();
    if (cancel.isCancellationRequested) return;
    if (this.#isWatched) this.#repeatLater();

    function notSaved(error: unknown): void {
      log.warn(`What was read of sessions could not be kept: ${tellError(error).message}`);
    }
  }

  async #search(state: SourceState, cancel: CancelSource): Promise<void> {
    const { next } = state;
    if (next === undefined) return;
    try {
      await next.run(cancel, () => this.#tellSoon());
      if (!next.isDone || state.next !== next) return;
      state.shown = next;
      state.next = undefined;
    } catch (error) {
      this.#parts.log.error(`Looking for ${state.source.label} sessions failed`, error);
      state.isFailed = true;
      state.next = undefined;
    }
    await this.#tellNow();
  }

  async #lookAtTouched(): Promise<void> {
    const paths = [...this.#touched];
    this.#touched.clear();
    const changed: FoundSession[] = [];
    const unknown: string[] = [];
    for (const path of paths) {
      const now = await this.#parts.files.file(path);
      const known = this.#states.map((state) => state.shown?.changed(path, now));
      pushAll(
        changed,
        known.flatMap((one) => one ?? []),
      );
      if (now === undefined) this.#unfound.delete(path);
      // An empty one is no session yet.
      else if (now.bytes > 0 && known.every((one) => one === undefined) && !this.#unfound.has(path)) unknown.push(path);
    }
    if (this.#isStopped || this.#lifetime.disposed || this.#work === undefined) return;
    if (unknown.length > 0) this.#searchFor(unknown);
    // An agent writes all the time: nothing is searched for that.
    if (this.#isIdle) await this.#reader.run(changed, this.#cancel, () => undefined);
    this.#tellSoon();
  }

  #searchFor(paths: readonly string[]): void {
    // One that is under way may find them; begun anew for each file that agents write to, it would come to no end.
    const isSearching = this.#states.some(({ next }) => next !== undefined);
    const restMs = this.#searchedAt + this.#searchMs * SEARCH_REST - this.#parts.time.now();
    if (!isSearching && restMs <= 0) {
      for (const path of paths) this.#sought.add(path);
      this.#searchAgain(true);
      return;
    }
    for (const path of paths) this.#touched.add(path);
    this.#lookIn(Math.max(SETTLE_MS, isSearching ? 0 : restMs));
  }

  #noteUnfound(): void {
    if (this.#unfound.size > MAX_UNFOUND) this.#unfound.clear();
    for (const path of this.#sought) {
      if (!this.#states.some(({ shown }) => shown?.has(path) === true)) this.#unfound.add(path);
    }
    this.#sought.clear();
  }

  #repeatLater(): void {
    this.#repeat?.dispose();
    const { share, atLeast, atMost } = REPEAT;
    const wait = Math.min(atMost, Math.max(atLeast, this.#searchMs / share));
    this.#repeat = this.#parts.after(wait, () => this.#searchAgain(true));
  }

  #tellSoon(): void {
    // Telling takes at most about a tenth of the time.
    this.#tell ??= this.#parts.after(
      Math.min(TELL_AT_LEAST_EVERY_MS, Math.max(TELL_EVERY_MS, this.#tellMs * 10)),
      () => void this.#tellNow(),
    );
  }

  /** Makes what was found ready to be shown, in slices, and tells of it. Resolves when that is done. */
  #tellNow(): Promise<void> {
    this.#tell?.dispose();
    this.#tell = undefined;
    this.#tellAgain = true;
    this.#telling ??= this.#tellAll()
      .catch((error: unknown) => this.#parts.log.error("Sessions", error))
      .finally(() => {
        this.#telling = undefined;
      });
    return this.#telling;
  }

  async #tellAll(): Promise<void> {
    while (this.#tellAgain && !this.#lifetime.disposed) {
      this.#tellAgain = false;
      const began = this.#parts.time.now();
      for (const { shown, next } of this.#states) await (shown ?? next)?.show();
      const projects = await this.#projectsByHash();
      for (const state of this.#states) state.places = await this.#gather(state, projects);
      this.#tellMs = this.#parts.time.now() - began;
      if (!this.#lifetime.disposed) this.#changed.fire();
    }
  }

  async #gather(state: SourceState, projects: ReadonlyMap<string, string>): Promise<readonly Place[]> {
    const { store, slices } = this.#parts;
    const { id, gather } = state.source;
    const found = this.found(id).sessions;
    if (gather === "place") return byFolder(found);
    // A database holds sessions of any project.
    const sessions = found.filter(({ isDatabase }) => isDatabase !== true);
    const projectOf = (session: FoundSession): string | undefined => {
      const details = store.last(session.path);
      const hash = details?.projectHash;
      return session.project ?? details?.project ?? (hash === undefined ? undefined : projects.get(hash));
    };
    const isRead = (session: FoundSession): boolean => !this.#reader.needs(session);
    return byProject(sessions, { projectOf, isRead, folderIsProject: gather === "folder" }, slices);
  }

  /** Projects that sessions state and the open folders, by their hash: some agents keep nothing else of a project. */
  async #projectsByHash(): Promise<ReadonlyMap<string, string>> {
    const { store, slices, sha256Hex, openFolders } = this.#parts;
    if (!store.hasHashes) return NO_PROJECTS;
    const paths = new Set(openFolders());
    for (const { source } of this.#states) {
      for (const { path, project } of this.found(source.id).sessions) {
        const rest = slices.rest();
        if (rest !== undefined) await rest;
        const stated = project ?? store.last(path)?.project;
        if (stated !== undefined) paths.add(stated);
      }
    }
    for (const path of paths) {
      if (!this.#hashes.has(path)) this.#hashes.set(path, sha256Hex(path));
    }
    return new Map([...paths].map((path) => [this.#hashes.get(path) ?? "", path]));
  }
}
