import { describe, expect, it } from "vitest";
import {
  type AgentState,
  budgetForAgent,
  budgetForContextWindow,
  budgetWithPersistThreshold,
  mcpResultSize,
  resolveThreshold,
} from "../../../extension/src/core/config/budgets";
import { REGISTERED_SIZES } from "../../../extension/src/core/config/defaults";
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

  it("knows the tools that Hermes registers", () => {
    const own = [...registry].filter(([tool]) => !tool.startsWith("plugin_"));
    expect(new Map(own)).toEqual(REGISTERED_SIZES);
  });

  it("on all 1,350 combinations of context window and threshold", () => {
    const wrong: unknown[] = [];
    for (const expected of recording?.budgets ?? []) {
      const budget = budgetWithPersistThreshold(untag(expected.threshold), expected.context ?? undefined);
      const tools = (recording?.tool_names ?? []).map((tool) => resolveThreshold(tool, budget, registry));
      const got = [budget.perResult, budget.perTurn, budget.preview, budget.mcpResult, ...tools];
      const want = [expected.result, expected.turn, expected.preview, expected.mcp, ...expected.tools.map(sizeOf)];
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
      const tools = (recording?.override_tool_names ?? []).map((tool) => resolveThreshold(tool, budget, registry));
      expect(tools).toEqual(expected.tools.map(sizeOf));
    }
    expect(recording?.overrides).toHaveLength(4);
  });

  it("with tool_budget.mcp_result_size_chars read from a file", () => {
    for (const { yaml, budgets } of recording?.mcp_config ?? []) {
      const found = lookup(loadYaml(yaml, "ruamel"), ["tool_budget", "mcp_result_size_chars"]);
      const mcpResult = mcpResultSize(found.at === "value" ? found.value : PY_NONE);
      for (const [context, ...want] of budgets) {
        const budget = budgetForContextWindow(context ?? undefined, { mcpResult });
        const tools = ["mcp_github_list_issues", "terminal"].map((tool) => resolveThreshold(tool, budget, registry));
        expect([budget.mcpResult, budget.perResult, budget.perTurn, ...tools], yaml).toEqual(want);
      }
    }
    expect(recording?.mcp_config).toHaveLength(25);
  });
});

describe("budgetForAgent", () => {
  const agent = (v: string): AgentState => ({
    persistThreshold: { t: "str", v },
    contextTokens: 65_536,
    warnedInvalidThreshold: false,
  });

  it("prefers a valid threshold and says nothing", () => {
    const warnings: string[] = [];
    const budget = budgetForAgent(agent("20000"), (message) => warnings.push(message));
    expect(budget).toMatchObject({ perResult: 20_000, perTurn: 78_643 });
    expect(warnings).toEqual([]);
  });

  it("warns once per agent about an invalid value and scales with the window", () => {
    const warnings: string[] = [];
    const first = agent("1e4");
    for (let batch = 0; batch < 3; batch += 1) {
      expect(budgetForAgent(first, (message) => warnings.push(message)).perResult).toBe(39_321);
    }
    expect(warnings).toHaveLength(1);
    budgetForAgent(agent("1e4"), (message) => warnings.push(message));
    expect(warnings).toHaveLength(2);
  });

  it("warns about zero, not about an absent value", () => {
    const warnings: string[] = [];
    const warn = (message: string): number => warnings.push(message);
    budgetForAgent({ persistThreshold: PY_NONE, contextTokens: undefined, warnedInvalidThreshold: false }, warn);
    expect(warnings).toHaveLength(0);
    budgetForAgent(
      { persistThreshold: { t: "int", v: 0n }, contextTokens: undefined, warnedInvalidThreshold: false },
      warn,
    );
    expect(warnings).toHaveLength(1);
  });
});
