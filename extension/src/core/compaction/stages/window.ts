import { ResultOrder } from "../order";
import type { WindowPolicy } from "../policy";
import { ITEM, ROLES } from "../simThread";
import { count, type Reason, type Stage, type StageInput, type StageOutput } from "../stage";

/**
 * Marks for good whatever is older than a window of the newest tool output. What a result weighs is taken when it comes in,
 * so running sums and one boundary that only moves forward are enough; they are summed anew only after results left.
 */
export class WindowStage implements Stage {
  readonly idle = new Map<Reason, number>();
  private readonly order: ResultOrder;
  private readonly exempt: ReadonlySet<string>;
  private readonly tokens: number[] = [];
  /** `sums[i]`: tokens of the first i results in order, without those that left. */
  private readonly sums: number[] = [0];
  private someLeft = false;
  private fresh: number[] = [];
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
    this.why = new Uint8Array(input.thread.results.count);
  }

  arrive(item: number): void {
    const { items } = this.input.thread;
    if (this.order.arrive(item)) this.fresh.push(item);
    else if (items.kind[item] === ITEM.text && ROLES[items.role[item] ?? 0] === "user") {
      if (this.userAt.length > 0) this.turnEnded = true;
      this.userAt.push(this.order.items.length);
    }
  }

  leave(item: number): void {
    this.order.leave(item);
    this.someLeft = true;
  }

  changed(): void {}

  pass(_call: number, output: StageOutput): void {
    for (const item of this.fresh) {
      const tokens = this.isExempt(item) ? 0 : Math.round(this.input.chars(item) / 4);
      this.tokens.push(tokens);
      this.sums.push((this.sums.at(-1) ?? 0) + tokens);
    }
    this.fresh = [];
    if (this.someLeft) this.sumAgain();
    if (this.policy.when === "turnEnd") {
      if (!this.turnEnded) return;
      this.turnEnded = false;
    }
    const reason = this.mark(this.eligible(), output);
    if (reason !== undefined) count(this.idle, reason);
  }

  private sumAgain(): void {
    this.someLeft = false;
    for (const [at, item] of this.order.items.entries()) {
      const own = this.order.isAlive(item) ? (this.tokens[at] ?? 0) : 0;
      this.sums[at + 1] = (this.sums[at] ?? 0) + own;
    }
  }

  /** Results that are old enough to be looked at. A pass at the end of a turn does not see the next user message. */
  private eligible(): number {
    const { protectTurns, when } = this.policy;
    if (protectTurns <= 0) return this.order.items.length;
    const turns = this.userAt.length - (when === "turnEnd" ? 1 : 0);
    return turns < protectTurns ? 0 : (this.userAt[turns - protectTurns] ?? 0);
  }

  private mark(eligible: number, output: StageOutput): Reason | undefined {
    const newest = this.sums[eligible] ?? 0;
    let until = this.marked;
    // A result goes when it and everything newer that is looked at exceed the window.
    while (until < eligible && newest - (this.sums[until] ?? 0) > this.policy.protectTokens) until++;
    const tokens = (this.sums[until] ?? 0) - (this.sums[this.marked] ?? 0);
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
