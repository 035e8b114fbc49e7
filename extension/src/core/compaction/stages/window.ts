import { Fenwick } from "../fenwick";
import { ResultOrder } from "../order";
import type { WindowPolicy } from "../policy";
import { ITEM, ROLES } from "../simThread";
import { count, type Reason, type Stage, type StageInput, type StageOutput } from "../stage";

/**
 * Marks for good whatever is older than a window of the newest tool output. What a result weighs is taken when it comes in,
 * so sums over the order of arrival and one boundary that only moves forward are enough.
 */
export class WindowStage implements Stage {
  readonly idle = new Map<Reason, number>();
  private readonly order: ResultOrder;
  private readonly exempt: ReadonlySet<string>;
  /** Tokens of each result, by its position in the order; 0 for those that left. */
  private readonly tokens: Float64Array;
  private readonly sums: Fenwick;
  /** Results of which tokens have been taken, and the position of each result, by result. */
  private weighed = 0;
  private readonly position: Int32Array;
  /** Results that had come before each user message. */
  private readonly userAt: number[] = [];
  private turnEnded = false;
  /** Results before this position are marked. */
  private marked = 0;
  private readonly why: Uint8Array;

  constructor(
    private readonly policy: WindowPolicy,
    private readonly input: StageInput,
  ) {
    this.order = new ResultOrder(input);
    this.exempt = new Set(policy.exemptTools);
    const { count: results } = input.thread.results;
    this.why = new Uint8Array(results);
    this.tokens = new Float64Array(results);
    this.sums = new Fenwick(results);
    this.position = new Int32Array(results);
  }

  arrive(item: number): void {
    const { items } = this.input.thread;
    if (this.order.arrive(item)) this.position[items.result[item] ?? 0] = this.order.items.length - 1;
    else if (items.kind[item] === ITEM.text && ROLES[items.role[item] ?? 0] === "user") {
      if (this.userAt.length > 0) this.turnEnded = true;
      this.userAt.push(this.order.items.length);
    }
  }

  leave(item: number): void {
    if (!this.order.isAlive(item)) return;
    this.order.leave(item);
    const at = this.position[this.input.thread.items.result[item] ?? 0] ?? 0;
    // What leaves before it was weighed is weighed as nothing.
    if (at < this.weighed) this.setTokens(at, 0);
  }

  changed(): void {}

  pass(_call: number, output: StageOutput): void {
    for (; this.weighed < this.order.items.length; this.weighed++) {
      const item = this.order.items[this.weighed] ?? 0;
      const counts = this.order.isAlive(item) && !this.isExempt(item);
      this.setTokens(this.weighed, counts ? Math.round(this.input.chars(item) / 4) : 0);
    }
    if (this.policy.when === "turnEnd") {
      if (!this.turnEnded) return;
      this.turnEnded = false;
    }
    const reason = this.mark(this.eligible(), output);
    if (reason !== undefined) count(this.idle, reason);
  }

  private setTokens(position: number, tokens: number): void {
    this.sums.add(position, tokens - (this.tokens[position] ?? 0));
    this.tokens[position] = tokens;
  }

  /** Results that are old enough to be looked at. A pass at the end of a turn does not see the next user message. */
  private eligible(): number {
    const { protectTurns, when } = this.policy;
    if (protectTurns <= 0) return this.order.items.length;
    const turns = this.userAt.length - (when === "turnEnd" ? 1 : 0);
    return turns < protectTurns ? 0 : (this.userAt[turns - protectTurns] ?? 0);
  }

  private mark(eligible: number, output: StageOutput): Reason | undefined {
    // A result goes when it and everything newer that is looked at exceed the window.
    const older = this.sums.sum(eligible) - this.policy.protectTokens;
    const until = older > 0 ? Math.max(this.marked, Math.min(eligible, this.sums.countBelow(older) + 1)) : this.marked;
    const tokens = this.sums.sum(until) - this.sums.sum(this.marked);
    const enough = this.policy.aboveMinimum ? tokens > this.policy.minimumTokens : tokens >= this.policy.minimumTokens;
    if (until === this.marked || tokens === 0) return "nothing-eligible";
    if (!enough) return "reclaim-too-small";
    for (; this.marked < until; this.marked++) this.replace(this.order.items[this.marked] ?? 0, output);
    return undefined;
  }

  private replace(item: number, output: StageOutput): void {
    if (this.isExempt(item) || !this.order.isAlive(item)) return;
    const { head, tail, notice } = this.policy;
    const chars = this.input.chars(item);
    const after = notice + Math.min(chars, head + tail);
    // A mask that is longer than the text is not put on; a plain placeholder always is.
    if (head + tail > 0 && after >= chars) return;
    output.replace(item, after, head + tail > 0 ? "masked" : "cleared", head + tail === 0);
    this.why[this.input.thread.items.result[item] ?? 0] = 1;
  }

  private isExempt(item: number): boolean {
    const { items, results, tools } = this.input.thread;
    return this.exempt.has(tools[results.tool[items.result[item] ?? 0] ?? 0] ?? "");
  }

  reasonOf(result: number): Reason | undefined {
    if (this.why[result] === 1) return undefined;
    if (this.isExempt(this.input.thread.results.item[result] ?? 0)) return "excluded-tool";
    return this.idle.has("reclaim-too-small") ? "reclaim-too-small" : "protected";
  }
}
