import { dirname } from "node:path";

/** Storage of VS Code that belongs to this workspace and that no file of the workspace can reach. */
export interface Memento {
  get<T>(key: string): T | undefined;
  update(key: string, value: unknown): PromiseLike<void>;
}

const KEY = "movedHomes";
/** Folders remembered; more than anybody re-bases by hand. */
const MAX_REMEMBERED = 200;

/** Remembers which folder stands for a home that is not here, by the folder that the transcript lies in. */
export class MovedHomes {
  readonly #memento: Memento;

  constructor(memento: Memento) {
    this.#memento = memento;
  }

  /** Folder that the user chose for transcripts beside this one. */
  get(transcript: string): string | undefined {
    return this.#entries().find(([folder]) => folder === dirname(transcript))?.[1];
  }

  async set(transcript: string, chosen: string): Promise<void> {
    const folder = dirname(transcript);
    const others = this.#entries().filter(([known]) => known !== folder);
    await this.#memento.update(KEY, [...others, [folder, chosen]].slice(-MAX_REMEMBERED));
  }

  #entries(): readonly (readonly [string, string])[] {
    const stored: unknown = this.#memento.get<unknown>(KEY);
    return Array.isArray(stored) ? stored.filter(isEntry) : [];
  }
}

function isEntry(value: unknown): value is readonly [string, string] {
  return Array.isArray(value) && value.length === 2 && value.every((part) => typeof part === "string");
}
