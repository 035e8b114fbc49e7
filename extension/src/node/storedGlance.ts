import type { TableView } from "../core/model/openTable";
import type { FileFormatId, Thread } from "../core/model/transcript";
import type { Clock } from "../core/ports";
import { timesAhead } from "../core/transcript/timesAhead";
import { readGraph } from "../core/util/graph/readGraph";
import { writeGraph } from "../core/util/graph/writeGraph";
import type { ReadAnswer, StoreRequest } from "../protocol/tableWorker";
import { type FileIdentity, likeness } from "./fileIdentity";
import { indexKey } from "./indexKey";
import { IndexStore } from "./indexStore";

/** Transcripts with more threads (a database of sessions) are looked at by their own thread. */
const MOST_THREADS = 1_000;

/** What is shown of a stored transcript at once, before its table is there. */
interface Glance {
  readonly files: readonly (FileIdentity | undefined)[];
  readonly view: TableView;
  readonly threads: readonly Pick<Thread, "startedAt">[];
}

/** A view with what only the present tells about it. */
export function viewNow(view: TableView, threads: Iterable<Pick<Thread, "startedAt">>, { now }: Clock): TableView {
  const ahead = timesAhead(threads, now());
  return ahead === undefined ? view : { ...view, problems: [...view.problems, ahead] };
}

/** As bytes that `glanceAt` takes; undefined where there is nothing to be shown at once. */
export function glanceBytes(
  files: Glance["files"],
  view: TableView,
  threads: ReadonlyMap<string, Pick<Thread, "startedAt">>,
): Uint8Array | undefined {
  if (files.length !== 1 || threads.size > MOST_THREADS) return undefined;
  const glance: Glance = { files, view, threads: [...threads.values()].map(({ startedAt }) => ({ startedAt })) };
  const written = writeGraph(glance);
  return written.ok ? written.value : undefined;
}

/**
 * What a thread will answer that takes the transcript's index from the store: undefined unless it is there and the file is as it
 * was. The thread needs ten times as long to be there at all.
 */
export async function glanceAt(
  path: string,
  format: FileFormatId | undefined,
  request: StoreRequest | null,
  clock: Clock,
): Promise<ReadAnswer | undefined> {
  // The thread meets the same trouble and tells it.
  if (request === null) return undefined;
  const store = new IndexStore({ ...request, trouble: untold });
  const bytes = await store.glance(indexKey(path, format));
  const read = bytes === undefined ? undefined : readGraph(bytes);
  if (read?.ok !== true) return undefined;
  // Written by `glanceBytes`: the checksum says so.
  const { files, view, threads } = read.value as Glance;
  const [file] = files;
  if (file === undefined || !(await isSame(file))) return undefined;
  return { end: "done", goesOn: false, view: viewNow(view, threads, clock), from: 0, source: "store", repathed: [] };
}

async function isSame(file: FileIdentity): Promise<boolean> {
  try {
    return (await likeness(file)) === "same";
  } catch (error) {
    if (error instanceof Error && "code" in error) return false;
    throw error;
  }
}

function untold(): void {}
