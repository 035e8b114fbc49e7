import { budgetForContextWindow, resolveThreshold, withThreshold } from "../core/config/budgets";
import { BUILT_IN_LIMITS } from "../core/config/builtInLimits";
import { compactionTrigger, type TriggerStep } from "../core/config/compactionTrigger";
import { configSetHint } from "../core/config/configSet";
import { WINDOW_LADDER } from "../core/config/defaults";
import { type EffectiveConfig, type EffectiveSetting, effectiveConfig } from "../core/config/effective";
import { masked } from "../core/config/expand";
import { compactionSettings, conflictsOf, InForce, shareOfModel, statedWindow } from "../core/config/explain";
import { FULL_KEY } from "../core/config/keys";
import { LOADER_NAMES } from "../core/config/messages";
import { modelWindow } from "../core/config/modelWindows";
import { getAt } from "../core/config/pyDict";
import { toolResultPrune } from "../core/config/settings/prune";
import { shownSetting } from "../core/config/settings/shown";
import { SETTINGS } from "../core/config/settings/table";
import type { Budget } from "../core/config/types";
import { PY_NONE } from "../core/model/pyValue";
import { inOneLine } from "../core/util/inOneLine";
import { markdownText } from "../core/util/markdown";
import type { CheckedDocument } from "./context";
import type { Format } from "./format";
import { inlineCode } from "./inlineCode";
import { settingText } from "./settingHover";

/** Longest path shown whole, in UTF-16 units. */
const MAX_PATH = 300;

/** Where a config lies and what was found around it. Paths as the agent writes them. */
export interface ConfigPlace {
  readonly path: string;
  readonly profile: string | undefined;
  readonly envFile: { readonly path: string; readonly exists: boolean } | undefined;
  readonly managedFile: { readonly path: string; readonly exists: boolean };
  /** True in a workspace that is not trusted: nothing around the config was looked at. */
  readonly restricted: boolean;
  /** Good copies of the config, newest first; Hermes takes the first when the file does not load. */
  readonly backups: readonly string[];
  /** Other profiles and the settings in which they differ. */
  readonly others: readonly OtherConfig[];
  /** The profile that the agent uses by itself: `default`, or what `active_profile` names; undefined where this is no agent's home. */
  readonly activeProfile: string | undefined;
  /** What keeps the agent from writing its config: `HERMES_MANAGED` or a `.managed` file; undefined = nothing. */
  readonly lockedBy: string | undefined;
  /** Configs of profiles that were not looked at, because there are too many. */
  readonly othersLeftOut: number;
}

export interface OtherConfig {
  readonly name: string;
  /** Undefined where its file does not load. */
  readonly config: EffectiveConfig | undefined;
}

/** A window that somebody asks about: its tokens, or a model by whose name they are known. */
export interface AskedWindow {
  readonly model?: string;
  /** Tokens; goes before the model's. */
  readonly contextWindow?: number;
}

/**
 * A Markdown document: every key that decides about context, what applies and why, and the numbers that follow, for the window that
 * is asked about, else for the one that is stated.
 */
export function explainConfig(
  checked: CheckedDocument,
  place: ConfigPlace,
  format: Format,
  asked: AskedWindow = {},
): string {
  const { load } = checked.check;
  const { environment, managed } = checked.options;
  const config = effectiveConfig({ user: load, environment, managed });
  const inForce = new InForce(config);
  return [
    "# Context budget: this config explained",
    "",
    ...loadLines(checked, place, config),
    "",
    ...(config.outcome === "raises" ? [] : derived(checked, inForce, format, asked)),
    ...settingTables(checked, inForce, format),
    "",
    ...configSetLines(checked),
    ...profileLines(place, inForce, format),
    ...layerLines(place),
    "",
    ...builtInLines(format),
    "Sizes are characters (Unicode code points) or tokens, as named. ≈ marks an estimate: characters ÷ 4. The agent reads its config when it starts; running conversations keep their values.",
    "",
  ].join("\n");
}

