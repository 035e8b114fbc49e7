import type { ModelCall, ToolResult } from "../model/transcript";
import type { Match, ToolCall } from "./pairing";

/** Pairs the results of one thread with its calls; see `Pairing`. */
export interface CallPairs {
  /** Notes a call; returns the result that came before it, if there is one. `hash`: of its id, where it is known. */
  called(call: ToolCall, hash?: number): ToolResult | undefined;
  /** The call that a result with this id answers. */
  answered(id: string | undefined, hash?: number): Match;
  /** Keeps a result without a call, in case the call follows. */
  keepEarly(result: ToolResult): void;
  /** Calls that never got a result, in the order they were made. */
  missing(): Iterable<ToolCall>;
}

/** Requests of one thread by a key that all records of one of them have. */
export interface RequestsByKey {
  has(key: string | number): boolean;
  get(key: string | number): ModelCall | undefined;
  /** A call that is known is only changed in its usage. */
  set(key: string | number, call: ModelCall): unknown;
}

/** Counters and pairing of one thread. */
export interface ThreadBooks {
  /** Undefined before the first turn. */
  turn: number | undefined;
  calls: number;
  messages: number;
  readonly pairing: CallPairs;
  readonly callsByKey: RequestsByKey;
}

/** Where a builder keeps what numbers and pairs records; rows keep it where their skimmer can reach it. */
export interface Books {
  /** Results met so far. */
  results: number;
  /** Books of a thread that is new. */
  thread(id: string): ThreadBooks;
}
