import { budgetForContextWindow, resolveThreshold, withThreshold } from "../../core/config/budgets";
import { compactionTrigger, type TriggerStep } from "../../core/config/compactionTrigger";
import { WINDOW_LADDER } from "../../core/config/defaults";
import { compactionSettings, conflictsOf, type InForce, shareOfModel, statedWindow } from "../../core/config/explain";
import { FULL_KEY } from "../../core/config/keys";
import { modelWindow } from "../../core/config/modelWindows";
import { getAt } from "../../core/config/pyDict";
import { toolResultPrune } from "../../core/config/settings/prune";
import { shownSetting } from "../../core/config/settings/shown";
import { SETTINGS } from "../../core/config/settings/table";
import type { Budget } from "../../core/config/types";
import { PY_NONE } from "../../core/model/pyValue";
import { markdownText } from "../../core/util/markdown";
import type { CheckedDocument } from "../context";
import type { Format } from "../format";
import { inlineCode } from "../inlineCode";
import { tableLines } from "../tableLines";

/** A window that somebody asks about: its tokens, or a model by whose name they are known. */
export interface AskedWindow {
  readonly model?: string;
  /** Tokens; goes before the model's. */
  readonly contextWindow?: number;
}

const TOOLS = ["terminal", "web_search", "mcp_any", "unregistered", "read_file"] as const;
const TOOL_LABELS: Readonly<Record<(typeof TOOLS)[number], string>> = {
  terminal: "`terminal`",
  web_search: "`web_search` and other registered tools",
  mcp_any: "`mcp_*`",
  unregistered: "tools without a size of their own",
  read_file: "`read_file`",
};

/** What the agent does under one context window. */
interface WindowNumbers {
  readonly label: string;
  /** Null = the agent does not know its window. */
  readonly tokens: number | null;
  readonly budget: Budget;
  /** Undefined: compaction is off, or the window is not known. */
  readonly trigger: ReturnType<typeof compactionTrigger> | undefined;
}

/** Numbers per context window, compaction, pruning, conflicts. */
export function derivedNumbers(
  checked: CheckedDocument,
  inForce: InForce,
  format: Format,
  asked: AskedWindow,
): readonly string[] {
  const inFile = statedWindow(inForce);
  const ofAsked = asked.contextWindow ?? (asked.model === undefined ? undefined : modelWindow(asked.model));
  const stated = ofAsked ?? inFile?.tokens ?? checked.options.contextLength;
  const windows = windowNumbers(inForce, stated, format);
  return [
    ...conflictLines(inForce, stated),
    "## What follows from it",
    "",
    ...(stated === undefined ? ["No context window is known, so the usual ones are shown.", ""] : []),
    ...askedLines(asked, ofAsked, inFile?.tokens, format),
    ...(ofAsked !== undefined || inFile === undefined || inFile.place === "model.context_length"
      ? []
      : [`The window is stated by ${inlineCode(inFile.place, 200)}, the entry of the model's provider.`, ""]),
    ...tableLines(["characters", ...windows.map(({ label }) => label)], numberRows(windows, format), true),
    "",
    `- Terminal output is cut to ${format.chars(inForce.number("tool_output.max_bytes") ?? 0)} characters before it could be persisted.`,
    ...compactionLines(windows, inForce, format),
    ...pruneLines(inForce, format),
    "",
  ];
}

/** Of the stated window alone, else of the usual ones. */
function windowNumbers(inForce: InForce, stated: number | undefined, format: Format): readonly WindowNumbers[] {
  const persist = inForce.value(FULL_KEY);
  const mcpResult = inForce.number("tool_budget.mcp_result_size_chars");
  const settings = compactionSettings(inForce);
  const { loader } = inForce.config;
  const windows = stated === undefined ? WINDOW_LADDER : [{ tokens: stated, label: `window ${format.chars(stated)}` }];
  return windows.map(({ tokens, label }) => {
    const scaled = budgetForContextWindow(tokens ?? undefined, mcpResult === undefined ? {} : { mcpResult });
    const budget = withThreshold(scaled, persist.t === "int" ? persist.v : null);
    const trigger = tokens === null || !settings.enabled ? undefined : compactionTrigger(tokens, settings, loader);
    return { label, tokens, budget, trigger };
  });
}

function numberRows(windows: readonly WindowNumbers[], format: Format): readonly (readonly string[])[] {
  const chars = (pick: (budget: Budget) => number): readonly string[] =>
    windows.map(({ budget }) => {
      const size = pick(budget);
      if (!Number.isFinite(size)) return "never";
      return windows.length === 1 ? `${format.chars(size)} (${format.tokens(size)})` : format.chars(size);
    });
  return [
    ["per result", ...chars((budget) => budget.perResult)],
    ["per turn", ...chars((budget) => budget.perTurn)],
    ["preview", ...chars((budget) => budget.preview)],
    ...TOOLS.map((tool) => [TOOL_LABELS[tool], ...chars((budget) => resolveThreshold(tool, budget))]),
    [
      "**compaction starts at** (tokens)",
      ...windows.map(({ trigger }) => (trigger ? format.chars(trigger.tokens) : "–")),
    ],
  ];
}

