import { join } from "node:path";
import type { FolderEntry, ScanFiles } from "../scanFiles";

/** A file that is a session by its place and name. */
export interface Candidate {
  readonly path: string;
  /** Session id where the name holds one, else the file's name. */
  readonly label: string;
  /** Home, project folder or other folder that it belongs to. */
  readonly place: string;
  /** Folder that the agent worked in, where its own bookkeeping beside the session says so. */
  readonly project?: string;
  /** Holds many sessions. */
  readonly isDatabase?: true;
}

/** A folder that could not be listed, or not to its end, whose files may not be looked at, or a link that leads to no end. */
export interface Trouble {
  readonly path: string;
  /** The platform's code, or `cut` when it has more entries than are looked at. */
  readonly code: string;
}

export type Step = ({ readonly kind: "file" } & Candidate) | ({ readonly kind: "trouble" } & Trouble);

/** Entries looked at in one folder. */
export const MAX_ENTRIES = 100_000;

/** A folder that was entered. */
export interface Folder {
  readonly path: string;
  /** Links resolved. */
  readonly real: string;
  readonly entries: readonly FolderEntry[];
}

/**
 * Goes through folders in the agents' fixed layouts, each folder and each file once, whatever links lead to it. What cannot be
 * listed becomes a step.
 */
export class Walk {
  readonly #files: ScanFiles;
  readonly #seen = new Set<string>();

  constructor(files: ScanFiles) {
    this.#files = files;
  }

  /** The first bytes of a small file as text. */
  text(path: string): Promise<string | undefined> {
    return this.#files.text(path);
  }

  /** Lists a folder by its path. */
  async *enter(path: string): AsyncGenerator<Step, Folder | undefined> {
    const real = await this.#files.real(path);
    // A link that leads in a circle has no real path, and listing says so.
    return yield* this.#list(path, real ?? path);
  }

  /** Lists a folder inside one that was entered, when there is one of the name. */
  async *below(folder: Folder, name: string): AsyncGenerator<Step, Folder | undefined> {
    const entry = folder.entries.find((one) => one.name === name);
    return entry === undefined ? undefined : yield* this.#into(folder, entry);
  }

  /** Lists the folders inside one that was entered, in falling order of their names: newer dates first. */
  async *folders(folder: Folder): AsyncGenerator<Step | Folder> {
    const inside = folder.entries.filter(({ kind }) => kind === "folder" || kind === "link");
    for (const entry of inside.sort((a, b) => (a.name < b.name ? 1 : -1))) {
      const found = yield* this.#into(folder, entry);
      if (found !== undefined) yield found;
    }
  }

  /** Files inside a folder whose names give a label. */
  async *files(
    folder: Folder | undefined,
    labelOf: (name: string) => string | undefined,
    facts: Pick<Candidate, "project" | "isDatabase"> & { readonly place?: string } = {},
  ): AsyncGenerator<Step> {
    if (folder === undefined) return;
    for (const { name, kind } of folder.entries) {
      const label = kind === "file" || kind === "link" ? labelOf(name) : undefined;
      if (label === undefined) continue;
      const path = join(folder.path, name);
      const real = kind === "link" ? yield* this.#leadsTo(path) : join(folder.real, name);
      if (real === undefined || this.#seen.has(real)) continue;
      this.#seen.add(real);
      yield { kind: "file", path, label, place: folder.path, ...facts };
    }
  }

  async *#into(folder: Folder, { name, kind }: FolderEntry): AsyncGenerator<Step, Folder | undefined> {
    if (kind !== "folder" && kind !== "link") return undefined;
    const path = join(folder.path, name);
    if (kind === "folder") return yield* this.#list(path, join(folder.real, name));
    const real = yield* this.#leadsTo(path);
    return real === undefined ? undefined : yield* this.#list(path, real);
  }

  /** Where a link leads. One that leads nowhere is passed over; one in a circle, or into what may not be looked at, is a step. */
  async *#leadsTo(path: string): AsyncGenerator<Step, string | undefined> {
    const real = await this.#files.real(path);
    const code = real === undefined ? await this.#files.blocked(path) : undefined;
    if (code !== undefined) yield { kind: "trouble", path, code };
    return real;
  }

  async *#list(path: string, real: string): AsyncGenerator<Step, Folder | undefined> {
    if (this.#seen.has(real)) return undefined;
    this.#seen.add(real);
    const listing = await this.#files.list(path, MAX_ENTRIES);
    if (listing.kind === "missing") return undefined;
    if (listing.kind === "unreadable") {
      yield { kind: "trouble", path, code: listing.code };
      return undefined;
    }
    if (listing.isCut) yield { kind: "trouble", path, code: "cut" };
    return { path, real, entries: listing.entries };
  }
}

/** True for what `folders` yields besides steps. */
export function isFolder(one: Step | Folder): one is Folder {
  return "entries" in one;
}
