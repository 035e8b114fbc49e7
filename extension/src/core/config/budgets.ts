import { pyInt } from "../model/pyNumber";
import type { PyValue } from "../model/pyValue";
import { DEFAULTS, MCP_PREFIX, PINNED_THRESHOLDS, REGISTERED_SIZES } from "./defaults";
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
 * A budget with a persist threshold in code points: it replaces the per-result threshold only; null = none is in force, and what is
 * scaled stays. Source: PR #86171, `budget_with_persist_threshold`.
 */
export function withThreshold(scaled: Budget, threshold: number | bigint | null): Budget {
  return threshold === null ? scaled : { ...scaled, perResult: Number(threshold) };
}

/**
 * Length in code points above which a result of `tool` is persisted (equal stays inline); Infinity = never.
 * Order of `resolve_threshold`: pinned, overrides, MCP prefix, registry, per-result threshold.
 */
export function resolveThreshold(tool: string, budget: Budget): number {
  const fixed = PINNED_THRESHOLDS.get(tool) ?? budget.overrides.get(tool);
  if (fixed !== undefined) return fixed;
  if (tool.startsWith(MCP_PREFIX)) return Math.min(budget.mcpResult, budget.perResult);
  const registered = REGISTERED_SIZES.get(tool);
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
    case "str":
      return pyInt(value.v);
    default:
      return undefined;
  }
}