function loadLines(checked: CheckedDocument, place: ConfigPlace, config: EffectiveConfig): readonly string[] {
  const profile = place.profile === undefined ? "" : ` (profile ${inlineCode(place.profile)})`;
  const read = `${inlineCode(place.path, MAX_PATH)}${profile}, as ${LOADER_NAMES[config.loader].toLowerCase().replace("hermes", "Hermes")} reads it.`;
  const active = activeLines(place);
  const newest = place.backups[0];
  const instead =
    newest === undefined
      ? "its defaults, because there is no good copy in backups/config"
      : `the newest good copy, ${inlineCode(newest, MAX_PATH)}`;
  switch (config.outcome) {
    case "merged":
      return [read, ...active];
    case "empty":
      return [read, ...active, "", "The file holds no settings, so the defaults apply."];
    case "fallback":
      return [
        read,
        "",
        `**✗ The file does not load.** ${markdownText(checked.check.load.failure?.message ?? "Its root is no mapping.")} A running agent keeps its last good config; one that starts now takes ${instead}. Below: the defaults.`,
      ];
    case "raises":
      return [read, "", "**✗ The agent cannot start with this file**: it contains itself by way of an alias."];
  }
}

/** Whether an agent that is started without further ado uses this file. */
function activeLines({ activeProfile, profile = "default" }: ConfigPlace): readonly string[] {
  if (activeProfile === undefined || activeProfile === profile) return [];
  return [
    "",
    `The active profile of this home is ${inlineCode(activeProfile)}; this file counts for ${inlineCode(profile)}.`,
  ];
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

function line(cells: readonly string[]): string {
  return `| ${cells.map((cell) => inOneLine(cell).replaceAll("\\|", "¦").replaceAll("|", "¦")).join(" | ")} |`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[], numbers = false): readonly string[] {
  return [
    line(head),
    `|${head.map((_, index) => (numbers && index > 0 ? "--:" : ":--")).join("|")}|`,
    ...rows.map(line),
  ];
}

const TOOLS = ["terminal", "web_search", "mcp_any", "unregistered", "read_file"] as const;
const TOOL_LABELS: Readonly<Record<(typeof TOOLS)[number], string>> = {
  terminal: "`terminal`",
  web_search: "`web_search` and other registered tools",
  mcp_any: "`mcp_*`",
  unregistered: "tools without a size of their own",
  read_file: "`read_file`",
};

/** Numbers per context window, compaction, pruning, conflicts. */
function derived(checked: CheckedDocument, inForce: InForce, format: Format, asked: AskedWindow): readonly string[] {
  const inFile = statedWindow(inForce);
  const ofAsked = asked.contextWindow ?? (asked.model === undefined ? undefined : modelWindow(asked.model));
  const stated = ofAsked ?? inFile?.tokens ?? checked.options.contextLength;
  const windows = stated === undefined ? WINDOW_LADDER : [{ tokens: stated, label: `window ${format.chars(stated)}` }];
  const persist = inForce.value(FULL_KEY);
  const mcpResult = inForce.number("tool_budget.mcp_result_size_chars");
  const settings = compactionSettings(inForce);
  const loader = inForce.config.loader;
  const columns = windows.map(({ tokens }) => {
    const scaled = budgetForContextWindow(tokens ?? undefined, mcpResult === undefined ? {} : { mcpResult });
    const budget = withThreshold(scaled, persist.t === "int" ? persist.v : null);
    const trigger = tokens === null || !settings.enabled ? undefined : compactionTrigger(tokens, settings, loader);
    return { tokens, budget, trigger };
  });
  const chars = (pick: (budget: Budget) => number): readonly string[] =>
    columns.map(({ budget }) => {
      const size = pick(budget);
      if (!Number.isFinite(size)) return "never";
      return columns.length === 1 ? `${format.chars(size)} (${format.tokens(size)})` : format.chars(size);
    });
  const rows = [
    ["per result", ...chars((budget) => budget.perResult)],
    ["per turn", ...chars((budget) => budget.perTurn)],
    ["preview", ...chars((budget) => budget.preview)],
    ...TOOLS.map((tool) => [TOOL_LABELS[tool], ...chars((budget) => resolveThreshold(tool, budget))]),
    [
      "**compaction starts at** (tokens)",
      ...columns.map(({ trigger }) => (trigger ? format.chars(trigger.tokens) : "–")),
    ],
  ];
  const [first] = columns;
  return [
    ...conflictLines(inForce, stated),
    "## What follows from it",
    "",
    ...(stated === undefined ? ["No context window is known, so the usual ones are shown.", ""] : []),
    ...askedLines(asked, ofAsked, inFile?.tokens, format),
    ...(ofAsked !== undefined || inFile === undefined || inFile.place === "model.context_length"
      ? []
      : [`The window is stated by ${inlineCode(inFile.place, 200)}, the entry of the model's provider.`, ""]),
    ...table(["characters", ...windows.map(({ label }) => label)], rows, true),
    "",
    `- Terminal output is cut to ${format.chars(inForce.number("tool_output.max_bytes") ?? 0)} characters before it could be persisted.`,
    ...(settings.enabled ? [] : ["- Compaction is off (`compression.enabled`)."]),
    ...shareLine(inForce, format),
    ...(settings.enabled && columns.length === 1 && first?.trigger !== undefined
      ? first.trigger.steps.map((step) => `- ${STEPS[step]}`)
      : []),
    ...(settings.enabled && columns.length > 1
      ? [
          `- Under windows of 512,000 tokens a share below 0.75 is raised to 0.75; set: ${format.fraction(settings.share)}.`,
        ]
      : []),
    `- ${tailLine(inForce, first?.trigger?.tokens, first?.tokens ?? undefined, format)}`,
    ...pruneLines(inForce, format),
    "",
  ];
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

const LAYERS: Readonly<Record<EffectiveSetting["layer"], string>> = {
  default: "default",
  file: "this file",
  managed: "managed layer",
};

function settingTables(checked: CheckedDocument, inForce: InForce, format: Format): readonly string[] {
  const all = SETTINGS.flatMap(({ name }) => inForce.of(name) ?? []);
  const set = all.filter(({ layer }) => layer !== "default");
  const rest = all.filter(({ layer }) => layer === "default");
  return [
    "## Keys that are set",
    "",
    ...(set.length === 0
      ? ["None: the defaults apply everywhere."]
      : table(
          ["key", "written", "read as", "in force", "from", "what it does"],
          set.map((found) => setRow(checked, found, format)),
        )),
    "",
    "## Keys at their default",
    "",
    ...table(
      ["key", "in force", "what it does"],
      rest.map(({ setting, parsed }) => [
        `\`${setting.name}\``,
        settingText(setting, parsed.value, format),
        setting.does,
      ]),
    ),
  ];
}

/** Keys where the command line would come to something else than the text in the file. */
function configSetLines(checked: CheckedDocument): readonly string[] {
  const hints = checked.check.settings.flatMap((found) => {
    const { outerStart, end } = found.pair.value;
    return configSetHint(found, checked.text.slice(outerStart, end)) ?? [];
  });
  return hints.length === 0
    ? []
    : [
        "## On the command line",
        "",
        ...hints.map(({ command, effect }) => `- ${inlineCode(command, 120)}: ${inlineCode(effect, 240)}`),
        "",
      ];
}

function setRow(checked: CheckedDocument, found: EffectiveSetting, format: Format): readonly string[] {
  const { setting, parsed, layer, overridden } = found;
  const inFile = checked.check.settings.find((one) => one.setting === setting);
  const { text } = checked;
  const written =
    inFile === undefined ? "–" : inlineCode(text.slice(inFile.pair.value.outerStart, inFile.pair.value.end));
  const read =
    inFile === undefined
      ? "–"
      : inlineCode(shownSetting(masked(inFile.loaded, inFile.value, checked.options.environment)));
  const mark = parsed.outcome === "taken" || parsed.outcome === "unset" ? "" : parsed.outcome === "fatal" ? "✗ " : "⚠ ";
  const force = parsed.outcome === "fatal" ? "the agent does not start" : settingText(setting, parsed.value, format);
  const from = overridden ? `${LAYERS[layer]}, overrides this file` : LAYERS[layer];
  const source = parsed.outcome === "ignored" && layer === "file" ? "default (the value is ignored)" : from;
  return [`\`${setting.name}\``, written, read, mark + force, source, setting.does];
}

function layerLines(place: ConfigPlace): readonly string[] {
  const { envFile, managedFile } = place;
  const state = (exists: boolean): string => (exists ? "read" : "not there, or not readable");
  return [
    "## Layers, the later ones win",
    "",
    ...(place.restricted ? ["This workspace is not trusted, so no file besides the config was looked at.", ""] : []),
    "1. Defaults of the agent.",
    `2. ${inlineCode(place.path, MAX_PATH)}; no other file of a project is looked at.`,
    `3. \`\${…}\` in its values: ${envFile === undefined ? "" : `${inlineCode(envFile.path, MAX_PATH)} (${state(envFile.exists)}), then `}the environment of the editor, which may differ from the agent's.`,
    `4. Managed layer: ${inlineCode(managedFile.path, MAX_PATH)} (${state(managedFile.exists)}).`,
    ...(place.lockedBy === undefined
      ? []
      : ["", `Hermes does not write this config itself, because of ${inlineCode(place.lockedBy, MAX_PATH)}.`]),
  ];
}

/** Other agents have no file for these; they are listed so that transcripts of theirs can be understood. */
function builtInLines(format: Format): readonly string[] {
  const rows = BUILT_IN_LIMITS.map(({ agent, name, value, unit, does }) => [
    agent,
    name,
    `${format.chars(value)} ${unit}`,
    "built in",
    does,
  ]);
  return [
    "## Limits that other agents have built in",
    "",
    "No config file of these agents is known that sets them.",
    "",
    ...table(["agent", "limit", "in force", "from", "what it does"], rows),
    "",
  ];
}

/** Settings in which other profiles come to something else. */
function profileLines(place: ConfigPlace, inForce: InForce, format: Format): readonly string[] {
  if (place.others.length === 0) return [];
  const others = place.others.map(({ name, config }) => ({ name, inForce: config && new InForce(config) }));
  const readable = others.flatMap((one) =>
    one.inForce === undefined ? [] : [{ name: one.name, inForce: one.inForce }],
  );
  const rows = SETTINGS.flatMap((setting) => {
    const show = (one: InForce): string => settingText(setting, one.value(setting.name), format);
    const mine = show(inForce);
    const theirs = readable.map((one) => show(one.inForce));
    return theirs.every((value) => value === mine) ? [] : [[`\`${setting.name}\``, mine, ...theirs]];
  });
  const unreadable = others.filter((one) => one.inForce === undefined).map(({ name }) => name);
  return [
    "## Other profiles",
    "",
    ...(rows.length === 0
      ? [`${readable.length} looked at: no key differs.`]
      : table(["key", "this file", ...readable.map(({ name }) => markdownText(name))], rows)),
    ...(unreadable.length === 0 ? [] : ["", `Not readable: ${unreadable.map((name) => inlineCode(name)).join(", ")}.`]),
    ...(place.othersLeftOut === 0
      ? []
      : ["", `${format.chars(place.othersLeftOut)} more profiles were not looked at.`]),
    "",
  ];
}
