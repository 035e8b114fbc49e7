import { masked } from "../core/config/expand";
import { shownSetting } from "../core/config/settings/shown";
import type { FoundSetting, Setting } from "../core/config/settings/types";
import { pyRepr, pyTypeName } from "../core/model/pyRepr";
import type { PyValue } from "../core/model/pyValue";
import { markdownText } from "../core/util/markdown";
import type { CheckedDocument } from "./context";
import type { Format } from "./format";
import { inlineCode } from "./inlineCode";
import { variableLines } from "./variables";

/** `50,000 characters`; `true`; `unset`. Markdown. */
export function settingText(setting: Setting, value: PyValue, format: Format): string {
  const plural = setting.unit === "none" || setting.unit === "fraction" ? "" : ` ${setting.unit}`;
  const unit = value.t === "int" && value.v === 1n ? plural.replace(/s$/, "") : plural;
  if (value.t === "int") return `${format.chars(value.v)}${unit}`;
  if (value.t === "float") return `${Number.isFinite(value.v) ? format.fraction(value.v) : pyRepr(value)}${unit}`;
  return markdownText(shownSetting(value));
}

/** The setting whose key or value stands at an offset. */
export function settingAt(checked: CheckedDocument, offset: number): FoundSetting | undefined {
  return checked.check.settings.find(({ pair: { key, value } }) => {
    const onKey = offset >= key.outerStart && offset <= key.end;
    return onKey || (value.kind !== "map" && offset >= value.outerStart && offset <= Math.max(value.end, key.end));
  });
}

/** Verdict first, then what the key does and its trap. */
export function settingHover(checked: CheckedDocument, found: FoundSetting, format: Format): string {
  const { setting, loaded, value } = found;
  const written = checked.text.slice(found.pair.value.outerStart, found.pair.value.end);
  const steps = [
    written === "" ? "nothing is written" : inlineCode(written),
    python(loaded),
    ...(value === loaded ? [] : [python(masked(loaded, value, checked.options.environment))]),
  ];
  const fallback = settingText(setting, setting.fallback[checked.check.loader], format);
  return [
    `${verdict(found, format)} · ${steps.join(" → ")}`,
    "",
    ...variableLines(loaded, checked.options.environment),
    `${setting.does}${setting.trap === undefined ? "" : ` ⚠ ${setting.trap}`}`,
    "",
    `\`${setting.name}\` · default: ${fallback} · ${setting.source}`,
  ].join("\n");
}

function verdict({ setting, parsed, open }: FoundSetting, format: Format): string {
  if (open) return "**? Depends on the environment**";
  const value = settingText(setting, parsed.value, format);
  switch (parsed.outcome) {
    case "taken":
      return setting.parser.kind === "unknown" ? `**${value}**` : `**✓ ${value}**`;
    case "coerced":
      return `**⚠ Counts as ${value}**: ${markdownText(parsed.why)}`;
    case "clamped":
      return `**⚠ Becomes ${value}**: ${markdownText(parsed.why)}`;
    case "ignored":
      return `**✗ Ignored**, ${value} applies: ${markdownText(parsed.why)}`;
    case "unset":
      return `**– Unset**, the default applies: ${value}`;
    case "fatal":
      return `**✗ The agent does not start**: ${markdownText(parsed.why)}`;
  }
}

function python(value: PyValue): string {
  return value.t === "NoneType" ? "`None`" : `${pyTypeName(value)} ${inlineCode(pyRepr(value))}`;
}
