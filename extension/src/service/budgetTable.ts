import { budgetForContextWindow, resolveThreshold } from "../core/config/budgets";
import { WINDOW_LADDER } from "../core/config/defaults";
import type { Budget, ConfigCheck } from "../core/config/types";
import type { Format } from "./format";

/** One context window: the budget with the key as it stands and without it. */
export interface BudgetColumn {
  readonly label: string;
  readonly budget: Budget;
  readonly unset: Budget;
}

const TOOLS: readonly { readonly label: string; readonly tool: string }[] = [
  { label: "`read_file`", tool: "read_file" },
  { label: "`terminal`", tool: "terminal" },
  { label: "`web_search`", tool: "web_search" },
  { label: "`mcp_*`", tool: "mcp_any" },
  { label: "unregistered tool", tool: "unregistered" },
];

/** The stated window alone, or the usual ladder where none is stated. */
export function columnsFor(check: ConfigCheck): readonly BudgetColumn[] {
  const { contextLength } = check;
  const ladder =
    contextLength === null
      ? WINDOW_LADDER
      : [{ tokens: contextLength.tokens, label: `window ${contextLength.tokens.toLocaleString("en")}` }];
  return ladder.map(({ tokens, label }) => {
    const unset = budgetForContextWindow(tokens ?? undefined, { mcpResult: check.mcpResult });
    const budget = check.threshold === null ? unset : { ...unset, perResult: Number(check.threshold) };
    return { label, budget, unset };
  });
}

/** A Markdown table: a row per limit, a column per window; one window also shows tokens and, where the key matters, the values without it. */
export function budgetTable(columns: readonly BudgetColumn[], format: Format): string {
  const single = columns.length === 1;
  const [only] = columns;
  const changed = single && only !== undefined && only.budget.perResult !== only.unset.perResult;
  const head = [...columns.map((column) => column.label), ...(changed ? ["without the key"] : [])];
  const row = (label: string, pick: (budget: Budget) => number): string => {
    const cells = columns.map((column) => cell(pick(column.budget), single, format));
    if (changed && only !== undefined) cells.push(cell(pick(only.unset), single, format));
    return `| ${[label, ...cells].join(" | ")} |`;
  };
  const tokenRow = (label: string, pick: (budget: Budget) => number): readonly string[] =>
    single ? [] : [`| ${[label, ...columns.map((column) => format.tokens(pick(column.budget)))].join(" | ")} |`];
  return [
    `| | ${head.join(" | ")} |`,
    `|:--|${head.map(() => "--:").join("|")}|`,
    row("per result", (budget) => budget.perResult),
    ...tokenRow("", (budget) => budget.perResult),
    row("per turn", (budget) => budget.perTurn),
    ...tokenRow("", (budget) => budget.perTurn),
    row("preview", (budget) => budget.preview),
    ...TOOLS.map(({ label, tool }) => row(label, (budget) => resolveThreshold(tool, budget))),
  ].join("\n");
}

function cell(value: number, withTokens: boolean, format: Format): string {
  const chars = value === Number.POSITIVE_INFINITY ? (withTokens ? "never persisted" : "never") : format.chars(value);
  return withTokens && Number.isFinite(value) ? `${chars} (${format.tokens(value)})` : chars;
}
