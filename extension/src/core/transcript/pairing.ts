import type { RecordPlace, ToolResult } from "../model/transcript";

/** A tool call that the model made and whose result may still come. */
export interface ToolCall {
  readonly id: string | undefined;
  readonly tool: string | undefined;
  /** Number of the model call that made it. */
  readonly call: number | undefined;
  readonly turn: number | undefined;
  readonly place: RecordPlace;
}

export interface Match {
  readonly call: ToolCall | undefined;
  /** True when no unanswered call has that id. `call` may then be one that was answered before. */
  readonly orphan: boolean;
}

/**
 * Pairs results with calls inside one thread. Ids are not unique over a long history with some providers, so a result
 * belongs to the newest call with its id that has no result yet.
 */
export class Pairing {
  /** Newest last. */
  private readonly waiting = new Map<string, ToolCall[]>();
  private readonly newest = new Map<string, ToolCall>();
  private readonly unanswered = new Set<ToolCall>();
  private readonly early = new Map<string, ToolResult>();

  /** `lateCalls`: lines may stand before their cause (Claude Code's files are trees), so a result waits for its call too. */
  constructor(private readonly lateCalls: boolean) {}

  /** Notes a call; returns the result that came before it, if there is one. */
  called(call: ToolCall): ToolResult | undefined {
    if (call.id === undefined) {
      this.unanswered.add(call);
      return undefined;
    }
    this.newest.set(call.id, call);
    const early = this.early.get(call.id);
    if (early !== undefined) {
      this.early.delete(call.id);
      return early;
    }
    this.unanswered.add(call);
    const stack = this.waiting.get(call.id);
    if (stack === undefined) this.waiting.set(call.id, [call]);
    else stack.push(call);
    return undefined;
  }

  /** The call that a result with this id answers. */
  answered(id: string | undefined): Match {
    if (id === undefined) return { call: undefined, orphan: true };
    const stack = this.waiting.get(id);
    const call = stack?.pop();
    if (call === undefined) return { call: this.newest.get(id), orphan: true };
    if (stack !== undefined && stack.length === 0) this.waiting.delete(id);
    this.unanswered.delete(call);
    return { call, orphan: false };
  }

  /** Keeps a result without a call, in case the call follows. */
  keepEarly(result: ToolResult): void {
    if (this.lateCalls && result.callId !== undefined && !this.newest.has(result.callId)) {
      this.early.set(result.callId, result);
    }
  }

  /** Calls that never got a result, in the order they were made. */
  missing(): Iterable<ToolCall> {
    return this.unanswered;
  }
}
