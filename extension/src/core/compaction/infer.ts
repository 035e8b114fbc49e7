import { budgetForContextWindow } from "../config/budgets";
import { DEFAULTS, MCP_PREFIX, PINNED_THRESHOLDS, REGISTERED_SIZES } from "../config/defaults";
import type { ToolResult } from "../model/transcript";
import type { ResultFacts } from "./facts";
import type { SimThread } from "./simThread";

/** What a tool's results say about the threshold in force. Code points. */
export interface ToolEvidence {
  readonly tool: string;
  /** Longest result that stayed whole: the threshold is at least this. Null = none says anything. */
  readonly largestInline: number | null;
  /** Shortest result that was persisted: the threshold is below this. Null = none says anything. */
  readonly smallestPersisted: number | null;
  /** Set where the tool says nothing, or only one half of it. */
  readonly limitedBy?: "pinned" | "mcp-cap" | "registry-cap" | "terminal-cap";
}

/** The threshold T lies in atLeast ≤ T < below. Code points. */
export interface ThresholdInference {
  readonly atLeast: number | null;
  readonly below: number | null;
  readonly tools: readonly ToolEvidence[];
  /**
   * Results persisted although shorter than one that stayed: the turn budget's doing, a threshold that changed while the
   * conversation went on, or a size that was stated after unwrapping. Positions in `SimThread.results`.
   */
  readonly conflicts: readonly number[];
  /** Windows in tokens for which the context-scaled threshold lies in the interval; null = no window does. */
  readonly scaledWindow: { readonly from: number; readonly to: number | null } | null;
}

/**
 * The interval in which the persist threshold must have been, from one thread alone. Only what says something counts: pinned
 * tools never persist, a capped tool persists above its cap whatever the threshold, MCP sizes are stated after unwrapping.
 */
export function inferThreshold(thread: SimThread, facts: ResultFacts, all: readonly ToolResult[]): ThresholdInference {
  const drafts = thread.tools.map((tool) => new Evidence(tool));
  const persisted: { readonly position: number; readonly chars: number; readonly evidence: Evidence }[] = [];
  for (let position = 0; position < thread.results.count; position++) {
    const evidence = drafts[thread.results.tool[position] ?? 0];
    const result = all[thread.results.index[position] ?? -1];
    if (evidence === undefined || result === undefined || result.body === undefined) continue;
    const stated = result.persisted?.statedChars;
    if (result.state === "inline") evidence.inline(facts.rawChars[position] ?? result.size.codePoints);
    else if (result.state === "persisted" && stated !== undefined && isHermesBlock(result) && evidence.speaksOf(stated))
      persisted.push({ position, chars: stated, evidence });
  }
  const inline = drafts.map((evidence) => evidence.largest).filter((chars) => chars !== null);
  const atLeast = inline.length === 0 ? null : inline.reduce((most, chars) => Math.max(most, chars));
  const conflicts: number[] = [];
  let below: number | null = null;
  for (const { position, chars, evidence } of persisted) {
    if (atLeast !== null && chars <= atLeast) {
      conflicts.push(position);
      continue;
    }
    evidence.persisted(chars);
    below = below === null ? chars : Math.min(below, chars);
  }
  return {
    atLeast,
    below,
    tools: drafts.map((evidence) => evidence.report()).sort((a, b) => (a.tool < b.tool ? -1 : 1)),
    conflicts,
    scaledWindow: scaledWindow(atLeast, below),
  };
}

function isHermesBlock(result: ToolResult): boolean {
  const variant = result.persisted?.variant;
  return variant === "hermes-block" || variant === "hermes-block-2026-04";
}

class Evidence {
  largest: number | null = null;
  private smallest: number | null = null;
  private readonly limitedBy: ToolEvidence["limitedBy"];
  private readonly cap: number;

  constructor(private readonly tool: string) {
    if (PINNED_THRESHOLDS.has(tool)) this.limitedBy = "pinned";
    else if (tool.startsWith(MCP_PREFIX)) this.limitedBy = "mcp-cap";
    else if (tool === "terminal") this.limitedBy = "terminal-cap";
    else if (REGISTERED_SIZES.has(tool)) this.limitedBy = "registry-cap";
    else this.limitedBy = undefined;
    this.cap = REGISTERED_SIZES.get(tool) ?? Number.POSITIVE_INFINITY;
  }

  inline(chars: number): void {
    if (this.limitedBy !== "pinned") this.largest = Math.max(this.largest ?? 0, chars);
  }

  /** A result persisted above the tool's own cap says nothing; neither does a size that was stated after unwrapping. */
  speaksOf(chars: number): boolean {
    return this.limitedBy !== "pinned" && this.limitedBy !== "mcp-cap" && chars <= this.cap;
  }

  persisted(chars: number): void {
    this.smallest = Math.min(this.smallest ?? chars, chars);
  }

  report(): ToolEvidence {
    const { tool, largest, smallest, limitedBy } = this;
    const evidence = { tool, largestInline: largest, smallestPersisted: smallest };
    return limitedBy === undefined ? evidence : { ...evidence, limitedBy };
  }
}

/** Windows whose scaled threshold fits: it grows with the window up to its cap, so they form one stretch. */
function scaledWindow(atLeast: number | null, below: number | null): ThresholdInference["scaledWindow"] {
  const threshold = (tokens: number) => budgetForContextWindow(tokens).perResult;
  const capped = Math.ceil(DEFAULTS.perResult / (DEFAULTS.charsPerToken * DEFAULTS.perResultFraction)) + 1;
  const from = firstWindow(capped, (tokens) => threshold(tokens) >= (atLeast ?? 0));
  if (from === null) return null;
  if (below === null) return { from, to: null };
  const over = firstWindow(capped, (tokens) => threshold(tokens) >= below);
  if (over === null) return { from, to: null };
  return over > from ? { from, to: over - 1 } : null;
}

/** Smallest window for which a condition holds that, once true, stays so; null = for none. */
function firstWindow(limit: number, holds: (tokens: number) => boolean): number | null {
  if (!holds(limit)) return null;
  let low = 1;
  let high = limit;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
