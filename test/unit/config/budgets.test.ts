import { describe, expect, it } from "vitest";
import {
  budgetForContextWindow,
  mcpResultSize,
  resolveThreshold,
  withThreshold,
} from "../../../extension/src/core/config/budgets";
import { REGISTERED_SIZES } from "../../../extension/src/core/config/defaults";
import { normalizePersistThreshold } from "../../../extension/src/core/config/normalize";
import type { Budget } from "../../../extension/src/core/config/types";
import { PY_NONE } from "../../../extension/src/core/model/pyValue";
import { loadYaml } from "../../../extension/src/core/yaml/load";
import { lookup } from "../../../extension/src/core/yaml/lookup";
import { hasCorpus } from "../../corpus";
import { readOracle, type Tagged, untag } from "../../oracle/tagged";

type Size = number | "inf" | null;
interface Recording {
  readonly tool_names: readonly string[];
  readonly registered_max_result_size_chars: Record<string, Size>;
  readonly override_tool_names: readonly string[];
  readonly all_registered: readonly (readonly [string, Size])[];
  readonly budgets: readonly {
    readonly context: number | null;
    readonly threshold: Tagged;
    readonly result: number;
    readonly turn: number;
    readonly preview: number;
    readonly mcp: number;
    readonly tools: readonly Size[];
  }[];
  readonly overrides: readonly {
    readonly context: number | null;
    readonly overrides: Record<string, number>;
    readonly tools: readonly Size[];
  }[];
  readonly mcp_config: readonly {
    readonly yaml: string;
    readonly budgets: readonly (readonly [number | null, number, number, number, number, number])[];
  }[];
}

const sizeOf = (size: Size | undefined): number => (size === "inf" ? Infinity : (size ?? Number.NaN));

describe.skipIf(!hasCorpus)("budgets agree with the recorded functions", () => {
  const recording = hasCorpus ? readOracle<Recording>("budgets.json") : undefined;
  const registry = new Map((recording?.all_registered ?? []).map(([tool, size]) => [tool, sizeOf(size)]));

  /** Thresholds of the tools, ours and as recorded. What plugins register is not known outside the agent. */
  function compared(names: readonly string[] = [], sizes: readonly Size[], budget: Budget) {
    const known = names.flatMap((tool, i) => (tool.startsWith("plugin_") ? [] : [{ tool, size: sizes[i] }]));
    return {
      got: known.map(({ tool }) => resolveThreshold(tool, budget)),
      want: known.map(({ size }) => sizeOf(size)),
    };
  }

  it("knows the tools that Hermes registers", () => {
    const own = [...registry].filter(([tool]) => !tool.startsWith("plugin_"));
    expect(new Map(own)).toEqual(REGISTERED_SIZES);
  });

  it("on all 1,350 combinations of context window and threshold", () => {
    const wrong: unknown[] = [];
    for (const expected of recording?.budgets ?? []) {
      const read = normalizePersistThreshold(untag(expected.threshold));
      const scaled = budgetForContextWindow(expected.context ?? undefined);
      const budget = withThreshold(scaled, read.verdict === "accepted" ? read.threshold : null);
      const { got: tools, want: sizes } = compared(recording?.tool_names, expected.tools, budget);
      const got = [budget.perResult, budget.perTurn, budget.preview, budget.mcpResult, ...tools];
      const want = [expected.result, expected.turn, expected.preview, expected.mcp, ...sizes];
      if (got.join() !== want.join()) wrong.push({ expected, got });
    }
    expect(wrong).toEqual([]);
    expect(recording?.budgets).toHaveLength(1350);
  });

  it("with tool_overrides", () => {
    for (const expected of recording?.overrides ?? []) {
      const budget = budgetForContextWindow(expected.context ?? undefined, {
        overrides: new Map(Object.entries(expected.overrides)),
      });
      const { got, want } = compared(recording?.override_tool_names, expected.tools, budget);
      expect(got).toEqual(want);
    }
    expect(recording?.overrides).toHaveLength(4);
  });

  it("with tool_budget.mcp_result_size_chars read from a file", () => {
    for (const { yaml, budgets } of recording?.mcp_config ?? []) {
      const found = lookup(loadYaml(yaml, "ruamel"), ["tool_budget", "mcp_result_size_chars"]);
      const mcpResult = mcpResultSize(found.at === "value" ? found.value : PY_NONE);
      for (const [context, ...want] of budgets) {
        const budget = budgetForContextWindow(context ?? undefined, { mcpResult });
        const tools = ["mcp_github_list_issues", "terminal"].map((tool) => resolveThreshold(tool, budget));
        expect([budget.mcpResult, budget.perResult, budget.perTurn, ...tools], yaml).toEqual(want);
      }
    }
    expect(recording?.mcp_config).toHaveLength(25);
  });
});
