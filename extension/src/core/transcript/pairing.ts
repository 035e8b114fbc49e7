import type { RecordPlace, ToolResult } from "../model/transcript";
import { hashOf, NameTable } from "./rows/nameTable";

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
  private readonly names = new NameTable();
  /** By the number of the id. */
  private readonly newest: Entry[] = [];
  /** In the order made. */
  private readonly entries: Entry[] = [];
  private readonly early = new Map<string, ToolResult>();

  /** `lateCalls`: lines may stand before their cause (Claude Code's files are trees), so a result waits for its call too. */
  constructor(private readonly lateCalls: boolean) {}

  /** Notes a call; returns the result that came before it, if there is one. `hash`: of its id, where it is known. */
  called(call: ToolCall, hash?: number): ToolResult | undefined {
    const { id } = call;
    if (id === undefined) {
      this.entries.push({ call, before: undefined, answered: false });
      return undefined;
    }
    const ours = hash ?? hashOf(id);
    const known = this.names.find(id, 0, id.length, ours);
    const number = known < 0 ? this.names.add(id, ours) : known;
    const entry: Entry = { call, before: this.newest[number], answered: false };
    this.entries.push(entry);
    this.newest[number] = entry;
    if (this.early.size === 0) return undefined;
    const early = this.early.get(id);
    if (early === undefined) return undefined;
    this.early.delete(id);
    entry.answered = true;
    return early;
  }

  /** The call that a result with this id answers. `hash`: of the id, where it is known. */
  answered(id: string | undefined, hash?: number): Match {
    if (id === undefined) return { call: undefined, orphan: true };
    const newest = this.entryOf(id, hash);
    let entry = newest;
    while (entry?.answered === true) entry = entry.before;
    if (entry === undefined) return { call: newest?.call, orphan: true };
    entry.answered = true;
    return { call: entry.call, orphan: false };
  }

  /** Keeps a result without a call, in case the call follows. */
  keepEarly(result: ToolResult): void {
    if (this.lateCalls && result.callId !== undefined && this.entryOf(result.callId) === undefined) {
      this.early.set(result.callId, result);
    }
  }

  private entryOf(id: string, hash = hashOf(id)): Entry | undefined {
    return this.newest[this.names.find(id, 0, id.length, hash)];
  }

  /** Calls that never got a result, in the order they were made. */
  *missing(): Iterable<ToolCall> {
    for (const entry of this.entries) if (!entry.answered) yield entry.call;
  }
}
