import { countCodePoints } from "../../util/textSize";
import { DUPLICATE_NOTICE, PRUNE_MIN_CHARS } from "../hermes/oneLine";
import { LinearWeight } from "../inputWeight";
import { MessageOrder, ResultOrder } from "../order";
import { POLICY_DEFAULTS, type ProactivePolicy } from "../policy";
import { ROLES } from "../simThread";
import { type Action, count, type Reason, type Stage, type StageInput, type StageOutput } from "../stage";
import { argsOfResults } from "./clearing";
import { HERMES_IMAGE_TOKENS } from "./prune";

const DUPLICATE_CHARS = countCodePoints(DUPLICATE_NOTICE);
/** Tokens per message beside its text in the walk that weighs messages. */
const MESSAGE_TOKENS = 10;

interface Planned {
  readonly chars: number;
  /** Tokens that it frees; taken when planned. */
  readonly freed: number;
  readonly action: Action;
}

/**
 * Hermes' proactive prune over sizes. What a pass would do is kept up to date as results come in and leave the protected
 * tail, so that a pass that would free too little costs nothing.
 */
export class ProactiveStage implements Stage {
  readonly idle = new Map<Reason, number>();
  private readonly order: ResultOrder;
  private readonly messages: MessageOrder;
  private readonly weight: LinearWeight;
  /** Arguments in the order in which they came, and what shortening saves of each. Code points. */
  private readonly argsOrder: number[] = [];
  private readonly argsSaved: Float64Array;
  private lookedArgs = 0;
  /** Results of at most this many code points stay; 0 in the config is the default (`hermes.md` 4.3). */
  private readonly minChars: number;
  private readonly newest = new Map<number, number>();
  private readonly planned = new Map<number, Planned>();
  private readonly done: Uint8Array;
  private results = 0;
  /** Tokens that the plan frees, by estimate. */
  private reclaim = 0;
  private looked = 0;
  private rearm = 0;
  private head = 0;
  private newestIsResult = false;
  /** Tokens that this stage took out of what is still in the request, and of which item. */
  private gone = 0;
  private readonly saved: Float64Array;

  constructor(
    private readonly policy: ProactivePolicy,
    private readonly input: StageInput,
  ) {
    this.order = new ResultOrder(input);
    this.messages = new MessageOrder(input);
    this.weight = new LinearWeight(input, HERMES_IMAGE_TOKENS);
    this.argsSaved = new Float64Array(input.thread.items.count);
    for (const [result, args] of argsOfResults(input).entries())
      if (args >= 0) this.argsSaved[args] = (this.argsSaved[args] ?? 0) + (input.facts.argsSaved[result] ?? 0);
    this.minChars = Math.max(PRUNE_MIN_CHARS, policy.minResultChars || POLICY_DEFAULTS.proactive.minResultChars);
    this.done = new Uint8Array(input.thread.items.count);
    this.saved = new Float64Array(input.thread.items.count);
  }

  arrive(item: number): void {
    const { items } = this.input.thread;
    if (item === 0 && ROLES[items.role[item] ?? 0] === "system") this.head = 1;
    this.messages.arrive(item);
    this.weight.arrive(item);
    if ((this.argsSaved[item] ?? 0) > 0) this.argsOrder.push(item);
    this.newestIsResult = this.order.arrive(item);
    if (this.newestIsResult && this.policy.dedupe) this.compare(item);
  }

  leave(item: number): void {
    this.order.leave(item);
    this.messages.leave(item);
    this.weight.leave(item);
    this.unplan(item);
    this.gone -= this.saved[item] ?? 0;
    this.saved[item] = 0;
    const group = this.input.facts.group[this.input.thread.items.result[item] ?? -1] ?? -1;
    if (group >= 0 && this.newest.get(group) === item) this.newest.delete(group);
  }

  changed(item: number): void {
    this.weight.changed(item);
    // A text that another policy replaced is no duplicate of anything any more.
    if (!this.input.isOriginal(item) && this.planned.get(item)?.action === "duplicate") this.unplan(item);
  }

