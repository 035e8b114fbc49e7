import type { ModelCall, ToolResult } from "../model/transcript";
import type { SimThread } from "./simThread";

/** One item while a thread is put together. */
export interface Draft {
  readonly kind: number;
  readonly role: number;
  readonly chars: number;
  readonly images: number;
  readonly message: number;
  readonly messageIndex: number;
  readonly result: ToolResult | undefined;
  frame: number;
  end: number;
}

/** What is known of the requests of a thread beside the transcript's own words. */
type Requests = Pick<SimThread["calls"], "seen" | "compacted"> & Pick<SimThread, "unstatedCompactions">;

interface FoundResult {
  readonly item: number;
  readonly result: ToolResult;
}

/** A thread as columns of numbers, one per item, result and request, which a run walks over without making objects. */
export function freezeThread(
  id: string,
  drafts: readonly Draft[],
  calls: readonly ModelCall[],
  { seen, compacted, unstatedCompactions }: Requests,
): SimThread {
  const found = drafts.flatMap((draft, item) => (draft.result === undefined ? [] : [{ item, result: draft.result }]));
  const { tools, results } = resultColumns(found);
  return {
    id,
    items: itemColumns(drafts, found, calls.length, seen),
    results,
    tools,
    calls: callColumns(calls, seen, compacted),
    unstatedCompactions,
  };
}

function itemColumns(
  drafts: readonly Draft[],
  found: readonly FoundResult[],
  calls: number,
  seen: Int32Array,
): SimThread["items"] {
  const count = drafts.length;
  const ints = (pick: (draft: Draft, position: number) => number): Int32Array => Int32Array.from(drafts, pick);
  const resultAt = new Int32Array(count).fill(-1);
  for (const [position, { item }] of found.entries()) resultAt[item] = position;
  const firstCall = new Int32Array(count).fill(calls);
  let from = 0;
  for (const [call, to] of seen.entries()) {
    firstCall.fill(call, from, to);
    from = Math.max(from, to);
  }
  return {
    count,
    kind: Uint8Array.from(drafts, (draft) => draft.kind),
    role: Uint8Array.from(drafts, (draft) => draft.role),
    chars: Float64Array.from(drafts, (draft) => draft.chars),
    images: ints((draft) => draft.images),
    message: ints((draft) => draft.message),
    messageIndex: ints((draft) => draft.messageIndex),
    result: resultAt,
    firstCall,
    endCall: ints((draft, i) => Math.max(draft.end < 0 ? calls : draft.end, firstCall[i] ?? 0)),
    frame: ints((draft) => draft.frame),
  };
}

function resultColumns(found: readonly FoundResult[]): Pick<SimThread, "tools" | "results"> {
  const toolAt = new Map<string, number>();
  const toolOf = (name: string): number => {
    const known = toolAt.get(name) ?? toolAt.size;
    if (known === toolAt.size) toolAt.set(name, known);
    return known;
  };
  const tool = Int32Array.from(found, ({ result }) => toolOf(result.tool ?? ""));
  return {
    tools: [...toolAt.keys()],
    results: {
      count: found.length,
      index: Int32Array.from(found, ({ result }) => result.index),
      item: Int32Array.from(found, ({ item }) => item),
      tool,
      batch: batchesOf(found),
      callId: found.map(({ result }) => result.callId),
      inline: Uint8Array.from(found, ({ result }) => Number(result.state === "inline" || result.state === "truncated")),
      trusted: Uint8Array.from(found, ({ result }) => Number(result.trustedVerbatim === true)),
    },
  };
}

function callColumns(calls: readonly ModelCall[], seen: Int32Array, compacted: Uint8Array): SimThread["calls"] {
  const figures = (pick: (call: ModelCall) => number | undefined): Float64Array =>
    Float64Array.from(calls, (call) => pick(call) ?? Number.NaN);
  return {
    count: calls.length,
    number: Int32Array.from(calls, (call) => call.number),
    seen,
    at: figures((call) => (call.at === undefined ? undefined : Date.parse(call.at))),
    measured: {
      input: figures((call) => call.usage?.input),
      cacheRead: figures((call) => call.usage?.cacheRead),
      cacheWrite: figures((call) => call.usage?.cacheWrite),
      output: figures((call) => call.usage?.output),
    },
    compacted,
  };
}

/** Results of one assistant message form a batch; where the call is unknown, results that follow each other do. */
function batchesOf(found: readonly FoundResult[]): Int32Array {
  const batches = new Int32Array(found.length);
  let batch = 0;
  for (let i = 1; i < found.length; i++) {
    const one = found[i - 1];
    const next = found[i];
    if (one === undefined || next === undefined) continue;
    const known = one.result.call !== undefined && next.result.call !== undefined;
    const together = known ? one.result.call === next.result.call : next.item === one.item + 1;
    if (!together) batch++;
    batches[i] = batch;
  }
  return batches;
}
