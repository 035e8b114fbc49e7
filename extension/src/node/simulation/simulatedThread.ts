import type { ResultFacts } from "../../core/compaction/facts";
import type { SimThread } from "../../core/compaction/simThread";
import {
  SIM_OPTIONS,
  type SimOptions,
  type SimOutcome,
  Simulation,
  suggestBaseTokens,
} from "../../core/compaction/simulate";
import type { Thread } from "../../core/model/transcript";
import type { Cancel } from "../../core/ports";
import type { WhatIfAssumptions, WhatIfInput } from "../../protocol/whatIf";

/** Sides without policies kept, by what they assume; and runs kept, so that the table after a run is not another run. */
const KEPT_SIMULATIONS = 3;
const KEPT_RUNS = 4;

/** One thread that was measured, and what was simulated on it lately. */
export class SimulatedThread {
  /** Tokens that no record shows, from the first measured request; 0 when none is. */
  readonly suggestedBaseTokens: number;
  private readonly simulations = new Kept<Simulation>(KEPT_SIMULATIONS);
  private readonly runs = new Kept<SimOutcome>(KEPT_RUNS);

  constructor(
    readonly thread: Thread,
    readonly sim: SimThread,
    readonly facts: ResultFacts,
  ) {
    this.suggestedBaseTokens = suggestBaseTokens(sim, facts, SIM_OPTIONS) ?? 0;
  }

  options({ cache, prices, windowTokens, baseTokens }: WhatIfAssumptions): SimOptions {
    return { ...SIM_OPTIONS, cache, prices, windowTokens, baseTokens: baseTokens ?? this.suggestedBaseTokens };
  }

  simulation(assumptions: WhatIfAssumptions): Simulation {
    const options = this.options(assumptions);
    return this.simulations.get(
      JSON.stringify([options.cache, options.prices, options.windowTokens, options.baseTokens]),
      () => new Simulation(this.sim, this.facts, options),
    );
  }

  /** Undefined = cancelled. */
  run({ policies, assumptions }: WhatIfInput, cancel: Cancel): SimOutcome | undefined {
    const key = JSON.stringify([policies, this.options(assumptions)]);
    const known = this.runs.peek(key);
    if (known !== undefined) return known;
    const outcome = this.simulation(assumptions).run(policies, cancel);
    if (outcome.capped) return undefined;
    return this.runs.get(key, () => outcome);
  }
}

/** The newest few values by key. */
export class Kept<T> {
  private readonly values = new Map<string, T>();

  /** @param leaving hears of a value that makes room */
  constructor(
    private readonly most: number,
    private readonly leaving: (value: T) => void = () => undefined,
  ) {}

  peek(key: string): T | undefined {
    const value = this.values.get(key);
    if (value === undefined) return undefined;
    this.values.delete(key);
    this.values.set(key, value);
    return value;
  }

  get(key: string, make: () => T): T {
    const known = this.peek(key);
    if (known !== undefined) return known;
    const value = make();
    this.values.set(key, value);
    for (const [oldest, old] of this.values) {
      if (this.values.size <= this.most) break;
      this.values.delete(oldest);
      this.leaving(old);
    }
    return value;
  }
}