  /** The older one of two results with the same text is a duplicate, wherever it stands. */
  private compare(item: number): void {
    const { facts, thread } = this.input;
    const group = facts.group[thread.items.result[item] ?? 0] ?? -1;
    if (group < 0) return;
    const older = this.newest.get(group);
    this.newest.set(group, item);
    if (older !== undefined && this.done[older] === 0 && this.input.isOriginal(older))
      this.plan(older, DUPLICATE_CHARS, "duplicate");
  }

  private plan(item: number, chars: number, action: Action): void {
    this.unplan(item);
    const freed = tokensOf(this.input.chars(item)) - tokensOf(chars);
    this.planned.set(item, { chars, freed, action });
    this.reclaim += freed;
    if (action !== "shortened") this.results++;
  }

  private unplan(item: number): void {
    const plan = this.planned.get(item);
    if (plan === undefined) return;
    this.planned.delete(item);
    this.reclaim -= plan.freed;
    if (plan.action !== "shortened") this.results--;
  }

  pass(_call: number, output: StageOutput): void {
    const reason = this.attempt(output);
    if (reason !== undefined) count(this.idle, reason);
  }

  private attempt(output: StageOutput): Reason | undefined {
    const { minReclaimTokens, protectFirst, protectLast, triggerTokens } = this.policy;
    this.lookAhead();
    // Only after tool results; the beginning of a turn does not prune.
    if (!this.newestIsResult) return undefined;
    if (triggerTokens <= 0) return "off";
    if (this.weight.total - this.gone < triggerTokens) return "below-budget";
    if (this.messages.count <= protectLast + this.head + protectFirst + 1) return "not-enough-results";
    const before = this.estimate();
    if (before < this.rearm) return "not-rearmed";
    if (this.results === 0) return "nothing-eligible";
    const freed = Math.max(0, this.reclaim);
    if (freed < minReclaimTokens) return "reclaim-too-small";
    for (const [item, { chars, freed: own, action }] of this.planned) {
      output.replace(item, chars, action);
      this.done[item] = 1;
      this.saved[item] = own;
      this.gone += own;
    }
    this.planned.clear();
    this.results = 0;
    this.reclaim = 0;
    this.rearm = before - freed + Math.max(freed, triggerTokens, minReclaimTokens);
    return undefined;
  }

  /** Messages as Hermes' walk weighs them, what this stage replaced included. */
  private estimate(): number {
    return this.weight.total - this.input.baseTokens - this.gone + MESSAGE_TOKENS * this.messages.count;
  }

  /** Plans what has left the protected tail since the last request. */
  private lookAhead(): void {
    const { facts, thread } = this.input;
    const boundary = this.messages.tailStart(this.policy.protectLast);
    for (; this.looked < this.order.items.length; this.looked++) {
      const item = this.order.items[this.looked] ?? 0;
      if ((thread.items.message[item] ?? 0) >= boundary) break;
      const result = thread.items.result[item] ?? 0;
      if (!this.order.isAlive(item)) continue;
      const oneLine = facts.oneLine[result] ?? 0;
      const long = this.input.chars(item) > this.minChars && !this.planned.has(item) && this.done[item] === 0;
      if (this.policy.demote && long) this.plan(item, oneLine, "one-line");
    }
    for (; this.lookedArgs < this.argsOrder.length; this.lookedArgs++) {
      const item = this.argsOrder[this.lookedArgs] ?? 0;
      if ((thread.items.message[item] ?? 0) >= boundary) return;
      if (this.policy.shortenArguments && this.messages.holds(item)) this.planArguments(item);
    }
  }

  private planArguments(item: number): void {
    const chars = this.input.chars(item);
    if (this.input.isOriginal(item)) this.plan(item, Math.max(0, chars - (this.argsSaved[item] ?? 0)), "shortened");
  }

  reasonOf(result: number): Reason | undefined {
    const item = this.input.thread.results.item[result] ?? 0;
    if (this.done[item] === 1) return undefined;
    if (this.input.chars(item) <= this.minChars) return "below-threshold";
    if ((this.input.thread.items.message[item] ?? 0) >= this.messages.tailStart(this.policy.protectLast))
      return "protected";
    const last = [...this.idle.keys()].at(-1);
    return last ?? "protected";
  }
}

function tokensOf(chars: number): number {
  return Math.ceil(chars / 4);
}
