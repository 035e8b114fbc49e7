import { basename, dirname, extname } from "node:path";
import type { Cancel } from "../../core/ports";
import type { ScanFiles } from "../scanFiles";
import { sortInSlices, type TimeSlices } from "./timeSlices";
import type { Candidate, Step, Trouble } from "./walk";

/** A session that was found on disk. */
export interface FoundSession extends Candidate {
  readonly bytes: number;
  readonly mtimeMs: number;
  /** Another file holds the same session, or has the same name. */
  readonly isTwin?: true;
}

/** Bounds of a scan. */
export interface ScanLimits {
  /** Sessions kept, newest first. */
  readonly sessions: number;
  /** Files looked at. */
  readonly files: number;
  /** Folders named that could not be listed. */
  readonly troubles: number;
}

export const SCAN_LIMITS: ScanLimits = { sessions: 20_000, files: 50_000, troubles: 100 };

/** What was found so far. */
export interface Found {
  /** Newest first. */
  readonly sessions: readonly FoundSession[];
  /** Files beyond a bound that are not listed. */
  readonly omitted: number;
  readonly troubles: readonly Trouble[];
  readonly troublesOmitted: number;
}

export const NOTHING_FOUND: Found = { sessions: [], omitted: 0, troubles: [], troublesOmitted: 0 };

/** File look-ups at a time. */
const PARALLEL = 16;

/**
 * One search for the sessions of an agent: names, times and bytes, nothing is read. It can be called off and goes on where it
 * stopped when it is run again.
 */
export class SessionScan {
  readonly #steps: AsyncIterator<Step>;
  readonly #files: Pick<ScanFiles, "file" | "blocked">;
  readonly #slices: TimeSlices;
  readonly #limits: ScanLimits;
  /** By path: agents write all the time, and each time it is looked up whose file that is. */
  readonly #sessions = new Map<string, FoundSession>();
  readonly #troubles: Trouble[] = [];
  readonly #named = new Set<string>();
  #troublesOmitted = 0;
  #looked = 0;
  #omitted = 0;
  #isDone = false;
  #found = NOTHING_FOUND;
  #isShown = true;

  constructor(
    steps: AsyncIterable<Step>,
    parts: {
      readonly files: Pick<ScanFiles, "file" | "blocked">;
      readonly slices: TimeSlices;
      readonly limits?: ScanLimits;
    },
  ) {
    this.#steps = steps[Symbol.asyncIterator]();
    this.#files = parts.files;
    this.#slices = parts.slices;
    this.#limits = parts.limits ?? SCAN_LIMITS;
  }

  /** True once everything was looked at. */
  get isDone(): boolean {
    return this.#isDone;
  }

  /** How many sessions were found so far. */
  get count(): number {
    return this.#sessions.size;
  }

  /** What was found when `show` was last called. */
  get found(): Found {
    return this.#found;
  }

  /** Takes what was found since into `found`. */
  async show(): Promise<void> {
    if (this.#isShown) return;
    this.#isShown = true;
    const sorted = await sortInSlices([...this.#sessions.values()], newestFirst, this.#slices);
    const { sessions } = this.#limits;
    const found = {
      omitted: this.#omitted + Math.max(0, this.#sessions.size - sessions),
      troubles: [...this.#troubles],
      troublesOmitted: this.#troublesOmitted,
    };
    this.#found = { sessions: await toldApart(sorted.slice(0, sessions), this.#slices), ...found };
  }

  /**
   * Looks on until everything was seen or `cancel` asks to stop; a step that was taken is finished. `heard` after each one.
   * Rejects only for a bug.
   */
  async run(cancel: Cancel, heard: () => void = () => undefined): Promise<void> {
    if (this.#isDone) return;
    const ends = await Promise.all(Array.from({ length: PARALLEL }, () => this.#work(cancel, heard)));
    this.#isDone = ends.every((end) => end);
  }

  /** True for a session that was found. */
  has(path: string): boolean {
    return this.#sessions.has(path);
  }

  /** Takes in what changed about a session that was found; undefined when it is none of them. */
  changed(
    path: string,
    now: { readonly bytes: number; readonly mtimeMs: number } | undefined,
  ): readonly FoundSession[] | undefined {
    const old = this.#sessions.get(path);
    if (old === undefined) return undefined;
    this.#isShown = false;
    if (now === undefined || now.bytes === 0) {
      this.#sessions.delete(path);
      return [];
    }
    const changed = { ...old, ...now };
    this.#sessions.set(path, changed);
    return [changed];
  }

  /** True when the steps are at their end. */
  async #work(cancel: Cancel, heard: () => void): Promise<boolean> {
    while (!cancel.isCancellationRequested) {
      const next = await this.#steps.next();
      if (next.done === true) return true;
      await this.#take(next.value);
      heard();
      const rest = this.#slices.rest();
      if (rest !== undefined) await rest;
    }
    return false;
  }

  async #take(step: Step): Promise<void> {
    this.#isShown = false;
    if (step.kind === "trouble") {
      this.#trouble(step);
      return;
    }
    if (this.#looked >= this.#limits.files) {
      this.#omitted++;
      return;
    }
    this.#looked++;
    const { kind: _, ...candidate } = step;
    const file = await this.#files.file(step.path);
    this.#isShown = false;
    // Empty ones hold nothing yet.
    if (file !== undefined && file.bytes > 0) this.#sessions.set(step.path, { ...candidate, ...file });
    // A folder may be listed and not be entered; what went away since it was listed needs no word.
    const code = file === undefined ? await this.#files.blocked(step.path) : undefined;
    if (code !== undefined) this.#trouble({ path: dirname(step.path), code });
  }

  /** Each folder is named once for each reason, however many files of it are concerned. */
  #trouble({ path, code }: Trouble): void {
    const key = `${code} ${path}`;
    if (this.#named.has(key)) return;
    this.#named.add(key);
    if (this.#troubles.length < this.#limits.troubles) this.#troubles.push({ path, code });
    else this.#troublesOmitted++;
  }
}

export function newestFirst(a: FoundSession, b: FoundSession): number {
  return b.mtimeMs - a.mtimeMs || (a.path < b.path ? -1 : 1);
}

/**
 * A session may be kept in two files, as snapshot and as gateway log: their labels get the files' extensions. Files of one
 * name get their folder's.
 */
async function toldApart(sessions: readonly FoundSession[], slices: TimeSlices): Promise<readonly FoundSession[]> {
  const places = new Map<string, Map<string, number>>();
  for (const { place, label } of sessions) {
    const rest = slices.rest();
    if (rest !== undefined) await rest;
    const labels = places.get(place);
    if (labels === undefined) places.set(place, new Map([[label, 1]]));
    else labels.set(label, (labels.get(label) ?? 0) + 1);
  }
  const told: FoundSession[] = [];
  for (const one of sessions) {
    const rest = slices.rest();
    if (rest !== undefined) await rest;
    told.push(places.get(one.place)?.get(one.label) === 1 ? one : { ...one, label: longLabel(one), isTwin: true });
  }
  return told;
}

function longLabel({ label, path }: FoundSession): string {
  return label === basename(path) ? `${basename(dirname(path))}/${label}` : `${label}${extname(path)}`;
}
