import { BUILT_IN_LIMITS } from "../core/config/builtInLimits";
import { type EffectiveConfig, effectiveConfig } from "../core/config/effective";
import { InForce } from "../core/config/explain";
import { LOADER_NAMES } from "../core/config/messages";
import { markdownText } from "../core/util/markdown";
import type { CheckedDocument } from "./context";
import { type AskedWindow, derivedNumbers } from "./explain/derivedNumbers";
import { configSetLines, type OtherProfiles, profileLines, settingTables } from "./explain/settingTables";
import type { Format } from "./format";
import { inlineCode } from "./inlineCode";
import { tableLines } from "./tableLines";

/** Longest path shown whole, in UTF-16 units. */
const MAX_PATH = 300;

/** Where a config lies and what was found around it. Paths as the agent writes them. */
export interface ConfigPlace extends OtherProfiles {
  readonly path: string;
  readonly profile: string | undefined;
  readonly envFile: { readonly path: string; readonly exists: boolean } | undefined;
  readonly managedFile: { readonly path: string; readonly exists: boolean };
  /** True in a workspace that is not trusted: nothing around the config was looked at. */
  readonly restricted: boolean;
  /** Good copies of the config, newest first; Hermes takes the first when the file does not load. */
  readonly backups: readonly string[];
  /** The profile that the agent uses by itself: `default`, or what `active_profile` names; undefined where this is no agent's home. */
  readonly activeProfile: string | undefined;
  /** What keeps the agent from writing its config: `HERMES_MANAGED` or a `.managed` file; undefined = nothing. */
  readonly lockedBy: string | undefined;
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
    ...(config.outcome === "raises" ? [] : derivedNumbers(checked, inForce, format, asked)),
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
    ...tableLines(["agent", "limit", "in force", "from", "what it does"], rows),
    "",
  ];
}
