import { ITEM, ROLES } from "./simThread";
import type { StageInput } from "./stage";

/** What the items of a request weigh for a stage's own trigger, kept up to date as they come, change and go. */
export interface Weight {
  /** Tokens of the whole request. */
  readonly total: number;
  arrive(item: number): void;
  leave(item: number): void;
  changed(item: number): void;
}

/** Code points ÷ 4, images at a flat price, plus the base. */
export class LinearWeight implements Weight {
  private chars = 0;
  private readonly known: Float64Array;

  constructor(
    private readonly input: StageInput,
    private readonly imageTokens: number,
  ) {
    this.known = new Float64Array(input.thread.items.count);
  }

  get total(): number {
    return this.input.baseTokens + this.chars / 4;
  }

  arrive(item: number): void {
    const chars = this.input.chars(item) + 4 * this.imageTokens * this.input.images(item);
    this.chars += chars - (this.known[item] ?? 0);
    this.known[item] = chars;
  }

  leave(item: number): void {
    this.chars -= this.known[item] ?? 0;
    this.known[item] = 0;
  }

  changed(item: number): void {
    this.arrive(item);
  }
}

/** Prices of `count_tokens_approximately` beside the characters. */
export interface ApproximatePrices {
  /** Characters that an image counts. */
  readonly imageChars: number;
  /** Characters of the role's name count. */
  readonly roleNames: boolean;
}

/** tinyagents: images 4,096 characters. */
export const TINYAGENTS_PRICES: ApproximatePrices = { imageChars: 4096, roleNames: true };
/** LangChain: images 85 tokens. */
export const LANGCHAIN_PRICES: ApproximatePrices = { imageChars: 340, roleNames: true };

const CHARS_PER_TOKEN = 4;
const TOKENS_PER_MESSAGE = 3;

/** Tokens of one message: characters ÷ 4 rounded up, and 3. */
export function approximateTokens(chars: number): number {
  return Math.ceil(chars / CHARS_PER_TOKEN) + TOKENS_PER_MESSAGE;
}

/**
 * `count_tokens_approximately` (`transcripts.md` 12, 13) over the items: text and tool calls of a message count together,
 * every tool result is a message of its own. Tool calls count with their ids, names and JSON.
 */
export class ApproximateWeight implements Weight {
  total = 0;
  /** Characters per message: results have a slot of their own behind those of the messages. */
  private readonly chars: Float64Array;
  private readonly parts: Int32Array;
  private readonly known: Float64Array;

  constructor(
    private readonly input: StageInput,
    private readonly prices: ApproximatePrices,
  ) {
    const { items, results } = input.thread;
    const messages = items.count === 0 ? 0 : (items.message[items.count - 1] ?? 0) + 1;
    this.chars = new Float64Array(messages + results.count);
    this.parts = new Int32Array(messages + results.count);
    this.known = new Float64Array(items.count);
    this.messages = messages;
  }

  private readonly messages: number;

  private slot(item: number): number {
    const { result, message } = this.input.thread.items;
    const own = result[item] ?? -1;
    return own >= 0 ? this.messages + own : (message[item] ?? 0);
  }

  private weigh(item: number): number {
    const { items, results } = this.input.thread;
    const role = ROLES[items.role[item] ?? 0] ?? "other";
    const chars = this.input.chars(item) + this.prices.imageChars * this.input.images(item);
    switch (items.kind[item]) {
      case ITEM.result:
        return chars + (results.callId[items.result[item] ?? 0]?.length ?? 0) + (this.prices.roleNames ? 4 : 0);
      case ITEM.args:
        return chars + (items.frame[item] ?? 0);
      default:
        return chars + (this.prices.roleNames ? (role === "other" ? 4 : role.length) : 0);
    }
  }

  arrive(item: number): void {
    this.add(item, this.weigh(item), 1);
  }

  leave(item: number): void {
    this.add(item, 0, -1);
  }

  changed(item: number): void {
    this.add(item, this.weigh(item), 0);
  }

  private add(item: number, chars: number, parts: number): void {
    const slot = this.slot(item);
    const before = (this.parts[slot] ?? 0) > 0 ? approximateTokens(this.chars[slot] ?? 0) : 0;
    this.chars[slot] = (this.chars[slot] ?? 0) + chars - (this.known[item] ?? 0);
    this.parts[slot] = (this.parts[slot] ?? 0) + parts;
    this.known[item] = chars;
    const after = (this.parts[slot] ?? 0) > 0 ? approximateTokens(this.chars[slot] ?? 0) : 0;
    this.total += after - before;
  }
}
