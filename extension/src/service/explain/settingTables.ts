import { configSetHint } from "../../core/config/configSet";
import type { EffectiveConfig, EffectiveSetting } from "../../core/config/effective";
import { masked } from "../../core/config/expand";
import { InForce } from "../../core/config/explain";
import { shownSetting } from "../../core/config/settings/shown";
import { SETTINGS } from "../../core/config/settings/table";
import { markdownText } from "../../core/util/markdown";
import type { CheckedDocument } from "../context";
import type { Format } from "../format";
import { inlineCode } from "../inlineCode";
import { settingText } from "../settingHover";
import { tableLines } from "../tableLines";

/** Another profile and what its config comes to. */
export interface OtherConfig {
  readonly name: string;
  /** Undefined where its file does not load. */
  readonly config: EffectiveConfig | undefined;
}

/** Profiles beside the one that is explained, and how many more were not looked at. */
export interface OtherProfiles {
  readonly others: readonly OtherConfig[];
  readonly othersLeftOut: number;
}

const LAYERS: Readonly<Record<EffectiveSetting["layer"], string>> = {
  default: "default",
  file: "this file",
  managed: "managed layer",
};

/** Keys that are set, then those at their default. */
export function settingTables(checked: CheckedDocument, inForce: InForce, format: Format): readonly string[] {
  const all = SETTINGS.flatMap(({ name }) => inForce.of(name) ?? []);
  const set = all.filter(({ layer }) => layer !== "default");
  const rest = all.filter(({ layer }) => layer === "default");
  return [
    "## Keys that are set",
    "",
    ...(set.length === 0
      ? ["None: the defaults apply everywhere."]
      : tableLines(
          ["key", "written", "read as", "in force", "from", "what it does"],
          set.map((found) => setRow(checked, found, format)),
        )),
    "",
    "## Keys at their default",
    "",
    ...tableLines(
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
export function configSetLines(checked: CheckedDocument): readonly string[] {
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

/** Settings in which other profiles come to something else. */
export function profileLines(place: OtherProfiles, inForce: InForce, format: Format): readonly string[] {
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
      : tableLines(["key", "this file", ...readable.map(({ name }) => markdownText(name))], rows)),
    ...(unreadable.length === 0 ? [] : ["", `Not readable: ${unreadable.map((name) => inlineCode(name)).join(", ")}.`]),
    ...(place.othersLeftOut === 0
      ? []
      : ["", `${format.chars(place.othersLeftOut)} more profiles were not looked at.`]),
    "",
  ];
}
