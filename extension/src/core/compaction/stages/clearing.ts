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
 * passes and the gate is judged on the request before anything is cleared. Kept up to date instead of done anew: a boundary
 * in the order of the results, and what clearing frees of each before it, corrected where something there changed.
 */
class ClearingStage implements Stage {
  readonly idle = new Map<Reason, number>();
  private readonly order: ResultOrder;
  private readonly weight: Weight;
  private readonly placeholderChars: number;
  /** Results before this position of the order are cleared, but for those that may not be. */
  private cleared = 0;
  private freed = 0;
  /** What clearing everything before `probed` would free, for the rule that skips small passes. Otherwise as `cleared`. */
  private probed = 0;
  private probedFreed = 0;
  /** Code points that clearing each result frees, by result; of those before the boundaries. */
  private readonly share: Float64Array;
  /** How many of these are negative. */
  private negative = 0;
  /** Items before a boundary that left or changed since the last pass. */
  private touched: number[] = [];
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
    this.share = new Float64Array(input.thread.results.count);
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

  private touch(item: number): void {
    if (this.liesBefore(item, Math.max(this.cleared, this.probed))) this.touched.push(item);
  }

  private liesBefore(item: number, position: number): boolean {
    return position > 0 && item <= (this.order.items[position - 1] ?? -1);
  }

  pass(_call: number, output: StageOutput): void {
    const { clearAtLeast, atLeastMode } = this.rules;
    this.correct(output);
    const until = this.isOpen() ? this.order.beforeNewest(this.rules.keep) : 0;
    if (until < this.cleared) this.shrink(until, output);
    if (until === 0) {
      this.probe(0);
      return;
    }
    const before = this.cleared;
    if (clearAtLeast > 0 && atLeastMode === "skip") {
      this.probe(until);
      if (this.probedFreed / 4 < clearAtLeast) {
        this.shrink(0, output);
        count(this.idle, "reclaim-too-small");
        return;
      }
    }
    if (this.stops) while (this.cleared > 0 && this.hasEnough(this.lastShare())) this.shrink(this.cleared - 1, output);
    while (this.cleared < until && !(this.stops && this.hasEnough(0))) this.clearNext(output);
    if (this.cleared === before) count(this.idle, "nothing-eligible");
  }

  private get stops(): boolean {
    return this.rules.clearAtLeast > 0 && this.rules.atLeastMode === "stop";
  }

  /** Puts right what changed before the boundaries, and drops what left once most of the order did. */
  private correct(output: StageOutput): void {
    if (this.touched.length > 0) {
      // What several results share, and sums that do not grow, are worked out anew.
      const anew = this.rules.clearInputs || (this.stops && this.negative > 0);
      for (const item of this.touched) this.correctOne(item, anew, output);
      if (anew || (this.stops && this.negative > 0)) {
        this.shrink(0, output);
        this.probe(0);
      }
      this.touched = [];
    }
    if (this.order.isSparse) [this.cleared = 0, this.probed = 0] = this.order.tidy([this.cleared, this.probed]);
  }

  private correctOne(item: number, anew: boolean, output: StageOutput): void {
    const result = this.input.thread.items.result[item] ?? -1;
    if (result < 0) return;
    const before = this.share[result] ?? 0;
    const may = this.mayClear(item);
    const change = this.setShare(result, may ? this.freedBy(item) : 0) - before;
    if (this.liesBefore(item, this.probed)) this.probedFreed += change;
    if (!this.liesBefore(item, this.cleared)) return;
    this.freed += change;
    if (anew || !this.order.isAlive(item)) return;
    if (may) this.put(item, output);
    else output.restore(item);
  }

  /** The new share. */
  private setShare(result: number, share: number): number {
    if ((this.share[result] ?? 0) < 0) this.negative--;
    if (share < 0) this.negative++;
    this.share[result] = share;
    return share;
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

  /** Whether enough is freed even without so many code points. */
  private hasEnough(without: number): boolean {
    return (this.freed - without) / 4 >= this.rules.clearAtLeast;
  }

  private lastShare(): number {
    return this.share[this.resultAt(this.cleared - 1)] ?? 0;
  }

  private resultAt(position: number): number {
    return this.input.thread.items.result[this.order.items[position] ?? 0] ?? 0;
  }

  /** Moves the boundary of what would be freed. Those before `cleared` keep their shares. */
  private probe(until: number): void {
    while (this.probed < until) {
      const item = this.order.items[this.probed] ?? 0;
      const result = this.resultAt(this.probed++);
      if (this.probed > this.cleared) this.setShare(result, this.mayClear(item) ? this.freedBy(item) : 0);
      this.probedFreed += this.share[result] ?? 0;
    }
    while (this.probed > until) {
      const result = this.resultAt(--this.probed);
      this.probedFreed -= this.share[result] ?? 0;
      if (this.probed >= this.cleared) this.setShare(result, 0);
    }
    if (this.probed === 0) this.probedFreed = 0;
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
    return !this.rules.excluded.has(tools[results.tool[result] ?? 0] ?? "");
  }

  /** The placeholder stands there already. */
  private isCleared(item: number): boolean {
    const { items, results } = this.input.thread;
    const taken =
      results.inline[items.result[item] ?? 0] === 0 || !this.input.isOriginal(item) || this.placeholderChars === 0;
    return taken && this.input.chars(item) === this.placeholderChars && this.input.images(item) === 0;
  }

  private isTrusted(result: number): boolean {
    return this.rules.sparesTrusted && this.input.thread.results.trusted[result] === 1;
  }

  private clearNext(output: StageOutput): void {
    const position = this.cleared++;
    const item = this.order.items[position] ?? 0;
    const result = this.resultAt(position);
    const may = this.mayClear(item);
    if (position >= this.probed) this.setShare(result, may ? this.freedBy(item) : 0);
    this.freed += this.share[result] ?? 0;
    if (!may) return;
    this.put(item, output);
    if (!this.rules.clearInputs) return;
    const args = this.argsItem[result] ?? -1;
    if (args >= 0 && this.input.chars(args) > EMPTY_ARGS) output.replace(args, EMPTY_ARGS, this.rules.action);
  }

  /** A placeholder is not put in place of itself. */
  private put(item: number, output: StageOutput): void {
    if (this.isCleared(item)) return;
    output.replace(item, this.placeholderChars, this.rules.action, true);
    this.why[this.input.thread.items.result[item] ?? 0] = 1;
  }

  /** Puts results from a position on back. Arguments may belong to several of them, so with these all are put back. */
  private shrink(until: number, output: StageOutput): void {
    const to = this.rules.clearInputs ? 0 : until;
    while (this.cleared > to) {
      const position = --this.cleared;
      const result = this.resultAt(position);
      output.restore(this.order.items[position] ?? 0);
      const args = this.rules.clearInputs ? (this.argsItem[result] ?? -1) : -1;
      if (args >= 0) output.restore(args);
      this.freed -= this.share[result] ?? 0;
      if (position >= this.probed) this.setShare(result, 0);
    }
    if (this.cleared === 0) this.freed = 0;
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
