import type { ToolResult } from "../../model/transcript";

/** Newest results that a `content-replacement` record may still change; the file writes it right after the result. */
const REPLACEABLE = 1000;

/** The newest results of a file, for records that change them or name them. */
export type Ring = Pick<ResultRing, "add" | "find" | "at" | "replace">;

export class ResultRing {
  private readonly results: ToolResult[] = [];
  private next = 0;

  /** `result` has a `callId`. */
  add(result: ToolResult): void {
    this.results[this.next] = result;
    this.next = (this.next + 1) % REPLACEABLE;
  }

  /** Slot of the newest result with a call's id; -1 when it is not kept. Few records ask, so nothing is kept in order for them. */
  find(callId: string): number {
    const { results, next } = this;
    for (let back = 1; back <= results.length; back++) {
      const at = (next - back + REPLACEABLE) % REPLACEABLE;
      if (results[at]?.callId === callId) return at;
    }
    return -1;
  }

  at(slot: number): ToolResult | undefined {
    return this.results[slot];
  }

  replace(slot: number, result: ToolResult): void {
    this.results[slot] = result;
  }
}
