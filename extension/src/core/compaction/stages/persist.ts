import { budgetForContextWindow, resolveThreshold, withThreshold } from "../../config/budgets";
import { DEFAULTS, MCP_PREFIX, PINNED_THRESHOLDS, REGISTERED_SIZES } from "../../config/defaults";
import type { Budget } from "../../config/types";
import { countCodePoints } from "../../util/textSize";
import type { PersistPolicy } from "../policy";
import { blockChars, type CutFacts, notSavedChars, plainCut, spillPathChars } from "../replacement";
import type { Reason, Stage, StageInput, StageOutput } from "../stage";

/** The budget that a policy stands for. */
function budgetOf(policy: PersistPolicy): Budget {
  const { contextTokens, mcpResult, overrides, threshold } = policy;
  const scaled = budgetForContextWindow(contextTokens ?? undefined, {
    mcpResult,
    overrides: new Map(Object.entries(overrides)),
  });
  return withThreshold(scaled, threshold);
}

/** Why a result of `chars` code points stays, given the threshold of its tool. */
export function keptReason(tool: string, chars: number, threshold: number, budget: Budget): Reason {
  if (PINNED_THRESHOLDS.has(tool)) return "pinned";
  if (tool === "terminal" && threshold >= DEFAULTS.terminalOutput) return "terminal-capped";
  const capped = tool.startsWith(MCP_PREFIX) || REGISTERED_SIZES.has(tool);
  return capped && threshold < budget.perResult && chars > 0 ? "registry-cap" : "below-threshold";
}

const QUOTED = 1;
const TAKEN = 2;

/** Persistence at the moment a result comes in: layer 2 one by one, then layer 3 over the batch. */
export class PersistStage implements Stage {
  readonly idle = new Map<Reason, number>();
  private readonly budget: Budget;
  private readonly thresholds: readonly number[];
  private readonly folderChars: number;
  private arrived: number[] = [];
  /** Why a result stayed: 0 = by its length, else one of the constants above. */
  private readonly kept: Uint8Array;
  private readonly replaced: Uint8Array;

  constructor(
    private readonly policy: PersistPolicy,
    private readonly input: StageInput,
  ) {
    const { tools, results } = input.thread;
    this.budget = budgetOf(policy);
    this.thresholds = tools.map((tool) => resolveThreshold(tool, this.budget));
    this.folderChars = countCodePoints(policy.folder);
    this.kept = new Uint8Array(results.count);
    this.replaced = new Uint8Array(results.count);
  }

  arrive(item: number): void {
    const result = this.input.thread.items.result[item] ?? -1;
    if (result >= 0) this.arrived.push(result);
  }

  leave(): void {}

  changed(): void {}

  pass(_call: number, output: StageOutput): void {
    const { batch } = this.input.thread.results;
    for (let from = 0; from < this.arrived.length; ) {
      let to = from + 1;
      while (to < this.arrived.length && batch[this.arrived[to] ?? 0] === batch[this.arrived[from] ?? 0]) to++;
      this.batch(this.arrived.slice(from, to), output);
      from = to;
    }
    this.arrived = [];
  }

  private batch(results: readonly number[], output: StageOutput): void {
    const items = this.input.thread.results.item;
    const candidates: { readonly result: number; readonly chars: number }[] = [];
    let total = 0;
    for (const result of results) {
      const item = items[result] ?? 0;
      const chars = this.input.chars(item);
      const after = this.layer2(result, item);
      if (after !== undefined) {
        output.replace(item, after, this.policy.saveFails ? "not-saved" : "persisted");
        this.replaced[result] = 1;
      } else if (!this.isImmune(result, item)) candidates.push({ result, chars });
      total += after ?? chars;
      // A text that could not be saved bears no tag, so the turn budget looks at it again.
      if (after !== undefined && this.policy.saveFails) candidates.push({ result, chars: after });
    }
    if (!this.policy.turnBudget || total <= this.budget.perTurn) return;
    for (const result of results) {
      if (this.kept[result] === 0 && this.isImmune(result, items[result] ?? 0)) this.kept[result] = QUOTED;
    }
    candidates.sort((a, b) => b.chars - a.chars);
    for (const { result, chars } of candidates) {
      if (total <= this.budget.perTurn) return;
      const item = items[result] ?? 0;
      const whole = this.wholeCut(result, item, chars);
      const after = this.policy.saveFails
        ? notSavedChars(whole)
        : blockChars(whole, this.pathChars(result), this.policy.era);
      output.replace(item, after, this.policy.saveFails ? "not-saved" : "turn-budget");
      this.replaced[result] = 1;
      total += after - chars;
    }
  }

  /** The turn budget leaves alone whatever holds the tag, be it a notice or a quotation. */
  private isImmune(result: number, item: number): boolean {
    if (this.replaced[result] === 1 || this.kept[result] === TAKEN) return true;
    return this.input.isOriginal(item) && this.input.facts.quotesTag[result] === 1;
  }

  /** Code points after layer 2; undefined when the result stays. */
  private layer2(result: number, item: number): number | undefined {
    const { facts, thread } = this.input;
    const original = this.input.isOriginal(item);
    if (original && thread.results.inline[result] === 0) this.kept[result] = TAKEN;
    const chars = original ? (facts.rawChars[result] ?? 0) : this.input.chars(item);
    const threshold = this.thresholds[thread.results.tool[result] ?? 0] ?? Number.POSITIVE_INFINITY;
    // A notice of the agent is what came out of this rule; it does not go through it a second time.
    if (!(chars > threshold) || this.kept[result] !== 0) return undefined;
    const wrapping = original ? (facts.wrapping[result] ?? 0) : 0;
    const raw = original ? facts.raw[result] : undefined;
    if (this.policy.saveFails) return wrapping + notSavedChars(raw ?? plainCut(chars));
    const saved = original && this.policy.era === "recovery" ? facts.file[result] : raw;
    return wrapping + blockChars(saved ?? plainCut(chars), this.pathChars(result), this.policy.era);
  }

  /** How the whole text is cut; from its length alone once it has been replaced. */
  private wholeCut(result: number, item: number, chars: number): CutFacts {
    const { facts } = this.input;
    if (!this.input.isOriginal(item) || this.replaced[result] === 1) return plainCut(chars);
    // An envelope comes off when it is saved, and only where nothing was put around it.
    const bare = this.policy.era === "recovery" && !this.policy.saveFails && facts.wrapping[result] === 0;
    return (bare ? facts.file[result] : facts.whole[result]) ?? plainCut(chars);
  }

  private pathChars(result: number): number {
    return spillPathChars(this.input.thread.results.callId[result], this.folderChars);
  }

  reasonOf(result: number): Reason | undefined {
    if (this.replaced[result] === 1) return undefined;
    if (this.kept[result] === QUOTED) return "quotes-tag";
    if (this.kept[result] === TAKEN) return "already-taken-out";
    const tool = this.input.thread.results.tool[result] ?? 0;
    const threshold = this.thresholds[tool] ?? Number.POSITIVE_INFINITY;
    return keptReason(
      this.input.thread.tools[tool] ?? "",
      this.input.facts.rawChars[result] ?? 0,
      threshold,
      this.budget,
    );
  }
}
