import type { FileStatus } from "../../model/fileStatus";
import type { Readability } from "../../model/resultHandle";
import { HERMES_FAMILIES } from "../spillFolders";
import { STORE_LIMITS } from "../store/resultStore";
import type { Handle } from "./handle";
import { StoreReplay } from "./storeReplay";

/** Copies of summarised texts on disk. Source: OpenMausBot `server/tool-results.ts` @585ebf75. Milliseconds. */
export const DURABLE_MS = 30 * 24 * 60 * 60 * 1000;
/** Texts that openhuman keeps for one run, the oldest out first (transcripts.md 12). */
const MEMORY_ENTRIES = 8;

/** When it is asked whether something can be read. `at`: milliseconds since the epoch; undefined = the transcript does not say. */
export type Moment =
  | { readonly kind: "now"; readonly at: number }
  /** At the last time that the handle's session states. */
  | { readonly kind: "end" }
  /** When that request of a thread was sent. */
  | { readonly kind: "call"; readonly thread: string; readonly call: number; readonly at: number | undefined };

/** What is known about the file behind a path now. */
export interface FileNow {
  readonly status: FileStatus;
  /** When it was last written, milliseconds since the epoch. */
  readonly writtenAt: number | undefined;
}

/** The parts of a handle that the file rules look at. */
type FileHandle = Pick<Handle, "name" | "threadId" | "call" | "savedAt" | "lastReadAt" | "endAt">;

/**
 * Whether each handle can be read at a moment, in their order. Files are judged by the rules of their folders alone; see
 * `fileReadable` for what the file itself tells.
 */
export function readableAt(handles: readonly Handle[], moment: Moment): readonly Readability[] {
  const stores = new Map<number, Stored>();
  // A request can be sent in the millisecond in which its result is saved.
  const replay = new StoreReplay(handles.filter((handle) => !notYet(handle, moment)));
  const storeAt = (at: number): Stored => {
    const known = stores.get(at) ?? { certain: replay.storedAt(at, "max"), possible: replay.storedAt(at, "min") };
    stores.set(at, known);
    return known;
  };
  const memory = memoryAt(handles, moment);
  return handles.map((handle) => {
    if (handle.kind === "file") return fileReadable(handle, moment, undefined);
    const early = earlier(handle, moment);
    if (early !== undefined) return early;
    if (handle.kind === "memory") return memoryReadable(handle, moment, memory);
    return storeReadable(handle, timeOf(handle, moment), storeAt);
  });
}

/** Rows that the store holds whatever their sizes are, and those that it holds if they are small. */
interface Stored {
  readonly certain: ReadonlySet<number>;
  readonly possible: ReadonlySet<number>;
}

function timeOf({ endAt }: Pick<Handle, "endAt">, moment: Moment): number | undefined {
  return moment.kind === "end" ? (endAt ?? undefined) : moment.at;
}

function storeReadable(
  { row, savedAt, durable }: Handle,
  at: number | undefined,
  storeAt: (at: number) => Stored,
): Readability {
  if (savedAt === null || at === undefined) return { readable: "unknown", why: "no-time", until: null };
  const until = savedAt + (durable ? DURABLE_MS : STORE_LIMITS.keepMs);
  const inHour = at < savedAt + STORE_LIMITS.keepMs;
  if (inHour && storeAt(at).certain.has(row)) return { readable: "yes", why: "kept", until };
  if (durable)
    return at < until ? { readable: "yes", why: "durable", until } : { readable: "no", why: "expired", until };
  if (at >= until) return { readable: "no", why: "expired", until };
  return storeAt(at).possible.has(row)
    ? { readable: "unknown", why: "sizes", until }
    : { readable: "no", why: "pushed-out", until };
}

function memoryReadable({ row }: Handle, moment: Moment, kept: ReadonlySet<number>): Readability {
  if (!kept.has(row)) return { readable: "no", why: "pushed-out", until: null };
  return moment.kind === "now"
    ? { readable: "unknown", why: "memory", until: null }
    : { readable: "yes", why: "kept", until: null };
}

/** Rows that are among the newest of their thread before the moment. */
function memoryAt(handles: readonly Handle[], moment: Moment): ReadonlySet<number> {
  const newest = new Map<string, number[]>();
  for (const handle of handles) {
    if (handle.kind !== "memory" || notYet(handle, moment)) continue;
    const rows = newest.get(handle.threadId) ?? [];
    rows.push(handle.row);
    if (rows.length > MEMORY_ENTRIES) rows.shift();
    newest.set(handle.threadId, rows);
  }
  return new Set([...newest.values()].flat());
}

/** Whether a file could be read at a moment, by what is found of it now, what the agent did later, and the rule of its folder. */
export function fileReadable(handle: FileHandle, moment: Moment, file: FileNow | undefined): Readability {
  const at = timeOf(handle, moment);
  const { savedAt } = handle;
  const keptMs = keptMsOf(handle.name);
  const until = savedAt === null || keptMs === undefined ? null : savedAt + keptMs;
  if (moment.kind === "now") return { ...foundNow(file), until };
  const early = earlier(handle, moment);
  if (early !== undefined) return early;
  if (at === undefined) return { readable: "unknown", why: "no-time", until };
  const isThere = file?.status === "ok" || file?.status === "size-differs" || file?.status === "preview-differs";
  if (isThere && file.writtenAt !== undefined && file.writtenAt <= at) return { ...foundNow(file), until };
  if (keptMs === undefined) return { readable: "unknown", why: "no-rule", until };
  if (until === null) return { readable: "unknown", why: "no-time", until };
  return at < until ? { readable: "yes", why: "kept-by-rule", until } : { readable: "no", why: "past-rule", until };
}

function foundNow(file: FileNow | undefined): Omit<Readability, "until"> {
  switch (file?.status) {
    case "ok":
      return { readable: "yes", why: "file-there" };
    case "size-differs":
    case "preview-differs":
      return { readable: "yes", why: "file-changed" };
    case "missing":
    case "expired":
      return { readable: "no", why: "file-gone" };
    case "other-machine":
    case "sandbox":
    case "unreadable":
      return { readable: "unknown", why: "file-elsewhere" };
    default:
      return { readable: "unknown", why: "file-unchecked" };
  }
}

/** What follows from the order alone: it was not left yet, or the agent read it afterwards. */
function earlier(handle: FileHandle, moment: Moment): Readability | undefined {
  if (notYet(handle, moment)) return { readable: "not-yet", why: "not-yet", until: null };
  const at = timeOf(handle, moment);
  const { savedAt, lastReadAt } = handle;
  if (at === undefined) return undefined;
  if (savedAt !== null && savedAt > at) {
    return moment.kind === "now"
      ? { readable: "unknown", why: "time-ahead", until: null }
      : { readable: "not-yet", why: "not-yet", until: null };
  }
  return lastReadAt !== null && lastReadAt >= at ? { readable: "yes", why: "read-later", until: null } : undefined;
}

function notYet({ threadId, call }: Pick<Handle, "threadId" | "call">, moment: Moment): boolean {
  return moment.kind === "call" && moment.thread === threadId && call !== undefined && call >= moment.call;
}

/** How long files of that folder are kept from when they were written; undefined where no such rule is known. Milliseconds. */
export function keptMsOf(path: string): number | undefined {
  const names = path.split(/[/\\]/);
  for (const family of HERMES_FAMILIES) {
    for (let at = names.length - family.names.length - 1; at >= 0; at--) {
      if (family.names.every((name, i) => names[at + i] === name)) return family.keptMs;
    }
  }
  return undefined;
}
