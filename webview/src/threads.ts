import type { RowFilter } from "../../extension/src/core/model/rowQuery";
import type { ContextWindow, Glance, ThreadRow } from "../../extension/src/protocol/webview";

/** Id of the one thread to which the filter keeps; null = it lets several through. */
export function keptThread({ threads }: Pick<RowFilter, "threads">): string | null {
  return threads?.length === 1 ? (threads[0] ?? null) : null;
}

/** The one thread to which the filter keeps; null = all of them, or one that is not known. */
export function chosenThread(threads: readonly ThreadRow[], filter: RowFilter): ThreadRow | null {
  const id = keptThread(filter);
  return threads.find((thread) => thread.id === id) ?? null;
}

/** Each session of a database is a main thread of its own; all others came out of one. */
export function countKinds(threads: readonly ThreadRow[]): { readonly mains: number; readonly others: number } {
  const mains = threads.filter(({ kind }) => kind === "main").length;
  return { mains, others: threads.length - mains };
}

/** Context window of a thread; null = not known. */
export function windowOf(id: string | null, threads: readonly ThreadRow[], glance: Glance): ContextWindow | null {
  const own = glance.windows.find(({ thread }) => thread === id);
  if (own !== undefined) {
    return own;
  }
  const kind = threads.find((thread) => thread.id === id)?.kind;
  return kind === "main" && countKinds(threads).mains === 1 ? glance.window : null;
}
