import { countCodePoints } from "../../util/textSize";
import { ApproximateWeight, LANGCHAIN_PRICES, LinearWeight, TINYAGENTS_PRICES, type Weight } from "../inputWeight";
import { ResultOrder } from "../order";
import type { ClearPolicy, MicroPolicy } from "../policy";
import { ITEM } from "../simThread";
import { type Action, count, type Reason, type Stage, type StageInput, type StageOutput } from "../stage";

/** What the two clearing policies differ in. */
interface Rules {
  readonly action: Action;
  readonly keep: number;
  readonly placeholder: string;
  /** Tokens at or below which nothing is cleared; 0 = no gate. */
  readonly gate: number;
  readonly clearAtLeast: number;
  readonly atLeastMode: "skip" | "stop";
  readonly excluded: ReadonlySet<string>;
  readonly clearInputs: boolean;
  /** True: results that must be kept word for word stay. */
  readonly sparesTrusted: boolean;
}

/** `{}`: what is left of cleared arguments. */
const EMPTY_ARGS = 2;

/**
 * Clearing on the way to the model: every request is cleared anew from the whole history, so nothing depends on earlier
 * passes and the gate is judged on the request before anything is cleared.
 */
export class ClearingStage implements Stage {
  readonly idle = new Map<Reason, number>();
  private readonly order: ResultOrder;
  private readonly weight: Weight;
  private readonly placeholderChars: number;
  /** Results before this position of the order are cleared, but for those that may not be. */
  private cleared = 0;
  private freed = 0;
  private stale = false;
  /** What clearing everything before `probed` would free, for the rule that skips small passes. */
  private probed = 0;
  private probedFreed = 0;
  private readonly why: Uint8Array;
  private readonly argsItem: Int32Array;

  constructor(
    private readonly rules: Rules,
    private readonly input: StageInput,
    weight: Weight,
  ) {
    this.order = new ResultOrder(input);
    this.weight = weight;
    this.placeholderChars = countCodePoints(rules.placeholder);
    this.why = new Uint8Array(input.thread.results.count);
    this.argsItem = rules.clearInputs ? argsOfResults(input) : new Int32Array(0);
  }

  arrive(item: number): void {
    this.order.arrive(item);
    this.weight.arrive(item);
  }

  leave(item: number): void {
    this.order.leave(item);
    this.weight.leave(item);
    this.touch(item);
  }

  changed(item: number): void {
    this.weight.changed(item);
    this.touch(item);
  }

  /** Sums over what lies before a boundary no longer hold once something there left or changed. */
  private touch(item: number): void {
    const last = Math.max(this.cleared, this.probed) - 1;
    if (last >= 0 && item <= (this.order.items[last] ?? -1)) this.stale = true;
  }

  pass(_call: number, output: StageOutput): void {
    const open = this.isOpen();
    const until = open ? this.order.beforeNewest(this.rules.keep) : 0;
    // Something before the boundary left or changed: what it freed has to be counted again.
    if (until < this.cleared || (this.stale && this.rules.clearAtLeast > 0)) this.undo(output);
    if (this.stale) this.probed = this.probedFreed = 0;
    this.stale = false;
    if (until === 0) return;
    if (this.rules.clearAtLeast > 0 && this.rules.atLeastMode === "skip" && !this.wouldFree(until)) {
      count(this.idle, "reclaim-too-small");
      return;
    }
    const before = this.cleared;
    while (this.cleared < until && !this.hasEnough()) this.clear(this.order.items[this.cleared++] ?? 0, output);
    if (this.cleared === before) count(this.idle, "nothing-eligible");
  }

  private isOpen(): boolean {
    if (this.order.count <= this.rules.keep) {
      count(this.idle, "not-enough-results");
      return false;
    }
    if (this.rules.gate > 0 && this.weight.total <= this.rules.gate) {
      count(this.idle, "below-budget");
      return false;
    }
    return true;
  }

  private hasEnough(): boolean {
    return (
      this.rules.clearAtLeast > 0 && this.rules.atLeastMode === "stop" && this.freed / 4 >= this.rules.clearAtLeast
    );
  }

  /** Once enough is freed it stays so: later requests can only free more. */
  private wouldFree(until: number): boolean {
    if (this.cleared > 0) return true;
    if (until < this.probed) this.probed = this.probedFreed = 0;
    for (; this.probed < until; this.probed++) {
      const item = this.order.items[this.probed] ?? 0;
      if (this.mayClear(item)) this.probedFreed += this.freedBy(item);
    }
    return this.probedFreed / 4 >= this.rules.clearAtLeast;
  }

