import type { ResultFacts } from "./facts";
import type { SimThread } from "./simThread";

/** What a policy can do to an item. */
export const ACTIONS = [
  "persisted",
  "not-saved",
  "turn-budget",
  "pruned",
  "blanked",
  "cleared",
  "masked",
  "duplicate",
  "one-line",
  "shortened",
] as const;

export type Action = (typeof ACTIONS)[number];

/** Why a policy left a result, or a whole pass, alone. Stable names for the wire and the texts of the edges. */
export type Reason =
  /** The result is not longer than what applies to its tool. */
  | "below-threshold"
  /** A pinned tool: never taken out. */
  | "pinned"
  /** Below the threshold asked for only because the tool registers, or MCP has, a lower one that it does not reach. */
  | "registry-cap"
  /** Terminal output is cut to 50,000 characters before it is looked at. */
  | "terminal-capped"
  /** It holds the notice's tag already. */
  | "quotes-tag"
  /** It is a notice or placeholder already. */
  | "already-taken-out"
  /** Marked to be kept word for word. */
  | "trusted"
  | "excluded-tool"
  /** Among the newest that stay. */
  | "protected"
  /** The request is at or below the budget or trigger. */
  | "below-budget"
  | "not-enough-results"
  | "reclaim-too-small"
  | "not-rearmed"
  | "nothing-eligible"
  /** Head, marker and tail do not fit below the threshold: the policy turns itself off. */
  | "unsatisfiable"
  | "off";

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

export function count(idle: Map<Reason, number>, reason: Reason): void {
  idle.set(reason, (idle.get(reason) ?? 0) + 1);
}
