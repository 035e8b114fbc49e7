import type { ResultFacts } from "./facts";
import type { LedgerWriter } from "./ledger";
import type { Policy } from "./policy";
import type { SimThread } from "./simThread";
import { ACTIONS, type Action, type Stage, type StageInput, type StageOutput } from "./stage";
import { clearStage, microStage } from "./stages/clearing";
import { PersistStage } from "./stages/persist";
import { ProactiveStage } from "./stages/proactive";
import { PruneStage } from "./stages/prune";
import { WindowStage } from "./stages/window";

const ACTION_CODES = Object.fromEntries(ACTIONS.map((action, code) => [action, code])) as Record<Action, number>;

/** What stands in a request in place of an item. */
export interface Replacement {
  readonly chars: number;
  readonly action: Action;
  /** Position of the policy that put it there. */
  readonly policy: number;
  readonly dropsImages: boolean;
}

/** One policy and what it put in place of items; −1 = nothing. */
interface Layer {
  readonly stage: Stage;
  readonly output: StageOutput;
  readonly chars: Float64Array;
  /** Position in `ACTIONS`. */
  readonly action: Uint8Array;
  readonly drops: Uint8Array;
}

/** Told of every item whose replacement changed; `charsBefore` is −1 where it went out as it is. */
export type ChangeListener = (item: number, charsBefore: number, call: number) => void;

/** Policies one after the other over the requests of a thread. */
export class Pipeline {
  private readonly layers: Layer[] = [];
  private readonly visible: Uint8Array;
  private readonly leaving: ReadonlyMap<number, readonly number[]>;
  private arrivedTo = 0;
  private call = 0;
  onChange: ChangeListener | undefined;

  constructor(
    private readonly thread: SimThread,
    facts: ResultFacts,
    policies: readonly Policy[],
    baseTokens: number,
    private readonly ledger: LedgerWriter | undefined,
  ) {
    const { count } = thread.items;
    this.visible = new Uint8Array(count);
    this.leaving = leavingItems(thread);
    for (const [position, policy] of policies.entries()) {
      const input: StageInput = {
        thread,
        facts,
        baseTokens,
        chars: (item) => this.charsBelow(position, item),
        images: (item) => this.imagesBelow(position, item),
        isOriginal: (item) => this.ownerBelow(position, item) < 0,
      };
      this.layers.push({
        stage: stageOf(policy, input),
        output: {
          replace: (item, chars, action, dropsImages = false) => this.set(position, item, chars, action, dropsImages),
          restore: (item) => this.set(position, item, -1, undefined, false),
        },
        chars: new Float64Array(count).fill(-1),
        action: new Uint8Array(count),
        drops: new Uint8Array(count),
      });
    }
  }

  get stages(): readonly Stage[] {
    return this.layers.map((layer) => layer.stage);
  }

  /** The last of the first `count` policies that replaced the item; −1 = none did. */
  private ownerBelow(count: number, item: number): number {
    for (let i = count - 1; i >= 0; i--) if ((this.layers[i]?.chars[item] ?? -1) >= 0) return i;
    return -1;
  }

  private charsBelow(count: number, item: number): number {
    const owner = this.ownerBelow(count, item);
    return (owner < 0 ? this.thread.items.chars[item] : this.layers[owner]?.chars[item]) ?? 0;
  }

  private imagesBelow(count: number, item: number): number {
    const images = this.thread.items.images[item] ?? 0;
    if (images === 0) return 0;
    for (let i = 0; i < count; i++) {
      const layer = this.layers[i];
      if (layer?.drops[item] === 1 && (layer.chars[item] ?? -1) >= 0) return 0;
    }
    return images;
  }

  /** What the request holds in place of an item; undefined = the item itself. */
  replacement(item: number): Replacement | undefined {
    const policy = this.ownerBelow(this.layers.length, item);
    const layer = this.layers[policy];
    const action = ACTIONS[layer?.action[item] ?? 0];
    if (layer === undefined || action === undefined) return undefined;
    return { chars: layer.chars[item] ?? 0, action, policy, dropsImages: layer.drops[item] === 1 };
  }

  /** Code points of what stands in place of an item; −1 = nothing does. */
  replacedChars(item: number): number {
    const owner = this.ownerBelow(this.layers.length, item);
    return owner < 0 ? -1 : (this.layers[owner]?.chars[item] ?? -1);
  }

  isVisible(item: number): boolean {
    return this.visible[item] === 1;
  }

  /** Goes on to a request: what left, what came, then every policy in order. */
  step(call: number): void {
    this.call = call;
    for (const item of this.leaving.get(call) ?? []) this.leave(item);
    const seen = this.thread.calls.seen[call] ?? 0;
    for (; this.arrivedTo < seen; this.arrivedTo++) this.arrive(this.arrivedTo, call);
    for (const layer of this.layers) layer.stage.pass(call, layer.output);
    this.ledger?.close(call);
  }

  private arrive(item: number, call: number): void {
    // It may have left before any request was made.
    if ((this.thread.items.endCall[item] ?? 0) <= call) return;
    this.visible[item] = 1;
    for (const { stage } of this.layers) stage.arrive(item);
    this.put(item);
  }

  private leave(item: number): void {
    if (this.visible[item] !== 1) return;
    this.visible[item] = 0;
    for (const { stage } of this.layers) stage.leave(item);
    this.ledger?.remove(item);
  }

  private set(position: number, item: number, chars: number, action: Action | undefined, dropsImages: boolean): void {
    const layer = this.layers[position];
    if (layer === undefined || this.visible[item] !== 1) return;
    if (action === undefined && (layer.chars[item] ?? -1) < 0) return;
    const before = this.replacedChars(item);
    layer.chars[item] = chars;
    layer.action[item] = action === undefined ? 0 : ACTION_CODES[action];
    layer.drops[item] = dropsImages ? 1 : 0;
    for (let i = position + 1; i < this.layers.length; i++) {
      const above = this.layers[i];
      above?.stage.changed(item);
      if ((above?.chars[item] ?? -1) >= 0) return;
    }
    this.put(item);
    this.onChange?.(item, before, this.call);
  }

  private put(item: number): void {
    if (this.ledger === undefined) return;
    const owner = this.ownerBelow(this.layers.length, item);
    const chars = this.charsBelow(this.layers.length, item);
    // Whoever emptied it, nothing is nothing.
    const version = owner < 0 || chars === 0 ? 0 : 1 + (this.layers[owner]?.action[item] ?? 0);
    this.ledger.put(item, chars, this.imagesBelow(this.layers.length, item), version);
  }
}

function stageOf(policy: Policy, input: StageInput): Stage {
  switch (policy.kind) {
    case "persist":
      return new PersistStage(policy, input);
    case "prune":
      return new PruneStage(policy, input);
    case "micro":
      return microStage(policy, input);
    case "clear":
      return clearStage(policy, input);
    case "window":
      return new WindowStage(policy, input);
    case "proactive":
      return new ProactiveStage(policy, input);
  }
}

/** Items by the request that no longer holds them. */
function leavingItems(thread: SimThread): ReadonlyMap<number, readonly number[]> {
  const leaving = new Map<number, number[]>();
  const { count, endCall, firstCall } = thread.items;
  for (let item = 0; item < count; item++) {
    const end = endCall[item] ?? 0;
    if (end >= thread.calls.count || end <= (firstCall[item] ?? 0)) continue;
    const list = leaving.get(end);
    if (list === undefined) leaving.set(end, [item]);
    else list.push(item);
  }
  return leaving;
}