  private freedBy(item: number): number {
    return this.input.chars(item) - this.placeholderChars + this.inputFreed(item);
  }

  private inputFreed(item: number): number {
    if (!this.rules.clearInputs) return 0;
    const args = this.argsItem[this.input.thread.items.result[item] ?? 0] ?? -1;
    return args < 0 ? 0 : Math.max(0, this.input.chars(args) - EMPTY_ARGS);
  }

  private mayClear(item: number): boolean {
    const { items, results, tools } = this.input.thread;
    const result = items.result[item] ?? 0;
    if (!this.order.isAlive(item) || this.isTrusted(result)) return false;
    // A placeholder is not put in place of itself.
    const taken = results.inline[result] === 0 || !this.input.isOriginal(item) || this.placeholderChars === 0;
    const same = this.input.chars(item) === this.placeholderChars && this.input.images(item) === 0;
    if (taken && same) return false;
    return !this.rules.excluded.has(tools[results.tool[result] ?? 0] ?? "");
  }

  private isTrusted(result: number): boolean {
    return this.rules.sparesTrusted && this.input.thread.results.trusted[result] === 1;
  }

  private clear(item: number, output: StageOutput): void {
    if (!this.mayClear(item)) return;
    this.freed += this.freedBy(item);
    output.replace(item, this.placeholderChars, this.rules.action, true);
    this.why[this.input.thread.items.result[item] ?? 0] = 1;
    if (!this.rules.clearInputs) return;
    const args = this.argsItem[this.input.thread.items.result[item] ?? 0] ?? -1;
    if (args >= 0 && this.input.chars(args) > EMPTY_ARGS) output.replace(args, EMPTY_ARGS, this.rules.action);
  }

  private undo(output: StageOutput): void {
    for (let at = 0; at < this.cleared; at++) {
      const item = this.order.items[at] ?? 0;
      if (!this.mayClear(item)) continue;
      output.restore(item);
      if (!this.rules.clearInputs) continue;
      const args = this.argsItem[this.input.thread.items.result[item] ?? 0] ?? -1;
      if (args >= 0) output.restore(args);
    }
    this.cleared = 0;
    this.freed = 0;
  }

  reasonOf(result: number): Reason | undefined {
    const { results, tools } = this.input.thread;
    if (this.why[result] === 1) return undefined;
    if (this.isTrusted(result)) return "trusted";
    if (this.rules.excluded.has(tools[results.tool[result] ?? 0] ?? "")) return "excluded-tool";
    if (this.idle.has("below-budget")) return "below-budget";
    return this.idle.has("reclaim-too-small") ? "reclaim-too-small" : "protected";
  }
}

/** tinyagents: trusted results stay, there is no minimum, and a short result can grow. */
export function microStage(policy: MicroPolicy, input: StageInput): Stage {
  const { keepRecent, placeholder, tokenBudget } = policy;
  return new ClearingStage(
    {
      action: "blanked",
      keep: keepRecent,
      placeholder,
      gate: tokenBudget ?? 0,
      clearAtLeast: 0,
      atLeastMode: "stop",
      excluded: new Set(),
      clearInputs: false,
      sparesTrusted: true,
    },
    input,
    new ApproximateWeight(input, TINYAGENTS_PRICES),
  );
}

/** Anthropic counts what the provider counts, LangChain approximately. */
export function clearStage(policy: ClearPolicy, input: StageInput): Stage {
  const approximate = policy.atLeastMode === "stop";
  return new ClearingStage(
    {
      action: "cleared",
      keep: policy.keep,
      placeholder: policy.placeholder,
      gate: policy.triggerTokens,
      clearAtLeast: policy.clearAtLeast,
      atLeastMode: policy.atLeastMode,
      excluded: new Set(policy.excludeTools),
      clearInputs: policy.clearToolInputs,
      sparesTrusted: false,
    },
    input,
    approximate ? new ApproximateWeight(input, LANGCHAIN_PRICES) : new LinearWeight(input, 0),
  );
}

/** The arguments of the message that asked for each result; −1 where there are none. */
export function argsOfResults(input: StageInput): Int32Array {
  const { items, results } = input.thread;
  const owner = new Int32Array(results.count).fill(-1);
  let args = -1;
  let batchArgs = -1;
  let batch = -1;
  for (let item = 0; item < items.count; item++) {
    if (items.kind[item] === ITEM.args) args = item;
    const result = items.result[item] ?? -1;
    if (result < 0) continue;
    if (results.batch[result] !== batch) {
      batch = results.batch[result] ?? -1;
      batchArgs = args;
    }
    owner[result] = batchArgs;
  }
  return owner;
}
