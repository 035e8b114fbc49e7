import type { Action, Reason } from "../model/policy";
import type { ResultFacts } from "./facts";
import type { SimThread } from "./simThread";

export { ACTIONS, type Action, type Reason } from "../model/policy";

/** The request as it reaches a stage: after the stages before it. */
export interface StageInput {
  readonly thread: SimThread;
  readonly facts: ResultFacts;
  /** Tokens in every request beside the items (tool schemas, a system prompt outside the transcript). */
  readonly baseTokens: number;
  /** Code points of an item as it comes in. */
  chars(item: number): number;
  images(item: number): number;
  /** True while nothing before this stage has replaced the item. */
  isOriginal(item: number): boolean;
}

export interface StageOutput {
  /** Puts `chars` code points in place of an item; `dropsImages` takes its images out as well. */
  replace(item: number, chars: number, action: Action, dropsImages?: boolean): void;
  /** Puts the item back as it came in. */
  restore(item: number): void;
}

/** One policy at work on one thread. Calls come in the order of the requests. */
export interface Stage {
  /** An item is in this request and was not in the one before. */
  arrive(item: number): void;
  /** An item is in no further request. */
  leave(item: number): void;
  /** A stage before this one replaced or restored an item that is in the request. */
  changed(item: number): void;
  /** Everything of this request has come in. */
  pass(call: number, output: StageOutput): void;
  /** Passes that did nothing, by reason. */
  readonly idle: ReadonlyMap<Reason, number>;
  /** Why a result is as it came in; undefined when this stage replaced it or never looked. */
  reasonOf(result: number): Reason | undefined;
}

/** One more pass that did nothing for this reason. */
export function count(idle: Map<Reason, number>, reason: Reason): void {
  idle.set(reason, (idle.get(reason) ?? 0) + 1);
}
