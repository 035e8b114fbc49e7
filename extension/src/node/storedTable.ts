import type { ShownTotals } from "../core/model/openTable";
import type { FileFormatId } from "../core/model/transcript";
import type { TranscriptIndex } from "../core/transcript/events";
import { tableOf, tableParts } from "../core/transcript/table/tableBytes";
import type { TranscriptTable } from "../core/transcript/table/transcriptTable";
import { ContextTimeline } from "../core/transcript/timeline";
import { readGraph } from "../core/util/graph/readGraph";
import { writeGraph } from "../core/util/graph/writeGraph";
import type { Part } from "../core/util/packed";
import { type FileIdentity, likeness } from "./fileIdentity";
import { indexKey } from "./indexKey";
import type { IndexStore } from "./indexStore";

/** What is stored of a transcript beside its table. */
export interface Kept {
  /** The files that were read, as they were then; undefined: it was not there. */
  readonly files: readonly (FileIdentity | undefined)[];
  readonly totals: ShownTotals;
}

export interface KeptTable extends Kept {
  readonly table: TranscriptTable;
  /** Made when it is asked for. */
  readonly timeline: () => ContextTimeline;
}

/** The whole index of a file out of the store, for whoever needs all of it; undefined unless it is there and the file unchanged. */
export async function storedIndex(
  store: IndexStore,
  path: string,
  format: FileFormatId | undefined,
): Promise<TranscriptIndex | undefined> {
  const stored = await store.load(indexKey(path, format));
  const kept = stored && takeKept(stored.parts);
  const [file, ...others] = kept?.files ?? [];
  if (kept === undefined || file === undefined || others.length > 0) return undefined;
  return (await likeness(file)) === "same" ? kept.table.toIndex() : undefined;
}

/** Undefined when something in it cannot be stored. */
export function keptParts(table: TranscriptTable, timeline: ContextTimeline, kept: Kept): readonly Part[] | undefined {
  const facts = writeGraph(kept);
  // Its calls are rows of the table.
  const growth = writeGraph(timeline, CLASSES, new Map([[table.calls, CALLS]]));
  if (!facts.ok || !growth.ok) return undefined;
  return [
    { name: "kept", numbers: [], bytes: facts.value },
    { name: "timeline", numbers: [], bytes: growth.value },
    ...tableParts(table),
  ];
}

/** What `keptParts` made; undefined when it is not whole. The checksum was right, so its shapes are those that were written. */
export function takeKept(parts: ReadonlyMap<string, Part>): KeptTable | undefined {
  const facts = readGraph(parts.get("kept")?.bytes ?? NOTHING);
  const growth = parts.get("timeline")?.bytes ?? NOTHING;
  const table = tableOf(parts);
  if (!facts.ok || table === undefined) return undefined;
  let made: ContextTimeline | undefined;
  const timeline = (): ContextTimeline => {
    if (made === undefined) {
      const read = readGraph(growth, CLASSES, new Map([[CALLS, table.calls]]));
      made = read.ok && read.value instanceof ContextTimeline ? read.value : new ContextTimeline(table.calls);
    }
    return made;
  };
  return { ...(facts.value as Kept), table, timeline };
}

const CLASSES = { ContextTimeline };
const CALLS = "calls";
const NOTHING = new Uint8Array(0);
