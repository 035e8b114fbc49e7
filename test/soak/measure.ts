import { readdirSync, readFileSync, readlinkSync } from "node:fs";

/** What a leak shows in, at one quiet point. Counts; -1 where the system does not tell. */
export interface Sample {
  /** JavaScript heap of the main thread after a collection, bytes. */
  readonly heap: number;
  /** Resident memory of the whole process, bytes. */
  readonly resident: number;
  readonly files: number;
  readonly threads: number;
  /** Timers, watchers, ports and what else keeps an event loop busy. */
  readonly resources: number;
  readonly listeners: number;
  /** Entries of the folder for temporary files, which the run has for itself. */
  readonly temporary: number;
  readonly children: number;
}

const countOf = (folder: string): number => {
  try {
    return readdirSync(folder).length;
  } catch (error) {
    if (error instanceof Error && "code" in error) return -1;
    throw error;
  }
};

export const threadCount = (): number => countOf("/proc/self/task");

/** Processes whose parent is this one, by id. */
export function childProcesses(pid = process.pid): readonly number[] {
  if (process.platform !== "linux") return [];
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((id) => {
      try {
        const [state, parent] = (/\) (\S \d+)/.exec(readFileSync(`/proc/${id}/stat`, "utf8"))?.[1] ?? "").split(" ");
        return Number(parent) === pid && state !== "Z";
      } catch (error) {
        // Ended since it was listed.
        if (error instanceof Error && "code" in error) return false;
        throw error;
      }
    });
}

/** What keeps the event loop busy, and what is open, by kind with its number: to tell what it is that grows. */
export function kindsNow(): ReadonlyMap<string, number> {
  const kinds = new Map<string, number>();
  const add = (kind: string): void => void kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  for (const kind of process.getActiveResourcesInfo()) add(kind);
  if (countOf("/proc/self/fd") >= 0)
    for (const fd of readdirSync("/proc/self/fd")) {
      try {
        add(readlinkSync(`/proc/self/fd/${fd}`).replace(/:\[\d+\]$/, ""));
      } catch (error) {
        // The one that listed them.
        if (!(error instanceof Error && "code" in error)) throw error;
      }
    }
  return kinds;
}

/** Needs `--expose-gc`. */
export function sampleNow(temporaryFolder: string): Sample {
  if (globalThis.gc === undefined) throw new Error("start Node with --expose-gc");
  globalThis.gc();
  globalThis.gc();
  const { heapUsed, rss } = process.memoryUsage();
  return {
    heap: heapUsed,
    resident: rss,
    files: countOf("/proc/self/fd"),
    threads: threadCount(),
    resources: process.getActiveResourcesInfo().length,
    listeners: process.eventNames().reduce((sum, name) => sum + process.listenerCount(name), 0),
    temporary: countOf(temporaryFolder),
    children: childProcesses().length,
  };
}
