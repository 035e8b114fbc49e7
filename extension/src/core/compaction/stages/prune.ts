import { PRUNE_MARKER } from "../../config/settings/prune";
import { prunedChars } from "../hermes/pruneText";
import { LinearWeight } from "../inputWeight";
import { MessageOrder, ResultOrder } from "../order";
import type { PrunePolicy } from "../policy";
import { count, type Reason, type Stage, type StageInput, type StageOutput } from "../stage";

/** Images in Hermes' estimators. Tokens. */
export const HERMES_IMAGE_TOKENS = 1500;

/** Head, marker and tail of every result before the protected tail, for good. */
export class PruneStage implements Stage {
  readonly idle = new Map<Reason, number>();
  private readonly order: ResultOrder;
  private readonly messages: MessageOrder;
  private readonly weight: LinearWeight;
  private readonly satisfiable: boolean;
  private readonly pruned: Uint8Array;
  private done = 0;
  /** Code points that this stage took out of what is still in the request, and of which item. */
  private gone = 0;
  private readonly saved: Float64Array;

  constructor(
    private readonly policy: PrunePolicy,
    private readonly input: StageInput,
  ) {
    this.order = new ResultOrder(input);
    this.messages = new MessageOrder(input);
    this.weight = new LinearWeight(input, HERMES_IMAGE_TOKENS);
    this.pruned = new Uint8Array(input.thread.results.count);
    this.saved = new Float64Array(input.thread.items.count);
    const { head, tail, threshold } = policy;
    this.satisfiable = threshold >= 1 && head >= 0 && tail >= 0 && head + PRUNE_MARKER.length + tail <= threshold;
  }

  arrive(item: number): void {
    this.order.arrive(item);
    this.messages.arrive(item);
    this.weight.arrive(item);
  }

  leave(item: number): void {
    this.order.leave(item);
    this.messages.leave(item);
    this.weight.leave(item);
    this.gone -= this.saved[item] ?? 0;
    this.saved[item] = 0;
  }

  changed(item: number): void {
    this.weight.changed(item);
  }

  pass(_call: number, output: StageOutput): void {
    const reason = this.attempt(output);
    if (reason !== undefined) count(this.idle, reason);
  }

  private attempt(output: StageOutput): Reason | undefined {
    if (!this.satisfiable) return "unsatisfiable";
    if (this.policy.triggerTokens > 0 && this.weight.total - this.gone / 4 < this.policy.triggerTokens)
      return "below-budget";
    const { items } = this.input.thread;
    const boundary = this.messages.tailStart(this.policy.protectLast);
    let changes = 0;
    for (; this.done < this.order.items.length; this.done++) {
      const item = this.order.items[this.done] ?? 0;
      if ((items.message[item] ?? 0) >= boundary) break;
      const chars = this.input.chars(item);
      const after = prunedChars(chars, this.policy);
      if (after === chars || !this.order.isAlive(item)) continue;
      output.replace(item, after, "pruned");
      this.pruned[items.result[item] ?? 0] = 1;
      this.saved[item] = chars - after;
      this.gone += chars - after;
      changes++;
    }
    return changes === 0 ? "nothing-eligible" : undefined;
  }

  reasonOf(result: number): Reason | undefined {
    if (this.pruned[result] === 1) return undefined;
    if (!this.satisfiable) return "unsatisfiable";
    const chars = this.input.chars(this.input.thread.results.item[result] ?? 0);
    if (chars <= this.policy.threshold) return "below-threshold";
    return this.idle.has("below-budget") ? "below-budget" : "protected";
  }
}
