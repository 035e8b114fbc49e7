import type { ResultFacts } from "./facts";
import type { LedgerWriter } from "./ledger";
import type { Policy } from "./policy";
import type { SimThread } from "./simThread";
import type { Action, Stage, StageInput } from "./stage";
import { clearStage, microStage } from "./stages/clearing";
import { PersistStage } from "./stages/persist";
import { ProactiveStage } from "./stages/proactive";
import { PruneStage } from "./stages/prune";
import { WindowStage } from "./stages/window";

/** What stands in a request in place of an item. */
export interface Replacement {
  readonly chars: number;
  readonly action: Action;
  /** Position of the policy that put it there. */
  readonly policy: number;
  readonly dropsImages: boolean;
}

interface Layer {
  readonly stage: Stage;
  readonly own: (Replacement | undefined)[];
}

/** Policies one after the other over the requests of a thread. */
export class Pipeline {
  private readonly layers: Layer[] = [];
  private readonly visible: Uint8Array;
  private readonly leaving: ReadonlyMap<number, readonly number[]>;
  private readonly versions = new Map<Action, number>();
  private arrivedTo = 0;
  private call = 0;
  /** Told of every item whose replacement changed, with its former one. */
  onChange: ((item: number, before: Replacement | undefined, call: number) => void) | undefined;

  constructor(
    private readonly thread: SimThread,
    facts: ResultFacts,
    policies: readonly Policy[],
    baseTokens: number,
    private readonly ledger: LedgerWriter | undefined,
  ) {
    this.visible = new Uint8Array(thread.items.count);
    this.leaving = leavingItems(thread);
    for (const [position, policy] of policies.entries()) {
      const input: StageInput = {
        thread,
        facts,
        baseTokens,
        chars: (item) => this.effective(position, item)?.chars ?? thread.items.chars[item] ?? 0,
        images: (item) => (this.dropsImages(position, item) ? 0 : (thread.items.images[item] ?? 0)),
        isOriginal: (item) => this.effective(position, item) === undefined,
      };
      this.layers.push({ stage: stageOf(policy, input), own: new Array(thread.items.count) });
    }
  }

  get stages(): readonly Stage[] {
    return this.layers.map((layer) => layer.stage);
  }

  /** The replacement that holds behind the first `count` policies. */
  private effective(count: number, item: number): Replacement | undefined {
    for (let i = count - 1; i >= 0; i--) {
      const own = this.layers[i]?.own[item];
      if (own !== undefined) return own;
    }
    return undefined;
  }

  private dropsImages(count: number, item: number): boolean {
    for (let i = count - 1; i >= 0; i--) if (this.layers[i]?.own[item]?.dropsImages === true) return true;
    return false;
  }

  /** What the request holds in place of an item; undefined = the item itself. */
  replacement(item: number): Replacement | undefined {
    return this.effective(this.layers.length, item);
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
    for (const [position, layer] of this.layers.entries()) {
      layer.stage.pass(call, {
        replace: (item, chars, action, dropsImages = false) =>
          this.set(position, item, { chars, action, policy: position, dropsImages }),
        restore: (item) => this.set(position, item, undefined),
      });
    }
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

  private set(position: number, item: number, next: Replacement | undefined): void {
    const layer = this.layers[position];
    if (layer === undefined || this.visible[item] !== 1) return;
    if (next === undefined && layer.own[item] === undefined) return;
    const before = this.replacement(item);
    layer.own[item] = next;
    for (let i = position + 1; i < this.layers.length; i++) {
      const above = this.layers[i];
      above?.stage.changed(item);
      if (above?.own[item] !== undefined) return;
    }
    this.put(item);
    this.onChange?.(item, before, this.call);
  }

  private put(item: number): void {
    const images = this.dropsImages(this.layers.length, item) ? 0 : (this.thread.items.images[item] ?? 0);
    const own = this.replacement(item);
    const chars = own?.chars ?? this.thread.items.chars[item] ?? 0;
    this.ledger?.put(item, chars, images, own === undefined ? 0 : this.version(own.action));
  }

  private version(action: Action): number {
    const known = this.versions.get(action) ?? this.versions.size + 1;
    this.versions.set(action, known);
    return known;
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
