import type { Role } from "../model/transcript";

/** What an item of a thread is: a message's text, the arguments of its tool calls, or one tool result. */
export const ITEM = { text: 0, args: 1, result: 2 } as const;

/** Codes of `SimThread.role`. */
export const ROLES: readonly Role[] = ["system", "user", "assistant", "tool", "other"];

/** Sums of one request as the transcript states them; NaN = not stated. Tokens. */
export interface MeasuredCalls {
  readonly input: Float64Array;
  readonly cacheRead: Float64Array;
  readonly cacheWrite: Float64Array;
  readonly output: Float64Array;
}

/**
 * One thread in numbers. A request to the model is a list of items in order; an item is in the requests `firstCall` to
 * `endCall` − 1 (0-based positions among the thread's calls). Sizes are code points. Items that no call ever saw have
 * `firstCall` = number of calls.
 */
export interface SimThread {
  readonly id: string;
  readonly items: {
    readonly count: number;
    /** One of `ITEM`. */
    readonly kind: Uint8Array;
    /** Position in `ROLES`. */
    readonly role: Uint8Array;
    readonly chars: Float64Array;
    readonly images: Int32Array;
    /** Position of its message among the thread's messages as told; items of one message stand side by side. */
    readonly message: Int32Array;
    /** Index of the message within its thread as the transcript counts (-1: no message of its own). */
    readonly messageIndex: Int32Array;
    /** Position among `results`; -1 for other items. */
    readonly result: Int32Array;
    readonly firstCall: Int32Array;
    readonly endCall: Int32Array;
    /** Code points that a tool call's id, name and JSON take beside the arguments; 0 for other items. */
    readonly frame: Int32Array;
  };
  readonly results: {
    readonly count: number;
    /** `ToolResult.index`. */
    readonly index: Int32Array;
    readonly item: Int32Array;
    /** Position in `tools`. */
    readonly tool: Int32Array;
    /** Number of the batch: results of one assistant message. Ascends. */
    readonly batch: Int32Array;
    readonly callId: readonly (string | undefined)[];
    /** 1 where the text is what the tool returned, also cut by the tool; 0 where it is a notice or placeholder already. */
    readonly inline: Uint8Array;
    /** 1 where the result says that it must be kept word for word. */
    readonly trusted: Uint8Array;
  };
  /** Tool names; the empty name stands for a result whose tool is unknown. */
  readonly tools: readonly string[];
  readonly calls: {
    readonly count: number;
    /** `ModelCall.number`. */
    readonly number: Int32Array;
    /** Items before this position were told before the request; ascends. */
    readonly seen: Int32Array;
    /** Milliseconds since the epoch; NaN = not stated. */
    readonly at: Float64Array;
    readonly measured: MeasuredCalls;
    /** True where a recorded compaction took content away before this request. */
    readonly compacted: Uint8Array;
  };
  /** Messages that a compaction in the transcript removed without saying which. */
  readonly unstatedCompactions: number;
}

/** Total input of a request as the transcript states it, in tokens; NaN when it states none. */
export function measuredInput(thread: SimThread, call: number): number {
  const { input, cacheRead, cacheWrite } = thread.calls.measured;
  const parts = [input[call], cacheRead[call], cacheWrite[call]].map((part) => part ?? Number.NaN);
  if (parts.every(Number.isNaN)) return Number.NaN;
  return parts.reduce((sum, part) => sum + (Number.isNaN(part) ? 0 : part), 0);
}

/** Requests in which an item is sent. */
export function timesSent(thread: SimThread, item: number): number {
  return Math.max(0, (thread.items.endCall[item] ?? 0) - (thread.items.firstCall[item] ?? 0));
}

/** What the requests state together: how many state their input, and their tokens. */
export function measuredTotals(thread: SimThread): {
  readonly calls: number;
  readonly input: number;
  readonly cacheRead: number;
} {
  let calls = 0;
  let input = 0;
  let cacheRead = 0;
  for (let call = 0; call < thread.calls.count; call++) {
    const stated = measuredInput(thread, call);
    if (Number.isNaN(stated)) continue;
    calls++;
    input += stated;
    const cached = thread.calls.measured.cacheRead[call] ?? Number.NaN;
    if (!Number.isNaN(cached)) cacheRead += cached;
  }
  return { calls, input, cacheRead };
}
