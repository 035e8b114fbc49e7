import { expect, it } from "vitest";
import { keptReason } from "../../../extension/src/core/compaction/stages/persist";
import { budgetForContextWindow, resolveThreshold } from "../../../extension/src/core/config/budgets";

/** Reason why a result of 10 code points stays under a threshold, from the tool's own limit. */
function reason(tool: string, perResult: number): string {
  const budget = { ...budgetForContextWindow(200_000), perResult };
  return keptReason(tool, 10, resolveThreshold(tool, budget), budget);
}

it.each([
  ["read_file", 1, "pinned"],
  ["terminal", 50_000, "terminal-capped"],
  ["terminal", 200_000, "terminal-capped"],
  ["terminal", 49_999, "below-threshold"],
  ["mcp_github_list", 100_000, "registry-cap"],
  ["mcp_github_list", 20_000, "below-threshold"],
  ["web_search", 200_000, "registry-cap"],
  ["web_search", 100_000, "below-threshold"],
  ["some_plugin", 200_000, "below-threshold"],
])("%s under %i characters stays because: %s", (tool, perResult, expected) => {
  expect(reason(tool, perResult)).toBe(expected);
});
