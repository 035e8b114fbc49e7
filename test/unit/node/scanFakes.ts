import type { Disposable } from "../../../extension/src/client/lifetime";
import type { FolderEntry, ScanFiles } from "../../../extension/src/node/scanFiles";
import type { HomesGround } from "../../../extension/src/node/sessions/agentHomes";
import type { Time } from "../../../extension/src/node/sessions/timeSlices";
import { type Step, Walk } from "../../../extension/src/node/sessions/walk";

export type Tree = Record<string, readonly [bytes: number, mtimeMs: number]>;

/** A disk from literals. Folders follow from the paths of the files. */
export class MemoryDisk implements ScanFiles {
  /** Folders that may not be listed, by the platform's code. */
  readonly denied = new Map<string, string>();
  /** Folders that may be listed and not entered, by the platform's code. */
  readonly sealed = new Map<string, string>();
  /** Path of a link → where it leads. */
  readonly links = new Map<string, string>();
  readonly texts = new Map<string, string>();
  readonly listed: string[] = [];
  readonly looked: string[] = [];
  #children: Map<string, Map<string, FolderEntry["kind"]>> | undefined;

  constructor(readonly tree: Tree) {}

  async list(path: string, limit: number): ReturnType<ScanFiles["list"]> {
    this.listed.push(path);
    const code = this.denied.get(path);
    if (code !== undefined) return { kind: "unreadable", code };
    const real = this.#resolve(path);
    if (real === undefined) return { kind: "unreadable", code: "ELOOP" };
    const inside = this.#folders().get(real);
    if (inside === undefined) return { kind: "missing" };
    const entries = [...inside].map(([name, kind]) => ({ name, kind }));
    return { kind: "listed", entries: entries.slice(0, limit), isCut: entries.length > limit };
  }

  async file(path: string) {
    this.looked.push(path);
    if ((await this.blocked(path)) !== undefined) return undefined;
    const file = this.tree[this.#resolve(path) ?? ""];
    return file === undefined ? undefined : { bytes: file[0], mtimeMs: file[1] };
  }

  async blocked(path: string): Promise<string | undefined> {
    return this.#resolve(path) === undefined ? "ELOOP" : this.sealed.get(path.slice(0, path.lastIndexOf("/")));
  }

  async real(path: string): Promise<string | undefined> {
    return this.#resolve(path);
  }

  async text(path: string): Promise<string | undefined> {
    return this.texts.get(path);
  }

  #folders(): Map<string, Map<string, FolderEntry["kind"]>> {
    if (this.#children !== undefined) return this.#children;
    const children = new Map<string, Map<string, FolderEntry["kind"]>>();
    const put = (path: string, kind: FolderEntry["kind"]): void => {
      const at = path.lastIndexOf("/");
      const parent = path.slice(0, at);
      if (at < 0) return;
      const inside = children.get(parent) ?? new Map<string, FolderEntry["kind"]>();
      const isNew = !children.has(parent);
      inside.set(path.slice(at + 1), kind);
      children.set(parent, inside);
      if (isNew) put(parent, "folder");
    };
    for (const path of Object.keys(this.tree)) put(path, "file");
    for (const path of this.links.keys()) put(path, "link");
    this.#children = children;
    return children;
  }

  /** The path with every link in it followed; undefined for a circle. */
  #resolve(path: string): string | undefined {
    for (let n = 0, now = path; n < 20; n++) {
      const link = [...this.links].find(([from]) => now === from || now.startsWith(`${from}/`));
      if (link === undefined) return now;
      now = link[1] + now.slice(link[0].length);
    }
    return undefined;
  }
}

/** A clock that moves by hand, and turns that are counted. */
export class HandTime implements Time {
  ms = 0;
  turns = 0;
  /** Longest stretch between two turns. */
  longest = 0;
  #last = 0;

  now(): number {
    return this.ms;
  }

  async turn(): Promise<void> {
    this.turns++;
    this.end();
  }

  /** Work that takes so long. */
  work(ms: number): void {
    this.ms += ms;
  }

  end(): void {
    this.longest = Math.max(this.longest, this.ms - this.#last);
    this.#last = this.ms;
  }
}

/** Timers that fire by hand. */
export class HandTimers {
  readonly waiting = new Set<{ readonly ms: number; readonly run: () => void }>();

  readonly after = (ms: number, run: () => void): Disposable => {
    const timer = { ms, run };
    this.waiting.add(timer);
    return { dispose: () => this.waiting.delete(timer) };
  };

  /** Fires those that wait at most so long. */
  fire(atMostMs = Number.POSITIVE_INFINITY): void {
    for (const timer of [...this.waiting]) {
      if (timer.ms > atMostMs || !this.waiting.delete(timer)) continue;
      timer.run();
    }
  }
}

export const GROUND: HomesGround = {
  env: {},
  platform: "linux",
  homeFolder: "/home/ada",
  tempFolder: "/tmp",
  added: [],
};

export async function stepsOf(
  find: (homes: readonly string[], walk: Walk) => AsyncGenerator<Step>,
  homes: readonly string[],
  disk: ScanFiles,
): Promise<readonly Step[]> {
  const steps: Step[] = [];
  for await (const step of find(homes, new Walk(disk))) steps.push(step);
  return steps;
}
