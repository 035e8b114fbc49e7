import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { parseJson } from "../../core/util/partialJson";
import type { SessionDetails } from "../../node/sessions/sessionDetails";
import type { TimeSlices } from "../../node/sessions/timeSlices";
import { stateOf } from "../../node/storeState";

/** Details kept; the ones least recently put are let go of. */
export const MAX_DETAILS = 20_000;
/** Lines written in one go. */
const LINES_AT_ONCE = 512;
/** A file that a window was writing so long ago is nobody's any more, milliseconds. */
const STALE_MS = 60 * 60 * 1000;
/** First line of the file; anything else is another version's and is read anew. */
const HEADING = "context-budget session details 2";

/** Details by path, kept in memory and in one file. Another state of a session's file makes them void. */
export class DetailsStore {
  readonly #file: string | undefined;
  readonly #slices: TimeSlices;
  readonly #kept = new Map<string, SessionDetails>();
  #isChanged = false;
  #hasHashes = false;
  #saving: Promise<void> = Promise.resolve();

  /** @param file where they are kept between windows; undefined = only in memory */
  constructor(file: string | undefined, slices: TimeSlices) {
    this.#file = file;
    this.#slices = slices;
  }

  /** True when some session keeps only the hash of its project. */
  get hasHashes(): boolean {
    return this.#hasHashes;
  }

  get size(): number {
    return this.#kept.size;
  }

  /** What is known of a session's file, in whatever state it was. */
  last(path: string): SessionDetails | undefined {
    return this.#kept.get(path);
  }

  /** True when the file has not changed since. */
  isFresh(session: { readonly path: string; readonly bytes: number; readonly mtimeMs: number }): boolean {
    const known = this.#kept.get(session.path);
    return known !== undefined && known.bytes === session.bytes && known.mtimeMs === session.mtimeMs;
  }

  put(path: string, details: SessionDetails): void {
    this.#kept.delete(path);
    this.#kept.set(path, details);
    this.#isChanged = true;
    this.#hasHashes ||= details.projectHash !== undefined;
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= MAX_DETAILS) break;
      this.#kept.delete(oldest);
    }
  }

  /** Reads what another window left; a file that is not there or damaged gives what is whole in it. */
  async load(): Promise<void> {
    if (this.#file === undefined) return;
    const lines = (await textOf(this.#file))?.split("\n") ?? [];
    if (lines[0] !== HEADING) return;
    for (const line of lines.slice(1)) {
      const rest = this.#slices.rest();
      if (rest !== undefined) await rest;
      const entry = entryOf(parseJson(line));
      // What was read meanwhile is newer.
      if (entry === undefined || this.#kept.has(entry[0])) continue;
      this.#kept.set(...entry);
      this.#hasHashes ||= entry[1].projectHash !== undefined;
    }
  }

  /** Writes what changed, whole or not at all. Rejects with the platform's error. */
  save(): Promise<void> {
    this.#saving = this.#saving.catch(() => undefined).then(() => this.#write());
    return this.#saving;
  }

  async #write(): Promise<void> {
    const file = this.#file;
    if (file === undefined || !this.#isChanged) return;
    this.#isChanged = false;
    const pieces: string[] = [];
    let lines = [HEADING];
    for (const entry of [...this.#kept]) {
      const rest = this.#slices.rest();
      if (rest !== undefined) await rest;
      lines.push(lineOf(entry));
      if (lines.length < LINES_AT_ONCE) continue;
      pieces.push(`${lines.join("\n")}\n`);
      lines = [];
    }
    if (lines.length > 0) pieces.push(`${lines.join("\n")}\n`);
    await mkdir(dirname(file), { recursive: true });
    // Two windows may write at the same time; each name is its own, and the last rename wins.
    const fresh = `${file}.${process.pid}`;
    try {
      await writeFile(fresh, pieces, { mode: 0o600 });
      await rename(fresh, file);
    } catch (error) {
      await rm(fresh, { force: true });
      throw error;
    }
    await removeLeft(file);
  }
}

/** Removes what windows that ended in the middle of a write left beside the file; one that writes now keeps its own. */
async function removeLeft(file: string): Promise<void> {
  const [folder, start] = [dirname(file), `${basename(file)}.`];
  for (const name of await readdir(folder)) {
    if (!name.startsWith(start) || !/^\d+$/.test(name.slice(start.length))) continue;
    const path = join(folder, name);
    // Another window may have removed it.
    const state = await stateOf(path);
    if (state !== undefined && Date.now() - state.changedMs > STALE_MS) await rm(path, { force: true });
  }
}

async function textOf(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error) return undefined;
    throw error;
  }
}

function lineOf([path, details]: readonly [string, SessionDetails]): string {
  const { bytes, mtimeMs, project, projectHash, title, model, tail } = details;
  const end = tail === undefined ? null : [tail.tokens, tail.model ?? null, tail.window ?? null];
  return JSON.stringify([
    path,
    bytes,
    mtimeMs,
    project ?? null,
    projectHash ?? null,
    title ?? null,
    model ?? null,
    end,
  ]);
}

function entryOf(value: unknown): [string, SessionDetails] | undefined {
  if (!Array.isArray(value) || value.length !== 8) return undefined;
  const [path, bytes, mtimeMs, project, projectHash, title, model, end]: readonly unknown[] = value;
  if (typeof path !== "string" || typeof bytes !== "number" || typeof mtimeMs !== "number") return undefined;
  const [tokens, tailModel, window]: readonly unknown[] = Array.isArray(end) ? end : [];
  const details: SessionDetails = {
    bytes,
    mtimeMs,
    project: textIn(project),
    projectHash: textIn(projectHash),
    title: textIn(title),
    model: textIn(model),
    tail: Array.isArray(end)
      ? { tokens: countIn(tokens) ?? null, model: textIn(tailModel), window: countIn(window) }
      : undefined,
  };
  return [path, details];
}

function textIn(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function countIn(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}
