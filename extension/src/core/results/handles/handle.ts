import type { HandleFacts, ReadFacts, UseCounts } from "../../model/resultHandle";
import type { AgentId } from "../../model/transcript";

/** What a scan for handles takes in at most. */
export const HANDLE_LIMITS = {
  /** Handles of one transcript that are looked at; later ones are counted. */
  handles: 50_000,
  /** Reads and repeats that are listed of one handle; all are counted. */
  listed: 20,
  /** UTF-16 units of one call's arguments; longer ones count as not known. */
  args: 1024 * 1024,
  /** Bytes of a record that is parsed for its time. */
  record: 16 * 1024 * 1024,
} as const;

/** One call that read what is behind a handle. */
export interface HandleRead extends ReadFacts {
  /** Index of its result. */
  readonly row: number;
}

/** Sizes of a kept text between which the true one lies; equal where the transcript tells it. */
export interface KeptSize {
  readonly minUnits: number;
  readonly maxUnits: number;
  /** UTF-8. */
  readonly minBytes: number;
  readonly maxBytes: number;
}

/** A handle of a transcript. Lists hold the first ones; the counts count all. */
export interface Handle extends HandleFacts {
  /** Index of the result that holds the notice. */
  readonly row: number;
  readonly threadId: string;
  /** Number of the request that asked for it, within its thread. */
  readonly call: number | undefined;
  /** Who can read it: entries of one owner push each other out. */
  readonly owner: string;
  /** Agent that wrote the notice. */
  readonly agent: AgentId | "other";
  /** Of a text in OpenMausBot's store. */
  readonly kept: KeptSize | undefined;
  /** A summarised text has a copy on disk. */
  readonly durable: boolean;
  readonly reads: readonly HandleRead[];
  /** Indexes of results. */
  readonly repeats: readonly number[];
  readonly maybe: readonly number[];
}

export interface HandleScan {
  /** In the order in which they were left. */
  readonly handles: readonly Handle[];
  /** Handles beyond `HANDLE_LIMITS.handles`. */
  readonly omitted: number;
}

/** How many of the handles were used in which way. */
export function countUses(handles: readonly Pick<Handle, "use">[]): UseCounts {
  const counts = { read: 0, repeated: 0, unknown: 0, never: 0 };
  for (const { use } of handles) counts[use]++;
  return counts;
}
