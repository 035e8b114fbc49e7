import { budgetForContextWindow, resolveThreshold, withThreshold } from "../core/config/budgets";
import { WINDOW_LADDER } from "../core/config/defaults";
import type { Budget, ConfigCheck } from "../core/config/types";
import type { Format } from "./format";
import { tableLines } from "./tableLines";

/** One context window: the budget with the key as it stands and without it. */
export interface BudgetColumn {
  readonly label: string;
  readonly budget: Budget;
  readonly unset: Budget;
}

const TOOLS: readonly { readonly label: string; readonly tool: string }[] = [
  { label: "`terminal`", tool: "terminal" },
  { label: "`web_search`", tool: "web_search" },
  { label: "`mcp_*`", tool: "mcp_any" },
  { label: "unregistered tool", tool: "unregistered" },
  { label: "`read_file`", tool: "read_file" },
];

/** The stated window alone, or the usual ladder where none is stated. */
export function columnsFor(check: ConfigCheck, format: Format): readonly BudgetColumn[] {
  const { contextLength } = check;
  const ladder =
    contextLength === null
      ? WINDOW_LADDER
      : [{ tokens: contextLength.tokens, label: `window ${format.chars(contextLength.tokens)}` }];
  return ladder.map(({ tokens, label }) => {
    const unset = budgetForContextWindow(tokens ?? undefined, { mcpResult: check.mcpResult });
    const budget = withThreshold(unset, check.threshold);
    return { label, budget, unset };
  });
}

type Pick = (budget: Budget) => number;

/** A Markdown table: a row per limit, a column per window. Where the key counts, it also shows what would hold without it. */
export function budgetTable(columns: readonly BudgetColumn[], check: ConfigCheck, format: Format): string {
  const accepted = check.threshold !== null;
  const [only] = columns;
  return only !== undefined && columns.length === 1
    ? singleTable(only, accepted, check, format)
    : ladderTable(columns, accepted, check, format);
}

/** One window: characters and tokens side by side, then the same without the key. */
function singleTable(column: BudgetColumn, accepted: boolean, check: ConfigCheck, format: Format): string {
  const cell = (value: number): string =>
    Number.isFinite(value) ? `${format.chars(value)} (${format.tokens(value)})` : format.chars(value);
  const row = (label: string, pick: Pick): readonly string[] => [
    label,
    cell(pick(column.budget)),
    ...(accepted ? [cell(pick(column.unset))] : []),
  ];
  return drawn(
    [column.label, ...(accepted ? ["without the key"] : [])],
    [
      row("per result", (budget) => budget.perResult),
      row("per turn", (budget) => budget.perTurn),
      row("preview", (budget) => budget.preview),
      ...TOOLS.map(({ label, tool }) =>
        row(toolLabel(label, tool, check, format), (budget) => resolveThreshold(tool, budget)),
      ),
    ],
  );
}

/** Several windows: tokens in rows of their own, so that the columns stay narrow. */
function ladderTable(columns: readonly BudgetColumn[], accepted: boolean, check: ConfigCheck, format: Format): string {
  const row = (label: string, pick: Pick): readonly string[] => [
    label,
    ...columns.map(({ budget }) => shortChars(pick(budget), format)),
  ];
  const tokens = (pick: Pick): readonly string[] => ["", ...columns.map(({ budget }) => format.tokens(pick(budget)))];
  const perResult: Pick = (budget) => budget.perResult;
  const perTurn: Pick = (budget) => budget.perTurn;
  const without = ["without the key", ...columns.map(({ unset }) => format.chars(unset.perResult))];
  return drawn(
    columns.map((column) => column.label),
    [
      row("per result", perResult),
      tokens(perResult),
      ...(accepted ? [without] : []),
      row("per turn", perTurn),
      tokens(perTurn),
      row("preview", (budget) => budget.preview),
      ...TOOLS.map(({ label, tool }) =>
        row(toolLabel(label, tool, check, format), (budget) => resolveThreshold(tool, budget)),
      ),
    ],
  );
}

/** Terminal output is cut before it could be persisted, which a threshold above the cut never sees. */
function toolLabel(label: string, tool: string, check: ConfigCheck, format: Format): string {
  return tool === "terminal" ? `${label} (first cut to ${format.chars(check.terminalOutput)})` : label;
}

function shortChars(value: number, format: Format): string {
  return Number.isFinite(value) ? format.chars(value) : "never";
}

function drawn(labels: readonly string[], rows: readonly (readonly string[])[]): string {
  return tableLines(["chars", ...labels], rows, true).join("\n");
}
