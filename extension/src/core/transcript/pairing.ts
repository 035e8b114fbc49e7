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

interface Entry {
  readonly call: ToolCall;
  /** An earlier call with the same id. */
  readonly before: Entry | undefined;
  answered: boolean;
}

/**
 * Pairs results with calls inside one thread. Ids are not unique over a long history with some providers, so a result
 * belongs to the newest call with its id that has no result yet.
 */
export class Pairing {
  private readonly newest = new Map<string, Entry>();
  /** In the order made. */
  private readonly entries: Entry[] = [];
  private readonly early = new Map<string, ToolResult>();

  /** `lateCalls`: lines may stand before their cause (Claude Code's files are trees), so a result waits for its call too. */
  constructor(private readonly lateCalls: boolean) {}

  /** Notes a call; returns the result that came before it, if there is one. */
  called(call: ToolCall): ToolResult | undefined {
    const { id } = call;
    const entry: Entry = { call, before: id === undefined ? undefined : this.newest.get(id), answered: false };
    this.entries.push(entry);
    if (id === undefined) return undefined;
    this.newest.set(id, entry);
    if (this.early.size === 0) return undefined;
    const early = this.early.get(id);
    if (early === undefined) return undefined;
    this.early.delete(id);
    entry.answered = true;
    return early;
  }

  /** The call that a result with this id answers. */
  answered(id: string | undefined): Match {
    if (id === undefined) return { call: undefined, orphan: true };
    const newest = this.newest.get(id);
    let entry = newest;
    while (entry?.answered === true) entry = entry.before;
    if (entry === undefined) return { call: newest?.call, orphan: true };
    entry.answered = true;
    return { call: entry.call, orphan: false };
  }

  /** Keeps a result without a call, in case the call follows. */
  keepEarly(result: ToolResult): void {
    if (this.lateCalls && result.callId !== undefined && !this.newest.has(result.callId)) {
      this.early.set(result.callId, result);
    }
  }

  /** Calls that never got a result, in the order they were made. */
  *missing(): Iterable<ToolCall> {
    for (const entry of this.entries) if (!entry.answered) yield entry.call;
  }
}
