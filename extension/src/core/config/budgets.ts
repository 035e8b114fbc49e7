import type { PyValue } from "../model/pyValue";
import { DEFAULTS, MCP_PREFIX, PINNED_THRESHOLDS, REGISTERED_SIZES } from "./defaults";
import { normalizePersistThreshold } from "./normalize";
import { parsePyInt } from "./pyInt";
import type { Budget } from "./types";

/** Parts of a budget that other keys set. */
export interface BudgetExtras {
  /** `tool_budget.mcp_result_size_chars` in code points, see `mcpResultSize`. */
  readonly mcpResult?: number;
  /** `tool_overrides` by tool name, in code points. */
  readonly overrides?: ReadonlyMap<string, number>;
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(Math.max(value, low), high);
}

/**
 * Budget that Hermes derives from the context window alone.
 * @param tokens the model's context window; undefined, 0 and negative mean unknown and give the defaults.
 */
export function budgetForContextWindow(tokens: number | undefined, extras: BudgetExtras = {}): Budget {
  const rest = {
    preview: DEFAULTS.preview,
    mcpResult: extras.mcpResult ?? DEFAULTS.mcpResult,
    overrides: extras.overrides ?? new Map<string, number>(),
  };
  if (tokens === undefined || !(tokens > 0))
    return { perResult: DEFAULTS.perResult, perTurn: DEFAULTS.perTurn, ...rest };
  const chars = tokens * DEFAULTS.charsPerToken;
  return {
    perResult: clamp(Math.trunc(chars * DEFAULTS.perResultFraction), DEFAULTS.perResultFloor, DEFAULTS.perResult),
    perTurn: clamp(Math.trunc(chars * DEFAULTS.perTurnFraction), DEFAULTS.perTurnFloor, DEFAULTS.perTurn),
    ...rest,
  };
}

/**
 * Budget with the persist threshold applied: it replaces the per-result threshold only; an unset or rejected value leaves
 * the context-scaled budget as it is. Source: PR #86171, `budget_with_persist_threshold`.
 */
export function budgetWithPersistThreshold(
  threshold: PyValue,
  tokens: number | undefined,
  extras: BudgetExtras = {},
): Budget {
  const scaled = budgetForContextWindow(tokens, extras);
  const outcome = normalizePersistThreshold(threshold);
  return outcome.verdict === "accepted" ? { ...scaled, perResult: Number(outcome.threshold) } : scaled;
}

/**
 * Length in code points above which a result of `tool` is persisted (equal stays inline); Infinity = never.
 * Order of `resolve_threshold`: pinned, overrides, MCP prefix, registry, per-result threshold.
 */
export function resolveThreshold(
  tool: string,
  budget: Budget,
  registry: ReadonlyMap<string, number> = REGISTERED_SIZES,
): number {
  const fixed = PINNED_THRESHOLDS.get(tool) ?? budget.overrides.get(tool);
  if (fixed !== undefined) return fixed;
  if (tool.startsWith(MCP_PREFIX)) return Math.min(budget.mcpResult, budget.perResult);
  const registered = registry.get(tool);
  if (registered === undefined) return budget.perResult;
  return registered === Number.POSITIVE_INFINITY ? registered : Math.min(registered, budget.perResult);
}

/** `tool_budget.mcp_result_size_chars` as Hermes reads it: `int(value)` if that works and is positive, else the default. */
export function mcpResultSize(value: PyValue): number {
  const size = lenientInt(value);
  return size !== undefined && size > 0n ? Number(size) : DEFAULTS.mcpResult;
}

/** Python's `int(value)`; undefined where it raises. Booleans count 0 and 1, floats lose their fraction. */
export function lenientInt(value: PyValue): bigint | undefined {
  switch (value.t) {
    case "bool":
      return value.v ? 1n : 0n;
    case "int":
      return value.v;
    case "float":
      return Number.isFinite(value.v) ? BigInt(Math.trunc(value.v)) : undefined;
    case "str": {
      const whole = parsePyInt(value.v);
      return whole.kind === "whole" ? whole.value : undefined;
    }
    default:
      return undefined;
  }
}

/** What the executor knows of an agent. The flag belongs to the agent, so that a second agent warns again. */
export interface AgentState {
  /** Attribute `_tool_result_persist_threshold_chars`: read from config at start, or set by a program. */
  readonly persistThreshold: PyValue;
  readonly contextTokens: number | undefined;
  warnedInvalidThreshold: boolean;
}

/**
 * Budget of one agent as the executor computes it for each batch (PR #86171, `agent/tool_executor.py`): a valid threshold
 * wins over context scaling; a value that is set but not a positive whole number is ignored with one warning per agent.
 */
export function budgetForAgent(agent: AgentState, warn: (message: string) => void, extras: BudgetExtras = {}): Budget {
  const outcome = normalizePersistThreshold(agent.persistThreshold);
  const invalid = outcome.verdict === "rejected" || (outcome.verdict === "unset" && outcome.reason !== "none");
  if (invalid && !agent.warnedInvalidThreshold) {
    agent.warnedInvalidThreshold = true;
    warn("The agent's persist threshold is not a positive whole number; its context-scaled budget applies.");
  }
  return budgetWithPersistThreshold(agent.persistThreshold, agent.contextTokens, extras);
}
