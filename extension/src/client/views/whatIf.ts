import { err, ok, type Result } from "../../core/model/problem";
import type { Log } from "../../core/ports";
import { DROPPED } from "../../node/simulateInWorker";
import type { OpenedThread, SimulationQuestionName, SimulationQuestions } from "../../protocol/simulation";
import type { WhatIfEvents, WhatIfFacts } from "../../protocol/whatIf";
import type { Disposable } from "../lifetime";
import type { CallFailure } from "./hostRpc";
import type { CancelWithHook } from "./sessionPorts";
import { type ConfigInForce, configNote } from "./whatIfConfig";

/** A thread that simulates one transcript. */
export interface Simulating {
  ask<Q extends SimulationQuestionName>(
    ask: Q,
    body: SimulationQuestions[Q]["in"],
    lane: unknown,
    cancel: CancelWithHook,
  ): Promise<Result<SimulationQuestions[Q]["out"]> | typeof DROPPED>;
  dispose(): Promise<void>;
}

export type WhatIfEvent = {
  readonly [E in keyof WhatIfEvents]: { readonly e: E; readonly body: WhatIfEvents[E] };
}[keyof WhatIfEvents];

export interface WhatIfParts {
  /** Undefined where nothing can be simulated. */
  readonly simulate: ((onProgress: (progress: WhatIfEvents["whatIf/progress"]) => void) => Simulating) | undefined;
  /** What the agent's config on this machine says; undefined = it has none here. */
  readonly config: ((agent: OpenedThread["agent"]) => Promise<ConfigInForce | undefined>) | undefined;
  /** Context window that the transcript states, tokens; it goes before the config's and the model's, as everywhere. */
  readonly statedWindow?: (() => Promise<number | undefined>) | undefined;
  readonly tell: (event: WhatIfEvent) => void;
  readonly log: Log;
}

/**
 * Simulations of one open transcript. They stand for the transcript as it was when a thread was opened: after it was read
 * again, what is asked is still answered from that until the thread is opened again.
 */
export class WhatIf implements Disposable {
  readonly #parts: WhatIfParts;
  #simulating: Simulating | undefined;
  #isStale = false;

  constructor(parts: WhatIfParts) {
    this.#parts = parts;
  }

  /** @param lane who asks: of one asker only the newest question of a kind is answered */
  async ask<Q extends SimulationQuestionName>(
    ask: Q,
    body: SimulationQuestions[Q]["in"],
    lane: unknown,
    cancel: CancelWithHook,
  ): Promise<Result<SimulationQuestions[Q]["out"], CallFailure>> {
    const { simulate, tell } = this.#parts;
    if (simulate === undefined) return err({ code: "failed", message: "Nothing can be simulated here." });
    this.#simulating ??= simulate((progress) => tell({ e: "whatIf/progress", body: progress }));
    const answer = await this.#simulating.ask(ask, body, lane, cancel);
    if (answer === DROPPED) return err({ code: "cancelled", message: "A newer question came." });
    return answer.ok ? answer : err({ code: "failed", message: answer.error.message });
  }

  async open(thread: string | null, lane: unknown, cancel: CancelWithHook): Promise<Result<WhatIfFacts, CallFailure>> {
    this.renew();
    const opened = await this.ask("open", { thread }, lane, cancel);
    if (!opened.ok) return opened;
    return ok(await this.#withConfig(opened.value));
  }

  /** What is asked from now on stands for the transcript as it is now. */
  renew(): void {
    if (!this.#isStale) return;
    this.#isStale = false;
    this.#end();
  }

  /** True while the answers stand for what the transcript was before it was read again. */
  get isStale(): boolean {
    return this.#isStale;
  }

  /** The transcript was read again. */
  stale(): void {
    if (this.#simulating === undefined || this.#isStale) return;
    this.#isStale = true;
    this.#parts.tell({ e: "whatIf/stale", body: {} });
  }

  dispose(): void {
    this.#end();
  }

  async #withConfig({ facts, agent, began }: OpenedThread): Promise<WhatIfFacts> {
    const [config, stated] = await Promise.all([this.#parts.config?.(agent), this.#parts.statedWindow?.()]);
    const suggestedWindowTokens = stated ?? config?.windowTokens ?? facts.suggestedWindowTokens;
    if (config === undefined) return { ...facts, suggestedWindowTokens, configThreshold: null };
    const { inferred } = facts;
    const { threshold, file } = config;
    return {
      ...facts,
      suggestedWindowTokens,
      configThreshold: threshold === null ? null : { chars: threshold, file },
      inferred: inferred && { ...inferred, note: configNote(inferred, config, began) },
    };
  }

  #end(): void {
    this.#simulating?.dispose().catch((error: unknown) => this.#parts.log.error("Ending a simulation failed", error));
    this.#simulating = undefined;
  }
}