/** When compaction starts, why then, and what it leaves alone. */
function compactionLines(windows: readonly WindowNumbers[], inForce: InForce, format: Format): readonly string[] {
  const { enabled, share } = compactionSettings(inForce);
  const [first] = windows;
  const steps = enabled && windows.length === 1 ? (first?.trigger?.steps ?? []) : [];
  const lines: string[] = [
    ...(enabled ? [] : ["- Compaction is off (`compression.enabled`)."]),
    ...shareLine(inForce, format),
    ...steps.map((step) => `- ${STEPS[step]}`),
  ];
  if (enabled && windows.length > 1)
    lines.push(
      `- Under windows of 512,000 tokens a share below 0.75 is raised to 0.75; set: ${format.fraction(share)}.`,
    );
  lines.push(`- ${tailLine(inForce, first?.trigger?.tokens, first?.tokens ?? undefined, format)}`);
  return lines;
}

/** Which entry of `compression.model_thresholds` counts. */
function shareLine(inForce: InForce, format: Format): readonly string[] {
  const found = shareOfModel(inForce);
  if (found === undefined) return [];
  const entry = inlineCode(found.key, 80);
  return [`- The share is that of ${entry} in \`compression.model_thresholds\`: ${format.fraction(found.share)}.`];
}

const STEPS: Readonly<Record<TriggerStep, string>> = {
  "share-raised": "The share of the window was raised to 0.75, because the window is under 512,000 tokens.",
  floor: "Compaction never starts below 64,000 tokens.",
  "floor-share": "The floor of 64,000 tokens does not fit this window, so compaction starts at 85% of it.",
  "threshold-tokens": "`compression.threshold_tokens` decides.",
  "summary-window": "The window of the model that writes summaries decides.",
};

function tailLine(inForce: InForce, trigger: number | undefined, window: number | undefined, format: Format): string {
  if (inForce.text("compression.tail_mode") === "lean") {
    const tail = window === undefined ? undefined : Math.min(25_000, Math.max(10_000, Math.trunc(window * 0.025)));
    return `Tail that compaction leaves alone: lean, 2.5% of the window between 10,000 and 25,000 tokens${tail === undefined ? "" : `: ${format.chars(tail)}`}. \`compression.target_ratio\` is not used.`;
  }
  const ratio = inForce.number("compression.target_ratio") ?? 0.2;
  const tail = trigger === undefined ? "" : `: ${format.chars(Math.trunc(trigger * ratio))} tokens`;
  return `Tail that compaction leaves alone: legacy, ${format.fraction(ratio)} of the trigger${tail}.`;
}

function pruneLines(inForce: InForce, format: Format): readonly string[] {
  const lines: string[] = [];
  const prune = toolResultPrune(getAt(inForce.config.value, ["compression", "tool_result_prune"]) ?? PY_NONE);
  lines.push(
    prune.enabled
      ? `- Long results keep head and tail when context is compacted: above ${format.chars(prune.threshold)} characters, ${format.chars(prune.head)} + ${format.chars(prune.tail)} stay.`
      : "- `compression.tool_result_prune` is off.",
  );
  const proactive = inForce.number("compression.proactive_prune_tokens") ?? 0;
  lines.push(
    proactive > 0
      ? `- Old results over ${format.chars(inForce.number("compression.proactive_prune_min_result_chars") ?? 0)} characters are pruned from ${format.chars(proactive)} tokens on, if that frees ${format.chars(inForce.number("compression.proactive_prune_min_reclaim_tokens") ?? 0)} tokens.`
      : "- Proactive pruning is off.",
  );
  lines.push(
    inForce.isOn("compression.micro_compact")
      ? `- Micro-compaction runs every ${format.chars(inForce.number("compression.micro_compact_every_n_turns") ?? 1)} turns.`
      : "- Micro-compaction is off.",
  );
  return lines;
}

function conflictLines(inForce: InForce, contextTokens: number | undefined): readonly string[] {
  const coerced = SETTINGS.flatMap(({ name }) => {
    const found = inForce.of(name);
    if (found === undefined || found.layer === "default") return [];
    const { outcome, value, why } = found.parsed;
    return outcome === "taken" || outcome === "unset"
      ? []
      : [
          `- \`${name}\`: ${outcome === "fatal" ? "the agent does not start" : markdownText(shownSetting(value))}, because ${markdownText(why)}.`,
        ];
  });
  const conflicts = conflictsOf(inForce, contextTokens).map(
    ({ settings, message }) => `- \`${settings[0] ?? ""}\`: ${markdownText(message)}`,
  );
  const all = [...coerced, ...conflicts];
  return all.length === 0 ? [] : ["## What to look at", "", ...all, ""];
}

/** What was asked about, and how that differs from what the config states. */
function askedLines(
  { model, contextWindow }: AskedWindow,
  tokens: number | undefined,
  inFile: number | undefined,
  format: Format,
): readonly string[] {
  if (model === undefined && contextWindow === undefined) return [];
  const named = model === undefined ? "" : inlineCode(model, 200);
  if (tokens === undefined) return [`The name ${named} says nothing about a context window.`, ""];
  const why = contextWindow !== undefined ? "as asked for" : `which the name ${named} stands for`;
  const instead =
    inFile === undefined || inFile === tokens
      ? ""
      : ` The config states ${format.chars(inFile)} tokens, which is what applies.`;
  return [`The numbers are for a window of ${format.chars(tokens)} tokens, ${why}.${instead}`, ""];
}
